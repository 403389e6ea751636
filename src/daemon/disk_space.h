#ifndef VERNIER_DAEMON_DISK_SPACE_H_
#define VERNIER_DAEMON_DISK_SPACE_H_

#include <string>

namespace vernier {

/// What is wrong with the disk of `folder`, for "it waits for ...": "room on
/// the disk of /data, which has 0 KiB left"; empty if more than a mebibyte and
/// some inodes are left to this user, or if it cannot be told. Cost: one system
/// call. Thread-safe.
std::string DiskTrouble(const std::string& folder);

}  // namespace vernier

#endif  // VERNIER_DAEMON_DISK_SPACE_H_
