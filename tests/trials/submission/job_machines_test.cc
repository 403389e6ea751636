#include "trials/submission/job_machines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

using ::testing::HasSubstr;

ParsedJob Job(const std::string& master, const std::string& worker,
              const std::string& more = "") {
  const auto job = ParseJob(
      R"({"jobId":"j","trainingInput":{"scaleTier":"CUSTOM","masterType":")" +
          master + R"(","workerType":")" + worker + R"(","workerCount":"1")" +
          more + R"(},"vernier":{"command":["/bin/true"]}})",
      {});
  EXPECT_TRUE(job.ok()) << job.status();
  return *job;
}

int WorkerGpus(const ParsedJob& job) {
  return GpusPerReplica(job.spec, job.spec.training_input.worker);
}

TEST(JobMachinesTest, TheUsualTypesAreKnown) {
  const ParsedJob job = Job("n1-standard-4", "a2-highgpu-2g");
  const auto resolved = ResolveMachineTypes(job, {});
  ASSERT_TRUE(resolved.ok()) << resolved.status();
  EXPECT_EQ(resolved->json, job.json);
  EXPECT_TRUE(ResolveMachineTypes(Job("standard", "cloud_tpu"), {}).ok());
}

TEST(JobMachinesTest, NamesTheNearestOfAnUnknownOne) {
  const auto refused =
      ResolveMachineTypes(Job("n1-standrd-4", "n1-standard-4"), {});
  EXPECT_TRUE(absl::IsInvalidArgument(refused.status()));
  EXPECT_EQ(refused.status().message(),
            "trainingInput.masterType: there is no machine type "
            "\"n1-standrd-4\"; did you mean n1-standard-4?; one of your own is "
            "listed by vernier serve --machine-type n1-standrd-4=GPUS");
  EXPECT_THAT(
      std::string(ResolveMachineTypes(Job("n1-standard-4", "n1-standard-5"), {})
                      .status()
                      .message()),
      HasSubstr("trainingInput.workerType"));
}

TEST(JobMachinesTest, AListedOneGivesItsGpusAndTheJobKeepsThem) {
  const MachineTypeTable listed = {{"my-box", 2}, {"my-host", 0}};
  const auto resolved = ResolveMachineTypes(Job("my-host", "my-box"), listed);
  ASSERT_TRUE(resolved.ok()) << resolved.status();
  EXPECT_EQ(WorkerGpus(*resolved), 2);
  EXPECT_EQ(
      GpusPerReplica(resolved->spec, resolved->spec.training_input.master), 0);
  // As the supervisor reads it, and a later service without the flag.
  const auto again = ParseJob(resolved->json, {});
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(WorkerGpus(*again), 2);
}

TEST(JobMachinesTest, WhatTheJobAsksForCountsMore) {
  const auto resolved = ResolveMachineTypes(
      Job("my-box", "my-box",
          R"(,"workerConfig":{"acceleratorConfig":{"count":"4",)"
          R"("type":"NVIDIA_TESLA_T4"}})"),
      {{"my-box", 2}});
  ASSERT_TRUE(resolved.ok()) << resolved.status();
  EXPECT_EQ(WorkerGpus(*resolved), 4);
}

TEST(JobMachinesTest, ParsesItsFlag) {
  EXPECT_EQ(*ParseMachineType("my-box=8"),
            MachineTypeTable::value_type("my-box", 8));
  const struct {
    const char* text;
    const char* why;
  } kCases[] = {
      {"my-box", "there is no \"=\""},
      {"my-box=", "GPUS is 0 to 64"},
      {"my-box=65", "GPUS is 0 to 64"},
      {"my-box=-1", "GPUS is 0 to 64"},
      {"mybox=1", "at least one \"-\""},
      {"My-box=1", "lower-case"},
      {"standard_gpu=0", "this type is known, with 1 GPUs"},
      {"n1-standard-4=1", "this type is known, with 0 GPUs"},
  };
  for (const auto& one : kCases) {
    const auto entry = ParseMachineType(one.text);
    EXPECT_TRUE(absl::IsInvalidArgument(entry.status())) << one.text;
    EXPECT_THAT(std::string(entry.status().message()), HasSubstr(one.why));
  }
}

}  // namespace
}  // namespace vernier
