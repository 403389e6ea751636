#include "store/sqlite/database_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "store/pages/log_marker.h"
#include "store/pages/page_checksum.h"
#include "store/pages/page_scan.h"
#include "store/pages/store_location.h"

namespace vernier {
namespace {

// Reading this much takes a second at most, on a slow disk.
constexpr std::int64_t kScannedAtStart = std::int64_t{256} << 20;

constexpr char kAdvice[] =
    "; `vernier check` says what is damaged and what is not. Restore a backup "
    "of the data directory (docs/operations.md)";

absl::Status CheckPages(const std::string& path, const DatabaseHeader& header,
                        const LogContents& log) {
  VERNIER_ASSIGN_OR_RETURN(const PageScan scan, ScanPages(path, header, log));
  if (scan.damaged.empty()) return absl::OkStatus();
  return DamagedDatabase(
      path, absl::StrCat(DamagedPagesText(scan), " of ", scan.pages,
                         scan.damaged.size() == 1 ? " does" : " do",
                         " not match the checksum"));
}

// Returns the header of the last commit, which may be in the log.
absl::StatusOr<DatabaseHeader> HeaderOfLastCommit(const std::string& path,
                                                  const DatabaseHeader& header,
                                                  const LogContents& log) {
  const auto first_page = log.pages.find(1);
  if (first_page == log.pages.end()) return header;
  constexpr std::int64_t kFrameHeaderBytes = 24;
  return ReadDatabaseHeader(
      path + "-wal", log.FrameOffset(first_page->second) + kFrameHeaderBytes);
}

}  // namespace

absl::Status DamagedDatabase(const std::string& path, const std::string& what) {
  return absl::DataLossError(
      absl::StrCat(path, " is damaged: ", what, kAdvice));
}

absl::Status WithDatabasePath(const std::string& path,
                              const absl::Status& status) {
  if (status.ok()) return status;
  const std::string message(status.message());
  const bool has_path = absl::StrContains(message, path);
  const bool has_advice = absl::StrContains(message, kAdvice);
  return absl::Status(
      status.code(),
      absl::StrCat(has_path ? "" : path + ": ", message,
                   absl::IsDataLoss(status) && !has_advice ? kAdvice : ""));
}

std::optional<LogMark> ReadPromise(const std::string& path,
                                   const DatabaseHeader& header,
                                   const LogContents& log) {
  const std::optional<LogMark> mark = LogMarker::Read(path + "-mark");
  if (!mark.has_value() || log.bytes > 0 || mark->newest.page <= 0) return mark;
  const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::vector<unsigned char> page(static_cast<std::size_t>(header.page_size));
  const off_t offset = (mark->newest.page - 1) * header.page_size;
  if (!file.is_open() || pread(file.get(), page.data(), page.size(), offset) !=
                             static_cast<ssize_t>(page.size())) {
    return mark;
  }
  std::uint64_t seal = 0;
  std::memcpy(&seal, page.data() + page.size() - kChecksumBytes,
              kChecksumBytes);
  if (seal != mark->newest.seal ||
      !IsSealed(page.data(), page.size(), mark->newest.page)) {
    return mark;
  }
  return std::nullopt;
}

absl::Status ForeignDatabase(const std::string& path) {
  return absl::DataLossError(
      absl::StrCat(path, " is a database of another program"));
}

absl::StatusOr<std::optional<LogNote>> PrepareDatabaseFile(
    const std::string& path, const Schema& schema) {
  VERNIER_ASSIGN_OR_RETURN(const DatabaseHeader header,
                           ReadDatabaseHeader(path));
  if (header.is_new) {
    // A log without its database means that the file was lost or replaced.
    return JudgeLog(path + "-wal", {}, LogMarker::Read(path + "-mark"));
  }
  VERNIER_ASSIGN_OR_RETURN(const LogContents log,
                           ReadWriteAheadLog(path + "-wal", header.page_size));
  std::optional<LogNote> note =
      JudgeLog(path + "-wal", log, ReadPromise(path, header, log));
  if (header.reserved_bytes == kChecksumBytes) {
    if (header.file_bytes <= kScannedAtStart) {
      VERNIER_RETURN_IF_ERROR(CheckPages(path, header, log));
    }
    return note;
  }
  VERNIER_ASSIGN_OR_RETURN(const DatabaseHeader newest,
                           HeaderOfLastCommit(path, header, log));
  const std::int64_t version =
      std::max(header.user_version, newest.user_version);
  const bool is_ours = header.application_id == kApplicationId ||
                       newest.application_id == kApplicationId;
  if (version == 0 || !is_ours) return ForeignDatabase(path);
  VERNIER_RETURN_IF_ERROR(CheckSchemaVersion(path, schema, version));
  // Such a database has had checksums since it was made, so its header is
  // damaged.
  return DamagedDatabase(path, "its header says that it has no checksums");
}

}  // namespace vernier
