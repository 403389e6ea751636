// What the real reader says about texts that are no YAML.

#include "study/config/yaml_problem.h"

#include <gtest/gtest.h>

#include <string>

#include "study/config/config_reader.h"

namespace vernier {
namespace {

std::string YamlErrorOf(const std::string& text) {
  ConfigTree tree;
  SpecDiagnostics diagnostics("f");
  EXPECT_FALSE(ReadConfig(text, tree, diagnostics)) << text;
  const auto errors = diagnostics.TakeErrors();
  return errors.size() == 1 ? FormatSpecError(errors[0])
                            : std::to_string(errors.size()) + " errors";
}

TEST(YamlProblemTest, NamesThePlaceWhereSomethingWasOpened) {
  EXPECT_EQ(YamlErrorOf("a:\n  b: [x, y\n  c: 1\n"),
            "f:2:6: this [ is never closed");
  EXPECT_EQ(YamlErrorOf("a: 'x\nb: 1\n"), "f:1:4: this ' is never closed");
  EXPECT_EQ(YamlErrorOf("a: 1\nb: \"x\n\n"), "f:2:4: this \" is never closed");
  EXPECT_EQ(YamlErrorOf("a: {b: [1, 2]\nc: 1\n"),
            "f:1:4: this { is never closed");
  EXPECT_EQ(YamlErrorOf(R"({"a": {"b": "c"}
)"),
            "f:1:1: this { is never closed");
  EXPECT_EQ(YamlErrorOf(R"({"a": {"b": "c}}
)"),
            "f:1:13: this \" is never closed");
  // Brackets in texts and comments are none.
  EXPECT_EQ(YamlErrorOf("a: \"[\"  # {\nb: [1\n"),
            "f:2:4: this [ is never closed");
}

TEST(YamlProblemTest, NamesATab) {
  EXPECT_EQ(YamlErrorOf("a:\n\tb: 1\n"),
            "f:2:1: a tab must not stand in the indentation; use blanks");
  EXPECT_EQ(YamlErrorOf("a:\n  b: 1\n  \tc: 2\n"),
            "f:3:3: a tab must not stand in the indentation; use blanks");
}

TEST(YamlProblemTest, SaysWhatDoesNotFit) {
  const std::pair<const char*, const char*> cases[] = {
      {"a: b: c\n", "f:1:5: a ':' is not expected here"},
      {"a: 1\n b: 2\n", "f:2:3: a ':' is not expected here"},
      {"a: - 1\n", "f:1:4: a list is not expected here"},
      {"a: ]\n", "f:1:4: this bracket closes none that is open"},
      {"a: @x\n", "f:1:4: a value cannot begin with this character"},
      {"a: \"\\q\"\n", "f:1:7: not a valid escape: \\q; in double quotes"},
      {"a: *b\n", "f:1:4: this alias names no anchor above it"},
  };
  for (const auto& [text, message] : cases) {
    const std::string error = YamlErrorOf(text);
    EXPECT_EQ(error.substr(0, std::string(message).size()), message) << text;
  }
}

TEST(YamlProblemTest, WhatIsNotKnownIsToldAsItWasSaid) {
  EXPECT_EQ(ExplainYamlError("a", "something new", {"", 1, 1}).message,
            "not valid YAML: something new");
}

}  // namespace
}  // namespace vernier
