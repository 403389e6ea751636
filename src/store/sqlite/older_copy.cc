#include "store/sqlite/older_copy.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/status_macros.h"
#include "store/pages/store_file_error.h"
#include "store/pages/store_location.h"

namespace vernier {
namespace {

absl::Status Sync(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) return StoreFileError("cannot open", path, errno);
  const int failed = fsync(file) == 0 ? 0 : errno;
  close(file);
  if (failed != 0) return StoreFileError("cannot sync", path, failed);
  return absl::OkStatus();
}

// SQLite fills an empty file, which would have the usual mode if it made it. An
// interrupted upgrade may have left one.
absl::Status MakeEmpty(const std::string& path) {
  unlink(path.c_str());
  const int file =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return StoreFileError("cannot make", path, errno);
  close(file);
  return absl::OkStatus();
}

absl::Status Copy(SqliteDatabase& database, const std::string& unfinished,
                  const std::string& path) {
  VERNIER_RETURN_IF_ERROR(MakeEmpty(unfinished));
  VERNIER_RETURN_IF_ERROR(database.Execute(
      absl::StrCat("VACUUM INTO '",
                   absl::StrReplaceAll(unfinished, {{"'", "''"}}), "'")
          .c_str()));
  VERNIER_RETURN_IF_ERROR(Sync(unfinished, O_RDONLY));
  if (std::rename(unfinished.c_str(), path.c_str()) != 0) {
    return StoreFileError("cannot name", path, errno);
  }
  return Sync(FolderOf(path), O_RDONLY | O_DIRECTORY);
}

}  // namespace

std::string OlderCopyPath(const std::string& path, std::int64_t version) {
  return absl::StrCat(path, ".schema-", version);
}

absl::Status KeepOlderCopy(SqliteDatabase& database, const std::string& path,
                           std::int64_t version) {
  const std::string kept = OlderCopyPath(path, version);
  const std::string unfinished = absl::StrCat(kept, ".unfinished");
  const absl::Status copied = Copy(database, unfinished, kept);
  if (copied.ok()) return copied;
  unlink(unfinished.c_str());
  return absl::Status(
      copied.code(),
      absl::StrCat("cannot keep a copy of the database before its upgrade from "
                   "schema ",
                   version, ": ", copied.message(), ". Nothing was changed."));
}

}  // namespace vernier
