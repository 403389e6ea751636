#include "cluster/metrics/folder_watch.h"

#include <sys/inotify.h>
#include <unistd.h>

namespace vernier {

FolderWatch::FolderWatch(bool is_enabled) {
  if (is_enabled) inotify_.Reset(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
}

void FolderWatch::Watch(const AttemptKey& attempt, const std::string& folder) {
  if (!inotify_.is_open() || watches_.count(attempt) > 0) return;
  const int watch =
      ::inotify_add_watch(inotify_.get(), folder.c_str(),
                          IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR);
  if (watch < 0) return;
  watches_[attempt] = watch;
  by_watch_[watch] = attempt;
}

bool FolderWatch::TakeChange(const AttemptKey& attempt) {
  TakeEvents();
  return changed_.erase(attempt) > 0;
}

void FolderWatch::Forget(const AttemptKey& attempt) {
  changed_.erase(attempt);
  const auto found = watches_.find(attempt);
  if (found == watches_.end()) return;
  ::inotify_rm_watch(inotify_.get(), found->second);
  by_watch_.erase(found->second);
  watches_.erase(found);
}

void FolderWatch::TakeEvents() {
  alignas(inotify_event) char buffer[16384];
  while (inotify_.is_open()) {
    const ssize_t n = ::read(inotify_.get(), buffer, sizeof(buffer));
    if (n <= 0) return;
    for (const char* at = buffer; at < buffer + n;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      at += sizeof(inotify_event) + event->len;
      if ((event->mask & IN_Q_OVERFLOW) != 0) {
        // Events were lost, so any of the folders may have changed.
        for (const auto& [key, watch] : watches_) changed_.insert(key);
      }
      const auto found = by_watch_.find(event->wd);
      if (found != by_watch_.end()) changed_.insert(found->second);
    }
  }
}

}  // namespace vernier
