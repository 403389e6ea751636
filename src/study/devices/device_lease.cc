#include "study/devices/device_lease.h"

#include <cstddef>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"
#include "base/whole_number.h"

namespace vernier {

std::string ToString(const DeviceLease& lease) {
  if (lease.memory_mb == 0) return lease.device;
  return absl::StrCat(lease.device, "+", lease.memory_mb, "M.", lease.number);
}

DeviceLease ParseDeviceLease(const std::string& text) {
  const std::size_t plus = text.rfind('+');
  if (plus == std::string::npos) return {text};
  const std::size_t unit = text.find("M.", plus);
  if (unit == std::string::npos) return {text};
  const std::optional<std::int64_t> memory =
      ParseWholeNumber(text.substr(plus + 1, unit - plus - 1));
  const std::optional<std::int64_t> number =
      ParseWholeNumber(text.substr(unit + 2));
  if (!memory || *memory < 1 || !number || *number < 1 ||
      *number > std::numeric_limits<int>::max()) {
    return {text};
  }
  return {text.substr(0, plus), *memory, static_cast<int>(*number)};
}

}  // namespace vernier
