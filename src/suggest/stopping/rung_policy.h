#ifndef VERNIER_SUGGEST_STOPPING_RUNG_POLICY_H_
#define VERNIER_SUGGEST_STOPPING_RUNG_POLICY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "study/early_stopping.h"
#include "suggest/stopping/stopping_policy.h"

namespace vernier {

/// The steps at which trials of one bracket are compared, and the bracket's
/// frequency.
struct Bracket {
  std::vector<double> rungs;  ///< Steps, increasing; all below the last one.
  double weight = 1;
};

/// Returns the brackets of a training of `last_step` steps: rungs at first_step
/// eta^k, but at least a step apart, and 200 of them at most. Each bracket
/// leaves out one more of the first ones, and its weight is the number of
/// trials that it begins with (Li et al. 2018, "Hyperband: a novel bandit-based
/// approach to hyperparameter optimization", algorithm 1). At most
/// `num_brackets`; at least one, which may have no rung.
std::vector<Bracket> MakeBrackets(double first_step, double last_step,
                                  double reduction_factor, int num_brackets);

/// ASHA (Li et al. 2020, "A system for massively parallel hyperparameter
/// tuning") and Hyperband with asynchronous brackets: of the trials that have
/// reached a rung, one in eta continues.
///
/// A trial is compared at the highest rung that it has reached, by its value
/// there, with all that have reached that rung, whenever it or another reports.
/// Where the program can resume, it is paused unless it is among the best
/// floor(n / eta) of n, and resumed once it is (the paper's promotions).
/// Otherwise it is stopped if n >= eta and it is not among the best
/// ceil(n / eta) (the stopping form of Ray Tune and Syne Tune). No rung is
/// known before a first training has come to its end, unless the options have
/// max_steps. The best so far is never stopped.
class RungPolicy final : public StoppingPolicy {
 public:
  enum class Kind { kAsha, kHyperband };

  /// A trial at the highest rung that it has reached.
  struct Climber {
    const TrialCurve* trial = nullptr;
    std::size_t bracket = 0;
    std::size_t rung = 0;
    double value = 0;  ///< There.
  };

  /// The rank of a trial at its rung.
  struct Standing {
    std::size_t better = 0;  ///< Trials with a strictly better value.
    std::size_t reached = 0;
  };

  RungPolicy(Kind kind, const EarlyStoppingOptions& options)
      : kind_(kind), options_(options) {}

  std::vector<StoppingVerdict> Judge(const CurveStudy& study,
                                     int free_slots) override;

 private:
  // `length` is that of a training.
  std::vector<Bracket> BracketsOf(std::int64_t length) const;
  StoppingVerdict Decide(const CurveStudy& study, const Climber& climber,
                         const Standing& standing, double rung,
                         std::int64_t length) const;

  const Kind kind_;
  const EarlyStoppingOptions options_;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_STOPPING_RUNG_POLICY_H_
