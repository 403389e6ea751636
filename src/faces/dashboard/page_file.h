#ifndef VERNIER_FACES_DASHBOARD_PAGE_FILE_H_
#define VERNIER_FACES_DASHBOARD_PAGE_FILE_H_

#include <string_view>
#include <vector>

namespace vernier {

/// A file of the page, which is part of the binary.
struct PageFile {
  std::string_view name;      ///< "index.html", "assets/app-1a2b3c4d.js".
  std::string_view contents;  ///< Compressed with gzip.
};

/// Returns all files of the page: those of web/page/, which cmake/web.cmake
/// embeds.
const std::vector<PageFile>& PageFiles();

}  // namespace vernier

#endif  // VERNIER_FACES_DASHBOARD_PAGE_FILE_H_
