#include "cluster/attempt/launch_phase.h"

#include <unistd.h>

#include <cstddef>

#include "base/small_file.h"
#include "base/utf8.h"

namespace vernier {
namespace {

constexpr std::size_t kMostBytes = 500;

std::string LaunchPhasePath(const std::string& attempt_dir) {
  return attempt_dir + "/phase";
}

}  // namespace

void NoteLaunchPhase(const std::string& attempt_dir, const std::string& phase) {
  const std::string path = LaunchPhasePath(attempt_dir);
  if (phase.empty()) {
    ::unlink(path.c_str());
    return;
  }
  ReplaceFile(path, phase.substr(0, kMostBytes), Durability::kVolatile)
      .IgnoreError();
}

std::string LaunchPhaseOf(const std::string& attempt_dir) {
  // An engine's output may be any bytes, and is cut off anywhere.
  return ValidUtf8(
      ReadSmallFile(LaunchPhasePath(attempt_dir), kMostBytes).value_or(""));
}

}  // namespace vernier
