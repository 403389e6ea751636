#include "cluster/attempt/trial_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

using Words = std::vector<std::string>;

JobSpec TuningJob() {
  JobSpec spec;
  spec.vernier.command = {"prog", "-x"};
  spec.training_input.args = {"--mine", "a b; $HOME"};
  HyperparameterSpec& tuning = spec.training_input.hyperparameters.emplace();
  ParameterSpec rate;
  rate.name = "rate";
  rate.min_value = -1;
  rate.max_value = 1;
  ParameterSpec units;
  units.name = "units";
  units.type = ParameterType::kInteger;
  tuning.params = {rate, units};
  return spec;
}

Parameters TwoValues() { return {{"rate", -0.5}, {"units", std::int64_t{64}}}; }

TEST(TrialCommandTest, PutsParametersAfterTheUsersArguments) {
  JobSpec spec = TuningJob();
  spec.training_input.job_dir = "gs://b/o";
  EXPECT_EQ(
      *ReplicaArguments(spec, TwoValues(), TrialId{7}, ReplicaRole::kWorker),
      (Words{"prog", "-x", "--mine", "a b; $HOME", "--rate", "-0.5", "--units",
             "64", "--job-dir", "gs://b/o/7"}));
}

TEST(TrialCommandTest, GivesPathsInPlaceOfBucketArguments) {
  JobSpec spec = TuningJob();
  spec.vernier.command = {"prog", "gs://b/x"};
  spec.training_input.args = {"--data=gs://b/data", "--out", "gs://c/out",
                              "see gs://b/x", "a=gs://b/x"};
  spec.training_input.job_dir = "gs://b/x";
  EXPECT_EQ(BucketArguments(spec, TwoValues()),
            (std::set<std::string>{"gs://b/data", "gs://b/x", "gs://c/out"}));
  const std::map<std::string, std::string> paths = {{"gs://b/data", "/b/data"},
                                                    {"gs://b/x", "/b/x"}};
  EXPECT_EQ(*ReplicaArguments(spec, TwoValues(), TrialId{7},
                              ReplicaRole::kMaster, "python3", paths),
            (Words{"prog", "/b/x", "--data=/b/data", "--out", "gs://c/out",
                   "see gs://b/x", "a=gs://b/x", "--rate", "-0.5", "--units",
                   "64", "--job-dir", "gs://b/x/7"}));
}

TEST(TrialCommandTest, JoinsWithEqualsWhenAsked) {
  JobSpec spec = TuningJob();
  spec.vernier.arg_style = ArgStyle::kEquals;
  EXPECT_EQ(
      *ReplicaArguments(spec, TwoValues(), TrialId{7}, ReplicaRole::kMaster),
      (Words{"prog", "-x", "--mine", "a b; $HOME", "--rate=-0.5",
             "--units=64"}));
}

TEST(TrialCommandTest, GivesNoParametersWhenAsked) {
  JobSpec spec = TuningJob();
  spec.vernier.arg_style = ArgStyle::kNone;
  EXPECT_EQ(
      *ReplicaArguments(spec, TwoValues(), TrialId{7}, ReplicaRole::kMaster),
      (Words{"prog", "-x", "--mine", "a b; $HOME"}));
}

TEST(TrialCommandTest, FillsPlacesWhenAsked) {
  JobSpec spec = TuningJob();
  spec.vernier.arg_style = ArgStyle::kPlaceholders;
  spec.vernier.command = {"{rate}", "--r={rate}:{rate}", "{other}"};
  EXPECT_EQ(
      *ReplicaArguments(spec, TwoValues(), TrialId{7}, ReplicaRole::kMaster),
      (Words{"{rate}", "--r=-0.5:-0.5", "{other}", "--mine", "a b; $HOME",
             "--units", "64"}));
  // What looks like a place in a value is none.
  ParameterSpec word;
  word.name = "word";
  word.type = ParameterType::kCategorical;
  word.categorical_values = {"{other}"};
  ParameterSpec other = word;
  other.name = "other";
  spec.training_input.hyperparameters->params = {word, other};
  spec.vernier.command = {"t", "{word}"};
  const Words words = *ReplicaArguments(
      spec,
      {{"word", std::string("{other}")}, {"other", std::string("{other}")}},
      TrialId{7}, ReplicaRole::kMaster);
  EXPECT_EQ(words, (Words{"t", "{other}", "--mine", "a b; $HOME", "--other",
                          "{other}"}));
}

