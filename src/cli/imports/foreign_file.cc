#include "cli/imports/foreign_file.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/small_file.h"

namespace vernier {

absl::StatusOr<std::string> ReadForeignFile(const std::string& path,
                                            std::size_t limit) {
  absl::StatusOr<std::string> text = ReadSmallFile(path, limit);
  if (text.ok()) return text;
  const std::string what = absl::StrCat(path, ": cannot be read: ");
  if (absl::IsNotFound(text.status())) {
    return absl::InvalidArgumentError(what + "there is no such file");
  }
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    return absl::InvalidArgumentError(what + "it is a folder");
  }
  return absl::Status(absl::IsOutOfRange(text.status())
                          ? absl::StatusCode::kOutOfRange
                          : absl::StatusCode::kInvalidArgument,
                      what + std::string(text.status().message()));
}

}  // namespace vernier
