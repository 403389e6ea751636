#ifndef VERNIER_DAEMON_DISK_SPACE_H_
#define VERNIER_DAEMON_DISK_SPACE_H_

#include <string>

namespace vernier {

/// Describes a lack of space on the disk of `folder`, to follow "it waits for
/// ": "room on the disk of /data, which has 0 KiB left". Empty if this user has
/// more than a mebibyte and some inodes left, or if that is unknown. Cost: one
/// system call. Thread-safe.
std::string DiskTrouble(const std::string& folder);

}  // namespace vernier

#endif  // VERNIER_DAEMON_DISK_SPACE_H_
