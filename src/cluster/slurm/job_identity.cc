#include "cluster/slurm/job_identity.h"

namespace vernier {
namespace {

constexpr std::size_t kNonceDigits = 32;
constexpr std::string_view kHexDigits = "0123456789abcdef";

}  // namespace

std::string JobNamePrefix(std::string_view instance) {
  return "vernier-" + std::string(instance) + "-";
}

std::string JobName(std::string_view instance, std::string_view nonce) {
  return JobNamePrefix(instance) + std::string(nonce);
}

std::string ComponentName(const std::string& job_name, std::size_t component) {
  if (component == 0) return job_name;
  return job_name + "." + std::to_string(component);
}

std::string JobOfComponent(std::string_view component_name) {
  return std::string(component_name.substr(0, component_name.find('.')));
}

bool IsJobName(std::string_view name, std::string_view prefix) {
  if (!name.starts_with(prefix)) return false;
  const std::string_view nonce = name.substr(prefix.size());
  return nonce.size() == kNonceDigits &&
         nonce.find_first_not_of(kHexDigits) == std::string_view::npos;
}

}  // namespace vernier
