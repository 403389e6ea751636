#include "cluster/metrics/background_stdout.h"

#include <chrono>
#include <iterator>
#include <stop_token>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/mutex.h"
#include "cluster/metrics/stdout_follower.h"

namespace vernier {
namespace {

// One piece of work lasts this long; then those of other attempts have their
// turn.
constexpr std::chrono::milliseconds kTurn{100};
// Scanning a log of 64 MiB takes seconds, unless a pattern is slow on purpose.
constexpr std::chrono::minutes kLongestAtEnd{5};

void MoveTo(MetricReading& found, MetricReading& fresh) {
  fresh.measurements.insert(fresh.measurements.end(),
                            std::make_move_iterator(found.measurements.begin()),
                            std::make_move_iterator(found.measurements.end()));
  for (std::string& problem : found.problems) {
    AddProblem(std::move(problem), fresh.problems);
  }
  for (LaterMiss& miss : found.later_misses) {
    fresh.later_misses.push_back(std::move(miss));
  }
}

}  // namespace

struct BackgroundStdout::Work {
  explicit Work(StdoutRules rules)
      : follower(std::move(rules), stop.get_token()) {}

  std::stop_source stop;
  Mutex mu;
  bool is_running VERNIER_GUARDED_BY(mu) = false;
  // The findings that Read has not taken yet; has_more means that output is
  // left to be scanned.
  std::optional<MetricReading> result VERNIER_GUARDED_BY(mu);
  bool was_final VERNIER_GUARDED_BY(mu) = false;  // The result is of the end.
  StdoutFollower follower;  // The running work's; else nobody touches it.
};

BackgroundStdout::BackgroundStdout(StdoutRules rules, Options options,
                                   const Clock& clock)
    : options_(std::move(options)),
      clock_(clock),
      work_(std::make_shared<Work>(std::move(rules))) {}

BackgroundStdout::~BackgroundStdout() { work_->stop.request_stop(); }

bool BackgroundStdout::has_result() const {
  MutexLock lock(work_->mu);
  return work_->result.has_value();
}

void BackgroundStdout::Begin(const std::string& attempt_dir, LastLine last_line,
                             bool is_alone) {
  options_.run([work = work_, on_ready = options_.on_ready, &clock = clock_,
                attempt_dir, last_line, is_alone] {
    if (work->stop.stop_requested()) return;
    const SteadyTime begin = clock.Steady();
    MetricReading found;
    work->follower.Read(attempt_dir, last_line, is_alone, found, [&] {
      return work->stop.stop_requested() || clock.Steady() - begin >= kTurn;
    });
    if (work->stop.stop_requested()) return;
    const bool is_final = last_line == LastLine::kIsDone;
    const bool has_any = is_final || found.has_more ||
                         !found.measurements.empty() || !found.problems.empty();
    {
      MutexLock lock(work->mu);
      work->is_running = false;
      work->was_final = is_final;
      if (has_any) work->result = std::move(found);
    }
    if (has_any) on_ready();
  });
}

void BackgroundStdout::Read(const std::string& attempt_dir, LastLine last_line,
                            bool is_alone, MetricReading& fresh) {
  if (is_over_) return;
  const bool is_final = last_line == LastLine::kIsDone;
  bool is_all = false;
  bool was_running = false;
  {
    MutexLock lock(work_->mu);
    if (work_->result.has_value()) {
      MoveTo(*work_->result, fresh);
      is_all = !work_->result->has_more && work_->was_final == is_final;
      work_->result.reset();
    }
    was_running = work_->is_running;
    if (!is_all) work_->is_running = true;
  }
  if (is_all) {
    is_over_ = is_final;
    return;
  }
  const SteadyTime now = clock_.Steady();
  if (is_final && !final_since_) final_since_ = now;
  if (final_since_ && now - *final_since_ > kLongestAtEnd) {
    AddProblem(
        absl::StrCat(
            "the output was not read to its end: ", kLongestAtEnd.count(),
            " minutes after the trial's end, vernier.metricPatterns "
            "had not been looked for in all of it"),
        fresh.problems);
    work_->stop.request_stop();
    is_over_ = true;
    return;
  }
  if (!was_running) Begin(attempt_dir, last_line, is_alone);
  fresh.is_pending = true;
}

}  // namespace vernier
