#include "base/whole_number.h"

#include <charconv>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace vernier {

std::optional<std::int64_t> ParseWholeNumber(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, number);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return number;
}

absl::StatusOr<std::int64_t> ParseGivenNumber(const std::string& text,
                                              const std::string& field) {
  const auto number = ParseWholeNumber(text);
  if (!number.has_value() || *number <= 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        field, " must be one that an earlier answer held: \"", text, "\""));
  }
  return *number;
}

}  // namespace vernier
