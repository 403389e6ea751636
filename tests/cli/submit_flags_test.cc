#include "cli/submission/submit_flags.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/submission/job_submission.h"

namespace vernier {
namespace {

using nlohmann::json;

constexpr char kJobFile[] = R"(
jobId: from_file
labels: {a: b}
trainingInput:
  scaleTier: BASIC
  region: file-region
  args: [--from, file]
  hyperparameters:
    maxTrials: 3
    params:
    - {parameterName: x, type: DOUBLE, minValue: 0, maxValue: 1}
vernier: {command: [/bin/true]}
)";

absl::StatusOr<json> Merge(std::vector<std::string> words,
                           std::optional<std::vector<std::string>> tail = {},
                           const std::string& job_id = "job") {
  CLI::App app;
  SubmitFlags flags;
  DeclareSubmitFlags(app, &flags);
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return absl::InvalidArgumentError(error.what());
  }
  auto overrides = OverridesOf(flags, job_id, tail);
  if (!overrides.ok()) return overrides.status();
  const auto job = MergeJob(JobDocument(kJobFile, "dir/job.yaml"), *overrides);
  if (!job.ok()) return job.status();
  return json::parse(job->json);
}

struct FlagCase {
  std::vector<std::string> flags;
  const char* pointer;
  json value;
};

class SubmitFlagTest : public testing::TestWithParam<FlagCase> {};

TEST_P(SubmitFlagTest, ReplacesItsField) {
  const auto job = Merge(GetParam().flags);
  ASSERT_TRUE(job.ok()) << job.status();
  const json::json_pointer pointer(GetParam().pointer);
  ASSERT_TRUE(job->contains(pointer)) << GetParam().pointer << "\n" << *job;
  EXPECT_EQ(job->at(pointer), GetParam().value);
}

const std::vector<std::string> kCustom = {"--scale-tier", "custom",
                                          "--master-machine-type", "standard"};

std::vector<std::string> Custom(std::vector<std::string> more) {
  more.insert(more.begin(), kCustom.begin(), kCustom.end());
  return more;
}

INSTANTIATE_TEST_SUITE_P(
    Table, SubmitFlagTest,
    testing::Values(
        FlagCase{{}, "/jobId", "job"},
        FlagCase{{"--scale-tier", "standard-1"},
                 "/trainingInput/scaleTier",
                 "STANDARD_1"},
        FlagCase{{"--scale-tier", "BASIC_GPU"},
                 "/trainingInput/scaleTier",
                 "BASIC_GPU"},
        FlagCase{{"--region", "r"}, "/trainingInput/region", "r"},
        FlagCase{{"--module-name", "t.task"},
                 "/trainingInput/pythonModule",
                 "t.task"},
        FlagCase{{"--packages", "gs://b/a.tgz,/x/b.tgz"},
                 "/trainingInput/packageUris",
                 json({"gs://b/a.tgz", "/x/b.tgz"})},
        FlagCase{
            {"--job-dir", "gs://b/d"}, "/trainingInput/jobDir", "gs://b/d"},
        FlagCase{{"--job-dir", "/out"}, "/trainingInput/jobDir", "/out"},
        FlagCase{{"--runtime-version", "1.10"},
                 "/trainingInput/runtimeVersion",
                 "1.10"},
        FlagCase{
            {"--python-version", "3.7"}, "/trainingInput/pythonVersion", "3.7"},
        FlagCase{kCustom, "/trainingInput/masterType", "standard"},
        FlagCase{Custom({"--worker-machine-type", "large_model",
                         "--worker-count", "2"}),
                 "/trainingInput/workerCount", "2"},
        FlagCase{Custom({"--parameter-server-machine-type", "standard",
                         "--parameter-server-count", "1"}),
                 "/trainingInput/parameterServerType", "standard"},
        FlagCase{
            {"--scale-tier", "custom", "--master-machine-type", "n1-standard-4",
             "--master-accelerator", "count=2,type=nvidia-tesla-k80"},
            "/trainingInput/masterConfig/acceleratorConfig",
            json({{"count", "2"}, {"type", "NVIDIA_TESLA_K80"}})},
        FlagCase{{"--master-image-uri", "img"},
                 "/trainingInput/masterConfig/imageUri",
                 "img"},
        FlagCase{
            {"--labels", "k=v,l=w"}, "/labels", json({{"k", "v"}, {"l", "w"}})},
        FlagCase{{"--network", "projects/1/global/networks/n"},
                 "/trainingInput/network",
                 "projects/1/global/networks/n"},
        FlagCase{{"--service-account", "s@x"},
                 "/trainingInput/serviceAccount",
                 "s@x"},
        FlagCase{{"--kms-key", "k"},
                 "/trainingInput/encryptionConfig/kmsKeyName",
                 "k"},
        FlagCase{{"--use-chief-in-tf-config"},
                 "/trainingInput/useChiefInTfConfig",
                 true},
        FlagCase{{"--use-chief-in-tf-config=true"},
                 "/trainingInput/useChiefInTfConfig",
                 true},
        FlagCase{
            {"--enable-web-access"}, "/trainingInput/enableWebAccess", true}));

TEST(SubmitFlagsTest, WithoutFlagsTheFileStands) {
  const auto job = Merge({});
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ((*job)["trainingInput"]["region"], "file-region");
  EXPECT_EQ((*job)["trainingInput"]["args"], json({"--from", "file"}));
  EXPECT_EQ((*job)["labels"], json({{"a", "b"}}));
  EXPECT_FALSE((*job)["trainingInput"].contains("enableWebAccess"));
  EXPECT_FALSE((*job)["trainingInput"].contains("useChiefInTfConfig"));
}

TEST(SubmitFlagsTest, ArgumentsReplaceTheFilesAsAWhole) {
  const auto job = Merge({}, std::vector<std::string>{"--steps", "10"});
  ASSERT_TRUE(job.ok()) << job.status();
  EXPECT_EQ((*job)["trainingInput"]["args"], json({"--steps", "10"}));
}

TEST(SubmitFlagsTest, AFilesRelativeFoldersAreTakenFromTheFile) {
  const auto parsed =
      MergeJob(JobDocument("jobId: a\ntrainingInput: {jobDir: out}\n"
                           "vernier: {command: [/bin/true], codeDir: code}\n",
                           "/jobs/deep/job.yaml"),
               {});
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->spec.training_input.job_dir, "/jobs/deep/out");
  EXPECT_EQ(parsed->spec.vernier.code_dir, "/jobs/deep/code");
}

TEST(SubmitFlagsTest, BadValuesSayWhatWouldBeRight) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--labels", "novalue"}, "--labels must be KEY=VALUE"},
      {{"--master-accelerator", "count=x,type=nvidia-tesla-k80"},
       "count must be a whole number"},
      {{"--master-accelerator", "count=1"}, "type is missing"},
      {{"--master-accelerator", "kind=k80"}, "unknown key \"kind\""},
      {{"--scale-tier", "huge"}, "HUGE"},
      {{"--worker-count", "many"}, "--worker-count"},
      {{"--no-such-flag"}, "--no-such-flag"},
  };
  for (const auto& [flags, message] : cases) {
    const auto job = Merge(flags);
    EXPECT_EQ(job.status().code(), absl::StatusCode::kInvalidArgument)
        << flags.front();
    EXPECT_NE(job.status().message().find(message), std::string::npos)
        << job.status();
  }
}

}  // namespace
}  // namespace vernier
