#include "cluster/secret_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "base/unique_fd.h"
#include "study/config/environment_file.h"

namespace vernier {
namespace {

using Variables = std::map<std::string, std::string>;

// Writes under another name first, because an incomplete file must never be
// read.
absl::Status WriteNew(const std::string& path, const std::string& text) {
  const std::string draft = path + ".partial";
  ::unlink(draft.c_str());
  const UniqueFd out(
      ::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!out.is_open()) return absl::ErrnoToStatus(errno, "cannot make " + draft);
  absl::Status written = WriteAll(out.get(), text.data(), text.size());
  if (written.ok() && ::fsync(out.get()) != 0) {
    written = absl::ErrnoToStatus(errno, "cannot sync " + draft);
  }
  if (written.ok() && ::rename(draft.c_str(), path.c_str()) != 0) {
    written = absl::ErrnoToStatus(errno, "cannot rename to " + path);
  }
  if (!written.ok()) ::unlink(draft.c_str());
  return written;
}

}  // namespace

absl::StatusOr<bool> WriteSecretFile(const std::string& path,
                                     const Variables& secrets) {
  const std::string folder = path.substr(0, path.rfind('/'));
  VERNIER_RETURN_IF_ERROR(MakeDirectories(folder));
  const auto before = ReadSecretFile(path);
  if (before.ok()) {
    if (*before == secrets) return false;
    return absl::InvalidArgumentError(
        "the request id was used with other secrets");
  }
  if (!absl::IsNotFound(before.status())) return before.status();
  VERNIER_RETURN_IF_ERROR(WriteNew(path, FormatEnvironmentFile(secrets)));
  VERNIER_RETURN_IF_ERROR(SyncDirectory(folder));
  return true;
}

absl::StatusOr<Variables> ReadSecretFile(const std::string& path) {
  if (path.empty()) return Variables();
  const auto text = ReadSmallFile(path);
  if (!text.ok()) {
    return absl::Status(text.status().code(),
                        absl::StrCat("cannot read the job's secrets: ",
                                     std::string(text.status().message())));
  }
  const auto secrets = ParseEnvironmentFile(*text);
  if (secrets.ok()) return secrets;
  return absl::DataLossError(
      absl::StrCat("the file of the job's secrets is damaged: ", path));
}

}  // namespace vernier
