#ifndef VERNIER_CLUSTER_METRICS_LOGGED_FILES_FOLLOWER_H_
#define VERNIER_CLUSTER_METRICS_LOGGED_FILES_FOLLOWER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "cluster/metrics/files/growing_file.h"
#include "cluster/metrics/files/metric_file_access.h"
#include "cluster/metrics/files/table_end.h"
#include "cluster/metrics/tensorboard/curve_restarts.h"
#include "study/metrics/metric_road.h"
#include "trials/jobs/launcher.h"

namespace vernier {

/// Limits of the search below an attempt's folder: the folders that are
/// searched, the files that are read, the names in one folder that are
/// examined, and the depth of nested folders.
inline constexpr std::size_t kMaxLoggedFolders = 1000;
inline constexpr std::size_t kMaxLoggedFiles = 1000;
inline constexpr std::size_t kMaxFolderNames = 20000;
inline constexpr int kMaxLoggedDepth = 16;
/// At the attempt's end, at most this many unread bytes of these files are
/// read.
inline constexpr std::uint64_t kMaxLoggedBacklog = std::uint64_t{4} << 30;
/// The most points that are kept of a metric that the study does not ask for.
inline constexpr std::size_t kMaxOtherPoints = 1000;

/// The files that logging libraries write, by their formats.
enum class LoggedFileKind {
  kEvents,  ///< TensorBoard's event files: IsEventFileName.
  kWandb,   ///< Those of Weights & Biases: IsWandbFileName.
  kCsv,     ///< Tables with a row for each step: IsCsvLogName.
};

/// Follows the files of logging libraries in a folder and those below it, while
/// they appear and grow.
///
/// A tag of an event file counts under each of its EventMetricNames that the
/// study asks for, otherwise under the first of them; the kind of the folder
/// decides the source (MetricRoad). In files of other kinds a metric has one
/// name. If two tables have a column of one name, the first one counts and the
/// other is named as a problem, unless they are in folders "version_N" of
/// different numbers. If event files of several folders have a series of the
/// study under one name, all of their points count, and a problem says so.
///
/// A file that was not written since the attempt began belongs to another
/// attempt and is not read. A file that was replaced or has become shorter is
/// read again. Symbolic links are not followed, and files that OpenMetricFile
/// refuses are not read. At the attempt's end, only the bytes that exist at
/// that moment are read, and at most kMaxLoggedBacklog of them.
///
/// The reading reports where a program went back to an earlier step: see
/// CurveRestarts.
///
/// A poll costs a stat for each folder and each file; a folder's names are read
/// only if it has changed. Not thread-safe.
class LoggedFilesFollower {
 public:
  /// `metrics` are the study's. Files of other kinds than `kinds`, that were
  /// last written before `since`, or do not belong to `owner`, are ignored.
  LoggedFilesFollower(std::string root, std::set<LoggedFileKind> kinds,
                      std::vector<std::string> metrics, Timestamp since,
                      FileOwner owner,
                      std::uint64_t max_backlog = kMaxLoggedBacklog);

  /// Says that other trials wrote to the folder before, and where its tables
  /// ended then, as far as that is known: what a table has before that end is
  /// passed over, unless the table was written anew. If `sees_first`, a table
  /// that was last written before `since` when it is seen first ends there. To
  /// be called before the first Read.
  void PassOverTables(TableEnds ends, bool sees_first);

  /// Returns where the tables end now; those of PassOverTables included that
  /// are not there any more.
  TableEnds EndsOfTables() const;

  /// Adds the new measurements to `fresh`; sets has_more if there are more to
  /// read at once. `now` is the system clock's time.
  void Read(bool final, Timestamp now, MetricReading& fresh);

 private:
  struct Folder {
    std::string path;  // Relative to the root; empty for it.
    int depth = 0;
    std::int64_t listed_ns = -1;  // The change that the list of names is of.
    bool is_settled = false;      // No change can hide in the same instant.
  };
  // A name under which a tag's points count.
  struct Target {
    std::string metric;
    MetricRoad road = MetricRoad::kEvents;
    std::int64_t version = 0;  // EventSeriesRank's.
    bool is_asked_for = false;
  };
  struct File {
    std::string folder;
    std::string name;
    LoggedFileKind kind = LoggedFileKind::kEvents;
    FileState stamp;
    std::optional<FileState> end;  // At the first reading after the end.
    std::unique_ptr<GrowingFileReader> reader;
    bool was_read_again = false;     // After damage.
    std::optional<TableEnd> former;  // What lies before it is another trial's.
    std::unordered_map<std::string, std::vector<Target>> targets;
  };

  void FindFiles(Timestamp now, MetricReading& fresh);
  void ListFolder(std::size_t index, MetricReading& fresh);
  void AddFolder(std::string path, int depth, MetricReading& fresh);
  void AddFile(const std::string& folder, std::string name, LoggedFileKind kind,
               MetricReading& fresh);
  std::optional<LoggedFileKind> KindOf(std::string_view name) const;
  static bool IsOver(File& file, const FileState& stamp);
  void NoteFormerEnd(File& file, const std::string& path,
                     const FileState& stamp) const;
  bool ReadFile(File& file, bool final, std::size_t& budget,
                MetricReading& fresh);
  bool ReadParts(File& file, int fd, std::size_t& budget, MetricReading& fresh);
  void Take(File& file, GrowingFileReading reading, MetricReading& fresh);
  void TakePoint(File& file, const Measurement& measurement,
                 MetricReading& fresh);
  void NoteMisses(MetricReading& fresh) const;
  void NoteOtherFolder(const File& file, const Target& target,
                       MetricReading& fresh);
  bool IsItsTable(const File& file, const std::string& metric,
                  std::int64_t version, MetricReading& fresh);
  const std::vector<Target>& TargetsOf(File& file, const std::string& tag,
                                       MetricReading& fresh);
  std::vector<Target> EventTargets(const File& file,
                                   const std::string& tag) const;

  const std::string root_;
  std::string real_root_;  // Without links, and a slash; empty: not known yet.
  const std::set<LoggedFileKind> kinds_;
  const std::vector<std::string> metrics_;
  const FileOwner owner_;
  const Timestamp since_;
  std::vector<Folder> folders_;
  std::set<std::string> known_folders_;
  std::vector<File> files_;
  std::set<std::string> known_files_;  // With their folders.
  std::map<std::string, std::size_t> other_points_;
  // The tables that have a column of the study's, by its name.
  struct Table {
    std::string path;
    std::int64_t version = 0;
  };
  std::map<std::string, Table> tables_;
  // The folder in which a metric of the study was first, by its name, kind and
  // version.
  std::map<std::tuple<std::string, MetricRoad, std::int64_t>, std::string>
      event_folders_;
  CurveRestarts restarts_;
  const std::uint64_t max_backlog_;
  TableEnds former_ends_;
  bool sees_first_ = false;  // See PassOverTables.
  std::uint64_t read_at_end_ = 0;
  bool is_over_ = false;  // There was a final reading.
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_LOGGED_FILES_FOLLOWER_H_
