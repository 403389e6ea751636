#include "cli/imports/foreign_file.h"

#include "absl/strings/str_cat.h"
#include "cluster/small_file.h"

namespace vernier {

absl::StatusOr<std::string> ReadForeignFile(const std::string& path,
                                            std::size_t limit) {
  absl::StatusOr<std::string> text = ReadSmallFile(path, limit);
  if (text.ok()) return text;
  return absl::Status(text.status().code(),
                      absl::StrCat(path, ": cannot be read: ",
                                   std::string(text.status().message())));
}

}  // namespace vernier
