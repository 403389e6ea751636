#ifndef VERNIER_CLI_SUBMISSION_JOB_SUBMISSION_H_
#define VERNIER_CLI_SUBMISSION_JOB_SUBMISSION_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "study/job_file/job_parser.h"

namespace vernier {

class ClientConnection;

/// The path that means standard input.
inline constexpr char kStandardInput[] = "-";

/// Reads a whole job file, or standard input. INVALID_ARGUMENT if it cannot be
/// read or is empty.
absl::StatusOr<std::string> ReadJobFile(const std::string& path);

/// INVALID_ARGUMENT if a job file's text has comments and blank lines only.
absl::Status CheckHasContent(const std::string& text, const std::string& path);

/// The name in messages: the path, or "standard input". Paths in the file are
/// relative to its folder, or to the working directory for standard input.
std::string JobFileName(const std::string& path);

/// The job of a file with what the flags replace; vernier.codeDir and a local
/// trainingInput.jobDir of the file become absolute, from its folder, since the
/// service runs elsewhere. The code of a study file whose program names files
/// beside it is that folder, unless it says otherwise. INVALID_ARGUMENT with
/// all mistakes.
absl::StatusOr<ParsedJob> MergeJob(JobDocument document,
                                   const std::vector<FieldOverride>& overrides);

/// Creates `job`, and returns it as JSON. While that takes longer than a
/// second, says on standard error each second how far the copy of the job's
/// code is.
absl::StatusOr<std::string> SubmitJob(const ClientConnection& client,
                                      const ParsedJob& job);

/// Prints the fields of `job` that have no effect on standard error.
void NoteIgnoredFields(const ParsedJob& job);

/// Prints what the service says of the copy of a job's code: what was left out
/// of it, and which links lead out of it. `job` is the job's JSON.
void NoteCode(std::string_view job);

/// A folder that holds a Python package, for pinning. It is removed with this
/// object. Not thread-safe.
class PackageStaging {
 public:
  /// Copies `package_path` into a temporary folder; if there is a setup.py
  /// beside it, also the packages and modules there, as `gcloud` has setup.py
  /// pack them.
  /// INVALID_ARGUMENT if it is no folder with Python files.
  static absl::StatusOr<PackageStaging> Create(const std::string& package_path);

  PackageStaging(PackageStaging&& other) noexcept;
  PackageStaging& operator=(PackageStaging&&) = delete;
  ~PackageStaging();

  /// Absolute.
  const std::string& folder() const { return folder_; }

 private:
  explicit PackageStaging(std::string folder) : folder_(std::move(folder)) {}
  std::string folder_;
};

}  // namespace vernier

#endif  // VERNIER_CLI_SUBMISSION_JOB_SUBMISSION_H_
