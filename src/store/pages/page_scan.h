#ifndef VERNIER_STORE_PAGES_PAGE_SCAN_H_
#define VERNIER_STORE_PAGES_PAGE_SCAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/pages/store_location.h"
#include "store/pages/write_ahead_log.h"

namespace vernier {

/// Counts of the pages of a database file by their state.
struct PageScan {
  std::int64_t pages = 0;    ///< The size of the database.
  std::int64_t matched = 0;  ///< Those that match their checksums.
  std::int64_t in_log = 0;   ///< The log has a newer version, which counts.
  std::int64_t unused = 0;   ///< Those on the free list, which hold nothing.
  std::vector<std::int64_t> damaged;  ///< By number, from 1.
};

/// Compares each page of a database with checksums (ChecksumVfs) at the speed
/// of the disk, without SQLite and without writing; `log` is the content of its
/// write-ahead log. Nobody may write meanwhile. INTERNAL: the file cannot be
/// read.
absl::StatusOr<PageScan> ScanPages(const std::string& path,
                                   const DatabaseHeader& header,
                                   const LogContents& log);

/// "page 17", "pages 17, 18 and 5 more", of a scan with damaged pages.
std::string DamagedPagesText(const PageScan& scan);

}  // namespace vernier

#endif  // VERNIER_STORE_PAGES_PAGE_SCAN_H_
