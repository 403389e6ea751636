#ifndef VERNIER_TRIALS_STOPPING_EARLY_STOPPING_H_
#define VERNIER_TRIALS_STOPPING_EARLY_STOPPING_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/store.h"
#include "suggest/curves/curve_model_cache.h"
#include "suggest/space/study_view.h"
#include "suggest/stopping/stopping_policy.h"
#include "trials/stopping/study_curves.h"

namespace vernier {

/// Trials that a rule has something to say of, each with the reason for people.
using EarlyStops = std::map<TrialId, std::string>;

/// What the study's rule says of its trials now.
struct EarlyVerdicts {
  EarlyStops stops;
  EarlyStops pauses;   ///< Running ones that may go on later.
  EarlyStops resumes;  ///< Paused ones that go on in place of new ones.

  bool empty() const {
    return stops.empty() && pauses.empty() && resumes.empty();
  }
  friend bool operator==(const EarlyVerdicts&, const EarlyVerdicts&) = default;
};

/// Asks a study's stopping rule about its running and paused trials. Holds the
/// study's curves (StudyCurves) and what its rule remembers; since that follows
/// from what is stored alone, a restart changes no verdict.
///
/// Not thread-safe: StudyEngines lends it.
class EarlyStopper {
 public:
  /// Borrows `store`, which must outlive this object.
  explicit EarlyStopper(const Store& store) : store_(store) {}

  /// What is to be done with trials of `study` now, of which `free_slots` more
  /// could run. The rule is asked again when there is news. It is the same
  /// study at each call.
  ///
  /// Errors: those of Store::ListMeasurements; the next call tries again.
  absl::StatusOr<EarlyVerdicts> Decide(const StudySnapshot& study,
                                       int free_slots = 0);

  /// Adds to `view`, made of `study`, what its unfinished curves teach, if it
  /// has a rule. Errors as Decide; `view` is unchanged.
  absl::Status Learn(const StudySnapshot& study, StudyView* view);

 private:
  struct Memory {
    explicit Memory(const Store& store) : curves(store) {}

    StudyCurves curves;
    // Made for these, which a revision of the job may change.
    StoppingRule rule = StoppingRule::kNone;
    EarlyStoppingOptions options;
    bool can_resume = false;
    std::shared_ptr<CurveModelCache> models;
    std::unique_ptr<StoppingPolicy> policy;
    // The last verdicts, and what they follow from.
    EarlyVerdicts verdicts;
    std::optional<std::pair<std::uint64_t, int>> judged;
  };

  // Brings what is remembered up to date.
  absl::Status Recall(const StudySnapshot& study);

  const Store& store_;              // Does its own locking.
  std::unique_ptr<Memory> memory_;  // Null until it is asked for.
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_STOPPING_EARLY_STOPPING_H_
