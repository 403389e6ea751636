#ifndef VERNIER_STUDY_CONFIG_ENVIRONMENT_FILE_H_
#define VERNIER_STUDY_CONFIG_ENVIRONMENT_FILE_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// True if `text` can name an environment variable: letters, digits and '_',
/// not beginning with a digit.
bool IsVariableName(std::string_view text);

/// Reads variables, one a line, like `docker run --env-file` and shells:
/// NAME=VALUE, `export NAME=VALUE`, or NAME alone, whose value comes from
/// `lookup`. Empty lines and lines that begin with '#' are skipped. A value
/// reaches to the end of the line or, if it begins with ' or ", to the closing
/// quote, possibly over several lines; nothing is expanded. If a name occurs
/// twice, the last line counts. If `lookup` is null, every NAME needs a value.
///
/// INVALID_ARGUMENT naming the line, never a value.
absl::StatusOr<std::map<std::string, std::string>> ParseEnvironmentFile(
    std::string_view text,
    const std::function<std::optional<std::string>(const std::string&)>&
        lookup = nullptr);

/// Returns a file that ParseEnvironmentFile and a shell read as `variables`.
std::string FormatEnvironmentFile(
    const std::map<std::string, std::string>& variables);

/// Returns `text` as one word of a POSIX shell, quoted if necessary.
std::string ShellQuoted(const std::string& text);

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_ENVIRONMENT_FILE_H_
