#include "cluster/metrics/terminal_text.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

TEST(TerminalTextTest, DropsColoursAndOtherSequences) {
  const struct {
    std::string text;
    std::string shown;
  } kCases[] = {
      {"plain\ttext", "plain\ttext"},
      {"\x1b[32mloss\x1b[0m=\x1b[1;31;48;5;7m0.5\x1b[m", "loss=0.5"},
      {"\x1b]0;a title\aloss=1", "loss=1"},
      {"\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"},
      {"\x1b(Bloss\x1b"
       "7=1",
       "loss=1"},
      {"\x1b[?25lloss=1\x1b[?25h\x1b[K", "loss=1"},
      {"a\b\b\x01\x7f"
       "b",
       "ab"},
      {"gr\xc3\xb6\xc3\x9f"
       "e=1",
       "gr\xc3\xb6\xc3\x9f"
       "e=1"},
      {std::string("a\0b", 3), "ab"},
  };
  for (const auto& test : kCases) {
    EXPECT_EQ(TerminalText(test.text), test.shown)
        << testing::PrintToString(test.text);
  }
}

TEST(TerminalTextTest, BeginsAnewWhereTheLineIsPrintedOver) {
  EXPECT_EQ(TerminalText("loss=1\x1b[1Gloss=2"), "loss=2");
  EXPECT_EQ(TerminalText("loss=1\x1b[Gloss=2"), "loss=2");
  EXPECT_EQ(TerminalText("loss=1\x1b[2Kloss=2"), "loss=2");
  EXPECT_EQ(TerminalText("loss=1\x1b[11G!"), "loss=1!");
}

TEST(TerminalTextTest, EndsWithASequenceThatIsCut) {
  for (const char* end : {"\x1b", "\x1b[", "\x1b[3", "\x1b]0;tit", "\x1b("}) {
    EXPECT_EQ(TerminalText(std::string("a") + end), "a");
  }
}

TEST(TerminalTextTest, FullWidthSignsHavePlainOnes) {
  EXPECT_EQ(WithPlainSigns("a\xef\xbc\x9a"
                           "1\xef\xbc\x88"
                           "2\xef\xbc\x89\xe3\x80\x82"),
            "a:1(2).");
  EXPECT_EQ(WithPlainSigns("\xef\xbb\xbf"
                           "a:\xc2\xa0"
                           "1\xc2\xa0"
                           "234"),
            "a: 1\xc2\xa0"
            "234");
}

}  // namespace
}  // namespace vernier
