#ifndef VERNIER_TRIALS_TRIAL_QUERY_H_
#define VERNIER_TRIALS_TRIAL_QUERY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/store.h"

namespace vernier {

/// A selection of a study's trials, and their order.
struct TrialQuery {
  /// A FilterExpression over state, trial, objective, step, cause,
  /// breaksConstraint ("true" or "false"), and the names of parameters and
  /// metrics (trial_keys.h); a parameter that is named like one of these keys
  /// is written parameters.NAME, and a metric metrics.NAME. An active trial
  /// that is paused (IsSetAside) is found by the state "paused", too.
  std::string filter;
  /// A key as in `filter`, "-" before it for descending, or "best". Trials
  /// without the value come last; ties are by trial id. Empty: by trial id.
  std::string sort;
  int limit = 0;  ///< 0: all.
};

/// Returns the trials that `query` asks for. "best" leaves out trials that
/// break a constraint and, with several metrics, all that are not on the front.
/// `objective`, and any metric, is the final value, or the last one while a
/// trial is open. O(n log n). The trials that it reads are counted by
/// UseInCall, whose errors end it.
///
/// Errors: INVALID_ARGUMENT for a broken filter, an unknown key (the message
/// lists those there are) or a negative limit.
absl::StatusOr<std::vector<TrialId>> SelectTrials(const StudySnapshot& study,
                                                  const TrialQuery& query);

/// Does the same in parts, for a thread that has other work. Thread-compatible.
class TrialSelection {
 public:
  /// Begins a selection, but reads no trial yet. Errors: those of SelectTrials.
  static absl::StatusOr<TrialSelection> Begin(
      std::shared_ptr<const StudySnapshot> study, const TrialQuery& query);
  TrialSelection(TrialSelection&& other) noexcept;
  ~TrialSelection();

  const StudySnapshot& study() const { return *study_; }
  bool is_done() const;
  /// Reads a few thousand more trials, and returns those that are selected. If
  /// they are sorted, all of them are returned by the last call.
  std::vector<TrialId> Next();

 private:
  friend absl::StatusOr<std::vector<TrialId>> SelectTrials(
      const StudySnapshot& study, const TrialQuery& query);
  class Search;

  TrialSelection(std::shared_ptr<const StudySnapshot> study,
                 std::unique_ptr<Search> search);
  static absl::StatusOr<std::unique_ptr<Search>> Make(
      const StudySnapshot& study, const TrialQuery& query);

  std::shared_ptr<const StudySnapshot> study_;
  std::unique_ptr<Search> search_;  // Borrows the study.
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_TRIAL_QUERY_H_
