#include "cluster/metrics/trial_metric_source.h"

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/process/no_room.h"
#include "cluster/in_place_command.h"
#include "cluster/lost_output.h"
#include "cluster/replica.h"
#include "cluster/replica_log.h"
#include "cluster/secret_file.h"
#include "cluster/secret_mask.h"
#include "cluster/trackio_environment.h"
#include "cluster/trial_environment.h"
#include "cluster/wandb_environment.h"
#include "study/metric_renames.h"
#include "study/metrics/metric_sources.h"

namespace vernier {
namespace {

// Each attempt has one follower per source that its job enables; Read polls
// them all and collects what is new. To keep a poll cheap, the metric files are
// read again only if inotify reported a change or their stat differs, and the
// event files and the log are polled at intervals. A background scan of the log
// reports through an eventfd that it has results.

bool HasAny(const std::vector<Measurement>& measurements,
            const std::vector<std::string>& metrics) {
  return std::any_of(
      measurements.begin(), measurements.end(), [&](const Measurement& one) {
        return std::find(metrics.begin(), metrics.end(), one.metric) !=
               metrics.end();
      });
}

constexpr std::size_t kMostSharedFolders = 1000;
constexpr std::uint64_t kLeastRoom = 64 << 10;  // What programs buffer.

// Returns whether the disk has so little room that a program cannot be sure to
// write a line to a file in the folder.
bool IsDiskFull(const std::string& folder) {
  struct statvfs disk;
  if (::statvfs(folder.c_str(), &disk) != 0 || disk.f_blocks == 0) return false;
  // The kernel reserves blocks for root, as which programs run if the service
  // does.
  const std::uint64_t free = ::geteuid() == 0 ? disk.f_bfree : disk.f_bavail;
  return free * disk.f_frsize < kLeastRoom;
}

// A quota does not show in the disk's free blocks. Only writing shows whether
// there is room for a line, so this is done once, at the end.
bool IsQuotaFull(const std::string& folder) {
  const UniqueFd file(
      ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600));
  if (!file.is_open()) return IsNoRoom(errno);
  const int error = ::posix_fallocate(file.get(), 0, kLeastRoom);
  return IsNoRoom(error);
}

// Returns false for a work folder that is a link: it leads to code that all
// attempts share.
bool IsOwnFolder(const std::string& path) {
  struct stat info;
  return ::lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool RunsOneAtATime(const JobSpec& spec) {
  const auto& tuning = spec.training_input.hyperparameters;
  return !tuning.has_value() || tuning->max_parallel_trials <= 1;
}

// Returns the kinds of files that the job enables.
std::set<LoggedFileKind> LoggedFileKindsOf(const JobSpec& spec) {
  constexpr std::pair<MetricSourceKind, LoggedFileKind> kKinds[] = {
      {MetricSourceKind::kTensorBoard, LoggedFileKind::kEvents},
      {MetricSourceKind::kWandb, LoggedFileKind::kWandb},
      {MetricSourceKind::kCsvFile, LoggedFileKind::kCsv},
  };
  std::set<LoggedFileKind> kinds;
  for (const auto& [source, kind] : kKinds) {
    if (ListensTo(spec.vernier.metric_sources, source)) kinds.insert(kind);
  }
  return kinds;
}

// The metrics of replicas that do not report for the trial are kept beside its
// own, under their names.
std::string PrefixOf(ReplicaId replica) {
  return ReportsForTrial(replica) ? ""
                                  : absl::StrCat(ReplicaName(replica), "/");
}

}  // namespace

StdoutRules StdoutRulesOf(const JobSpec& spec) {
  StdoutRules rules;
  for (const MetricPatternSpec& each : spec.vernier.metric_patterns) {
    auto pattern = MetricPattern::Compile(each.pattern, each.metric);
    if (pattern.ok()) rules.patterns.push_back(*std::move(pattern));
  }
  if (spec.vernier.metric_patterns.empty())
    rules.metrics = ReportedMetrics(spec);
  return rules;
}

TrialMetricSource::TrialMetricSource(Options options, const Clock& clock)
    : options_(std::move(options)),
      clock_(clock),
      watch_(options_.use_inotify),
      ready_(options_.pattern_threads > 0
                 ? ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)
                 : -1) {}

