#include "cli/submission/study_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kProgram = {"python3", "my train.py"};

std::string TextOf(const StudyFlags& flags) {
  const auto text = StudyFileText(flags, kProgram, 20, std::nullopt);
  return text.ok() ? *text : std::string(text.status().message());
}

TEST(StudyFlagsTest, StandForAStudyFile) {
  const StudyFlags flags{{"lr=log:1e-5..1", "layers=1..8", "dropout=0..0.5",
                          "x=-3..-1", "opt=sgd,adam", "aug=true,false",
                          "batch=64,32", "width=choice:32,64", "odd=a b,y"},
                         {"val:acc:max"},
                         7,
                         std::nullopt};
  const auto text = StudyFileText(flags, kProgram, 60, 4);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(*text, R"(run: "python3 'my train.py'"
metric: {"val:acc": maximize}
parameters:
  lr: {log: [1e-5, 1]}
  layers: {int: [1, 8]}
  dropout: {float: [0, 0.5]}
  x: {int: [-3, -1]}
  opt: {choice: [sgd, adam]}
  aug: {choice: [true, false]}
  batch: {values: [32, 64]}
  width: {choice: [32, 64]}
  odd: {choice: ["a b", "y"]}
trials: 60
parallel: 4
seed: 7
)");
  EXPECT_TRUE(ParseJob(*text, {"", false}).ok());
}

TEST(StudyFlagsTest, SayWhatIsWrong) {
  for (const char* flag : {"lr", "=1..2", "lr=", "lr=1..", "lr=..2", "lr=a..b",
                           "lr=log:1", "lr=a,,b", "lr=float:a,b"}) {
    EXPECT_THAT(TextOf({{flag}, {"m:max"}, {}, {}}),
                HasSubstr("must be NAME=VALUES, where VALUES is"))
        << flag;
  }
  for (const char* metric : {"m", ":max", "m:best", "m:"}) {
    EXPECT_THAT(TextOf({{"x=a,b"}, {metric}, {}, {}}),
                HasSubstr("must be NAME:max or NAME:min"))
        << metric;
  }
  EXPECT_THAT(TextOf({{}, {"m:max"}, {}, {}}), HasSubstr("-p NAME=VALUES"));
  EXPECT_THAT(TextOf({{"x=a,b"}, {}, {}, {}}), HasSubstr("-m NAME:max"));
  const StudyFlags flags{{"x=a,b"}, {"m:max"}, {}, {}};
  EXPECT_THAT(StudyFileText(flags, kProgram, {}, {}).status().message(),
              HasSubstr("-n, the number of trials, is missing"));
  EXPECT_THAT(StudyFileText(flags, {}, 3, {}).status().message(),
              HasSubstr("the program, after --, is missing"));
}

}  // namespace
}  // namespace vernier
