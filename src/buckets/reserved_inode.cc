#include "buckets/reserved_inode.h"

#include <dirent.h>

#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "buckets/bucket_name.h"

namespace vernier {
namespace {

constexpr mode_t kNoteMode = 0600;

bool HasInode(const ConfinedFolder& root, const std::string& folder,
              ino_t inode, bool with_folders) {
  auto opened = root.OpenFolder(folder);
  if (!opened.ok()) return false;
  const FolderStream dir = EntriesOf(*std::move(opened));
  if (dir == nullptr) return false;
  while (const dirent* entry = ::readdir(dir.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (entry->d_ino == inode) return true;
    if (!with_folders) continue;
    const std::string child = absl::StrCat(folder, "/", entry->d_name);
    if (HasInode(root, child, inode, false)) return true;
  }
  return false;
}

}  // namespace

bool IsReservedInode(const ConfinedFolder& root, const struct stat& info) {
  if (info.st_nlink < 2 || S_ISDIR(info.st_mode)) return false;
  const std::string ours(kReservedFolder);
  if (HasInode(root, ours + "/staging", info.st_ino, false) ||
      HasInode(root, ours + "/uploads", info.st_ino, false)) {
    return true;
  }
  constexpr mode_t kPermissions = 07777;
  return (info.st_mode & kPermissions) == kNoteMode &&
         HasInode(root, ours + "/objects", info.st_ino, true);
}

}  // namespace vernier
