#include "cluster/metrics/files/table_end.h"

#include <algorithm>
#include <cstddef>

#include "base/stable_digest.h"
#include "cluster/metrics/files/metric_file_access.h"

namespace vernier {
namespace {

// Enough to tell the rows of two trials apart.
constexpr std::uint64_t kDigestedBytes = 64 << 10;

}  // namespace

TableEnd TableEndOf(int fd, ino_t inode, std::uint64_t size) {
  const std::uint64_t count = std::min(size, kDigestedBytes);
  return {
      inode, size,
      StableDigest(ReadAt(fd, size - count, static_cast<std::size_t>(count)))};
}

bool HasGrownFrom(const TableEnd& end, int fd, ino_t inode,
                  std::uint64_t size) {
  return inode == end.inode && size >= end.size &&
         TableEndOf(fd, inode, end.size).digest == end.digest;
}

}  // namespace vernier
