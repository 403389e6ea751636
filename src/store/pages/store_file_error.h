#ifndef VERNIER_STORE_PAGES_STORE_FILE_ERROR_H_
#define VERNIER_STORE_PAGES_STORE_FILE_ERROR_H_

#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace vernier {

/// INTERNAL, "cannot read /data/vernier.db: Input/output error". `what` is the
/// first part, `error` an errno.
inline absl::Status StoreFileError(const char* what, const std::string& path,
                                   int error) {
  return absl::InternalError(
      absl::StrCat(what, " ", path, ": ", std::strerror(error)));
}

}  // namespace vernier

#endif  // VERNIER_STORE_PAGES_STORE_FILE_ERROR_H_
