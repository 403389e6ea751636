#ifndef VERNIER_SERVER_WHOLE_NUMBER_H_
#define VERNIER_SERVER_WHOLE_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace vernier {

/// The number that all of `text` is, in decimal digits with at most a minus
/// before them; nothing if it is none or does not fit. Stricter than
/// ParseInteger, which reads what people write: names and tokens have one form.
std::optional<std::int64_t> ParseWholeNumber(std::string_view text);

}  // namespace vernier

#endif  // VERNIER_SERVER_WHOLE_NUMBER_H_
