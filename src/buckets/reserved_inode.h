#ifndef VERNIER_BUCKETS_RESERVED_INODE_H_
#define VERNIER_BUCKETS_RESERVED_INODE_H_

#include <sys/stat.h>

#include "buckets/confined_folder.h"

namespace vernier {

/// Returns whether a file that was found by an object's name is one of the
/// service's own files under a second name: a hard link into kReservedFolder,
/// which the name does not show. A file with only one name costs nothing. For
/// others this reads the names of running uploads, and for files with the mode
/// of the service's notes (0600) also those of all notes.
bool IsReservedInode(const ConfinedFolder& root, const struct stat& info);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_RESERVED_INODE_H_
