#include "daemon/data_dir.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "base/process/no_room.h"
#include "base/process_environment.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "edge/http_port.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

absl::Status FailedTo(const std::string& what, const std::string& path) {
  const int error = errno;
  const bool is_refused = error == EACCES || error == EPERM || error == EROFS;
  const std::string message = absl::StrCat(
      "data directory: cannot ", what, " ", path, ": ", std::strerror(error),
      is_refused ? "; give --data-dir, or set VERNIER_HOME" : "");
  return IsNoRoom(error) ? absl::ResourceExhaustedError(message)
                         : absl::UnavailableError(message);
}

bool LooksLikeOurs(const std::string& root) {
  std::error_code error;
  fs::directory_iterator entries(root, error);
  if (error) return false;
  if (entries == fs::directory_iterator()) return true;
  return fs::exists(DataDir{root}.DatabasePath(), error);
}

absl::Status MakePrivate(const std::string& path) {
  if (mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return FailedTo("make", path);
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> DefaultDataDir() {
  if (std::string home = EnvironmentVariable("VERNIER_HOME"); !home.empty())
    return home;
  if (std::string data = EnvironmentVariable("XDG_DATA_HOME"); !data.empty()) {
    return data + "/vernier";
  }
  if (std::string home = EnvironmentVariable("HOME"); !home.empty()) {
    return home + "/.local/share/vernier";
  }
  return absl::FailedPreconditionError(
      "no data directory: set VERNIER_HOME, or HOME, or give --data-dir");
}

DataDir DataDirAt(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  std::string root = (error ? fs::path(path) : absolute).lexically_normal();
  while (root.size() > 1 && root.back() == '/') root.pop_back();
  return DataDir{root};
}

absl::StatusOr<DataDir> FindDataDir(const std::string& root) {
  if (!root.empty()) return DataDirAt(root);
  VERNIER_ASSIGN_OR_RETURN(const std::string found, DefaultDataDir());
  return DataDirAt(found);
}

absl::Status PrepareDataDir(const DataDir& data_dir) {
  std::error_code error;
  fs::create_directories(fs::path(data_dir.root).parent_path(), error);
  if (error) {
    // Otherwise the reason would be that its parent does not exist.
    errno = error.value();
    return FailedTo("make", data_dir.root);
  }
  VERNIER_RETURN_IF_ERROR(MakePrivate(data_dir.root));
  struct stat status {};
  if (stat(data_dir.root.c_str(), &status) != 0) {
    return FailedTo("read", data_dir.root);
  }
  if (!S_ISDIR(status.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat("data directory: not a folder: ", data_dir.root));
  }
  if (status.st_uid != geteuid()) {
    return absl::PermissionDeniedError(
        absl::StrCat("data directory: ", data_dir.root, " belongs to user ",
                     status.st_uid, ", but this is user ", geteuid(),
                     "; give each user a --data-dir of their own"));
  }
  if ((status.st_mode & 077) != 0) {
    if (!LooksLikeOurs(data_dir.root)) {
      return absl::FailedPreconditionError(absl::StrCat(
          "data directory: ", data_dir.root,
          " holds other files and is open to other users; name a new folder, "
          "or chmod 700 this one"));
    }
    if (chmod(data_dir.root.c_str(), 0700) != 0) {
      return FailedTo("chmod", data_dir.root);
    }
  }
  VERNIER_RETURN_IF_ERROR(MakePrivate(data_dir.RunRoot()));
  VERNIER_RETURN_IF_ERROR(MakePrivate(data_dir.CodeRoot()));
  VERNIER_RETURN_IF_ERROR(MakePrivate(data_dir.SecretRoot()));
  return MakePrivate(data_dir.LogDir());
}

absl::Status CheckDatabaseIsThere(const DataDir& data_dir) {
  std::error_code error;
  const std::string path = data_dir.DatabasePath();
  const bool is_there = fs::exists(path, error);
  if (is_there && fs::file_size(path, error) > 0) return absl::OkStatus();
  for (const std::string& root : {data_dir.RunRoot(), data_dir.CodeRoot()}) {
    if (fs::directory_iterator(root, error) == fs::directory_iterator()) {
      continue;
    }
    return absl::DataLossError(absl::StrCat(
        path, is_there ? " is empty" : " is gone", ", and ", root,
        " has folders of its jobs: restore the data directory from a backup "
        "(docs/operations.md), or begin anew in another one"));
  }
  return absl::OkStatus();
}

std::optional<int> ReadHttpPort(const DataDir& data_dir) {
  constexpr std::size_t kMostBytes = 64;
  const absl::StatusOr<std::string> text =
      ReadSmallFile(data_dir.HttpPortPath(), kMostBytes);
  return text.ok() ? ParseHttpPort(*text) : std::nullopt;
}

absl::Status WriteHttpPort(const DataDir& data_dir, int port) {
  if (ReadHttpPort(data_dir) == port) return absl::OkStatus();
  return ReplaceFile(data_dir.HttpPortPath(), absl::StrCat(port, "\n"),
                     Durability::kVolatile);
}

}  // namespace vernier
