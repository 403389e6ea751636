#include "cluster/lost_output.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// The size of the file, which holds three numbers in text.
constexpr std::size_t kRecordBytes = 52;

LostOutput Read(int file) {
  std::array<char, kRecordBytes + 1> text{};
  LostOutput lost;
  const ssize_t size = ::pread(file, text.data(), kRecordBytes, 0);
  if (size <= 0 || std::sscanf(text.data(), "%" SCNd64 " %" SCNd64 " %d",
                               &lost.bytes, &lost.unmarked, &lost.error) != 3) {
    return {};
  }
  return lost;
}

}  // namespace

std::string DescribeLostOutput(std::int64_t bytes, int error) {
  std::string reason = std::strerror(error);
  if (!reason.empty()) {
    reason[0] = absl::ascii_tolower(static_cast<unsigned char>(reason[0]));
  }
  return absl::StrCat(bytes,
                      bytes == 1 ? " byte of output was lost here: "
                                 : " bytes of output were lost here: ",
                      reason);
}

absl::StatusOr<LostOutputFile> LostOutputFile::Open(const std::string& log_dir,
                                                    const std::string& name) {
  const std::string path = absl::StrCat(log_dir, "/", name, ".lost");
  UniqueFd file(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.is_open()) return absl::ErrnoToStatus(errno, "cannot open " + path);
  const LostOutput lost = Read(file.get());
  LostOutputFile opened(std::move(file), lost);
  opened.Write();
  return opened;
}

void LostOutputFile::Add(std::int64_t bytes, int error) {
  if (lost_.bytes == 0) lost_.error = error;
  lost_.bytes += bytes;
  lost_.unmarked += bytes;
  Write();
}

void LostOutputFile::SetMarked() {
  lost_.unmarked = 0;
  Write();
}

void LostOutputFile::Write() {
  std::array<char, kRecordBytes + 1> text{};
  std::snprintf(text.data(), text.size(),
                "%-20" PRId64 " %-20" PRId64 " %-9d\n", lost_.bytes,
                lost_.unmarked, lost_.error);
  [[maybe_unused]] const ssize_t written =
      ::pwrite(file_.get(), text.data(), kRecordBytes, 0);
}

LostOutput ReadLostOutput(const std::string& log_dir, const std::string& name) {
  const std::string path = absl::StrCat(log_dir, "/", name, ".lost");
  const UniqueFd file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  return file.is_open() ? Read(file.get()) : LostOutput{};
}

}  // namespace vernier
