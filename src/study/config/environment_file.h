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

/// Reads variables, one a line, as `docker run --env-file` and shells do:
/// NAME=VALUE, `export NAME=VALUE`, or NAME alone, whose value `lookup` knows.
/// Empty lines and those that begin with '#' are passed over. A value is taken
/// as it is up to the end of the line, or up to the closing quote if it begins
/// with ' or ", also over several lines; nothing is expanded. The last of two
/// lines for one name counts. `lookup` null: every NAME needs a value.
///
/// INVALID_ARGUMENT naming the line, never a value.
absl::StatusOr<std::map<std::string, std::string>> ParseEnvironmentFile(
    std::string_view text,
    const std::function<std::optional<std::string>(const std::string&)>&
        lookup = nullptr);

/// A file that ParseEnvironmentFile and a shell read as `variables`.
std::string FormatEnvironmentFile(
    const std::map<std::string, std::string>& variables);

/// `text` as one word of a POSIX shell, quoted if it has to be.
std::string ShellQuoted(const std::string& text);

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_ENVIRONMENT_FILE_H_