TEST(TrialCommandTest, ASwitchIsThereOrNotWhenAsked) {
  JobSpec spec = TuningJob();
  spec.vernier.arg_style = ArgStyle::kFlags;
  ParameterSpec normalize;
  normalize.name = "normalize";
  normalize.type = ParameterType::kCategorical;
  normalize.categorical_values = {"True", "False"};
  ParameterSpec mode = normalize;
  mode.name = "mode";
  mode.categorical_values = {"true", "false", "auto"};
  spec.training_input.hyperparameters->params = {normalize, mode};
  const auto words = [&](const char* value, const char* mode_value) {
    return *ReplicaArguments(
        spec,
        {{"normalize", std::string(value)}, {"mode", std::string(mode_value)}},
        TrialId{7}, ReplicaRole::kMaster);
  };
  const Words begin = {"prog", "-x", "--mine", "a b; $HOME"};
  Words expected = begin;
  expected.insert(expected.end(), {"--normalize", "--mode", "auto"});
  EXPECT_EQ(words("True", "auto"), expected);
  expected = begin;
  expected.insert(expected.end(), {"--mode", "true"});
  EXPECT_EQ(words("False", "true"), expected);
}

TEST(TrialCommandTest, AddsNothingOutsideTuning) {
  JobSpec spec = TuningJob();
  spec.training_input.hyperparameters.reset();
  spec.training_input.job_dir = "/o";
  EXPECT_EQ(*ReplicaArguments(spec, {}, TrialId{1}, ReplicaRole::kMaster),
            (Words{"prog", "-x", "--mine", "a b; $HOME", "--job-dir", "/o"}));
}

TEST(TrialCommandTest, ChoosesTheProgram) {
  JobSpec spec;
  TrainingInput& input = spec.training_input;
  const auto arguments = [&](ReplicaRole role) {
    return ReplicaArguments(spec, {}, TrialId{1}, role);
  };
  EXPECT_TRUE(
      absl::IsInvalidArgument(arguments(ReplicaRole::kMaster).status()));
  input.python_module = "trainer.task";
  EXPECT_EQ(*arguments(ReplicaRole::kWorker),
            (Words{"python3", "-m", "trainer.task"}));
  input.master.config.container_command = {"m"};
  input.master.config.container_args = {"1"};
  EXPECT_EQ(*arguments(ReplicaRole::kWorker), (Words{"m", "1"}));
  input.worker.config.container_command = {"w"};
  input.worker.config.container_args = {"2"};
  EXPECT_EQ(*arguments(ReplicaRole::kWorker), (Words{"w", "2"}));
  EXPECT_EQ(*arguments(ReplicaRole::kMaster), (Words{"m", "1"}));
}

// An edit of the search has dropped it since the trial was made.
TEST(TrialCommandTest, PassesAParameterThatTheSpaceHasNoLonger) {
  const auto arguments = ReplicaArguments(TuningJob(), {{"other", 64.0}},
                                          TrialId{1}, ReplicaRole::kMaster);
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_THAT(*arguments, testing::IsSupersetOf({"--other", "64"}));
}

// A command that was written for an image must not run on the host.
TEST(TrialCommandTest, RunsNothingOfAnImageOnTheHost) {
  JobSpec spec;
  spec.vernier.command = {"run"};
  TrainingInput& input = spec.training_input;
  input.python_module = "trainer.task";
  input.master.config.container_command = {"m"};
  input.worker.count = 1;
  const auto status = [&](ReplicaRole role) {
    return ReplicaArguments(spec, {}, TrialId{1}, role).status();
  };
  EXPECT_TRUE(status(ReplicaRole::kMaster).ok());
  input.worker.config.image_uri = "gcr.io/p/worker";
  EXPECT_TRUE(status(ReplicaRole::kMaster).ok());
  EXPECT_THAT(std::string(status(ReplicaRole::kWorker).message()),
              testing::HasSubstr("gcr.io/p/worker"));
  input.worker.config.image_uri = "";
  input.master.config.image_uri = "gcr.io/p/i";
  for (const ReplicaRole role : {ReplicaRole::kMaster, ReplicaRole::kWorker}) {
    EXPECT_TRUE(absl::IsInvalidArgument(status(role)));
    EXPECT_THAT(std::string(status(role).message()),
                testing::HasSubstr("gcr.io/p/i"));
  }
}

}  // namespace
}  // namespace vernier
