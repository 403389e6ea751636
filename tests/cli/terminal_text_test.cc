#include "cli/text/terminal_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/display/terminal.h"
#include "cli/live/screen.h"

namespace vernier {
namespace {

constexpr char kUnknown[] = "\xEF\xBF\xBD";

TEST(TerminalTextTest, WidthsCountWhatIsShown) {
  EXPECT_EQ(DisplayWidth("abc"), 3u);
  EXPECT_EQ(DisplayWidth("gr\xC3\xB6\xC3\x9F"), 4u);
  EXPECT_EQ(DisplayWidth("e\xCC\x81"), 1u);                 // e, acute.
  EXPECT_EQ(DisplayWidth("\xE6\x97\xA5\xE6\x9C\xAC"), 4u);  // Two Kanji.
  EXPECT_EQ(DisplayWidth("\xF0\x9F\x9A\x80"), 2u);          // A rocket.
  EXPECT_EQ(DisplayWidth(Painted("ok", Colour::kGreen, Palette::kColours)), 2u);
  EXPECT_EQ(DisplayWidth("\xFF\xC3"), 2u);  // Each unknown byte is shown.
}

TEST(TerminalTextTest, CutsBetweenCharacters) {
  EXPECT_EQ(CutToWidth("\xC3\xB6\xC3\xB6x", 2), "\xC3\xB6\xC3\xB6");
  EXPECT_EQ(CutToWidth("\xE6\x97\xA5\xE6\x9C\xAC", 3), "\xE6\x97\xA5");
  EXPECT_EQ(CutToWidth("abc", 0), "");
  EXPECT_EQ(CutToWidth("abc", std::string::npos), "abc");
}

TEST(TerminalTextTest, ControlCharactersAreNeverPrinted) {
  EXPECT_EQ(Printable("a\033[2Jb", LineBreaks::kToBlanks),
            std::string("a") + kUnknown + "[2Jb");
  EXPECT_EQ(Printable("a\xC2\x9B"
                      "2J\x7F\a",
                      LineBreaks::kToBlanks),
            std::string("a") + kUnknown + "2J" + kUnknown + kUnknown);
  EXPECT_EQ(Printable("\xE2\x80\xAE"
                      "cba",
                      LineBreaks::kToBlanks),
            std::string(kUnknown) + "cba");  // Right to left.
  EXPECT_EQ(Printable("\xFF\xC3", LineBreaks::kToBlanks),
            std::string(kUnknown) + kUnknown);
  EXPECT_EQ(Printable("a\r\nb\tc\rd", LineBreaks::kToBlanks), "a b c d");
  EXPECT_EQ(Printable("a\r\nb\tc\rd", LineBreaks::kKeep), "a\nb\tc d");
}

TEST(TerminalTextTest, StatesHaveColoursWhereThereAreColours) {
  EXPECT_EQ(Painted("FAILED", ColourOfState("FAILED"), Palette::kColours),
            "\033[31mFAILED\033[0m");
  EXPECT_EQ(Painted("FAILED", ColourOfState("FAILED"), Palette::kPlain),
            "FAILED");
  EXPECT_EQ(Painted("x", ColourOfState("x"), Palette::kColours), "x");
  EXPECT_EQ(ColourOfState("completed"), Colour::kGreen);
  EXPECT_EQ(ColourOfState("PAUSED"), Colour::kYellow);
}

TEST(TerminalTest, OnlyATerminalThatKnowsThemGetsEscapeSequences) {
  EXPECT_TRUE(TerminalOf(true, "xterm", nullptr).can_redraw);
  EXPECT_EQ(TerminalOf(true, "xterm", nullptr).palette, Palette::kColours);
  EXPECT_EQ(TerminalOf(true, "xterm", "").palette, Palette::kColours);
  EXPECT_EQ(TerminalOf(true, "xterm", "1").palette, Palette::kPlain);
  EXPECT_TRUE(TerminalOf(true, "xterm", "1").can_redraw);
  for (const char* term : {"dumb", "", static_cast<const char*>(nullptr)}) {
    EXPECT_FALSE(TerminalOf(true, term, nullptr).can_redraw);
    EXPECT_EQ(TerminalOf(true, term, nullptr).palette, Palette::kPlain);
  }
  EXPECT_FALSE(TerminalOf(false, "xterm", nullptr).can_redraw);
  EXPECT_EQ(TerminalOf(false, "xterm", nullptr).palette, Palette::kPlain);
}

TEST(TerminalTest, TheVariableCountsBeforeTheWindow) {
  EXPECT_EQ(SizeOf("40", "10", 80, 24).columns, 40u);
  EXPECT_EQ(SizeOf("40", "10", 80, 24).rows, 10u);
  for (const char* bad : {"", "0", "-1", "x", "99999999"}) {
    EXPECT_EQ(SizeOf(bad, bad, 132, 50).columns, 132u) << bad;
    EXPECT_EQ(SizeOf(bad, bad, 132, 50).rows, 50u) << bad;
  }
  EXPECT_EQ(SizeOf(nullptr, nullptr, 0, 0).columns, 80u);
  EXPECT_EQ(SizeOf(nullptr, nullptr, 0, 0).rows, 24u);
}

TEST(ScreenTest, AFrameErasesNothingBeforeItIsDrawn) {
  EXPECT_EQ(FrameText(0, {}, {"one", "two"}),
            "\033[?2026hone\033[K\ntwo\033[K\n\033[J\033[?2026l");
  EXPECT_EQ(FrameText(2, {}, {"one"}),
            "\033[?2026h\r\033[2Aone\033[K\n\033[J\033[?2026l");
  EXPECT_EQ(FrameText(2, {"stays"}, {"one"}),
            "\033[?2026h\r\033[2A\033[Jstays\none\033[K\n\033[J\033[?2026l");
}

TEST(ScreenTest, LinesThatANarrowerWindowWrapsTakeMoreRows) {
  EXPECT_EQ(RowsOf({"0123456789", "", "01234"}, 10), 3u);
  EXPECT_EQ(RowsOf({"0123456789", "", "01234"}, 5), 4u);
  EXPECT_EQ(RowsOf({Painted("0123456789", Colour::kRed, Palette::kColours)}, 9),
            2u);
}

}  // namespace
}  // namespace vernier
