#include "trials/budgets/visible_devices.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"

namespace vernier {
namespace {

constexpr char kVariable[] = "CUDA_VISIBLE_DEVICES";

const DeviceId* Named(const std::string& name,
                      const std::vector<DeviceId>& all) {
  std::size_t index = 0;
  const char* end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, index);
  if (read.ec == std::errc() && read.ptr == end) {
    return index < all.size() ? &all[index] : nullptr;
  }
  if (name.empty()) return nullptr;
  const auto found =
      std::find_if(all.begin(), all.end(),
                   [&](const DeviceId& id) { return id.rfind(name, 0) == 0; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

std::optional<std::string> VisibleDevicesText(const JobSpec& spec) {
  for (const auto* variables :
       {&spec.vernier.environment, &spec.vernier.caller_environment}) {
    const auto found = variables->find(kVariable);
    if (found != variables->end()) return found->second;
  }
  return std::nullopt;
}

std::vector<DeviceId> VisibleDevices(const std::string& text,
                                     const std::vector<DeviceId>& all) {
  std::vector<DeviceId> visible;
  const std::vector<std::string> names = absl::StrSplit(text, ',');
  for (const std::string& name : names) {
    const DeviceId* device =
        Named(std::string(absl::StripAsciiWhitespace(name)), all);
    if (device == nullptr) break;
    if (std::find(visible.begin(), visible.end(), *device) == visible.end()) {
      visible.push_back(*device);
    }
  }
  return visible;
}

}  // namespace vernier
