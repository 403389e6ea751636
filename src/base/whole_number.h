#ifndef VERNIER_BASE_WHOLE_NUMBER_H_
#define VERNIER_BASE_WHOLE_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// Parses a whole number: all of `text` must be decimal digits, with at most a
/// minus before them. Null if it is not one or does not fit. Stricter than
/// ParseInteger, which reads numbers of people, because names and tokens must
/// have one form only.
std::optional<std::int64_t> ParseWholeNumber(std::string_view text);

/// Reads a number > 0 that this service gave out as `field`, such as a page
/// token, and that a client sends back. INVALID_ARGUMENT, which names the
/// field, for any other text.
absl::StatusOr<std::int64_t> ParseGivenNumber(const std::string& text,
                                              const std::string& field);

}  // namespace vernier

#endif  // VERNIER_BASE_WHOLE_NUMBER_H_