TrialMetricSource::Followed& TrialMetricSource::Find(const LiveAttempt& attempt,
                                                     const JobSpec& spec) {
  const auto [place, is_new] = followed_.try_emplace(attempt.attempt);
  Followed& followed = place->second;
  if (!is_new) return followed;
  followed.full_disk.emplace(attempt.run_dir);
  const auto& sources = spec.vernier.metric_sources;
  if (ListensTo(sources, MetricSourceKind::kHypertuneFile)) {
    followed.hypertune.emplace();
  }
  if (ListensTo(sources, MetricSourceKind::kMetricFile)) {
    for (const ReplicaId& replica : GangReplicas(spec.training_input)) {
      followed.lines.emplace_back(MetricLinesFileName(replica),
                                  PrefixOf(replica), ReportedMetrics(spec));
    }
  }
  FollowLoggedFiles(attempt, spec, followed);
  if (ListensTo(sources, MetricSourceKind::kTrackio)) {
    followed.trackio.emplace(TrackioDirectory(MetricDirectory(attempt.run_dir)),
                             ReportedMetrics(spec), FileOwner::kAnyone);
  }
  if (ListensTo(sources, MetricSourceKind::kStdout)) {
    FollowOutput(attempt, spec, followed);
  }
  return followed;
}

void TrialMetricSource::FollowLoggedFiles(const LiveAttempt& attempt,
                                          const JobSpec& spec,
                                          Followed& followed) {
  const std::set<LoggedFileKind> kinds = LoggedFileKindsOf(spec);
  if (kinds.empty()) return;
  const auto follow = [&](std::optional<LoggedFilesFollower>& follower,
                          const std::string& folder, FileOwner owner) {
    follower.emplace(folder, kinds, ReportedMetrics(spec), attempt.intended_at,
                     owner);
  };
  const std::string folder = OutputFolder(attempt, spec);
  if (!folder.empty()) {
    follow(followed.output_files, folder,
           HasImages(spec) ? FileOwner::kAnyone : FileOwner::kService);
  }
  // By default torch and tensorboardX write below "runs".
  follow(followed.work_files, WorkDirectory(attempt.run_dir),
         FileOwner::kAnyone);
  if (RunsOneAtATime(spec) && !InPlaceFolder(spec).empty()) {
    follow(followed.place_files, InPlaceFolder(spec), FileOwner::kService);
    FollowSharedFolder(attempt, spec, followed);
  }
  if (kinds.count(LoggedFileKind::kWandb) > 0) {
    follow(followed.wandb_files,
           WandbDirectory(MetricDirectory(attempt.run_dir)),
           FileOwner::kAnyone);
  }
}

// The rows of trials before this one are none of its own. An attempt that is
// not a trial's first may go on with the table of the one before.
void TrialMetricSource::FollowSharedFolder(const LiveAttempt& attempt,
                                           const JobSpec& spec,
                                           Followed& followed) {
  followed.place = InPlaceFolder(spec);
  if (shared_tables_.size() >= kMostSharedFolders) shared_tables_.clear();
  SharedTables& shared = shared_tables_[followed.place];
  const bool is_same_trial = shared.latest.study == attempt.attempt.study &&
                             shared.latest.trial == attempt.attempt.trial;
  if (!is_same_trial) shared.before = shared.after;
  shared.latest = attempt.attempt;
  followed.place_files->PassOverTables(shared.before,
                                       attempt.attempt.number <= 1);
}

void TrialMetricSource::ReadLoggedFiles(const LiveAttempt& attempt,
                                        Followed& followed, bool final,
                                        MetricReading& fresh) const {
  const Timestamp now = clock_.Now();
  if (followed.output_files) followed.output_files->Read(final, now, fresh);
  if (followed.work_files && IsOwnFolder(WorkDirectory(attempt.run_dir))) {
    followed.work_files->Read(final, now, fresh);
  }
  if (followed.place_files) followed.place_files->Read(final, now, fresh);
  if (followed.wandb_files) followed.wandb_files->Read(final, now, fresh);
  if (followed.trackio) followed.trackio->Read(final, now, fresh);
}

std::string TrialMetricSource::OutputFolder(const LiveAttempt& attempt,
                                            const JobSpec& spec) const {
  return options_.output_folder ? options_.output_folder(attempt, spec)
                                : TrialJobDir(spec, attempt.attempt.trial);
}

// Notes if the disk is full that the values of tuned metrics go to, because
// most programs ignore a failed write. A later value clears the mark.
void TrialMetricSource::LookForRoom(const LiveAttempt& attempt,
                                    const JobSpec& spec, bool final,
                                    Followed& followed) const {
  const auto is_full = [final](const std::string& folder) {
    return IsDiskFull(folder) || (final && IsQuotaFull(folder));
  };
  const std::optional<MetricRoad>& road = followed.road;
  const bool by_call_or_print =
      road == MetricRoad::kReport || road == MetricRoad::kStdout;
  // Those in the attempt's metric folder.
  const bool by_metric_file = road == MetricRoad::kMetricFile ||
                              road == MetricRoad::kHypertuneFile ||
                              road == MetricRoad::kTrackio;
  if (by_call_or_print) return;
  const bool has_files =
      followed.hypertune || !followed.lines.empty() || followed.trackio;
  if (has_files && (by_metric_file || !road) &&
      is_full(MetricDirectory(attempt.run_dir))) {
    followed.full_disk->Set(FullDiskMark::Files::kMetric);
  } else if (!by_metric_file &&
             ((followed.output_files && is_full(OutputFolder(attempt, spec))) ||
              (followed.work_files &&
               is_full(WorkDirectory(attempt.run_dir))))) {
    followed.full_disk->Set(FullDiskMark::Files::kEvent);
  }
}

