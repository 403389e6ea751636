#include "cli/text/console.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace vernier {
namespace {

/// What `write` puts into a file.
template <typename Write>
std::string Written(const Write& write) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(),
                                                             &std::fclose);
  if (file == nullptr) return "no temporary file";
  EXPECT_TRUE(write(file.get()));
  std::rewind(file.get());
  char text[256];
  return {text, std::fread(text, 1, sizeof(text), file.get())};
}

constexpr char kEvil[] =
    "a\033]0;owned\007\033[2Jb\tc\r\n\xc2\x9b"
    "31md";

TEST(ConsoleTest, TextForPeopleHasNoControlCharacters) {
  const std::string text =
      Written([](std::FILE* file) { return WriteText(file, kEvil); });
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_EQ(text.find('\007'), std::string::npos);
  EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
  EXPECT_NE(text.find("b\tc\n"), std::string::npos) << "lines and tabs stay";
  EXPECT_EQ(Written([](std::FILE* file) {
              return PrintTo(file, "note %d: %s\n", 1, std::string("\033[8mx"));
            }),
            "note 1: \xef\xbf\xbd[8mx\n");
}

TEST(ConsoleTest, DataForProgramsIsAsItIs) {
  EXPECT_EQ(Written([](std::FILE* file) { return WriteData(file, kEvil); }),
            kEvil);
  EXPECT_EQ(Written([](std::FILE* file) {
              LogWriter log(file);
              return log.Write("a\033[2J") && log.Write("b") && log.Finish();
            }),
            "a\033[2Jb");
}

std::string Shown(const std::vector<std::string>& pieces) {
  TerminalLog log;
  std::string text;
  for (const std::string& piece : pieces) text += log.Add(piece);
  return text + log.Finish();
}

TEST(TerminalLogTest, KeepsColoursAndProgressBars) {
  EXPECT_EQ(Shown({"\033[1;32mok\033[0m\n 10%\r 20%\b\t|\n"}),
            "\033[1;32mok\033[0m\n 10%\r 20%\b\t|\n");
}

TEST(TerminalLogTest, RefusesWhateverElseATerminalObeys) {
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_EQ(Shown({"\033[2J\033[H"}), mark + "[2J" + mark + "[H");
  EXPECT_EQ(Shown({"\033]52;c;eA==\007"}), mark + "]52;c;eA==" + mark);
  EXPECT_EQ(Shown({"\033[?1049h\x0e\xc2\x9b"
                   "2J"}),
            mark + "[?1049h" + mark + mark + "2J");
  EXPECT_EQ(Shown({"\033[" + std::string(80, '1') + "m"}),
            mark + "[" + std::string(80, '1') + "m");
}

TEST(TerminalLogTest, ReadsSequencesAndCharactersAcrossPieces) {
  EXPECT_EQ(Shown({"a\033", "[3", "1mb\xc3", "\xb6\033[0m"}),
            "a\033[31mb\xc3\xb6\033[0m");
  EXPECT_EQ(Shown({"a\xc3"}), "a\xef\xbf\xbd");
  EXPECT_EQ(Shown({"a\033["}), "a\xef\xbf\xbd[");
}

TEST(TerminalLogTest, EndsAColourThatTheProgramLeft) {
  EXPECT_EQ(Shown({"\033[31mred"}), "\033[31mred\033[0m");
}

}  // namespace
}  // namespace vernier
