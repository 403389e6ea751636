#ifndef VERNIER_STUDY_CONFIG_SPEC_DIAGNOSTICS_H_
#define VERNIER_STUDY_CONFIG_SPEC_DIAGNOSTICS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "study/config/config_tree.h"
#include "study/config/spec_error.h"

namespace vernier {

/// What a file calls a field of a job file, and all that is below it.
struct FieldWord {
  std::string path;
  std::string word;
};

/// A message about a job file as it is said of the file.
using MessageForm = std::string (*)(const std::string& message);

/// Collects what is wrong with a job file and what has no effect. Not
/// thread-safe: one parse owns one.
class SpecDiagnostics {
 public:
  /// Errors beyond this many are only counted.
  static constexpr std::size_t kMaxErrors = 1000;

  explicit SpecDiagnostics(std::string file_name);

  void AddError(const ConfigPosition& position, std::string field_path,
                std::string message);
  void AddIgnored(std::string field_path);

  /// Says that the file was accepted before, perhaps by an older version.
  void MarkStored() { is_stored_ = true; }
  bool is_stored() const { return is_stored_; }

  /// Errors at these fields, and fields without effect, have the names that the
  /// file gives them. Call once; where a field is there twice, the first word
  /// counts. Errors that were added before keep the names they have.
  void Rename(std::vector<FieldWord> fields, MessageForm form);

  bool has_errors() const { return !errors_.empty(); }
  /// True if one of them is at `path` or below it.
  bool HasErrorsBelow(std::string_view path) const;
  /// True once further errors are only counted: no use in reading on.
  bool is_full() const { return errors_.size() >= kMaxErrors; }

  /// All errors, by line and column; those of flags come last.
  std::vector<SpecError> TakeErrors();
  std::vector<std::string> TakeIgnored();

 private:
  // The file's name for a field of a job file.
  std::string WordOf(const std::string& path) const;

  std::string file_name_;
  std::vector<SpecError> errors_;
  std::size_t num_named_ = 0;  // Errors that have the file's names already.
  std::map<std::string, std::string, std::less<>> words_;  // By path.
  MessageForm message_form_ = nullptr;                     // Null: as they are.
  std::size_t num_dropped_ = 0;
  std::vector<std::string> ignored_fields_;
  bool is_stored_ = false;
};

/// As ShowText, in quotes if the file has quotes; lists and mappings by kind.
std::string ShowValue(const ConfigNode& node);

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_SPEC_DIAGNOSTICS_H_