// A disk that was full for a moment has room again at the end. A cut-off record
// together with lost output shows that it was full.
void TrialMetricSource::NoteTruncated(const LiveAttempt& attempt,
                                      const Followed& followed,
                                      MetricReading& fresh) {
  if (!fresh.full_disk.empty()) return;
  const bool is_cut =
      std::any_of(followed.lines.begin(), followed.lines.end(),
                  [](const auto& lines) { return lines.is_truncated(); }) ||
      (followed.hypertune && followed.hypertune->is_truncated());
  const LostOutput lost = ReadLostOutput(
      LogDirectory(attempt.run_dir), ReplicaName({ReplicaRole::kMaster, 0}));
  if (is_cut && lost.bytes > 0) {
    fresh.full_disk = "its metric files, the last record of which is cut off";
  }
}

// Notes the most explicit source from which values of tuned metrics come.
void TrialMetricSource::NoteRoad(const JobSpec& spec,
                                 const MetricReading& fresh,
                                 Followed& followed) {
  const std::vector<std::string> tuned = ReportedMetrics(spec);
  for (const Measurement& one : fresh.measurements) {
    if (std::find(tuned.begin(), tuned.end(), one.metric) == tuned.end()) {
      continue;
    }
    followed.full_disk->TakeValue();
    if (!followed.road || IsClearer(one.road, *followed.road)) {
      followed.road = one.road;
    }
  }
}

void TrialMetricSource::FollowOutput(const LiveAttempt& attempt,
                                     const JobSpec& spec, Followed& followed) {
  StdoutRules rules = StdoutRulesOf(spec);
  if (rules.metrics.empty() && rules.patterns.empty()) return;
  if (rules.patterns.empty() || options_.pattern_threads == 0) {
    followed.stdout_lines = std::make_unique<StdoutFollower>(std::move(rules));
    return;
  }
  if (pool_ == nullptr) {
    pool_ = std::make_unique<ThreadPool>(ThreadShares{
        .threads = options_.pattern_threads, .most_of_one = 1, .trusted = ""});
  }
  BackgroundStdout::Options work;
  // The caller is named, because a caller without a name is not limited to a
  // share of the threads.
  work.run = [this, caller = absl::StrCat("project ", attempt.project)](
                 std::function<void()> one) {
    pool_->Run(caller, std::move(one));
  };
  work.on_ready = [fd = ready_.get()] { ::eventfd_write(fd, 1); };
  followed.patterns = std::make_unique<BackgroundStdout>(
      std::move(rules), std::move(work), clock_);
}

void TrialMetricSource::ReadOutput(const LiveAttempt& attempt,
                                   Followed& followed, LastLine last_line,
                                   MetricReading& fresh) {
  const bool is_alone = !followed.road.has_value();
  if (followed.patterns) {
    followed.patterns->Read(attempt.run_dir, last_line, is_alone, fresh);
  } else if (followed.stdout_lines) {
    followed.stdout_lines->Read(attempt.run_dir, last_line, is_alone, fresh);
  }
}

// Masks secrets: problems quote unreadable reports, and attributes may repeat a
// program's settings.
void TrialMetricSource::Mask(const std::string& secrets_file,
                             MetricReading& fresh) {
  if (fresh.attributes.empty() && fresh.problems.empty() &&
      fresh.later_misses.empty()) {
    return;
  }
  const auto secrets = ReadSecretFile(secrets_file);
  fresh.problems = MaskProblems(secrets, std::move(fresh.problems));
  if (secrets.ok()) {
    MaskAttributes(*secrets, &fresh.attributes);
    for (LaterMiss& miss : fresh.later_misses) {
      miss.text = MaskSecrets(std::move(miss.text), *secrets);
    }
    return;
  }
  for (LaterMiss& miss : fresh.later_misses) miss.text = "it is not shown";
  if (!fresh.attributes.empty()) {
    fresh.attributes.clear();
    fresh.problems.push_back(kAttributesNotKept);
  }
}

