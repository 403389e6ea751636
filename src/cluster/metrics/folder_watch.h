#ifndef VERNIER_CLUSTER_METRICS_FOLDER_WATCH_H_
#define VERNIER_CLUSTER_METRICS_FOLDER_WATCH_H_

#include <map>
#include <set>
#include <string>

#include "base/unique_fd.h"
#include "study/ids.h"

namespace vernier {

/// Reports, by inotify, in which attempts' folders a file was written and
/// closed, or moved in. Folders that the kernel cannot watch (on a network file
/// system, or one beyond its limit) are never reported, so callers must also
/// poll at intervals. Not thread-safe.
class FolderWatch {
 public:
  /// If `is_enabled` is false, nothing is ever reported.
  explicit FolderWatch(bool is_enabled);

  /// Readable when something has changed; -1 if inotify is off or not
  /// available.
  int fd() const { return inotify_.get(); }

  /// Begins to watch the attempt's folder unless it is watched already. Does
  /// nothing if the folder does not exist yet; call again later.
  void Watch(const AttemptKey& attempt, const std::string& folder);

  /// Returns whether the folder has changed since the last call.
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
