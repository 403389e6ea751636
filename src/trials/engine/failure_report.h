#ifndef VERNIER_TRIALS_ENGINE_FAILURE_REPORT_H_
#define VERNIER_TRIALS_ENGINE_FAILURE_REPORT_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/store.h"
#include "study/trial_end.h"
#include "suggest/insights/failure_boundary.h"

namespace vernier {

/// The trials of a study that died in one way.
struct FailureReport {
  FailureKind kind = FailureKind::kOther;
  std::int64_t count = 0;
  /// All trials that say something about their parameters.
  std::int64_t observed = 0;
  /// Medians of DurationOf the trials that died so and of those that ended
  /// well, of at most 500 each; nullopt: none is known.
  std::optional<std::chrono::microseconds> time_to_death;
  std::optional<std::chrono::microseconds> time_of_success;
  /// The rule that separates these trials from those that live. A trial that
  /// was stopped early lives if the kind is one that comes early, and is
  /// neither if it could still have diverged or run into the time limit.
  std::optional<FailureBoundary> boundary;
};

/// Fewer trials of a kind have no report.
inline constexpr std::size_t kFewestDeaths = 3;

/// Returns a report for each kind of which there are at least kFewestDeaths, in
/// the order of FailureKind. `observed` are ObservedTrials of `study`. An
/// infeasible trial of a client is of the kind kOther. Pure. O(n d) for n
/// trials of d parameters.
std::vector<FailureReport> ReportFailures(const StudySnapshot& study,
                                          const std::vector<TrialId>& observed);

/// Returns one or two sentences: "9 of 40 trials (22 %) ran out of memory,
/// after 12 s in the median; a success takes 4 min. Of trials with depth ×
/// width above 9000, 7 of 8 did, and 2 of 29 others."
std::string DescribeFailures(const FailureReport& report);

/// Returns a sentence for each boundary of the study about a point of its
/// present space: "So far 3 of 4 trials with depth × width above 9000 ran out
/// of memory, and 0 of 20 others; this one has 4096." Empty without one. Pure.
std::string DescribeBoundariesAt(const StudySnapshot& study,
                                 const Parameters& parameters);

}  // namespace vernier

#endif  // VERNIER_TRIALS_ENGINE_FAILURE_REPORT_H_
