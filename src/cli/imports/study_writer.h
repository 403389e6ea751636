#ifndef VERNIER_CLI_IMPORTS_STUDY_WRITER_H_
#define VERNIER_CLI_IMPORTS_STUDY_WRITER_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/imports/import_plan.h"

namespace vernier {

class ClientConnection;

/// Reads and writes the studies of one project that its clients run, as the
/// Python package names them. It calls the Vizier service, which keeps all that
/// a trial is in one transaction: a process that dies here leaves whole trials,
/// and the next import adds the others. One import
/// of a study at a time: two would both add what is missing. Errors are those
/// of the calls. Thread-compatible.
class StudyWriter {
 public:
  /// `client` must outlive this.
  StudyWriter(const ClientConnection& client, const std::string& project);

  /// nullopt if there is no such study.
  absl::StatusOr<std::optional<ImportedStudy>> Read(
      const std::string& name) const;

  /// Makes the study, if it is new, and adds the trials in their order.
  absl::Status Write(const ImportPlan& plan) const;

 private:
  absl::StatusOr<std::vector<Provenance>> ReadOrigins(
      const std::string& name) const;
  std::string FullName(const std::string& name) const;

  const ClientConnection& client_;
  const std::string parent_;
};

}  // namespace vernier

#endif  // VERNIER_CLI_IMPORTS_STUDY_WRITER_H_
