#include "cluster/metrics/hypertune_metric_source.h"

#include <fcntl.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cluster/metrics/hypertune_file.h"
#include "cluster/trial_environment.h"

namespace vernier {
namespace {

constexpr std::int64_t kMaxBytes = 8 << 20;
// The library keeps 100 reports; a program's own writer may keep more.
constexpr std::size_t kMinRemembered = 4096;

// Identifies a report. Every part but the metric has a fixed length.
std::string KeyOf(const Measurement& measurement) {
  std::string key;
  const auto append = [&](std::uint64_t bits) {
    key.append(reinterpret_cast<const char*>(&bits), sizeof(bits));
  };
  append(static_cast<std::uint64_t>(
      measurement.reported_at.time_since_epoch().count()));
  append(static_cast<std::uint64_t>(measurement.step));
  append(std::bit_cast<std::uint64_t>(measurement.value));
  return key + measurement.metric;
}

// The end of the file, at most kMaxBytes, or nullopt if it cannot be read.
std::optional<std::string> ReadEnd(int fd, off_t size) {
  const off_t begin = std::max<off_t>(0, size - kMaxBytes);
  std::string contents(static_cast<std::size_t>(size - begin), '\0');
  std::size_t length = 0;
  while (length < contents.size()) {
    const ssize_t n =
        ::pread(fd, contents.data() + length, contents.size() - length,
                begin + static_cast<off_t>(length));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::nullopt;
    if (n == 0) break;
    length += static_cast<std::size_t>(n);
  }
  contents.resize(length);
  if (begin > 0) contents.erase(0, contents.find('\n'));  // Drop half a line.
  return contents;
}

struct StampedContents {
  std::string contents;
  struct stat info;
};

// Reads until two readings agree, or returns nullopt. A reading during a
// rewrite could combine the first half of an old line with the second half of a
// new one, which may be valid JSON with a wrong number.
std::optional<StampedContents> ReadSettled(int fd) {
  constexpr int kTries = 16;
  std::optional<std::string> before;
  for (int i = 0; i < kTries; ++i) {
    struct stat info;
    if (::fstat(fd, &info) != 0) return std::nullopt;
    std::optional<std::string> now = ReadEnd(fd, info.st_size);
    if (!now) return std::nullopt;
    if (before == now) return StampedContents{*std::move(now), info};
    before = std::move(now);
  }
  return std::nullopt;
}

// Whether the process lacks descriptors or memory now, so that an open may
// succeed later.
bool IsShortage(int error) {
  return error == EMFILE || error == ENFILE || error == ENOMEM;
}

// Opens the metric file. If it exists but must not be read, `problem` says why.
UniqueFd OpenMetricFile(int directory, const std::string& name,
                        std::string* problem, bool* is_partial) {
  // The program may have put a link or a pipe there: neither is followed nor
  // waited for.
  UniqueFd fd(::openat(directory, name.c_str(),
                       O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  const int error = errno;
  struct stat info;
  const char* why = nullptr;
  if (!fd.is_open() || ::fstat(fd.get(), &info) != 0) {
    *is_partial |= !fd.is_open() && IsShortage(error);
    if (error == ELOOP) why = "is a symbolic link, which is not followed";
    if (error == EACCES) why = "may not be read by the service's user";
  } else if (!S_ISREG(info.st_mode)) {
    why = "is no regular file";
  } else if (info.st_uid != ::geteuid()) {
    why = "belongs to another user, who is not believed";
  } else {
    return fd;
  }
  if (why != nullptr) *problem = absl::StrCat("the metric file ", why);
  return UniqueFd();
}

}  // namespace

HypertuneMetricSource::HypertuneMetricSource(Options options,
                                             const Clock& clock)
    : options_(options), clock_(clock) {
  if (options_.use_inotify) {
    inotify_.Reset(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  }
}

HypertuneMetricSource::FileStamp HypertuneMetricSource::StampOf(
    const struct stat& info) {
  return {info.st_ino, info.st_size,
          info.st_ctim.tv_sec * 1'000'000'000 + info.st_ctim.tv_nsec};
}

void HypertuneMetricSource::TakeChanges() {
  alignas(inotify_event) char buffer[16384];
  while (inotify_.is_open()) {
    const ssize_t n = ::read(inotify_.get(), buffer, sizeof(buffer));
    if (n <= 0) return;
    for (const char* at = buffer; at < buffer + n;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      at += sizeof(inotify_event) + event->len;
      if ((event->mask & IN_Q_OVERFLOW) != 0) {
        for (auto& [key, source] : sources_) source.is_dirty = true;
      }
      const auto found = by_watch_.find(event->wd);
      if (found != by_watch_.end()) sources_[found->second].is_dirty = true;
    }
  }
}

void HypertuneMetricSource::WatchDirectory(const LiveAttempt& attempt,
                                           Source& source) {
  if (!inotify_.is_open()) return;
  const int watch = ::inotify_add_watch(
      inotify_.get(), MetricDirectory(attempt.run_dir).c_str(),
      IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR);
  if (watch < 0) return;  // Missing or too many: polling remains.
  source.watch = watch;
  by_watch_[watch] = attempt.attempt;
}

MetricReading HypertuneMetricSource::Read(const LiveAttempt& attempt,
                                          bool final) {
  TakeChanges();
  Source& source = sources_[attempt.attempt];
  const SteadyTime now = clock_.Steady();
  if (!final && !source.is_dirty &&
      now - source.last_read < options_.poll_interval) {
    return {};
  }
  // The kernel's time stamps are coarse, so an equal stamp counts only if no
  // event reported a change.
  const bool is_stamp_enough = !final && !source.is_dirty;
  source.last_read = now;
  source.is_dirty = false;
  // The watch comes before the read, so that a change in between causes a
  // second read instead of being missed.
  if (source.watch < 0 && !final) WatchDirectory(attempt, source);
  const UniqueFd directory(
      ::open(MetricDirectory(attempt.run_dir).c_str(),
             O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!directory.is_open()) {
    MetricReading nothing;
    nothing.is_partial = source.is_dirty = IsShortage(errno);
    return nothing;
  }

  constexpr ReplicaId kReporters[] = {{ReplicaRole::kMaster, 0},
                                      {ReplicaRole::kEvaluator, 0}};
  MetricReading fresh;
  for (std::size_t i = 0; i < source.stamps.size(); ++i) {
    std::string problem;
    const UniqueFd fd =
        OpenMetricFile(directory.get(), MetricFileName(kReporters[i]), &problem,
                       &fresh.is_partial);
    if (!problem.empty()) Name(problem, source, fresh);
    struct stat info;
    if (!fd.is_open() || ::fstat(fd.get(), &info) != 0) continue;
    FileStamp& stamp = source.stamps[i];
    if (is_stamp_enough && stamp == StampOf(info)) continue;
    ReadFile(fd.get(), final, stamp, source, fresh);
  }
  source.is_dirty |= fresh.is_partial;
  return fresh;
}

void HypertuneMetricSource::ReadFile(int fd, bool final, FileStamp& stamp,
                                     Source& source,
                                     MetricReading& fresh) const {
  const std::optional<StampedContents> settled = ReadSettled(fd);
  if (!settled) {
    source.is_dirty = true;
    return;
  }
  stamp = StampOf(settled->info);
  const HypertuneContents all = ParseHypertuneFile(
      settled->contents, final ? LastLine::kIsDone : LastLine::kMayGrow);
  source.seen_limit = std::max(
      {source.seen_limit, kMinRemembered, 2 * all.measurements.size()});
  for (const Measurement& measurement : all.measurements) {
    if (Remember(measurement, source)) {
      fresh.measurements.push_back(measurement);
    }
  }
  for (const std::string& problem : all.problems) Name(problem, source, fresh);
}

void HypertuneMetricSource::Name(const std::string& problem, Source& source,
                                 MetricReading& fresh) {
  const std::size_t known = source.problems.size();
  AddProblem(problem, source.problems);
  if (source.problems.size() > known) fresh.problems.push_back(problem);
}

bool HypertuneMetricSource::Remember(const Measurement& measurement,
                                     Source& source) {
  const auto [place, is_new] = source.seen.insert(KeyOf(measurement));
  if (!is_new) return false;
  source.seen_order.push_back(&*place);
  if (source.seen_order.size() > source.seen_limit) {
    source.seen.erase(*source.seen_order.front());
    source.seen_order.pop_front();
  }
  return true;
}

void HypertuneMetricSource::Forget(const AttemptKey& attempt) {
  const auto found = sources_.find(attempt);
  if (found == sources_.end()) return;
  if (found->second.watch >= 0) {
    ::inotify_rm_watch(inotify_.get(), found->second.watch);
    by_watch_.erase(found->second.watch);
  }
  sources_.erase(found);
}

}  // namespace vernier
