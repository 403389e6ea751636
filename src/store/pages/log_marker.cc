#include "store/pages/log_marker.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "store/pages/page_checksum.h"
#include "store/pages/store_file_error.h"

namespace vernier {
namespace {

// The content of the file. It is smaller than a sector, so that it is written
// whole or not at all.
struct MarkFile {
  char magic[8];
  std::uint64_t salt;
  std::int64_t frames;
  std::int64_t newest_page;
  std::uint64_t newest_seal;
  std::uint64_t checksum;  // The checksum of the fields before it.
};

constexpr char kMarkerMagic[9] = "VRNRMRK1";
constexpr std::size_t kSummed = offsetof(MarkFile, checksum);

std::uint64_t SumOf(const MarkFile& mark) {
  return Checksum({reinterpret_cast<const char*>(&mark), kSummed}, 0);
}

// Returns the salt in the header of a log; nullopt: it cannot be read.
std::optional<std::uint64_t> ReadSalt(const std::string& log_path) {
  const UniqueFd log(open(log_path.c_str(), O_RDONLY | O_CLOEXEC));
  unsigned char bytes[8];
  if (log.get() < 0 || pread(log.get(), bytes, sizeof bytes, 16) !=
                           static_cast<ssize_t>(sizeof bytes)) {
    return std::nullopt;
  }
  std::uint64_t salt = 0;
  for (const unsigned char byte : bytes) salt = (salt << 8) | byte;
  return salt;
}

}  // namespace

std::optional<LogMark> LogMarker::Read(const std::string& path) {
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  MarkFile mark;
  if (file.get() < 0 || pread(file.get(), &mark, sizeof mark, 0) !=
                            static_cast<ssize_t>(sizeof mark)) {
    return std::nullopt;
  }
  if (std::memcmp(mark.magic, kMarkerMagic, sizeof mark.magic) != 0 ||
      mark.checksum != SumOf(mark)) {
    return std::nullopt;
  }
  return LogMark{mark.salt, mark.frames, {mark.newest_page, mark.newest_seal}};
}

absl::StatusOr<LogMarker> LogMarker::Open(const std::string& path,
                                          const std::string& log_path) {
  UniqueFd file(
      open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (file.get() < 0) {
    return StoreFileError("cannot make", path, errno);
  }
  LogMarker marker(std::move(file), log_path);
  marker.last_ = Read(path);
  // The file is written now, so that later marks only overwrite it, which needs
  // no space.
  if (!marker.last_.has_value() && !marker.Write(LogMark{})) {
    return StoreFileError("cannot write", path, errno);
  }
  return marker;
}

void LogMarker::Advance(std::int64_t frames, const SealedFrame& newest) {
  // A log that is not longer than before was started again, with another salt.
  const bool goes_on = has_salt_ && last_->frames > 0 && frames > last_->frames;
  const std::optional<std::uint64_t> salt =
      goes_on ? last_->salt : ReadSalt(log_path_);
  has_salt_ = salt.has_value() && Write(LogMark{*salt, frames, newest});
}

absl::Status LogMarker::Withdraw() {
  if (last_ == LogMark{}) return absl::OkStatus();
  if (Write(LogMark{}) && fdatasync(file_.get()) == 0) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat("cannot write beside ", log_path_,
                                          ": ", std::strerror(errno)));
}

bool LogMarker::Write(const LogMark& mark) {
  MarkFile file{};
  std::memcpy(file.magic, kMarkerMagic, sizeof file.magic);
  file.salt = mark.salt;
  file.frames = mark.frames;
  file.newest_page = mark.newest.page;
  file.newest_seal = mark.newest.seal;
  file.checksum = SumOf(file);
  if (pwrite(file_.get(), &file, sizeof file, 0) !=
      static_cast<ssize_t>(sizeof file)) {
    return false;
  }
  last_ = mark;
  return true;
}

}  // namespace vernier
