#include "cluster/private_folder.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace vernier {
namespace {

bool IsPrivateFolder(const std::string& path) {
  constexpr mode_t kOthers = 077;
  ::mkdir(path.c_str(), 0700);  // Fails harmlessly if it is there.
  struct stat info;
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
         info.st_uid == ::geteuid() && (info.st_mode & kOthers) == 0;
}

}  // namespace

std::vector<std::string> PrivateFolders() {
  const std::string user = std::to_string(::geteuid());
  std::vector<std::string> folders = {
      "/tmp/vernier-" + user, "/run/user/" + user, "/var/tmp/vernier-" + user};
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') {
    folders.push_back(std::string(home) + "/.vernier");
  }
  return folders;
}

std::string FindPrivateFolder(const std::vector<std::string>& candidates) {
  for (const std::string& folder : candidates) {
    if (IsPrivateFolder(folder)) return folder;
  }
  return candidates.empty() ? "" : candidates.back();
}

}  // namespace vernier
