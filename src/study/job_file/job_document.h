#ifndef VERNIER_STUDY_JOB_FILE_JOB_DOCUMENT_H_
#define VERNIER_STUDY_JOB_FILE_JOB_DOCUMENT_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"
#include "study/config/spec_error.h"
#include "study/job_file/job_completeness.h"

namespace vernier {

struct ParsedJob;

/// A flag that replaces one field of a job file (docs/command-line.md, jobs as
/// with gcloud).
struct FieldOverride {
  /// Path of the field, e.g. {"trainingInput", "scaleTier"}.
  std::vector<std::string> path;
  /// JSON text of the new value, e.g. "\"CUSTOM\"" or "[\"--a\",\"1\"]".
  std::string json_value;
  /// The flag's name for messages, e.g. "--scale-tier".
  std::string flag;
};

/// A job file whose text was parsed, so that no later step has to parse it
/// again: fields are replaced in the tree, and a job is made from the tree as
/// often as necessary. Nodes never change, and copies share them, so a copy
/// costs next to nothing. Thread-compatible.
class JobDocument {
 public:
  /// Returns the text of a file that the document names.
  using ReadBeside =
      std::function<absl::StatusOr<std::string>(const std::string& name)>;

  /// Parses YAML or JSON, with the bounds of ParseJob. Empty text has no
  /// fields. If the text cannot be parsed, ToJob says why. `file_name` is for
  /// messages. `read_beside` is for files of other tools that have a part of
  /// theirs elsewhere (NNI's search space); without it this part is missing.
  JobDocument(std::string_view text, std::string file_name,
              const ReadBeside& read_beside = nullptr);

  /// Parses JSON alone; nullopt if the text is not JSON. Bounds as above.
  static std::optional<JobDocument> FromJson(std::string_view text);

  /// Replaces whole fields, in this order. ToJob reports values that are not
  /// JSON.
  void Override(const std::vector<FieldOverride>& overrides);

  /// Removes fields; paths that do not exist are ignored.
  void Remove(const std::vector<std::vector<std::string>>& paths);

  /// Validates the fields. The errors are ParseJob's; `errors`, if not null,
  /// receives them one by one.
  absl::StatusOr<ParsedJob> ToJob(
      JobCompleteness completeness = JobCompleteness::kRequired,
      std::vector<SpecError>* errors = nullptr) const;

  const std::string& file_name() const { return file_name_; }
  /// True if the text is a study file. All other functions here see the job
  /// file that it, or the file of another tool, expands to.
  bool is_study_file() const { return is_study_file_; }
  /// True if the text, like a study file or a sweep, is of a kind whose program
  /// usually lies beside it, so that its code is copied unasked.
  bool has_code_beside() const { return has_code_beside_; }
  /// Returns the value at `path`, or null. Valid as long as the document or a
  /// copy.
  const ConfigNode* Find(const std::vector<std::string>& path) const;
  /// Like Find, but in the text alone, before any change.
  const ConfigNode* FindInText(const std::vector<std::string>& path) const;

 private:
  JobDocument() : diagnostics_("") {}

  /// The result of parsing one text; positions in `tree` borrow `flag`.
  struct Source {
    std::string flag;
    ConfigTree tree;
  };

  // Puts the search space of an experiment of NNI, `source`, that is in a file
  // of its own into the document, which is `source` then. Returns false after
  // an error.
  bool TakeInSearchSpace(const ReadBeside& read_beside,
                         std::shared_ptr<Source>& source);

  std::string file_name_;
  SpecDiagnostics diagnostics_;
  bool is_readable_ = false;
  bool is_study_file_ = false;
  bool has_code_beside_ = false;
  // Shared by the copies of a document, each of which may outlive the others.
  std::vector<std::shared_ptr<const Source>> sources_;
  const ConfigNode* text_root_ = nullptr;  // Null: empty. As the file has it.
  const ConfigNode* root_ = nullptr;       // With the changes.
};

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_FILE_JOB_DOCUMENT_H_
