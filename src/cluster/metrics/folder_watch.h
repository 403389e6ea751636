#ifndef VERNIER_CLUSTER_METRICS_FOLDER_WATCH_H_
#define VERNIER_CLUSTER_METRICS_FOLDER_WATCH_H_

#include <map>
#include <set>
#include <string>

#include "base/unique_fd.h"
#include "study/ids.h"

namespace vernier {

/// Tells in which attempts' folders a file was written and closed, or moved
/// in, by inotify. What the kernel cannot watch (a file system of another
/// machine, one folder too many) is never reported: whoever asks looks at
/// intervals, too. Not thread-safe.
class FolderWatch {
 public:
  /// `is_enabled` false: nothing is ever reported.
  explicit FolderWatch(bool is_enabled);

  /// Readable when something has changed; -1 if the kernel reports nothing.
  int fd() const { return inotify_.get(); }

  /// Begins to watch the attempt's folder, unless it is watched. A folder that
  /// does not exist yet is not; try again.
  void Watch(const AttemptKey& attempt, const std::string& folder);

  /// Whether the folder has changed since the last call.
  bool TakeChange(const AttemptKey& attempt);

  void Forget(const AttemptKey& attempt);

 private:
  void TakeEvents();

  UniqueFd inotify_;
  std::map<AttemptKey, int> watches_;  // inotify's numbers.
  std::map<int, AttemptKey> by_watch_;
  std::set<AttemptKey> changed_;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_FOLDER_WATCH_H_
