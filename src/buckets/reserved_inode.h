#ifndef VERNIER_BUCKETS_RESERVED_INODE_H_
#define VERNIER_BUCKETS_RESERVED_INODE_H_

#include <sys/stat.h>

#include "buckets/confined_folder.h"

namespace vernier {

/// Whether a file that was found by an object's name is one of ours under a
/// second name: a hard link into kReservedFolder, which no name gives away. For
/// a file with one name only this costs nothing; for others it reads the names
/// of uploads that are under way, and for those with the mode of our own notes
/// (0600) those of all notes.
bool IsReservedInode(const ConfinedFolder& root, const struct stat& info);

}  // namespace vernier

#endif  // VERNIER_BUCKETS_RESERVED_INODE_H_
