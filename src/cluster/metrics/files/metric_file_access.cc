#include "cluster/metrics/files/metric_file_access.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/regular_file.h"

namespace vernier {

FileState StateOf(const struct stat& info) {
  return {info.st_ino, info.st_size,
          info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec};
}

bool IsShortage(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM;
}

MetricFile OpenMetricFile(int directory, const char* name, const char* what,
                          FileOwner owner) {
  MetricFile file;
  RegularFile opened = OpenRegularFile(directory, name, O_RDONLY | O_NOFOLLOW);
  file.info = opened.info;
  const char* why = nullptr;
  if (opened.is_other_kind) {
    why = "is no regular file";
  } else if (!opened.fd.is_open()) {
    file.is_shortage = IsShortage(opened.error);
    if (opened.error == ELOOP)
      why = "is a symbolic link, which is not followed";
    if (opened.error == EACCES) why = "may not be read by the service's user";
  } else if (owner == FileOwner::kService && file.info.st_uid != ::geteuid() &&
             file.info.st_uid != 0) {
    why = "belongs to another user, who is not believed";
  } else {
    file.fd = std::move(opened.fd);
  }
  if (why != nullptr) file.problem = absl::StrCat(what, " ", why);
  return file;
}

std::string ReadAt(int fd, std::uint64_t offset, std::size_t limit) {
  struct stat info;
  if (::fstat(fd, &info) != 0 || info.st_size < 0) return "";
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (offset >= size) return "";
  std::string bytes(
      static_cast<std::size_t>(std::min<std::uint64_t>(size - offset, limit)),
      '\0');
  std::size_t length = 0;
  while (length < bytes.size()) {
    const ssize_t n = ::pread(fd, bytes.data() + length, bytes.size() - length,
                              static_cast<off_t>(offset + length));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    length += static_cast<std::size_t>(n);
  }
  bytes.resize(length);
  return bytes;
}

}  // namespace vernier
