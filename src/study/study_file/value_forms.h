#ifndef VERNIER_STUDY_STUDY_FILE_VALUE_FORMS_H_
#define VERNIER_STUDY_STUDY_FILE_VALUE_FORMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// "1h 30m", "90m", "1.5d" or "30s" -> "5400s", as job files have it; fractions
/// of a second are rounded up. nullopt if the text is none of them, or more
/// than 10,000 years. Without a unit it is none.
std::optional<std::string> SecondsFromWords(std::string_view text);

/// "5400s" -> "1h 30m"; what is no whole number of seconds stays as it is.
std::string WordsFromSeconds(std::string_view seconds);

/// The words of a command line, as a shell without variables and operators
/// would split it: quotes and backslashes hold words together, lines end like
/// blanks. INVALID_ARGUMENT if a quote is not closed, or for what only a shell
/// can do, such as '|' and '$'.
absl::StatusOr<std::vector<std::string>> SplitCommand(std::string_view text);

/// The command line that SplitCommand splits into these words.
std::string JoinCommand(const std::vector<std::string>& words);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_FILE_VALUE_FORMS_H_
