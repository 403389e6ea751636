#include "cluster/metrics/logged_files_follower.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/folder_stream.h"
#include "base/shown_text.h"
#include "cluster/metrics/csv_log_file.h"
#include "cluster/metrics/tensorboard/event_file.h"
#include "cluster/metrics/tensorboard/event_metric_names.h"
#include "cluster/metrics/wandb_file.h"

namespace vernier {
namespace {

// A poll has three steps: find new folders and files (a folder is listed again
// only if its time of change differs, or is so recent that another change could
// have the same time), read what each changed file has beyond the reader's
// offset, and map each tag to the names that the study asks for. One Read takes
// at most kBytesOfRead; the rest follows in the next call.

// The bound of one Read, so that a large file does not delay other attempts.
constexpr std::size_t kBytesOfRead = std::size_t{32} << 20;
// File systems store times in steps; none in use has longer ones.
constexpr std::chrono::seconds kTimeStep{2};
// The kernel stamps files by a clock that may lag by one tick.
constexpr std::chrono::milliseconds kClockLag{10};

// Tables have no times. Those of newer versions get later places in time, all
// of them near 1970 (PlaceTime).
constexpr std::chrono::hours kTableSpan{1};
constexpr std::int64_t kMaxTables = 4000;

// Names a file of the kind in a problem.
const char* WhatIs(LoggedFileKind kind) {
  switch (kind) {
    case LoggedFileKind::kEvents:
      return "the event file";
    case LoggedFileKind::kWandb:
      return "the W&B file";
    case LoggedFileKind::kCsv:
      return "the CSV file";
  }
  return "the file";
}

std::unique_ptr<GrowingFileReader> MakeReader(LoggedFileKind kind,
                                              std::string_view name) {
  switch (kind) {
    case LoggedFileKind::kEvents:
      return std::make_unique<EventFileReader>();
    case LoggedFileKind::kWandb:
      return std::make_unique<WandbFileReader>();
    case LoggedFileKind::kCsv:
      return std::make_unique<CsvLogReader>(name);
  }
  return nullptr;
}

MetricRoad RoadOf(EventFolderKind kind) {
  switch (kind) {
    case EventFolderKind::kTraining:
      return MetricRoad::kTrainingEvents;
    case EventFolderKind::kUndecided:
      return MetricRoad::kEvents;
    case EventFolderKind::kTest:
      return MetricRoad::kTestEvents;
    case EventFolderKind::kValidation:
      return MetricRoad::kValidationEvents;
  }
  return MetricRoad::kEvents;
}

// Writers may give a step's training and validation values the same time, which
// would merge the two measurements into one. A source's own offset keeps them
// apart.
std::chrono::microseconds OwnInstant(MetricRoad road) {
  switch (road) {
    case MetricRoad::kTrainingEvents:
      return std::chrono::microseconds(1);
    case MetricRoad::kTestEvents:
      return std::chrono::microseconds(2);
    case MetricRoad::kValidationEvents:
      return std::chrono::microseconds(3);
    default:
      return std::chrono::microseconds(0);
  }
}

// Returns the real path of an open file, wherever its name leads by now.
std::string PathOf(int fd) {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd),
                                       error)
      .string();
}

// Returns whether what was read of the file stands there no more.
bool WasRewritten(const GrowingFileReader& reader, int fd) {
  const std::string_view head = reader.head();
  const std::string_view tail = reader.tail();
  return ReadAt(fd, 0, head.size()) != head ||
         (!tail.empty() &&
          ReadAt(fd, reader.offset() - tail.size(), tail.size()) != tail);
}

// torch's add_hparams repeats the last values in a folder of its own below the
// run's, whose name is the time.
bool IsFolderOfHparams(std::string_view folder) {
  const std::string_view name = folder.substr(folder.rfind('/') + 1);
  return name.find('.') != std::string_view::npos &&
         name.find_first_not_of("0123456789.") == std::string_view::npos;
}

std::string ShownFolder(const std::string& folder) {
  return folder.empty() ? "\".\"" : absl::StrCat("\"", ShowText(folder), "\"");
}

std::string Below(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + "/" + std::string(name);
}

Timestamp InstantOf(const timespec& time) {
  return Timestamp(std::chrono::duration_cast<Timestamp::duration>(
      std::chrono::seconds(time.tv_sec) +
      std::chrono::nanoseconds(time.tv_nsec)));
}

