#include "base/process_environment.h"

#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace vernier {

std::string EnvironmentVariable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

std::map<std::string, std::string> ParseEnvironment(
    const char* const* environ) {
  std::map<std::string, std::string> variables;
  for (; environ != nullptr && *environ != nullptr; ++environ) {
    const std::string_view entry = *environ;
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    variables[std::string(entry.substr(0, equals))] = entry.substr(equals + 1);
  }
  return variables;
}

}  // namespace vernier
