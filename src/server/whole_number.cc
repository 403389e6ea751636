#include "server/whole_number.h"

#include <charconv>
#include <system_error>

namespace vernier {

std::optional<std::int64_t> ParseWholeNumber(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

}  // namespace vernier
