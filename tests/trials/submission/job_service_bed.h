#ifndef VERNIER_TESTS_TRIALS_SUBMISSION_JOB_SERVICE_BED_H_
#define VERNIER_TESTS_TRIALS_SUBMISSION_JOB_SERVICE_BED_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "tests/fakes/manual_clock.h"
#include "tests/fakes/memory_store.h"
#include "trials/submission/job_service.h"

namespace vernier {

/// Job files that remember which copies exist.
class FakeJobFiles final : public JobFiles {
 public:
  absl::Status CheckCodeFolder(const std::string& path) override {
    return path == "/data" ? absl::InvalidArgumentError("the service's own")
                           : absl::OkStatus();
  }
  absl::StatusOr<PinnedCode> PinCode(const std::string& job_id,
                                     const std::string&,
                                     const std::string&) override {
    copies.push_back("/code/" + job_id + "-" + std::to_string(++pins));
    contents[copies.back()] = source_content;
    return PinnedCode{copies.back(), code_notes};
  }
  absl::StatusOr<std::string> DigestCode(
      const std::string& dir, const std::string& /*output_dir*/,
      const std::vector<std::string>& package_uris) override {
    if (dir.empty()) return package_uris.empty() ? "" : package_content;
    // A copy has what its source had when it was made.
    const auto copied = contents.find(dir);
    return copied != contents.end() ? copied->second : source_content;
  }
  void DropCode(const std::string& code_dir) override {
    std::erase(copies, code_dir);
  }
  absl::StatusOr<KeptSecrets> KeepSecrets(
      const std::string& job_id, const std::string& request_id,
      const std::map<std::string, std::string>& variables,
      const std::string& present) override {
    if (!present.empty() && secrets[present] == variables) {
      return KeptSecrets{present, false};
    }
    const std::string file = "/secrets/" + job_id + "-" + request_id;
    const bool is_new = secrets.count(file) == 0;
    secrets[file] = variables;
    return KeptSecrets{file, is_new};
  }
  void DropSecrets(const std::string& file) override { secrets.erase(file); }
  absl::Status CheckOutputFolder(const std::string& path) override {
    return path == "/proc/nosuch"
               ? absl::NotFoundError("cannot make directory " + path)
               : absl::OkStatus();
  }
  absl::Status CheckBuckets(const JobSpec&,
                            const std::string& project) override {
    return project == "p2" ? absl::PermissionDeniedError("not p2's")
                           : absl::OkStatus();
  }
  absl::StatusOr<PinnedPackages> PinPackages(const JobSpec& spec,
                                             const std::string&) override {
    PinnedPackages packages;
    if (spec.training_input.package_uris.empty()) return packages;
    packages.folder = "/packages/" + spec.job_id;
    copies.push_back(packages.folder);
    for (const std::string& uri : spec.training_input.package_uris) {
      packages.sha256[uri] = hash;
    }
    return packages;
  }
  void KeepPackages(const PinnedPackages& packages, JobRef job) override {
    if (packages.folder.empty()) return;
    std::erase(copies, packages.folder);
    kept.push_back(job->name);
  }
  OutputCount CountOutputs(JobRef) override { return outputs; }
  void Remove(JobRef job) override {
    removed.push_back(job->name);
    DropCode(job.run().code_dir);
  }

  std::string source_content = "first";
  std::string package_content = "package 1";
  int pins = 0;
  std::map<std::string, std::string> contents;  ///< By copy.
  std::vector<std::string> copies;
  std::map<std::string, std::map<std::string, std::string>>
      secrets;                    ///< By file.
  std::vector<std::string> kept;  ///< Jobs that were given packages.
  std::vector<std::string> removed;
  OutputCount outputs;                      ///< Of every job.
  std::vector<std::string> code_notes;      ///< About every copy.
  std::string hash = std::string(64, 'a');  ///< Of all packages.
};

inline constexpr char kSpace[] =
    "hyperparameters: {goal: MINIMIZE, hyperparameterMetricTag: loss, "
    "maxTrials: 4, params: [{parameterName: x, type: DOUBLE, minValue: 0, "
    "maxValue: 1}]}";

/// A JobService over a store in memory and files that are not there.
class JobServiceTest : public testing::Test {
 protected:
  static ParsedJob Parse(const std::string& job_id,
                         const std::string& training_input,
                         const std::string& vernier = "command: [/bin/true]") {
    const auto parsed =
        ParseJob("jobId: " + job_id + "\ntrainingInput: {" + training_input +
                     "}\nvernier: {" + vernier + "}\n",
                 {});
    EXPECT_TRUE(parsed.ok()) << parsed.status();
    return *parsed;
  }
  StudyId Create(const std::string& job_id) {
    const auto created = service_.CreateJob(Parse(job_id, kSpace), "");
    EXPECT_TRUE(created.ok()) << created.status();
    return (*created)->id;
  }
  void Move(StudyId study, std::vector<JobEvent> events) {
    for (JobEvent event : events) {
      ASSERT_TRUE(store_.Commit({MoveJob{study, event, ""}}, {}).ok());
    }
  }

  MemoryStore store_;
  FakeJobFiles files_;
  ManualClock clock_;
  int wakes_ = 0;
  JobService service_{{store_, files_, clock_, [this] { ++wakes_; },
                       [] { return std::uint64_t{99}; }},
                      {"/run"}};
};

}  // namespace vernier

#endif  // VERNIER_TESTS_TRIALS_SUBMISSION_JOB_SERVICE_BED_H_
