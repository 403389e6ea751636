#include "study/job_file/memory_size.h"

#include <charconv>
#include <string>

namespace vernier {

std::optional<std::int64_t> ParseMegabytes(std::string_view text) {
  constexpr std::int64_t kMax = std::int64_t{1} << 30;
  std::int64_t count = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || count < 1) return std::nullopt;
  std::int64_t scale = 1;
  if (rest + 1 == end) {
    if (*rest == 'T') scale = std::int64_t{1} << 20;
    if (*rest == 'G') scale = std::int64_t{1} << 10;
    if (scale == 1 && *rest != 'M') return std::nullopt;
  } else if (rest != end) {
    return std::nullopt;
  }
  if (count > kMax / scale) return std::nullopt;
  return count * scale;
}

std::optional<std::int64_t> ReadMegabytes(ObjectReader& reader,
                                          std::string_view key) {
  const std::optional<std::string> text = reader.String(key);
  if (!text.has_value()) return std::nullopt;
  const std::optional<std::int64_t> size = ParseMegabytes(*text);
  if (!size.has_value()) {
    reader.ValueError(key,
                      "must be megabytes, or a number with M, G or T, such as "
                      "\"16G\"");
  }
  return size;
}

}  // namespace vernier
