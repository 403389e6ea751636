#ifndef VERNIER_TRIALS_STOPPING_EARLY_STOPPING_H_
#define VERNIER_TRIALS_STOPPING_EARLY_STOPPING_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/store.h"
#include "suggest/curves/curve_model_cache.h"
#include "suggest/space/study_view.h"
#include "suggest/stopping/metrics_policy.h"
#include "suggest/stopping/stopping_policy.h"
#include "trials/stopping/study_curves.h"

namespace vernier {

/// Trials on which a rule has a verdict, each with the reason for people.
using EarlyStops = std::map<TrialId, std::string>;

/// The verdicts of a study's stopping rule on its trials.
struct EarlyVerdicts {
  EarlyStops stops;
  EarlyStops pauses;   ///< Running ones that may continue later.
  EarlyStops resumes;  ///< Paused ones that continue in place of new ones.

  bool empty() const {
    return stops.empty() && pauses.empty() && resumes.empty();
  }
  friend bool operator==(const EarlyVerdicts&, const EarlyVerdicts&) = default;
};

/// Asks the stopping rule of a study, which has one, about its running and
/// paused trials. Holds the curves of each of the study's metrics (StudyCurves)
/// and what its rule remembers. All of that follows from what is stored, so a
/// restart changes no verdict.
///
/// Not thread-safe: StudyEngines lends it.
class EarlyStopper {
 public:
  /// Borrows `store`, which must outlive this object.
  explicit EarlyStopper(const Store& store) : store_(store) {}

  /// Returns the verdicts on the trials of `study` now, of which `free_slots`
  /// more could run. The rule is asked again only if something has changed.
  /// `study` must be the same one at each call.
  ///
  /// Errors: those of Store::ListMeasurements; the next call tries again.
  absl::StatusOr<EarlyVerdicts> Decide(const StudySnapshot& study,
                                       int free_slots = 0);

  /// Adds to `view`, which was made of `study`, what the curves of its
  /// unfinished trainings teach. Errors: those of Decide; `view` is unchanged
  /// then.
  absl::Status Learn(const StudySnapshot& study, StudyView* view);

 private:
  // What is kept of one metric.
  struct MetricMemory {
    StudyCurves curves;
    std::shared_ptr<CurveModelCache> models = nullptr;
  };

  struct Memory {
    std::vector<MetricMemory> metrics;  // Of the study, in its order.
    // The settings for which the policy was made. A revision of the job may
    // change them.
    StoppingRule rule = StoppingRule::kNone;
    EarlyStoppingOptions options;
    bool can_resume = false;
    // With the space in which the curves were read.
    std::shared_ptr<const StudySpec> spec;
    std::unique_ptr<StoppingPolicy> policy;         // Of a study of one metric.
    std::unique_ptr<MetricsPolicy> metrics_policy;  // Of one of several.
    // The last verdicts, and the state that they follow from.
    EarlyVerdicts verdicts;
    std::optional<std::pair<std::uint64_t, int>> judged;
  };

  // Asks the rule.
  std::vector<StoppingVerdict> Judge(const StudySnapshot& study,
                                     int free_slots);
  // Brings the memory up to date with `study`.
  absl::Status Recall(const StudySnapshot& study);
  // Makes the policy of the memory's rule, with new models.
  void MakePolicy();

  const Store& store_;              // Does its own locking.
  std::unique_ptr<Memory> memory_;  // Null until it is asked for.
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_STOPPING_EARLY_STOPPING_H_
