#include "cli/submission/submitted_environment.h"

#include <gtest/gtest.h>

#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

using Variables = std::map<std::string, std::string>;

Caller SomeCaller() {
  Caller caller;
  caller.folder = "/home/me/project";
  caller.variables = {{"PATH", "/venv/bin:bin:/usr/bin"},
                      {"PYTHONPATH", "src:/lib/shared"},
                      {"VIRTUAL_ENV", "/venv"},
                      {"OMP_NUM_THREADS", "1"},
                      {"CUDA_VISIBLE_DEVICES", "0"},
                      {"WANDB_API_KEY", "canary"},
                      {"http_proxy", "http://me:canary@proxy:3128"},
                      {"https_proxy", "http://proxy:3128"}};
  return caller;
}

TEST(SubmittedEnvironmentTest, SendsWhatProgramsMayInherit) {
  const auto sent = CollectEnvironment({}, SomeCaller());
  ASSERT_TRUE(sent.ok()) << sent.status();
  EXPECT_EQ(sent->inherited,
            (Variables{{"PATH", "/venv/bin:/home/me/project/bin:/usr/bin"},
                       {"PYTHONPATH", "/home/me/project/src:/lib/shared"},
                       {"VIRTUAL_ENV", "/venv"},
                       {"OMP_NUM_THREADS", "1"},
                       {"CUDA_VISIBLE_DEVICES", "0"},
                       {"https_proxy", "http://proxy:3128"}}));
  EXPECT_TRUE(sent->added.empty());
  // A password is not for the job's description.
  EXPECT_EQ(sent->secrets,
            (Variables{{"http_proxy", "http://me:canary@proxy:3128"}}));
}

TEST(SubmittedEnvironmentTest, SendsNothingByItselfToAnotherMachine) {
  Caller caller = SomeCaller();
  caller.is_local = false;
  EnvironmentFlags flags;
  flags.variables = {"OMP_NUM_THREADS", "EMPTY=", "NAME=a=b"};
  const auto sent = CollectEnvironment(flags, caller);
  ASSERT_TRUE(sent.ok()) << sent.status();
  EXPECT_TRUE(sent->inherited.empty());
  EXPECT_TRUE(sent->secrets.empty());
  EXPECT_EQ(
      sent->added,
      (Variables{{"OMP_NUM_THREADS", "1"}, {"EMPTY", ""}, {"NAME", "a=b"}}));
}

TEST(SubmittedEnvironmentTest, RefusesVariablesThatAreNone) {
  EnvironmentFlags flags;
  flags.variables = {"NOT_SET"};
  EXPECT_EQ(CollectEnvironment(flags, SomeCaller()).status().message(),
            "--env NOT_SET: NOT_SET is not set in your environment; give it as "
            "--env NOT_SET=VALUE");
  flags.variables = {"A B=canary"};
  const auto refused = CollectEnvironment(flags, SomeCaller());
  EXPECT_FALSE(refused.ok());
  EXPECT_EQ(std::string(refused.status().message()).find("canary"),
            std::string::npos);
}

TEST(SubmittedEnvironmentTest, ReadsSecretsFromFiles) {
  const ScratchFolder dir;
  WriteText(dir / "one.env", "A=1\nWANDB_API_KEY\n");
  WriteText(dir / "two.env", "A=2\n");
  EnvironmentFlags flags;
  flags.files = {dir / "one.env", dir / "two.env"};
  Caller caller = SomeCaller();
  caller.is_local = false;
  const auto sent = CollectEnvironment(flags, caller);
  ASSERT_TRUE(sent.ok()) << sent.status();
  EXPECT_EQ(sent->secrets,
            (Variables{{"A", "2"}, {"WANDB_API_KEY", "canary"}}));
  EXPECT_TRUE(sent->added.empty());

  WriteText(dir / "two.env", "A=2\nno variable\n");
  const std::string message(
      CollectEnvironment(flags, caller).status().message());
  EXPECT_EQ(message.find("--env-file " + (dir / "two.env") + ": line 2: "), 0u)
      << message;
}