void TrialMetricSource::ReadMetricFolder(const LiveAttempt& attempt,
                                         Followed& followed, bool final,
                                         bool may_skip, MetricReading& fresh) {
  const std::string path = MetricDirectory(attempt.run_dir);
  // The watch comes before the read, so that a change in between causes a
  // second read instead of being missed.
  if (!final) watch_.Watch(attempt.attempt, path);
  const UniqueFd folder(
      ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!folder.is_open()) {
    const bool is_shortage = IsShortage(errno);
    fresh.is_partial |= is_shortage;
    followed.is_dirty |= is_shortage;
    return;
  }
  const LastLine last_line = final ? LastLine::kIsDone : LastLine::kMayGrow;
  if (followed.hypertune) {
    followed.is_dirty |=
        followed.hypertune->Read(folder.get(), last_line, may_skip, fresh);
  }
  for (MetricLinesFollower& lines : followed.lines) {
    followed.is_dirty |= lines.Read(folder.get(), last_line, may_skip, fresh);
  }
}

MetricReading TrialMetricSource::Read(const LiveAttempt& attempt,
                                      const JobSpec& spec, bool final) {
  Followed& followed = Find(attempt, spec);
  if (watch_.TakeChange(attempt.attempt)) followed.is_dirty = true;
  const SteadyTime now = clock_.Steady();
  const bool is_ready = followed.patterns && followed.patterns->has_result();
  const bool is_due = final || followed.is_due || is_ready ||
                      now - followed.last_read >= options_.poll_interval;
  if (!is_due && !followed.is_dirty) return {};
  // The kernel's time stamps are coarse, so an equal stamp shows that a file is
  // unchanged only if no event reported a change.
  const bool may_skip = !final && !followed.is_dirty;
  followed.is_dirty = false;
  MetricReading fresh;
  ReadMetricFolder(attempt, followed, final, may_skip, fresh);
  NoteRoad(spec, fresh, followed);
  if (is_due) {
    followed.last_read = now;
    const LastLine last_line = final ? LastLine::kIsDone : LastLine::kMayGrow;
    ReadLoggedFiles(attempt, followed, final, fresh);
    NoteRoad(spec, fresh, followed);
    if (final && !followed.place_files && !followed.road) {
      NoteSharedFiles(attempt, spec, fresh);
    }
    if (!fresh.has_more && !fresh.is_partial) {
      followed.full_disk->CatchUp();
      LookForRoom(attempt, spec, final, followed);
    }
    if (final) fresh.full_disk = followed.full_disk->text();
    ReadOutput(attempt, followed, last_line, fresh);
    if (final) NoteTruncated(attempt, followed, fresh);
  }
  // A file that could not be read now reports no further change, so the next
  // poll must not skip it.
  followed.is_dirty |= fresh.is_partial;
  // The next call continues where this one stopped.
  followed.is_due = fresh.has_more;
  Mask(spec.vernier.secrets_file, fresh);
  for (std::string& problem : std::exchange(fresh.problems, {})) {
    const std::size_t known = followed.problems.size();
    AddProblem(problem, followed.problems);
    if (followed.problems.size() > known) {
      fresh.problems.push_back(std::move(problem));
    }
  }
  return fresh;
}

void TrialMetricSource::NoteSharedFiles(const LiveAttempt& attempt,
                                        const JobSpec& spec,
                                        MetricReading& fresh) const {
  const std::string folder = InPlaceFolder(spec);
  const std::set<LoggedFileKind> kinds = LoggedFileKindsOf(spec);
  if (folder.empty() || kinds.empty() ||
      HasAny(fresh.measurements, ReportedMetrics(spec))) {
    return;
  }
  LoggedFilesFollower files(folder, kinds, ReportedMetrics(spec),
                            attempt.intended_at, FileOwner::kService);
  MetricReading found;
  files.Read(true, clock_.Now(), found);
  for (const Measurement& one : found.measurements) {
    if (!HasAny({one}, ReportedMetrics(spec))) continue;
    AddProblem(
        absl::StrCat("metrics of ", std::string(ToString(one.road)), " in ",
                     folder,
                     " were not read, since trials that run at once share the "
                     "folder: write them into $VERNIER_OUTPUT_DIR, which each "
                     "trial has for itself"),
        fresh.problems);
    return;
  }
}

void TrialMetricSource::Forget(const AttemptKey& attempt) {
  watch_.Forget(attempt);
  const auto found = followed_.find(attempt);
  if (found == followed_.end()) return;
  const auto shared = shared_tables_.find(found->second.place);
  if (found->second.place_files && shared != shared_tables_.end() &&
      shared->second.latest == attempt) {
    shared->second.after = found->second.place_files->EndsOfTables();
  }
  followed_.erase(found);
}

}  // namespace vernier
