#ifndef VERNIER_TRIALS_RECOMMENDATIONS_H_
#define VERNIER_TRIALS_RECOMMENDATIONS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "base/mutex.h"
#include "store/store.h"
#include "study/ids.h"
#include "trials/recommended_trial.h"

namespace vernier {

/// The trials that models recommend, each remembered as long as it is current:
/// with tens of thousands of trials a model takes seconds. Thread-safe.
class Recommendations {
 public:
  using Recommend =
      std::function<absl::StatusOr<std::optional<RecommendedTrial>>(
          const StudySnapshot&)>;

  enum class Patience {
    kNone,  ///< Only what is remembered, or is worked out at once.
    kWait,  ///< Until the model has been fitted.
  };

  struct Answer {
    bool is_ready = true;
    std::optional<RecommendedTrial> trial;  ///< nullopt: there is none.
  };

  /// Up to so many trials with a value a model takes a fraction of a second.
  static constexpr std::size_t kFewTrials = 500;

  explicit Recommendations(Recommend recommend = &RecommendTrial)
      : recommend_(std::move(recommend)) {}

  /// The recommendation for this state of the study, from `recommend`. Errors:
  /// its own.
  absl::StatusOr<Answer> Of(const StudySnapshot& study, Patience patience);

 private:
  struct Remembered {
    std::vector<TrialId> observed;  // What the model saw, in order.
    std::optional<RecommendedTrial> trial;
  };

  // Whether anything is, be it of an earlier state of the study.
  bool IsRemembered(StudyId study) const;

  const Recommend recommend_;
  mutable Mutex mu_;
  std::map<StudyId, Remembered> remembered_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_TRIALS_RECOMMENDATIONS_H_