TEST(SubmittedEnvironmentTest, MergesVariablesWithTheFiles) {
  EnvironmentFlags flags;
  flags.variables = {"B=mine", "C=new"};
  const auto job = MergeWithEnvironment(
      JobDocument("jobId: a\ntrainingInput: {}\n"
                  "vernier: {command: [x], environment: {A: one, B: two}}\n",
                  "job.yaml"),
      {}, flags, SomeCaller());
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ(job->spec.vernier.environment,
            (Variables{{"A", "one"}, {"B", "mine"}, {"C", "new"}}));
  EXPECT_EQ(job->spec.vernier.caller_environment.at("OMP_NUM_THREADS"), "1");
  EXPECT_EQ(job->secrets.count("http_proxy"), 1u);
  EXPECT_EQ(job->json.find("canary"), std::string::npos);
}

TEST(SubmittedEnvironmentTest, RefusesVariablesThatTheServiceSets) {
  constexpr char kTuning[] =
      "jobId: a\ntrainingInput: {hyperparameters: {goal: MINIMIZE, maxTrials: "
      "1, params: [{parameterName: x, type: DOUBLE, minValue: 0, maxValue: "
      "1}]}}\nvernier: {command: [x]}\n";
  const auto merge = [](const std::string& text, const std::string& variable) {
    EnvironmentFlags flags;
    flags.variables = {variable};
    return std::string(MergeWithEnvironment(JobDocument(text, "job.yaml"), {},
                                            flags, SomeCaller())
                           .status()
                           .message());
  };
  EXPECT_EQ(merge(kTuning, "CLOUD_ML_TRIAL_ID=3"),
            "--env CLOUD_ML_TRIAL_ID: the service sets CLOUD_ML_TRIAL_ID for "
            "each trial itself, so that no other value has an effect");
  for (const char* name : {"TF_CONFIG=x", "CLUSTER_SPEC=x", "RANK=1",
                           "VERNIER_JOB=x", "CLOUD_ML_HP_METRIC_FILE=x"}) {
    EXPECT_NE(merge(kTuning, name), "") << name;
  }
  for (const char* name :
       {"CLOUD_ML_PROJECT_ID=p", "CUDA_VISIBLE_DEVICES=0", "PATH=/bin",
        "PYTHONUNBUFFERED=0", "AIP_MODEL_DIR=d"}) {
    EXPECT_EQ(merge(kTuning, name), "") << name;
  }
  // Without tuning nobody sets it.
  EXPECT_EQ(merge("jobId: a\ntrainingInput: {}\nvernier: {command: [x]}\n",
                  "CLOUD_ML_TRIAL_ID=3"),
            "");
}

TEST(SubmittedEnvironmentTest, NamesASecretFileInTheCode) {
  const ScratchFolder code;
  WriteText(code / "sub/one.env", "A=canary\n");
  EnvironmentFlags flags;
  flags.files = {code / "sub/one.env"};
  const auto say = [&](const std::string& folder) {
    testing::internal::CaptureStderr();
    const auto job = MergeWithEnvironment(
        JobDocument(
            "jobId: a\ntrainingInput: {}\nvernier: {command: [x], codeDir: " +
                folder + "}\n",
            "job.yaml"),
        {}, flags, SomeCaller());
    EXPECT_TRUE(job.ok()) << job.status();
    return testing::internal::GetCapturedStderr();
  };
  const std::string note =
      "one.env lies in the code folder, and is copied with it as it is; keep "
      "secrets outside\n";
  EXPECT_NE(say(code.path()).find(note), std::string::npos);
  EXPECT_NE(say(code / "sub").find(note), std::string::npos);
  EXPECT_EQ(say(code / "other").find(note), std::string::npos);
  EXPECT_EQ(say("\"\"").find(note), std::string::npos);
}

TEST(SubmittedEnvironmentTest, RefusesThemInFilesToo) {
  const ScratchFolder dir;
  WriteText(dir / "one.env", "TF_CONFIG=canary\n");
  EnvironmentFlags flags;
  flags.files = {dir / "one.env"};
  const auto job = MergeWithEnvironment(
      JobDocument("jobId: a\ntrainingInput: {}\nvernier: {command: [x]}\n",
                  "job.yaml"),
      {}, flags, SomeCaller());
  EXPECT_EQ(job.status().message(),
            "--env-file: the service sets TF_CONFIG for each trial itself, so "
            "that no other value has an effect");
}

}  // namespace
}  // namespace vernier
