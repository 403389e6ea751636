#ifndef VERNIER_CLI_LIVE_TOP_DATA_H_
#define VERNIER_CLI_LIVE_TOP_DATA_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "cli/live/best_history.h"
#include "cli/live/live_trial.h"

namespace vernier {

/// The results of a job; they change only when a trial ends.
struct TopResults {
  std::optional<double> best;
  std::int64_t best_trial = 0;
  BestHistory history;  ///< Of the last trials only.
  std::string failure;  ///< The newest, in words; empty: none among them.
};

/// A job, or a study that programs work on. A study has no planned number of
/// trials and so neither progress nor an end.
struct TopJob {
  std::string id;
  std::string shown_id;  ///< Shorter; empty: the id.
  std::string state;     ///< E.g. "RUNNING"; "PAUSED" if no trial is to begin.
  bool is_final = false;
  bool minimize = false;
  bool has_front = false;  ///< Of several metrics, so that none is the best.
  std::int64_t max_trials = 0;  ///< 0: of a study that programs work on.
  std::int64_t max_parallel = 1;
  std::int64_t running = 0;  ///< Trials with a program that runs.
  std::int64_t open = 0;     ///< ACTIVE or STOPPING: paused ones, too.
  std::int64_t ended = 0;
  std::int64_t failed = 0;  ///< FAILED; they have ended, too.
  std::optional<Timestamp> started_at;
  std::optional<Timestamp> ended_at;
  std::optional<std::chrono::seconds> time_left;
  std::string note;  ///< Why it ended or paused, or what it waits for.
  TopResults results;
  std::vector<LiveTrial> trials;  ///< Those that have not ended.
};

struct TopDevice {
  std::string model;
  std::string memory;
  std::string holder;   ///< Empty: free.
  std::string trouble;  ///< Empty: it may be given to trials.
  bool is_sick = false;
};

/// All data that `vernier top` shows at one moment.
struct TopData {
  std::string version;
  std::string http_url;
  std::string trouble;  ///< What is wrong with the whole service; or empty.
  std::int64_t open_jobs = 0;  ///< Also those that `jobs` has no room for.
  std::vector<TopDevice> devices;
  std::vector<TopJob> jobs;
};

/// Each of these parses answers of the service. All are pure; INVALID_ARGUMENT
/// if a text is not such an answer.

/// Returns all data except the jobs, from GetServiceInfo's answer.
absl::StatusOr<TopData> ReadTopService(std::string_view info);

/// Returns the jobs of ListJobs' answer, without results and trials.
absl::StatusOr<std::vector<TopJob>> ReadTopJobs(std::string_view answer);

/// Returns the studies of ListStudies' answer, in the same form: RUNNING while
/// somebody works on it, else IDLE.
absl::StatusOr<std::vector<TopJob>> ReadTopStudies(std::string_view answer);

/// Parses ListTrials' answers: `ended` has the last trials that ended, newest
/// first; `best` at most the best one.
absl::StatusOr<TopResults> ReadTopResults(const TopJob& job,
                                          std::string_view ended,
                                          std::string_view best);

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_TOP_DATA_H_
