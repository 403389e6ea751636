#include "daemon/disk_space.h"

#include <sys/statvfs.h>

#include <cstdint>

#include "absl/strings/str_cat.h"

namespace vernier {

std::string DiskTrouble(const std::string& folder) {
  constexpr std::uint64_t kLeastKiB = 1024;
  struct statvfs info;
  // Some file systems report no sizes.
  if (::statvfs(folder.c_str(), &info) != 0 || info.f_blocks == 0) return "";
  const std::uint64_t left_kib =
      std::uint64_t{info.f_bavail} * info.f_frsize / 1024;
  if (left_kib < kLeastKiB) {
    return absl::StrCat("room on the disk of ", folder, ", which has ",
                        left_kib, " KiB left");
  }
  if (info.f_files > 0 && info.f_favail == 0) {
    return absl::StrCat("room on the disk of ", folder,
                        ", which can take no further file (no inodes left)");
  }
  return "";
}

}  // namespace vernier
