#include "buckets/open_beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/unique_fd.h"

namespace vernier {
namespace {

constexpr int kMostLinks = 40;  // As many as the kernel follows.

int Fail(int error) {
  errno = error;
  return -1;
}

// Adds the parts of a path before those that are still to be walked; the next
// one is the last of the list.
void PushParts(const std::string& path, std::vector<std::string>& parts) {
  std::vector<std::string> added;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (end > begin) added.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  // A slash at the end asks for a folder.
  if (path.ends_with('/')) added.push_back(".");
  parts.insert(parts.end(), added.rbegin(), added.rend());
}

// Returns the target of the link of that name; empty if it is not a link.
std::string TargetOf(int folder, const std::string& name) {
  char target[PATH_MAX];
  const ssize_t size =
      ::readlinkat(folder, name.c_str(), target, sizeof(target));
  return size <= 0 ? "" : std::string(target, static_cast<std::size_t>(size));
}

// A walk down from a folder.
class Walk {
 public:
  Walk(int folder, Links links) : folder_(folder), links_(links) {}

  int Open(const std::string& name, int flags, mode_t mode) {
    PushParts(name, parts_);
    while (!parts_.empty()) {
      const std::string part = std::exchange(parts_.back(), "");
      parts_.pop_back();
      if (part == ".") continue;
      if (part == "..") {
        if (opened_.empty()) return Fail(EXDEV);
        opened_.pop_back();
        continue;
      }
      const bool is_last = parts_.empty();
      UniqueFd fd(is_last ? OpenLast(part, flags, mode) : OpenPart(part));
      if (!fd.is_open()) {
        if (!FollowLink(part, is_last ? flags : 0)) return -1;
      } else if (is_last) {
        return fd.Release();
      } else {
        opened_.push_back(std::move(fd));
      }
    }
    // The name ends in a folder that the walk came through.
    return ::openat(Here(), ".", flags | O_CLOEXEC, mode);
  }

 private:
  int Here() const { return opened_.empty() ? folder_ : opened_.back().get(); }

  int OpenPart(const std::string& part) {
    return ::openat(Here(), part.c_str(),
                    O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  }

  int OpenLast(const std::string& part, int flags, mode_t mode) {
    UniqueFd fd(
        ::openat(Here(), part.c_str(), flags | O_NOFOLLOW | O_CLOEXEC, mode));
    const bool is_any = (flags & O_PATH) != 0 && (flags & O_NOFOLLOW) == 0;
    struct stat info;
    if (is_any && fd.is_open() && ::fstat(fd.get(), &info) == 0 &&
        S_ISLNK(info.st_mode)) {
      return Fail(ELOOP);
    }
    return fd.Release();
  }

  // Continues at the target of the link that could not be opened. Returns
  // false, with errno, if it is not a link, or may not be followed.
  bool FollowLink(const std::string& part, int flags) {
    const int error = errno;
    const bool may_be_link = error == ELOOP || error == ENOTDIR;
    const std::string target = may_be_link ? TargetOf(Here(), part) : "";
    if (target.empty() || (flags & O_NOFOLLOW) != 0) {
      errno = error;
      return false;
    }
    if (links_ == Links::kRefuse || ++followed_ > kMostLinks) {
      errno = ELOOP;
      return false;
    }
    if (target.starts_with('/')) {
      errno = EXDEV;
      return false;
    }
    PushParts(target, parts_);
    return true;
  }

  int folder_;
  Links links_;
  int followed_ = 0;
  std::vector<UniqueFd> opened_;
  std::vector<std::string> parts_;
};

}  // namespace

int OpenBeneathByHand(int folder, const std::string& name, int flags,
                      mode_t mode, Links links) {
  if (name.starts_with('/')) return Fail(EXDEV);
  return Walk(folder, links).Open(name, flags, mode);
}

int OpenBeneath(int folder, const std::string& name, int flags, mode_t mode,
                Links links) {
  open_how how{};
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
  how.mode = (flags & O_CREAT) != 0 ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  if (links == Links::kRefuse) how.resolve |= RESOLVE_NO_SYMLINKS;
  const char* path = name.empty() ? "." : name.c_str();
  long fd = 0;
  do {
    fd = ::syscall(SYS_openat2, folder, path, &how, sizeof(how));
    // EAGAIN: a folder above was renamed during the look-up, so the kernel
    // cannot tell whether the path stayed below; a retry can.
  } while (fd < 0 && (errno == EINTR || errno == EAGAIN));
  if (fd < 0 && errno == ENOSYS) {
    return OpenBeneathByHand(folder, name, flags, mode, links);
  }
  return static_cast<int>(fd);
}

}  // namespace vernier
