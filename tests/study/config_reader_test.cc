// Hostile and odd input to the reader: always an answer, and a quick one.

#include "study/config/config_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/time.h>

#include <string>

#include "base/utf8.h"
#include "study/config/config_tree_builder.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

std::string Repeat(const std::string& unit, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += unit;
  return text;
}

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec) * 1e-6;
}

// The first error, or "" if the text was read.
std::string ConfigErrorOf(const std::string& text) {
  SpecDiagnostics diagnostics("f");
  ConfigTree tree;
  if (ReadConfig(text, tree, diagnostics) && !diagnostics.has_errors()) {
    return "";
  }
  const auto errors = diagnostics.TakeErrors();
  return errors.empty() ? "no error was reported" : FormatSpecError(errors[0]);
}

TEST(ConfigReaderTest, NestingOfEveryKindIsRefused) {
  // More than the size from which a text is scanned before it is parsed.
  constexpr std::size_t kBytes = 100'000;
  for (const char* unit :
       {"[", "{", "- ", "? ", "{a: ", "[{", "[a,", "{\"a\":", "- [\n", "a: [",
        "[[a],", "\"a\": {", "- - ", "?\n ", "- ? "}) {
    for (const char* prefix : {"", "a: ", "{", "# x\n", "{\"a\":[", "- "}) {
      EXPECT_NE(ConfigErrorOf(prefix + Repeat(unit, kBytes)), "")
          << prefix << unit;
    }
  }
}

TEST(ConfigReaderTest, TenMegabytesOfNestingAreRefusedQuickly) {
  constexpr std::size_t kBytes = 10'000'000;
  for (const char* unit : {"[", "{", "- ", "? ", "{\"a\":"}) {
    const std::string text = Repeat(unit, kBytes);
    const double start = CpuSeconds();
    EXPECT_NE(ConfigErrorOf(text), "") << unit;
    // Seconds would be a reader that goes on to the end.
    EXPECT_LT(CpuSeconds() - start, 2.0) << unit;
  }
}

TEST(ConfigReaderTest, DepthHasASharpLimit) {
  const auto json = [](int depth) {
    return "{\"a\":" + std::string(static_cast<std::size_t>(depth - 1), '[') +
           std::string(static_cast<std::size_t>(depth - 1), ']') + "}";
  };
  EXPECT_EQ(ConfigErrorOf(json(kMaxConfigDepth)), "");
  EXPECT_THAT(ConfigErrorOf(json(kMaxConfigDepth + 1)),
              HasSubstr("nested too deeply: at most 100 levels"));
  EXPECT_EQ(ConfigErrorOf("# YAML\n" + json(kMaxConfigDepth)), "");
  EXPECT_THAT(ConfigErrorOf("# YAML\n" + json(kMaxConfigDepth + 1)),
              HasSubstr("nested too deeply: at most 100 levels"));
}

TEST(ConfigReaderTest, AnAliasBombIsRefused) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 20; ++i) {
    const std::string previous = "*a" + std::to_string(i - 1);
    text +=
        "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + previous;
    for (int j = 1; j < 10; ++j) text += ", " + previous;
    text += "]\n";
  }
  EXPECT_THAT(ConfigErrorOf(text), HasSubstr("f:6:"));
  EXPECT_THAT(ConfigErrorOf(text), HasSubstr("too many values"));
}

TEST(ConfigReaderTest, AChainOfAliasesCountsAsDepth) {
  std::string text = "a0: &a0 [x]\n";
  for (int i = 1; i < 200; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" +
            std::to_string(i - 1) + "]\n";
  }
  EXPECT_THAT(ConfigErrorOf(text), HasSubstr("nested too deeply"));
}

TEST(ConfigReaderTest, AMergeBombIsRefused) {
  std::string text = "m: &m0 {";
  for (int i = 0; i < 1000; ++i) text += "k" + std::to_string(i) + ": 1, ";
  text += "}\n";
  for (int i = 1; i < 2000; ++i) {
    text += "m" + std::to_string(i) + ": {<<: *m0}\n";
  }
  EXPECT_THAT(ConfigErrorOf(text), HasSubstr("too many values"));
}

