#include "cluster/process/exec_limits.h"

#include <unistd.h>

#include <cstddef>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// The kernel's MAX_ARG_STRLEN, 32 pages of 4 KiB, with the closing NUL.
constexpr std::size_t kMostBytesEach = 131072;

// The kernel itself puts some bytes next to them.
constexpr std::size_t kReserve = 4096;

}  // namespace

absl::Status CheckExecLimits(const std::vector<std::string>& argv,
                             const Environment& environment) {
  std::size_t total = kReserve;
  for (std::size_t i = 0; i < argv.size(); ++i) {
    total += argv[i].size() + 1 + sizeof(char*);
    if (argv[i].size() < kMostBytesEach) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "argument ", i, " of the program has ", argv[i].size(),
        " bytes, and Linux takes at most ", kMostBytesEach - 1, " for one"));
  }
  for (const auto& [name, value] : environment) {
    const std::size_t size = name.size() + 1 + value.size();
    total += size + 1 + sizeof(char*);
    if (size < kMostBytesEach) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the environment variable ", name, " has ", value.size(),
                     " bytes, and Linux takes at most ", kMostBytesEach - 1,
                     " for one with its name: hand it over in a file"));
  }
  const long limit = ::sysconf(_SC_ARG_MAX);
  if (limit <= 0 || total <= static_cast<std::size_t>(limit)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the program's arguments and environment variables have ",
                   total, " bytes together, and this system takes at most ",
                   limit, ": hand some of them over in a file"));
}

}  // namespace vernier
