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

/// The word of a file for a field of a job file and all fields below it.
struct FieldWord {
  std::string path;
  std::string word;
};

/// Rewrites a message about a job file as a message about the file that was
/// read.
using MessageForm = std::string (*)(const std::string& message);

/// Collects the errors of a job file and its fields without effect. Not
/// thread-safe: one parse owns one.
class SpecDiagnostics {
 public:
  /// Errors beyond this many are only counted.
  static constexpr std::size_t kMaxErrors = 1000;

  explicit SpecDiagnostics(std::string file_name);

  void AddError(const ConfigPosition& position, std::string field_path,
                std::string message);
  void AddIgnored(std::string field_path);
  /// Adds what a user of another tool's file should know of a field, whose own
  /// name in the file it has.
  void AddNote(const ConfigPosition& position, std::string field_path,
               std::string message);
  /// Adds a field of such a file that has no effect, and notes why.
  void AddLeftOut(const ConfigPosition& position, std::string field_path,
                  std::string reason);

  /// Notes that the file was accepted before, perhaps by an older version.
  void MarkStored() { is_stored_ = true; }
  bool is_stored() const { return is_stored_; }

  /// Makes errors at these fields, and fields without effect, use the file's
  /// own names. To be called once; if a field is listed twice, the first word
  /// counts. Errors that were added before keep their names.
  void Rename(std::vector<FieldWord> fields, MessageForm form);

  bool has_errors() const { return !errors_.empty(); }
  /// True if an error is at `path` or below it.
  bool HasErrorsBelow(std::string_view path) const;
  /// True once further errors are only counted, so that there is no use in
  /// reading on.
  bool is_full() const { return errors_.size() >= kMaxErrors; }

  /// Returns all errors, by line and column; those of flags come last.
  std::vector<SpecError> TakeErrors();
  std::vector<std::string> TakeIgnored();
  /// Returns the notes, by line.
  std::vector<SpecError> TakeNotes();

 private:
  SpecError At(const ConfigPosition& position, std::string field_path,
               std::string message) const;
  // Returns the file's name for a field of a job file.
  std::string WordOf(const std::string& path) const;

  std::string file_name_;
  std::vector<SpecError> errors_;
  std::size_t num_named_ = 0;  // Errors that have the file's names already.
  std::map<std::string, std::string, std::less<>> words_;  // By path.
  MessageForm message_form_ = nullptr;                     // Null: as they are.
  std::size_t num_dropped_ = 0;
  std::vector<std::string> ignored_fields_;
  std::vector<SpecError> notes_;
  bool is_stored_ = false;
};

/// Like ShowText, in quotes if the file has quotes; lists and mappings by kind.
std::string ShowValue(const ConfigNode& node);

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_SPEC_DIAGNOSTICS_H_
