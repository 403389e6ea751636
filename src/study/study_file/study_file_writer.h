#ifndef VERNIER_STUDY_STUDY_FILE_STUDY_FILE_WRITER_H_
#define VERNIER_STUDY_STUDY_FILE_STUDY_FILE_WRITER_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

struct WrittenStudyFile {
  std::string text;  ///< YAML.
  /// Fields of the job that a study file has no word for, with dots: they have
  /// no effect, or the service sets them.
  std::vector<std::string> left_out;
};

/// Writes a job's normal form (ParsedJob::json) as a study file, which means
/// the same job except for the fields left out. INVALID_ARGUMENT if `json` is
/// no JSON object, and if a study file cannot say what it says: one name for
/// two parameters.
absl::StatusOr<WrittenStudyFile> WriteStudyFile(std::string_view json);

/// Returns a text as YAML that reads back as the text, also in a list or a
/// mapping on one line: plain if it cannot be misread, else in quotes.
std::string YamlWord(const std::string& text);

/// Returns a command line as the value of a field on a line of its own, which
/// SplitCommand splits into these words.
std::string CommandText(const std::vector<std::string>& words);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_FILE_STUDY_FILE_WRITER_H_
