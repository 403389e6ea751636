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

/// Returns INVALID_ARGUMENT if a job file's text has only comments and blank
/// lines.
absl::Status CheckHasContent(const std::string& text, const std::string& path);

/// Returns the file's name for messages: the path, or "standard input". Paths
/// in the file are relative to its folder, or to the working directory for
/// standard input.
std::string JobFileName(const std::string& path);

/// Returns the document of a job file with this text. What another tool's file
/// has in a file beside it is read from there.
JobDocument DocumentOfFile(const std::string& text, const std::string& path);

/// Returns the job of a file with the fields that the flags replace. The file's
/// vernier.codeDir and a local trainingInput.jobDir become absolute, from its
/// folder, since the service runs elsewhere. The code of a study file whose
/// program names files beside it is that folder, unless the file says
/// otherwise. INVALID_ARGUMENT with all mistakes.
absl::StatusOr<ParsedJob> MergeJob(JobDocument document,
                                   const std::vector<FieldOverride>& overrides);

/// Returns the fields that a file gives, as the JSON of a job that need not be
/// complete; paths become absolute as in MergeJob. INVALID_ARGUMENT with all
/// mistakes.
absl::StatusOr<std::string> ReadFieldsOfJob(const std::string& path);

/// Creates `job`, and returns it as JSON. If that takes longer than a second,
/// prints the progress of the copy of the job's code on standard error each
/// second.
absl::StatusOr<std::string> SubmitJob(const ClientConnection& client,
                                      const ParsedJob& job);

/// Prints on standard error the notes on another tool's file. Returns the
/// fields of `job` that have no effect and of which no note speaks.
std::vector<std::string> NoteForeignFields(const ParsedJob& job);

/// Likewise, and prints those fields, too.
void NoteIgnoredFields(const ParsedJob& job);

/// Prints the service's notes about the copy of a job's code: the entries that
/// were left out of it, and the links that lead out of it. `job` is the job's
/// JSON.
void NoteCode(std::string_view job);

/// A folder that holds a Python package, for pinning. It is removed with this
/// object. Not thread-safe.
class PackageStaging {
 public:
  /// Copies `package_path` into a temporary folder; if there is a setup.py
  /// beside it, also the packages and modules there, as `gcloud` has setup.py
  /// pack them. INVALID_ARGUMENT if it is not a folder with Python files.
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
