#ifndef VERNIER_SUGGEST_ASK_TELL_STUDY_H_
#define VERNIER_SUGGEST_ASK_TELL_STUDY_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "study/job_spec.h"
#include "suggest/suggester.h"

namespace vernier {

/// How a trial ended.
struct TrialOutcome {
  std::optional<double> objective;  ///< Finite; nullopt: infeasible.
  std::optional<double> variance;   ///< Of its noise; >= 0, finite.
};

/// A study in memory whose trials somebody else runs: the engine by itself.
/// Maximum trial counts do not bind it. Not thread-safe.
class AskTellStudy {
 public:
  struct Trial {
    std::int64_t id = 0;  ///< From 1, dense.
    Suggestion suggestion;
    std::optional<TrialOutcome> outcome;  ///< Unset: pending.
  };

  /// `spec` as ParseHyperparameters gives it.
  AskTellStudy(HyperparameterSpec spec, std::uint64_t seed);

  /// Suggests 1 to `count` trials, pending from then on. Their ids are the
  /// last ones. Errors as Suggester::Suggest; the study is then unchanged.
  absl::StatusOr<std::vector<Trial>> Ask(int count);

  /// NOT_FOUND: no such trial. FAILED_PRECONDITION: it has its outcome.
  /// INVALID_ARGUMENT: the outcome is not finite.
  absl::Status Tell(std::int64_t id, const TrialOutcome& outcome);

  /// Adds a trial that was run elsewhere; returns its id. INVALID_ARGUMENT if
  /// it does not fit the space or the outcome is not finite.
  absl::StatusOr<std::int64_t> Add(Parameters parameters,
                                   const TrialOutcome& outcome);

  /// NOT_FOUND: no such trial.
  absl::StatusOr<const Trial*> Find(std::int64_t id) const;

  struct Best {
    const Trial* seen;         ///< With the best objective; first of ties.
    const Trial* recommended;  ///< Suggester::Recommend.
    std::optional<Prediction> prediction;  ///< Of `recommended`.
  };

  /// nullopt while no trial is feasible. Errors as Suggester::Recommend.
  absl::StatusOr<std::optional<Best>> FindBest() const;

  const HyperparameterSpec& spec() const { return spec_; }

 private:
  StudyView MakeView() const;

  const HyperparameterSpec spec_;
  const std::uint64_t seed_;
  const std::unique_ptr<Suggester> suggester_;
  std::vector<Trial> trials_;
  std::vector<std::int64_t> ended_;  // Ids, in the order of their ends.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ASK_TELL_STUDY_H_
