#include "cluster/metrics/full_disk_mark.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cinttypes>
#include <cstddef>
#include <cstdio>

#include "base/regular_file.h"

namespace vernier {
namespace {

// The record is text: the kind of files and the number of values.
constexpr std::size_t kRecordBytes = 24;

}  // namespace

FullDiskMark::FullDiskMark(const std::string& attempt_dir) {
  if (attempt_dir.empty()) return;
  file_ = OpenRegularFile(attempt_dir + "/full_disk",
                          O_RDWR | O_CREAT | O_NOFOLLOW, 0600)
              .fd;
  if (!file_.is_open()) return;
  Read();
  Write();
}

void FullDiskMark::TakeValue() {
  ++values_;
  if (!is_catching_up_) Change(Files::kNone);
}

void FullDiskMark::CatchUp() {
  if (!is_catching_up_) return;
  is_catching_up_ = false;
  // The count may also be lower, since a file may have dropped old values.
  if (values_ > had_values_) Change(Files::kNone);
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
  had_values_ = values_;
  Write();
}

void FullDiskMark::Read() {
  std::array<char, kRecordBytes + 1> text{};
  int files = 0;
  if (::pread(file_.get(), text.data(), kRecordBytes, 0) <= 0 ||
      std::sscanf(text.data(), "%d %" SCNu64, &files, &had_values_) != 2 ||
      (files != static_cast<int>(Files::kMetric) &&
       files != static_cast<int>(Files::kEvent))) {
    return;
  }
  files_ = static_cast<Files>(files);
  is_catching_up_ = true;
}

void FullDiskMark::Write() {
  if (!file_.is_open()) return;
  std::array<char, kRecordBytes + 1> text{};
  std::snprintf(text.data(), text.size(), "%d %-20" PRIu64 "\n",
                static_cast<int>(files_), had_values_);
  [[maybe_unused]] const ssize_t written =
      ::pwrite(file_.get(), text.data(), kRecordBytes, 0);
}

}  // namespace vernier
