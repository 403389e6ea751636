#include "store/pages/page_scan.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "absl/strings/str_cat.h"
#include "base/big_endian.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "store/pages/page_checksum.h"
#include "store/pages/store_file_error.h"

namespace vernier {
namespace {

// Reads the file once, about a MiB at a time, and compares each page with its
// checksum. Not compared are pages that SQLite will not read from the file:
// those with a newer version in the log, those on the free list, and the page
// that contains the lock bytes.

// SQLite locks bytes of this page and never stores data in it.
constexpr std::int64_t kLockByte = 0x40000000;

absl::StatusOr<UniqueFd> OpenToRead(const std::string& path) {
  UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.is_open()) return file;
  return StoreFileError("cannot read", path, errno);
}

// Reads up to `size` bytes, fewer at the end of the file. Returns their number.
absl::StatusOr<std::int64_t> ReadUpTo(int file, const std::string& path,
                                      std::int64_t offset, std::int64_t size,
                                      unsigned char* out) {
  std::int64_t done = 0;
  while (done < size) {
    const ssize_t count = pread(
        file, out + done, static_cast<std::size_t>(size - done), offset + done);
    if (count == 0) break;
    if (count > 0) {
      done += count;
    } else if (errno != EINTR) {
      return StoreFileError("cannot read", path, errno);
    }
  }
  return done;
}

class Scanner {
 public:
  Scanner(const std::string& path, const DatabaseHeader& header,
          const LogContents& log)
      : path_(path),
        log_path_(path + "-wal"),
        log_(log),
        page_size_(header.page_size),
        page_count_(log.committed_frames > 0 ? log.database_pages
                                             : header.page_count) {}

  absl::StatusOr<PageScan> Scan() {
    VERNIER_ASSIGN_OR_RETURN(file_, OpenToRead(path_));
    if (log_.committed_frames > 0) {
      VERNIER_ASSIGN_OR_RETURN(log_file_, OpenToRead(log_path_));
    }
    scan_.pages = page_count_;
    VERNIER_RETURN_IF_ERROR(ReadFreePages());
    const std::int64_t pages_at_once =
        std::max<std::int64_t>(1, (std::int64_t{1} << 20) / page_size_);
    buffer_.resize(static_cast<std::size_t>(pages_at_once * page_size_));
    for (std::int64_t first = 1; first <= page_count_; first += pages_at_once) {
      const std::int64_t last =
          std::min(page_count_, first + pages_at_once - 1);
      VERNIER_ASSIGN_OR_RETURN(
          const std::int64_t bytes,
          ReadUpTo(file_.get(), path_, (first - 1) * page_size_,
                   (last - first + 1) * page_size_, buffer_.data()));
      for (std::int64_t page = first; page <= last; ++page) {
        const std::int64_t offset = (page - first) * page_size_;
        CheckPage(page, offset + page_size_ <= bytes ? buffer_.data() + offset
                                                     : nullptr);
      }
      // A truncated file lacks all following pages; one is enough to report it.
      if (bytes == 0 && !scan_.damaged.empty()) break;
    }
    return std::move(scan_);
  }

 private:
  // `bytes` is null if the file ends before this page.
  void CheckPage(std::int64_t page, const unsigned char* bytes) {
    if (log_.pages.count(page) > 0) {
      ++scan_.in_log;
    } else if (free_.count(page) > 0 || page == kLockByte / page_size_ + 1) {
      ++scan_.unused;
    } else if (bytes != nullptr &&
               IsSealed(bytes, static_cast<std::size_t>(page_size_), page)) {
      ++scan_.matched;
    } else {
      scan_.damaged.push_back(page);
    }
  }

  // Reads a page as the last commit left it. Returns false if it is damaged.
  absl::StatusOr<bool> ReadPage(std::int64_t page,
                                std::vector<unsigned char>* out) {
    out->resize(static_cast<std::size_t>(page_size_));
    const auto in_log = log_.pages.find(page);
    if (in_log != log_.pages.end()) {
      VERNIER_ASSIGN_OR_RETURN(const std::int64_t bytes,
                               ReadUpTo(log_file_.get(), log_path_,
                                        log_.FrameOffset(in_log->second) + 24,
                                        page_size_, out->data()));
      return bytes == page_size_;
    }
    VERNIER_ASSIGN_OR_RETURN(
        const std::int64_t bytes,
        ReadUpTo(file_.get(), path_, (page - 1) * page_size_, page_size_,
                 out->data()));
    return bytes == page_size_ && IsSealed(out->data(), out->size(), page);
  }

  // Collects the pages on the free list, which may never have been written and
  // are never read. The trunk pages, which form the list, are read and have
  // checksums like any other.
  absl::Status ReadFreePages() {
    std::vector<unsigned char> page;
    VERNIER_ASSIGN_OR_RETURN(const bool is_good, ReadPage(1, &page));
    if (!is_good) return absl::OkStatus();
    std::int64_t trunk = ReadBigEndian(page.data() + 32);
    std::set<std::int64_t> trunks;
    while (trunk > 0 && trunk <= page_count_ && trunks.insert(trunk).second) {
      VERNIER_ASSIGN_OR_RETURN(const bool is_trunk_good,
                               ReadPage(trunk, &page));
      if (!is_trunk_good) break;
      trunk = ReadBigEndian(page.data());
      const std::int64_t count = std::min(
          std::int64_t{ReadBigEndian(page.data() + 4)}, page_size_ / 4 - 2);
      for (std::int64_t i = 0; i < count; ++i) {
        free_.insert(ReadBigEndian(page.data() + 8 + 4 * i));
      }
    }
    return absl::OkStatus();
  }

  const std::string& path_;
  const std::string log_path_;
  const LogContents& log_;
  const std::int64_t page_size_;
  const std::int64_t page_count_;
  UniqueFd file_;
  UniqueFd log_file_;
  std::set<std::int64_t> free_;
  std::vector<unsigned char> buffer_;
  PageScan scan_;
};

}  // namespace

absl::StatusOr<PageScan> ScanPages(const std::string& path,
                                   const DatabaseHeader& header,
                                   const LogContents& log) {
  return Scanner(path, header, log).Scan();
}

std::string DamagedPagesText(const PageScan& scan) {
  constexpr std::size_t kNamed = 8;
  std::string text = scan.damaged.size() == 1 ? "page " : "pages ";
  for (std::size_t i = 0; i < scan.damaged.size() && i < kNamed; ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", scan.damaged[i]);
  }
  if (scan.damaged.size() > kNamed) {
    absl::StrAppend(&text, " and ", scan.damaged.size() - kNamed, " more");
  }
  return text;
}

}  // namespace vernier
