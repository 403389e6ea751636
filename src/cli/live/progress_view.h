#ifndef VERNIER_CLI_LIVE_PROGRESS_VIEW_H_
#define VERNIER_CLI_LIVE_PROGRESS_VIEW_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "cli/live/best_history.h"
#include "cli/live/display_area.h"
#include "cli/live/live_trial.h"
#include "cli/text/terminal_text.h"

namespace vernier {

/// The display of `run` while a job runs, made from the service's answers. Pure
/// except for its memory; not thread-safe.
class ProgressView {
 public:
  /// `palette` is used for the lines about trials that ended.
  explicit ProgressView(Palette palette = Palette::kPlain)
      : palette_(palette) {}

  /// Takes a job's JSON. INVALID_ARGUMENT if it is not a job.
  absl::Status TakeJob(std::string_view job);

  /// Takes the answer of ListTrials for the trials from first_open() on.
  /// Returns a line for each trial that has ended since, in the order of their
  /// numbers.
  absl::Status TakeTrials(std::string_view answer,
                          std::vector<std::string>* ended);

  /// Returns the first trial that was not final at the last poll.
  std::int64_t first_open() const { return first_open_; }
  const std::string& state() const { return state_; }
  bool is_final() const;
  bool is_paused() const { return is_paused_; }
  /// Returns whether it has hyperparameters, so that its trials have values.
  bool is_tuning() const { return is_tuning_; }
  /// Returns whether no trial has a live attempt. A trial that waits for a
  /// retry has none.
  bool is_quiet() const { return !has_live_attempt_; }
  const std::string& error_message() const { return error_message_; }
  /// Returns how a job that failed or is paused ended: "FAILED: why".
  std::string EndText() const;

  /// Returns the display, top to bottom, within the width and height of `area`.
  /// `elapsed` is shown in the first line.
  std::vector<std::string> Lines(std::chrono::seconds elapsed,
                                 const DisplayArea& area) const;

 private:
  std::int64_t CountOf(const char* state) const;
  /// Returns the job, its counts, and the time that is left.
  std::vector<Span> HeadLine(std::chrono::seconds elapsed,
                             std::size_t columns) const;
  /// Returns the best value, how it improved, and its parameters; empty without
  /// one.
  std::vector<Span> BestLine(const DisplayArea& area) const;
  void TakeEnded(const LiveTrial& trial);

  const Palette palette_;
  std::string job_id_;
  std::string state_;
  std::string error_message_;
  std::string waiting_for_;
  bool is_paused_ = false;
  bool is_tuning_ = false;
  bool minimize_ = false;
  bool has_front_ = false;  // Of several metrics, so that none is the best.
  std::int64_t max_trials_ = 0;
  std::optional<std::chrono::seconds> time_left_;
  std::map<std::string, std::int64_t> counts_;  // By state.
  std::int64_t first_open_ = 1;
  std::map<std::int64_t, bool> ended_;      // Reported, from first_open_ on.
  std::vector<std::vector<Span>> running_;  // A line of each running trial.
  bool has_live_attempt_ = false;
  int at_work_ = 0;  // Of the trials that have not ended, those that run.
  BestHistory history_;
  std::int64_t best_trial_ = 0;
  std::string best_text_;
  std::string last_failure_;
};

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_PROGRESS_VIEW_H_
