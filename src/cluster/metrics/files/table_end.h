#ifndef VERNIER_CLUSTER_METRICS_FILES_TABLE_END_H_
#define VERNIER_CLUSTER_METRICS_FILES_TABLE_END_H_

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>

namespace vernier {

/// The end that a table had when a trial began or was over. Trials that run one
/// after the other in one folder append to the same table, whose rows do not
/// say whose they are.
struct TableEnd {
  ino_t inode = 0;
  std::uint64_t size = 0;
  std::uint64_t digest = 0;  ///< Of the last bytes before the end.
};

/// By the tables' paths below a folder.
using TableEnds = std::map<std::string, TableEnd>;

/// Returns the end of the open file of that inode after `size` bytes.
TableEnd TableEndOf(int fd, ino_t inode, std::uint64_t size);

/// Returns whether the open file has only grown since it had this end. False if
/// it was written anew.
bool HasGrownFrom(const TableEnd& end, int fd, ino_t inode, std::uint64_t size);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_FILES_TABLE_END_H_
