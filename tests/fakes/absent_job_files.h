#ifndef VERNIER_TESTS_FAKES_ABSENT_JOB_FILES_H_
#define VERNIER_TESTS_FAKES_ABSENT_JOB_FILES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "trials/submission/job_files.h"

namespace vernier {

/// Job files that are not there.
class AbsentJobFiles final : public JobFiles {
 public:
  absl::Status CheckCodeFolder(const std::string&) override {
    return absl::OkStatus();
  }
  absl::StatusOr<PinnedCode> PinCode(const std::string&,
                                     const std::string& source,
                                     const std::string&) override {
    return PinnedCode{source, {}};
  }
  absl::StatusOr<std::string> DigestCode(
      const std::string& dir, const std::string&,
      const std::vector<std::string>&) override {
    return dir;
  }
  void DropCode(const std::string&) override {}
  absl::StatusOr<KeptSecrets> KeepSecrets(
      const std::string&, const std::string&,
      const std::map<std::string, std::string>&, const std::string&) override {
    return absl::UnimplementedError("there are no files");
  }
  void DropSecrets(const std::string&) override {}
  absl::Status CheckOutputFolder(const std::string&) override {
    return absl::OkStatus();
  }
  absl::Status CheckBuckets(const JobSpec&, const std::string&) override {
    return problem;
  }
  absl::StatusOr<PinnedPackages> PinPackages(const JobSpec&,
                                             const std::string&) override {
    return PinnedPackages();
  }
  void KeepPackages(const PinnedPackages&, JobRef) override {}
  OutputCount CountOutputs(JobRef) override { return {}; }
  void Remove(JobRef) override {}

  absl::Status problem;  ///< The error for what a job names in buckets.
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FAKES_ABSENT_JOB_FILES_H_