TEST(ConfigReaderTest, ManyFlatValuesAreRefused) {
  EXPECT_THAT(ConfigErrorOf("[" + Repeat("a,", 12'000'000)),
              HasSubstr("too many values"));
  EXPECT_THAT(ConfigErrorOf("{\"a\":[" + Repeat("1,", 12'000'000) + "1]}"),
              HasSubstr("too many values"));
}

TEST(ConfigReaderTest, SizeHasASharpLimit) {
  const std::string job = "{\"a\": 1}";
  const std::size_t padding = kMaxConfigBytes - job.size();
  EXPECT_EQ(ConfigErrorOf(job + std::string(padding, ' ')), "");
  EXPECT_THAT(ConfigErrorOf(job + std::string(padding + 1, ' ')),
              HasSubstr("the file is too large: 16777217 > 16777216 bytes"));
}

TEST(ConfigReaderTest, ALargeFileWithBracketsInTextIsRead) {
  // Long enough to be scanned before it is parsed.
  const std::string text =
      "a: |\n" + Repeat("  f(x[1], \"it's\") # [ {\n", 100'000);
  EXPECT_EQ(ConfigErrorOf(text + "b: [1, '[', \"]\\\"[\", 2] # [[[[\n"), "");
}

TEST(ConfigReaderTest, ByteOrderMarkAndLineEndsDoNotMatter) {
  EXPECT_EQ(ConfigErrorOf("\xEF\xBB\xBF{\"a\": 1}"), "");
  EXPECT_EQ(ConfigErrorOf("\xEF\xBB\xBF"
                          "a: 1\r\nb:\r\n  c: 2"),
            "");
}

TEST(ConfigReaderTest, JsonThatIsNotStrictIsReadAsYaml) {
  EXPECT_EQ(ConfigErrorOf("{a: 1, 'b': [x y, ],}"), "");
  EXPECT_EQ(ConfigErrorOf("{\"a\": 1} # comment"), "");
  EXPECT_NE(ConfigErrorOf("{\"a\": 1} x"), "");
  EXPECT_NE(ConfigErrorOf(R"({"a": "\ud83d"})"), "")
      << "half of a surrogate pair";
  EXPECT_NE(ConfigErrorOf(R"({"a": "\ude00\ud83d"})"), "");
}

TEST(ConfigReaderTest, PositionsAreThoseOfTheFile) {
  for (const char* prefix : {"", "# YAML\n"}) {
    SpecDiagnostics diagnostics("f");
    ConfigTree tree;
    ASSERT_TRUE(ReadConfig(
        std::string(prefix) + "{\"a\": 1,\n  \"b\": [\"x\",\n    true]}", tree,
        diagnostics));
    const int first = std::string(prefix).empty() ? 1 : 2;
    const ConfigNode* list = tree.root->Find("b");
    ASSERT_NE(list, nullptr);
    EXPECT_EQ(tree.root->members[1].position.line, first + 1);
    EXPECT_EQ(tree.root->members[1].position.column, 3);
    EXPECT_EQ(list->position.column, 8);
    EXPECT_EQ(list->items[0]->position.column, 9);
    EXPECT_FALSE(list->items[0]->is_plain);
    EXPECT_EQ(list->items[1]->position.line, first + 2);
    EXPECT_EQ(list->items[1]->position.column, 5);
    EXPECT_TRUE(list->items[1]->is_plain);
  }
}

TEST(Utf8Test, FindsTheFirstInvalidByte) {
  constexpr std::size_t kNone = std::string_view::npos;
  const struct {
    std::string_view text;
    std::size_t offset;
  } kCases[] = {{"", kNone},
                {"abc", kNone},
                {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", kNone},
                {"\xF4\x8F\xBF\xBF", kNone},
                {"a\xFF", 1},
                {"\xC3", 0},
                {"ab\xE2\x82", 2},
                {"\xC0\x80", 0},          // Overlong.
                {"\xE0\x80\x80", 0},      // Overlong.
                {"\xED\xA0\x80", 0},      // A surrogate.
                {"\xF4\x90\x80\x80", 0},  // Beyond U+10FFFF.
                {"\x80", 0}};
  for (const auto& c : kCases) EXPECT_EQ(FindInvalidUtf8(c.text), c.offset);
}

}  // namespace
}  // namespace vernier
