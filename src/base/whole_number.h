#ifndef VERNIER_BASE_WHOLE_NUMBER_H_
#define VERNIER_BASE_WHOLE_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace vernier {

/// The number that all of `text` is, in decimal digits with at most a minus
/// before them; nothing if it is none or does not fit. Stricter than
/// ParseInteger, which reads what people write: names and tokens have one form.
std::optional<std::int64_t> ParseWholeNumber(std::string_view text);

/// The number > 0 that we gave out as `field`, such as a page token, and that
/// comes back. INVALID_ARGUMENT, which names the field, for any other text.
absl::StatusOr<std::int64_t> ParseGivenNumber(const std::string& text,
                                              const std::string& field);

}  // namespace vernier

#endif  // VERNIER_BASE_WHOLE_NUMBER_H_