std::int64_t Nanoseconds(const timespec& time) {
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

LoggedFilesFollower::LoggedFilesFollower(std::string root,
                                         std::set<LoggedFileKind> kinds,
                                         std::vector<std::string> metrics,
                                         Timestamp since, FileOwner owner,
                                         std::uint64_t max_backlog)
    : root_(std::move(root)),
      kinds_(std::move(kinds)),
      metrics_(std::move(metrics)),
      owner_(owner),
      since_(since - kClockLag),
      max_backlog_(max_backlog) {
  folders_.emplace_back();
}

void LoggedFilesFollower::PassOverTables(TableEnds ends, bool sees_first) {
  former_ends_ = std::move(ends);
  sees_first_ = sees_first;
}

TableEnds LoggedFilesFollower::EndsOfTables() const {
  TableEnds ends = former_ends_;
  for (const File& file : files_) {
    if (file.kind != LoggedFileKind::kCsv) continue;
    const std::string name = Below(file.folder, file.name);
    const MetricFile opened = OpenMetricFile(
        AT_FDCWD, Below(root_, name).c_str(), WhatIs(file.kind), owner_);
    if (!opened.fd.is_open()) continue;
    ends[name] = TableEndOf(opened.fd.get(), opened.info.st_ino,
                            static_cast<std::uint64_t>(opened.info.st_size));
  }
  return ends;
}

// Notes where a table ended that was last written before the attempt.
void LoggedFilesFollower::NoteFormerEnd(File& file, const std::string& path,
                                        const FileState& stamp) const {
  if (!sees_first_ || file.former || file.kind != LoggedFileKind::kCsv) return;
  const MetricFile opened =
      OpenMetricFile(AT_FDCWD, path.c_str(), WhatIs(file.kind), owner_);
  if (!opened.fd.is_open()) return;
  file.former = TableEndOf(opened.fd.get(), stamp.inode,
                           static_cast<std::uint64_t>(stamp.size));
}

void LoggedFilesFollower::Read(bool final, Timestamp now,
                               MetricReading& fresh) {
  const std::size_t known = files_.size();
  // Files that appear after the end do not belong to the attempt.
  if (!is_over_) FindFiles(now, fresh);
  is_over_ |= final && !fresh.is_partial;
  if (files_.size() > known) {
    // Names hold the time at which a file was begun. So a file that records a
    // restart comes after the files whose points it ends.
    std::sort(files_.begin(), files_.end(), [](const File& a, const File& b) {
      return std::tie(a.folder, a.name) < std::tie(b.folder, b.name);
    });
  }
  std::size_t budget = kBytesOfRead;
  for (File& file : files_) {
    if (ReadFile(file, final, budget, fresh)) fresh.has_more = true;
  }
  if (final) NoteMisses(fresh);
}

void LoggedFilesFollower::NoteMisses(MetricReading& fresh) const {
  for (const auto& [metric, table] : tables_) {
    for (const File& file : files_) {
      if (Below(file.folder, file.name) != table.path) continue;
      std::string miss = file.reader->LaterMiss(metric);
      if (miss.empty()) continue;
      fresh.later_misses.push_back(
          {metric, MetricRoad::kCsvFile, std::move(miss)});
    }
  }
}

void LoggedFilesFollower::FindFiles(Timestamp now, MetricReading& fresh) {
  // The list grows during the loop.
  for (std::size_t i = 0; i < folders_.size(); ++i) {
    struct stat info;
    const std::string path = Below(root_, folders_[i].path);
    if (::stat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) continue;
    const std::int64_t changed_ns = Nanoseconds(info.st_mtim);
    if (folders_[i].is_settled && folders_[i].listed_ns == changed_ns) continue;
    folders_[i].listed_ns = changed_ns;
    folders_[i].is_settled = InstantOf(info.st_mtim) + kTimeStep < now;
    ListFolder(i, fresh);
  }
}

void LoggedFilesFollower::ListFolder(std::size_t index, MetricReading& fresh) {
  const std::string folder = folders_[index].path;
  const int depth = folders_[index].depth;
  const std::string path = Below(root_, folder);
  const FolderStream names(::opendir(path.c_str()));
  if (names == nullptr) {
    if (IsShortage(errno)) {
      fresh.is_partial = true;
      folders_[index].is_settled = false;
    }
    return;
  }
  std::size_t seen = 0;
  while (const dirent* entry = ::readdir(names.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (++seen > kMaxFolderNames) {
      AddProblem(absl::StrCat("of the folder ", ShowText(path),
                              " only the first ", kMaxFolderNames,
                              " names are looked at for files with metrics"),
                 fresh.problems);
      return;
    }
    bool is_folder = entry->d_type == DT_DIR;
    if (entry->d_type == DT_UNKNOWN) {
      struct stat info;
      is_folder = ::fstatat(::dirfd(names.get()), entry->d_name, &info,
                            AT_SYMLINK_NOFOLLOW) == 0 &&
                  S_ISDIR(info.st_mode);
    }
    if (is_folder) {
      AddFolder(Below(folder, name), depth + 1, fresh);
    } else if (const auto kind = KindOf(name)) {
      AddFile(folder, std::string(name), *kind, fresh);
    }
  }
}

void LoggedFilesFollower::AddFolder(std::string path, int depth,
                                    MetricReading& fresh) {
  if (known_folders_.count(path) > 0) return;
  if (folders_.size() >= kMaxLoggedFolders || depth > kMaxLoggedDepth) {
    AddProblem(
        absl::StrCat("files with metrics are looked for in at most ",
                     kMaxLoggedFolders, " folders, at most ", kMaxLoggedDepth,
                     " deep; there are more below ", ShowText(root_)),
        fresh.problems);
    return;
  }
  known_folders_.insert(path);
  Folder& folder = folders_.emplace_back();
  folder.path = std::move(path);
  folder.depth = depth;
}

std::optional<LoggedFileKind> LoggedFilesFollower::KindOf(
    std::string_view name) const {
  std::optional<LoggedFileKind> kind;
  if (IsEventFileName(name)) {
    kind = LoggedFileKind::kEvents;
  } else if (IsWandbFileName(name)) {
    kind = LoggedFileKind::kWandb;
  } else if (IsCsvLogName(name)) {
    kind = LoggedFileKind::kCsv;
  }
  if (kind && kinds_.count(*kind) == 0) kind.reset();
  return kind;
}

void LoggedFilesFollower::AddFile(const std::string& folder, std::string name,
                                  LoggedFileKind kind, MetricReading& fresh) {
  const std::string path = Below(folder, name);
  if (known_files_.count(path) > 0) return;
  if (files_.size() >= kMaxLoggedFiles) {
    AddProblem(absl::StrCat("at most ", kMaxLoggedFiles,
                            " files with metrics are read; there are more "
                            "below ",
                            ShowText(root_)),
               fresh.problems);
    return;
  }
  known_files_.insert(path);
  File& file = files_.emplace_back();
  file.folder = folder;
  file.name = std::move(name);
  file.kind = kind;
  file.reader = MakeReader(kind, file.name);
  const auto former = former_ends_.find(path);
  if (former != former_ends_.end()) file.former = former->second;
}

// Returns whether nothing is left to be read after the attempt's end. Bytes
// that a surviving process writes after the end are not awaited.
bool LoggedFilesFollower::IsOver(File& file, const FileState& stamp) {
  if (!file.end) {
    file.end = stamp;
    return false;
  }
  return stamp.inode != file.end->inode || stamp.size < file.end->size ||
         file.reader->offset() >= static_cast<std::uint64_t>(file.end->size);
}

bool LoggedFilesFollower::ReadFile(File& file, bool final, std::size_t& budget,
                                   MetricReading& fresh) {
  const std::string path = Below(root_, Below(file.folder, file.name));
  struct stat info;
  if (::lstat(path.c_str(), &info) != 0) return false;
  const FileState stamp = StateOf(info);
  if (InstantOf(info.st_mtim) < since_) {
    NoteFormerEnd(file, path, stamp);
    return false;
  }
  if (final && IsOver(file, stamp)) return false;
  if (stamp == file.stamp &&
      (!final ||
       file.reader->offset() >= static_cast<std::uint64_t>(stamp.size))) {
    return false;
  }
  if (budget == 0) return true;
  const MetricFile opened =
      OpenMetricFile(AT_FDCWD, path.c_str(), WhatIs(file.kind), owner_);
  fresh.is_partial |= opened.is_shortage;
  if (!opened.problem.empty()) AddProblem(opened.problem, fresh.problems);
  if (!opened.fd.is_open()) return false;
  // A folder on the path may have become a link since it was listed.
  if (real_root_.empty()) {
    std::error_code error;
    real_root_ = std::filesystem::canonical(root_, error).string() + "/";
  }
  if (PathOf(opened.fd.get()).rfind(real_root_, 0) != 0) return false;

  const bool is_another =
      file.stamp.size >= 0 &&
      (stamp.inode != file.stamp.inode || stamp.size < file.stamp.size ||
       WasRewritten(*file.reader, opened.fd.get()));
  // On a network file system a growing file's end may be visible before the
  // data. A file that looks damaged is therefore read once more from its
  // beginning.
  const bool is_retry = file.reader->is_damaged() && !file.was_read_again;
  if (is_another || is_retry) {
    const auto before =
        std::exchange(file.reader, MakeReader(file.kind, file.name));
    if (is_another) file.reader->Succeed(*before);
  }
  if (file.stamp.size < 0 && file.former &&
      HasGrownFrom(*file.former, opened.fd.get(), stamp.inode,
                   static_cast<std::uint64_t>(stamp.size))) {
    file.reader->PassOver(file.former->size);
  }
  file.was_read_again |= is_retry;
  if (ReadParts(file, opened.fd.get(), budget, fresh)) return true;
  file.stamp = stamp;
  return false;
}

// Returns whether there is more to read at once.
bool LoggedFilesFollower::ReadParts(File& file, int fd, std::size_t& budget,
                                    MetricReading& fresh) {
  const auto offset = [&] { return file.reader->offset(); };
  const std::size_t read_size = file.reader->read_size();
  while (budget > 0) {
    std::uint64_t most = read_size;
    if (file.end) {
      if (read_at_end_ >= max_backlog_) {
        AddProblem(
            absl::StrCat("files with metrics were not read to their end: when "
                         "the trial ended, they had more than the ",
                         max_backlog_,
                         " bytes that are read then, and could not be read "
                         "before"),
            fresh.problems);
        return false;
      }
      const auto size = static_cast<std::uint64_t>(file.end->size);
      most = std::min(most, size - std::min(size, offset()));
    }
    const std::string bytes =
        ReadAt(fd, offset(), static_cast<std::size_t>(most));
    if (file.end) read_at_end_ += bytes.size();
    const std::uint64_t before = offset();
    GrowingFileReading reading = file.reader->Read(bytes);
    const bool has_more = reading.has_more;
    Take(file, std::move(reading), fresh);
    const std::uint64_t taken = offset() - before;
    if (file.end && !has_more && taken < bytes.size() &&
        before + bytes.size() == static_cast<std::uint64_t>(file.end->size)) {
      Take(file, file.reader->ReadLast(std::string_view(bytes).substr(taken)),
           fresh);
    }
    budget -=
        std::min<std::uint64_t>(budget, std::max<std::uint64_t>(taken, 1));
    // A chunk that is shorter than the rest of the file ends within a record.
    const bool is_all = !has_more && bytes.size() < read_size;
    if (is_all || taken == 0) return false;
  }
  return true;
}

void LoggedFilesFollower::Take(File& file, GrowingFileReading reading,
                               MetricReading& fresh) {
  std::size_t taken = 0;
  for (const StepRestart& restart : reading.restarts) {
    for (; taken < restart.before; ++taken) {
      TakePoint(file, reading.measurements[taken], fresh);
    }
    restarts_.TakeStart(file.folder, restart.from_step, restart.at);
  }
  for (; taken < reading.measurements.size(); ++taken) {
    TakePoint(file, reading.measurements[taken], fresh);
  }
  for (CurveRestart& restart : restarts_.TakeNew()) {
    fresh.restarts.push_back(std::move(restart));
  }
  if (restarts_.is_full()) {
    AddProblem(absl::StrCat("the event files begin again more than ",
                            kMaxCurveRestarts,
                            " times; later restarts are overlooked"),
               fresh.problems);
  }
  for (std::string& problem : reading.problems) {
    AddProblem(std::move(problem), fresh.problems);
  }
}

void LoggedFilesFollower::TakePoint(File& file, const Measurement& measurement,
                                    MetricReading& fresh) {
  // Other formats state no version, and what they repeat is no restart.
  const auto* const events =
      dynamic_cast<const EventFileReader*>(file.reader.get());
  EventPlace place{file.folder, 0,
                   events != nullptr && events->file_version() < 2};
  for (const Target& target : TargetsOf(file, measurement.metric, fresh)) {
    Measurement taken = measurement;
    taken.metric = target.metric;
    taken.road = target.road;
    taken.reported_at += OwnInstant(target.road);
    if (file.kind == LoggedFileKind::kCsv) {
      taken.reported_at += kTableSpan * std::min(target.version, kMaxTables);
    }
    place.version = target.version;
    if (!restarts_.TakePoint(place, taken)) continue;
    if (!target.is_asked_for &&
        ++other_points_[target.metric] > kMaxOtherPoints) {
      continue;
    }
    fresh.measurements.push_back(std::move(taken));
  }
}

// Nobody knows which of several runs is the one that is meant, as of the folds
// of a cross-validation.
void LoggedFilesFollower::NoteOtherFolder(const File& file,
                                          const Target& target,
                                          MetricReading& fresh) {
  const auto [first, is_new] = event_folders_.try_emplace(
      {target.metric, target.road, target.version}, file.folder);
  if (is_new || first->second == file.folder ||
      IsFolderOfHparams(file.folder)) {
    return;
  }
  AddProblem(absl::StrCat("\"", ShowText(target.metric),
                          "\" is in event files of the folders ",
                          ShownFolder(first->second), " and ",
                          ShownFolder(file.folder),
                          "; their values count together, in the order of "
                          "their times"),
             fresh.problems);
}

// Returns whether the metric's values are those of this table. A program that
// is started again continues in a table of a newer version.
bool LoggedFilesFollower::IsItsTable(const File& file,
                                     const std::string& metric,
                                     std::int64_t version,
                                     MetricReading& fresh) {
  const std::string path = Below(file.folder, file.name);
  const auto [found, is_new] =
      tables_.try_emplace(metric, Table{path, version});
  if (is_new || found->second.path == path ||
      found->second.version != version) {
    return true;
  }
  AddProblem(absl::StrCat("\"", ShowText(metric), "\" is a column of ",
                          ShowText(found->second.path), " and of ",
                          ShowText(path), "; only the first is read"),
             fresh.problems);
  return false;
}

std::vector<LoggedFilesFollower::Target> LoggedFilesFollower::EventTargets(
    const File& file, const std::string& tag) const {
  std::vector<Target> targets;
  const std::vector<EventMetricName> names = EventMetricNames(file.folder, tag);
  for (const EventMetricName& name : names) {
    const bool is_asked_for = std::find(metrics_.begin(), metrics_.end(),
                                        name.metric) != metrics_.end();
    if (is_asked_for) {
      targets.push_back(
          {name.metric, RoadOf(name.rank.kind), name.rank.version, true});
    }
  }
  if (targets.empty() && !names.empty()) {
    const EventSeriesRank& rank = names.front().rank;
    targets.push_back(
        {names.front().metric, RoadOf(rank.kind), rank.version, false});
  }
  return targets;
}

const std::vector<LoggedFilesFollower::Target>& LoggedFilesFollower::TargetsOf(
    File& file, const std::string& tag, MetricReading& fresh) {
  const auto known = file.targets.find(tag);
  if (known != file.targets.end()) return known->second;
  std::vector<Target> targets;
  if (file.kind == LoggedFileKind::kEvents) {
    targets = EventTargets(file, tag);
    for (const Target& target : targets) {
      if (target.is_asked_for) NoteOtherFolder(file, target, fresh);
    }
  } else {
    const bool is_asked_for =
        std::find(metrics_.begin(), metrics_.end(), tag) != metrics_.end();
    const std::int64_t version = FolderVersion(file.folder);
    const bool is_table = file.kind == LoggedFileKind::kCsv;
    if (!is_table || !is_asked_for || IsItsTable(file, tag, version, fresh)) {
      targets.push_back({tag,
                         is_table ? MetricRoad::kCsvFile : MetricRoad::kWandb,
                         version, is_asked_for});
    }
  }
  if (!targets.empty() && !targets.front().is_asked_for) {
    const std::string& metric = targets.front().metric;
    if (other_points_.size() < kMaxMetricsSeen ||
        other_points_.count(metric) > 0) {
      other_points_[metric];
    } else {
      targets.clear();
    }
  }
  // Beyond the limit, targets are computed again instead of being kept.
  if (file.targets.size() >= kMaxMetricsOfRecord) file.targets.clear();
  return file.targets[tag] = std::move(targets);
}

}  // namespace vernier
