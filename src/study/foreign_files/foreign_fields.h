#ifndef VERNIER_STUDY_FOREIGN_FILES_FOREIGN_FIELDS_H_
#define VERNIER_STUDY_FOREIGN_FILES_FOREIGN_FIELDS_H_

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"
#include "study/study_file/job_tree.h"

namespace vernier {

/// A field of another tool's file, and what becomes of it: it is put at `path`
/// of the job file, or left out for `reason`; if both are empty, the reader of
/// the file treats it by itself.
struct ForeignField {
  std::string_view key;
  std::string_view path = "";
  std::string_view reason = "";
};

/// Carries the fields of another tool's file over to a job file, by tables, so
/// that none is dropped without a word. Borrows all; not thread-safe.
class ForeignFields {
 public:
  /// `kind` says whose fields they are: "an experiment of Determined".
  ForeignFields(JobTree* job, SpecDiagnostics* diagnostics,
                std::string_view kind)
      : job_(job), diagnostics_(diagnostics), kind_(kind) {}

  /// Reads the members of `map`, whose own name is `word` (empty: the file). A
  /// null is as if it were not there. A field that is in no table is an error.
  void Read(const ConfigNode& map, std::string_view word,
            std::span<const ForeignField> known);

  /// Notes that a field has no effect, and why.
  void LeaveOut(const ConfigPosition& position, std::string word,
                std::string reason) {
    diagnostics_->AddLeftOut(position, std::move(word), std::move(reason));
  }
  /// Notes what a user should know of a field that has an effect.
  void Note(const ConfigPosition& position, std::string word,
            std::string message) {
    diagnostics_->AddNote(position, std::move(word), std::move(message));
  }

  /// Puts a number of seconds, the value of `key` in `map`, if there is one, at
  /// `path` of the job file as a duration. `word` is the map's own name. An
  /// error for anything else, such as "10m".
  void PutSeconds(const ConfigNode& map, std::string_view key,
                  std::string_view word, const char* path);

  bool has_errors() const { return diagnostics_->has_errors(); }

  /// Returns the mapping at `key`; null if there is none, and for anything else
  /// after an error.
  const ConfigNode* MapAt(const ConfigNode& map, std::string_view key,
                          std::string_view word);

 private:
  JobTree* job_;
  SpecDiagnostics* diagnostics_;
  std::string_view kind_;
};

/// Returns the value of `key`, or null if there is none or it is null.
const ConfigNode* ValueAt(const ConfigNode& map, std::string_view key);

/// Returns the text of a single value; "" for any other, and for null.
std::string TextOf(const ConfigNode* node);

/// Returns a message of the job file's reader without words that only job files
/// have. Pure.
std::string ForeignMessage(const std::string& message);

/// Returns "WORD.KEY", or "KEY" in the file itself.
std::string WordBelow(std::string_view word, std::string_view key);

}  // namespace vernier

#endif  // VERNIER_STUDY_FOREIGN_FILES_FOREIGN_FIELDS_H_
