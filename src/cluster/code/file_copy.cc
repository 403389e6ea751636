#include "cluster/code/file_copy.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "absl/strings/str_cat.h"
#include "base/regular_file.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"

namespace vernier {
namespace {

// Below this size a plain copy is cheaper than an attempt to share the blocks.
constexpr std::int64_t kSmallFile = std::int64_t{64} << 10;

struct CopyEnd {
  int fd;
  const std::string& path;
};

absl::Status CopyError(const std::string& what, const std::string& path) {
  return absl::ErrnoToStatus(errno, what + " " + path);
}

// Copies up to the end of the file, which may have moved since the survey.
absl::Status CopyBytes(CopyEnd from, CopyEnd to, std::int64_t surveyed,
                       std::vector<char>& buffer,
                       const std::function<absl::Status(std::int64_t)>& count) {
  while (surveyed > kSmallFile) {
    constexpr std::size_t kAtOnce = 16u << 20;
    const ssize_t n =
        ::copy_file_range(from.fd, nullptr, to.fd, nullptr, kAtOnce, 0);
    // copy_file_range fails between file systems and on some others; the loop
    // below then copies.
    if (n <= 0) break;
    VERNIER_RETURN_IF_ERROR(count(n));
  }
  while (true) {
    const ssize_t n = ::read(from.fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return CopyError("cannot read", from.path);
    if (n == 0) return absl::OkStatus();
    VERNIER_RETURN_IF_ERROR(count(n));
    const absl::Status written =
        WriteAll(to.fd, buffer.data(), static_cast<std::size_t>(n));
    if (!written.ok()) {
      return absl::Status(written.code(),
                          absl::StrCat("cannot write ", to.path, ": ",
                                       std::string(written.message())));
    }
  }
}

}  // namespace

absl::StatusOr<FileCopy> CopyCodeFile(
    const CodeSurvey::File& file, const std::string& from,
    const std::string& to, std::vector<char>& buffer,
    const std::function<absl::Status(std::int64_t bytes)>& count) {
  const RegularFile in = OpenRegularFile(from, O_RDONLY | O_NOFOLLOW);
  if (in.error == ENOENT || in.is_other_kind) return FileCopy::kVanished;
  if (!in.fd.is_open()) {
    return absl::ErrnoToStatus(in.error, "cannot open " + from);
  }
  const UniqueFd out(
      ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!out.is_open()) {
    if (errno == EEXIST) return FileCopy::kExists;
    return CopyError("cannot create", to);
  }
  // FICLONE shares the blocks on file systems with copy-on-write, and fails on
  // others.
  if (file.bytes > kSmallFile &&
      ::ioctl(out.get(), FICLONE, in.fd.get()) == 0) {
    VERNIER_RETURN_IF_ERROR(count(file.bytes));
  } else {
    VERNIER_RETURN_IF_ERROR(CopyBytes({in.fd.get(), from}, {out.get(), to},
                                      file.bytes, buffer, count));
  }
  // The copy belongs to the service's user: with set-uid it would lend that
  // user's rights to whoever runs it.
  constexpr mode_t kRights = S_IRWXU | S_IRWXG | S_IRWXO;
  if (::fchmod(out.get(), file.mode & kRights) != 0) {
    return CopyError("cannot set the mode of", to);
  }
  // The time shows later that a copy is unchanged, and that an event file is
  // old.
  const std::array<timespec, 2> times = {timespec{0, UTIME_OMIT},
                                         in.info.st_mtim};
  if (::futimens(out.get(), times.data()) != 0) {
    return CopyError("cannot set the time of", to);
  }
  return FileCopy::kCopied;
}

}  // namespace vernier
