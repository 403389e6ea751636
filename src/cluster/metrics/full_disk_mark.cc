#include "cluster/metrics/full_disk_mark.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>
#include <cinttypes>
#include <cstddef>
#include <cstdio>

namespace vernier {
namespace {

// A kind of files, whether there was a value, and its three numbers in text.
constexpr std::size_t kRecordBytes = 64;

}  // namespace

FullDiskMark::FullDiskMark(const std::string& attempt_dir) {
  if (attempt_dir.empty()) return;
  const std::string path = attempt_dir + "/full_disk";
  file_ = UniqueFd(
      ::open(path.c_str(),
             O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  if (!file_.is_open()) return;
  Read();
  Write();
}

void FullDiskMark::TakeValue(const Measurement& value) {
  last_ = Value{value.step, std::bit_cast<std::uint64_t>(value.value),
                std::chrono::duration_cast<std::chrono::microseconds>(
                    value.reported_at.time_since_epoch())
                    .count()};
  if (!is_catching_up_) Change(Files::kNone);
}

void FullDiskMark::CatchUp() {
  if (!is_catching_up_) return;
  is_catching_up_ = false;
  if (last_ != was_last_) Change(Files::kNone);
}

void FullDiskMark::Set(Files files) { Change(files); }

std::string FullDiskMark::text() const {
  switch (files_) {
    case Files::kNone:
      return "";
    case Files::kMetric:
      return "its metric files";
    case Files::kEvent:
      return "its event files";
  }
  return "";
}

void FullDiskMark::Change(Files files) {
  if (files == files_) return;
  files_ = files;
  was_last_ = last_;
  Write();
}

void FullDiskMark::Read() {
  std::array<char, kRecordBytes + 1> text{};
  int files = 0;
  int has_value = 0;
  Value value;
  if (::pread(file_.get(), text.data(), kRecordBytes, 0) <= 0 ||
      std::sscanf(text.data(), "%d %d %" SCNd64 " %" SCNx64 " %" SCNd64, &files,
                  &has_value, &value.step, &value.bits,
                  &value.reported_at_us) != 5 ||
      (files != static_cast<int>(Files::kMetric) &&
       files != static_cast<int>(Files::kEvent))) {
    return;
  }
  files_ = static_cast<Files>(files);
  if (has_value != 0) was_last_ = value;
  is_catching_up_ = true;
}

void FullDiskMark::Write() {
  if (!file_.is_open()) return;
  const Value value = was_last_.value_or(Value{});
  std::array<char, kRecordBytes + 1> text{};
  std::snprintf(text.data(), text.size(),
                "%d %d %-20" PRId64 " %016" PRIx64 " %-20" PRId64 "\n",
                static_cast<int>(files_), was_last_.has_value() ? 1 : 0,
                value.step, value.bits, value.reported_at_us);
  [[maybe_unused]] const ssize_t written =
      ::pwrite(file_.get(), text.data(), kRecordBytes, 0);
}

}  // namespace vernier
