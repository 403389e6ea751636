#include "base/descriptor_reserve.h"

#include <sys/resource.h>

#include <algorithm>

namespace vernier {
namespace {

// With the usual limit of 1,024 descriptors this is a quarter.
constexpr rlim_t kReserve = 256;

bool IsAmongTheLast(int fd, rlim_t parts) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return false;
  const rlim_t reserve = std::min(kReserve, limit.rlim_cur / 4) / parts;
  return static_cast<rlim_t>(fd) + reserve >= limit.rlim_cur;
}

}  // namespace

bool IsInReserve(int fd) { return IsAmongTheLast(fd, 1); }

bool IsInLastReserve(int fd) { return IsAmongTheLast(fd, 2); }

}  // namespace vernier
