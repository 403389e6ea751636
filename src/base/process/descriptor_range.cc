#include "base/process/descriptor_range.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace vernier {
namespace {

// The record that getdents64 writes for each file; its name follows. No header
// of the C library declares it.
struct FolderEntry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
};
constexpr std::size_t kNameOffset = 19;

constexpr unsigned kNone = ~0u;
// Used if there is no list because /proc is missing. A process that may have
// more descriptors than this hardly uses them.
constexpr rlim_t kMostWithoutList = 1 << 20;

// Returns kNone for "." and "..".
unsigned NumberOf(const char* name) {
  unsigned number = 0;
  for (; *name != '\0'; ++name) {
    if (*name < '0' || *name > '9') return kNone;
    number = 10 * number + static_cast<unsigned>(*name - '0');
  }
  return number;
}

void EndOne(unsigned fd, DescriptorEnd end) {
  if (end == DescriptorEnd::kNow) {
    ::close(static_cast<int>(fd));
  } else {
    ::fcntl(static_cast<int>(fd), F_SETFD, FD_CLOEXEC);
  }
}

}  // namespace

void EndDescriptorsOneByOne(unsigned first, unsigned last, DescriptorEnd end) {
  // readdir is not used because it allocates, which a child after fork must
  // not.
  const int list = ::open("/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (list < 0) {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const auto most = static_cast<unsigned>(
        std::min<rlim_t>(limit.rlim_cur, kMostWithoutList));
    for (unsigned fd = first; fd <= last && fd < most; ++fd) EndOne(fd, end);
    return;
  }
  alignas(FolderEntry) char buffer[4096];
  long size = 0;
  while ((size = ::syscall(SYS_getdents64, list, buffer, sizeof(buffer))) > 0) {
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const FolderEntry*>(buffer + at);
      const unsigned fd = NumberOf(buffer + at + kNameOffset);
      at += entry->length;
      if (fd == kNone || fd < first || fd > last) continue;
      if (fd != static_cast<unsigned>(list)) EndOne(fd, end);
    }
  }
  ::close(list);
}

void EndDescriptors(unsigned first, unsigned last, DescriptorEnd end) {
  if (first > last) return;
  // Called by its number, because the function came with glibc 2.34.
  const unsigned flags =
      end == DescriptorEnd::kOnExec ? CLOSE_RANGE_CLOEXEC : 0u;
  if (::syscall(SYS_close_range, first, last, flags) == 0) return;
  EndDescriptorsOneByOne(first, last, end);
}

}  // namespace vernier
