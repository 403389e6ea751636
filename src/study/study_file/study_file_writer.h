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
/// the same job but for what is left out. INVALID_ARGUMENT if `json` is no JSON
/// object.
absl::StatusOr<WrittenStudyFile> WriteStudyFile(std::string_view json);

/// A text as YAML reads it back, in a list or a mapping on one line, too: plain
/// where nothing else can be meant, else in quotes.
std::string YamlWord(const std::string& text);

/// A command line as the value of a field on a line of its own, for which
/// SplitCommand gives the words back.
std::string CommandText(const std::vector<std::string>& words);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_FILE_STUDY_FILE_WRITER_H_
