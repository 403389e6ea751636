#include "trials/submission/output_count.h"

#include <array>
#include <cstddef>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "base/counted_noun.h"

namespace vernier {

std::string ByteSizeText(std::int64_t bytes) {
  constexpr std::array<const char*, 5> kUnits = {"", "KiB", "MiB", "GiB",
                                                 "TiB"};
  constexpr double kStep = 1024;
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (size >= kStep && unit + 1 < kUnits.size()) {
    size /= kStep;
    ++unit;
  }
  if (unit == 0) return Counted(bytes, "byte");
  char text[32];
  std::snprintf(text, sizeof(text), "%.1f %s", size, kUnits.at(unit));
  return text;
}

std::string OutputText(const OutputCount& outputs) {
  if (outputs.files == 0) return "";
  return absl::StrCat(outputs.is_cut ? "at least " : "",
                      Counted(outputs.files, "file"), " (",
                      ByteSizeText(outputs.bytes), ")");
}

}  // namespace vernier
