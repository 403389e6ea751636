#include "cli/display/device_text.h"

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace vernier {

std::string MemoryText(const std::string& bytes) {
  double number = 0;
  if (!absl::SimpleAtod(bytes, &number) || number <= 0) return "";
  constexpr double kGigabyte = 1 << 30;
  return absl::StrFormat("%.1f GB", number / kGigabyte);
}

std::string ConditionText(const std::string& trouble, bool is_sick) {
  if (trouble.empty()) return "OK";
  return absl::StrCat(is_sick ? "SICK: it " : "WAITS: it ", trouble);
}

}  // namespace vernier
