#ifndef VERNIER_STUDY_STUDY_FILE_VALUE_FORMS_H_
#define VERNIER_STUDY_STUDY_FILE_VALUE_FORMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace vernier {

/// Turns "1h 30m", "90m", "1.5d" or "30s" into "5400s", the form of job files;
/// fractions of a second are rounded up. nullopt for any other text, for a text
/// without a unit, and for more than 10,000 years.
std::optional<std::string> SecondsFromWords(std::string_view text);

/// Turns "5400s" into "1h 30m"; a text that is no whole number of seconds stays
/// as it is.
std::string WordsFromSeconds(std::string_view seconds);

/// Splits a command line into words, like a shell without variables and
/// operators: quotes and backslashes hold words together, line breaks count as
/// blanks. INVALID_ARGUMENT if a quote is not closed, or for a text that only a
/// shell understands, such as '|' and '$'.
absl::StatusOr<std::vector<std::string>> SplitCommand(std::string_view text);

/// Returns the command line that SplitCommand splits into these words.
std::string JoinCommand(const std::vector<std::string>& words);

/// Returns the texts in braces in a word of a command, such as "lr" of
/// "--rate={lr}", each of which may be the place of a parameter. They borrow
/// `word`.
std::vector<std::string_view> TextsInBraces(std::string_view word);

}  // namespace vernier

#endif  // VERNIER_STUDY_STUDY_FILE_VALUE_FORMS_H_
