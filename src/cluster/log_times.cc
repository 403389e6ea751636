#include "cluster/log_times.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "base/regular_file.h"
#include "cluster/replica_log.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kNoteBytes = 16;
constexpr std::size_t kCloseNotes = 10000;
constexpr milliseconds kClose{10};
constexpr milliseconds kApart{1000};

std::string TimesPath(const std::string& log_dir, const std::string& name) {
  return log_dir + "/" + name + ".times";
}

void Put(std::uint64_t value, unsigned char* bytes) {
  for (int i = 0; i < 8; ++i) {
    bytes[i] = static_cast<unsigned char>(value >> (8 * i));
  }
}

std::int64_t Get(const char* bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return static_cast<std::int64_t>(value);
}

}  // namespace

absl::StatusOr<LogTimesWriter> LogTimesWriter::Create(
    const std::string& log_dir, const std::string& name) {
  const std::string path = TimesPath(log_dir, name);
  RegularFile file = OpenRegularFile(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (!file.fd.is_open()) {
    return absl::ErrnoToStatus(file.error, "cannot create " + path);
  }
  return LogTimesWriter(std::move(file.fd));
}

absl::StatusOr<LogTimesWriter> LogTimesWriter::Resume(
    const std::string& log_dir, const std::string& name) {
  const std::string path = TimesPath(log_dir, name);
  RegularFile file = OpenRegularFile(path, O_RDWR | O_CREAT | O_APPEND, 0600);
  if (!file.fd.is_open()) {
    return absl::ErrnoToStatus(file.error, "cannot open " + path);
  }
  constexpr off_t kBytes = static_cast<off_t>(kNoteBytes);
  const off_t size = ::lseek(file.fd.get(), 0, SEEK_END);
  LogTimesWriter writer(std::move(file.fd));
  if (size < kBytes) return writer;
  // A note that was cut off would shift the others.
  if (size % kBytes != 0 &&
      ::ftruncate(writer.file_.get(), size - size % kBytes) != 0) {
    return absl::ErrnoToStatus(errno, "cannot repair " + path);
  }
  std::array<char, kNoteBytes> note{};
  const off_t last = size / kBytes * kBytes - kBytes;
  if (::pread(writer.file_.get(), note.data(), note.size(), last) ==
      static_cast<ssize_t>(note.size())) {
    writer.last_ = Timestamp(std::chrono::microseconds(Get(note.data() + 8)));
  }
  writer.notes_ = static_cast<std::size_t>(size / kBytes);
  return writer;
}

void LogTimesWriter::Note(std::int64_t offset, Timestamp now) {
  const milliseconds gap = notes_ < kCloseNotes ? kClose : kApart;
  if (notes_ > 0 && now < last_ + gap) return;
  std::array<unsigned char, kNoteBytes> note{};
  Put(static_cast<std::uint64_t>(offset), note.data());
  Put(static_cast<std::uint64_t>(now.time_since_epoch().count()),
      note.data() + 8);
  if (::write(file_.get(), note.data(), note.size()) !=
      static_cast<ssize_t>(note.size())) {
    return;
  }
  ++notes_;
  last_ = now;
}

LogTimes LogTimes::Read(const std::string& attempt_dir,
                        const std::string& replica) {
  LogTimes times;
  const std::string path = TimesPath(LogDirectory(attempt_dir), replica);
  const RegularFile file = OpenRegularFile(path, O_RDONLY | O_NOFOLLOW);
  if (!file.fd.is_open()) return times;
  std::array<char, kNoteBytes * 1024> buffer{};
  std::size_t size = 0;
  while (true) {
    const ssize_t n =
        ::read(file.fd.get(), buffer.data() + size, buffer.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return times;
    size += static_cast<std::size_t>(n);
    std::size_t at = 0;
    for (; at + kNoteBytes <= size; at += kNoteBytes) {
      times.notes_.emplace_back(
          Get(buffer.data() + at),
          Timestamp(std::chrono::microseconds(Get(buffer.data() + at + 8))));
    }
    std::copy(buffer.begin() + static_cast<std::ptrdiff_t>(at),
              buffer.begin() + static_cast<std::ptrdiff_t>(size),
              buffer.begin());
    size -= at;
  }
}

Timestamp LogTimes::At(std::int64_t offset, Timestamp otherwise) const {
  const auto after = std::upper_bound(
      notes_.begin(), notes_.end(), offset,
      [](std::int64_t value, const auto& note) { return value < note.first; });
  return after == notes_.begin() ? otherwise : std::prev(after)->second;
}

std::int64_t LogTimes::OffsetBefore(Timestamp time) const {
  const auto from = std::lower_bound(
      notes_.begin(), notes_.end(), time,
      [](const auto& note, Timestamp value) { return note.second < value; });
  return from == notes_.begin() ? 0 : std::prev(from)->first;
}

}  // namespace vernier
