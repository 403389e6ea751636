#include "study/config/environment_file.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

using Variables = std::map<std::string, std::string>;

TEST(EnvironmentFileTest, ReadsNamesAndValues) {
  const auto read = ParseEnvironmentFile(
      "# a comment\n"
      "\n"
      "PLAIN=value with blanks # and no comment  \n"
      "export EXPORTED=1\r\n"
      "SINGLE='it stays $HOME'   # a comment\n"
      "DOUBLE=\"a \\\"quote\\\"\\nand a line\"\n"
      "KEY='-----BEGIN\n"
      "second line\n"
      "END-----'\n"
      "EMPTY=\n"
      "EQUALS=a=b==\n"
      "PLAIN_AGAIN = spaced\n");
  ASSERT_TRUE(read.ok()) << read.status();
  const Variables wanted = {
      {"PLAIN", "value with blanks # and no comment"},
      {"EXPORTED", "1"},
      {"SINGLE", "it stays $HOME"},
      {"DOUBLE", "a \"quote\"\nand a line"},
      {"KEY", "-----BEGIN\nsecond line\nEND-----"},
      {"EMPTY", ""},
      {"EQUALS", "a=b=="},
      {"PLAIN_AGAIN", "spaced"},
  };
  EXPECT_EQ(*read, wanted);
}

TEST(EnvironmentFileTest, TakesAValueFromTheCallerWhereThereIsNone) {
  const auto lookup = [](const std::string& name) {
    return name == "KNOWN" ? std::optional<std::string>("seen") : std::nullopt;
  };
  EXPECT_EQ(*ParseEnvironmentFile("KNOWN\n", lookup),
            (Variables{{"KNOWN", "seen"}}));
  const auto unknown = ParseEnvironmentFile("A=1\nUNKNOWN\n", lookup);
  EXPECT_EQ(unknown.status().message(),
            "line 2: UNKNOWN has no value, and is not set in your environment");
  EXPECT_FALSE(ParseEnvironmentFile("KNOWN\n").ok());
}

TEST(EnvironmentFileTest, NamesTheLineAndNeverTheText) {
  for (const char* text :
       {"A=1\nsecret text\n", "A=1\n1A=secret\n", "A=1\nB='secret\n",
        "A=1\nB='x' secret\n", "A=1\nB C=secret\n"}) {
    const auto read = ParseEnvironmentFile(text);
    ASSERT_FALSE(read.ok()) << text;
    const std::string message(read.status().message());
    EXPECT_EQ(message.find("line 2: "), 0u) << message;
    EXPECT_EQ(message.find("secret"), std::string::npos) << message;
  }
}

TEST(EnvironmentFileTest, ReadsWhatItWrites) {
  const Variables variables = {
      {"A", "it's \"quoted\" $HOME `x` \\n"}, {"B", "two\nlines"}, {"C", ""}};
  const std::string text = FormatEnvironmentFile(variables);
  const auto read = ParseEnvironmentFile(text);
  ASSERT_TRUE(read.ok()) << read.status() << text;
  EXPECT_EQ(*read, variables);
}

TEST(EnvironmentFileTest, QuotesWordsForAShell) {
  EXPECT_EQ(ShellQuoted("--lr=0.1"), "--lr=0.1");
  EXPECT_EQ(ShellQuoted(""), "''");
  EXPECT_EQ(ShellQuoted("a b"), "'a b'");
  EXPECT_EQ(ShellQuoted("it's $HOME"), "'it'\\''s $HOME'");
}

}  // namespace
}  // namespace vernier
