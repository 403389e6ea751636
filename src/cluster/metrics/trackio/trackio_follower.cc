#include "cluster/metrics/trackio/trackio_follower.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/folder_stream.h"

namespace vernier {
TrackioFollower::TrackioFollower(std::string folder,
                                 std::vector<std::string> metrics,
                                 FileOwner owner)
    : folder_(std::move(folder)), metrics_(std::move(metrics)), owner_(owner) {}

void TrackioFollower::Read(bool final, Timestamp now, MetricReading& fresh) {
  // Most programs never make the folder.
  const FolderStream folder([&] {
    UniqueFd fd(::open(folder_.c_str(),
                       O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
    fresh.is_partial |= !fd.is_open() && IsShortage(errno);
    DIR* const opened = fd.is_open() ? ::fdopendir(fd.get()) : nullptr;
    if (opened != nullptr) fd.Release();
    return opened;
  }());
  if (folder == nullptr) return;
  const int fd = ::dirfd(folder.get());
  // Databases that appear after the end do not belong to the attempt.
  if (!is_over_) {
    std::size_t names = 0;
    while (const dirent* entry = ::readdir(folder.get())) {
      if (++names > kMaxTrackioNames) break;
      if (!absl::EndsWith(entry->d_name, ".db") ||
          databases_.count(entry->d_name) > 0) {
        continue;
      }
      if (databases_.size() >= kMaxTrackioDatabases) {
        AddProblem(absl::StrCat("at most ", kMaxTrackioDatabases,
                                " Trackio databases are read; there are more"),
                   fresh.problems);
        break;
      }
      databases_.try_emplace(entry->d_name, entry->d_name);
    }
  }
  bool is_shortage = false;
  for (auto& [name, database] : databases_) {
    Take(database.Read(fd, owner_, final, now, is_shortage), fresh);
  }
  fresh.is_partial |= is_shortage;
  is_over_ |= final && !fresh.is_partial;
}

void TrackioFollower::Take(FileReading reading, MetricReading& fresh) {
  fresh.has_more |= reading.has_more;
  for (Measurement& one : reading.measurements) {
    const bool is_asked_for = std::find(metrics_.begin(), metrics_.end(),
                                        one.metric) != metrics_.end();
    if (!is_asked_for) {
      const auto known = other_points_.find(one.metric);
      if (known == other_points_.end()) {
        if (other_points_.size() >= kMaxTrackioMetrics) continue;
        other_points_[one.metric] = 1;
      } else if (++known->second > kMaxTrackioPoints) {
        continue;
      }
    }
    fresh.measurements.push_back(std::move(one));
  }
  for (std::string& problem : reading.problems) {
    AddProblem(std::move(problem), fresh.problems);
  }
}

}  // namespace vernier
