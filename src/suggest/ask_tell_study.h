#ifndef VERNIER_SUGGEST_ASK_TELL_STUDY_H_
#define VERNIER_SUGGEST_ASK_TELL_STUDY_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "study/job_spec.h"
#include "suggest/algorithms/suggester.h"

namespace vernier {

/// How a trial ended.
struct TrialOutcome {
  std::optional<double> objective;  ///< Finite; nullopt: infeasible.
  std::optional<double> variance;   ///< Of its noise; >= 0, finite.
};

/// A study in memory whose trials the caller runs; the engine without the
/// service. Maximum trial counts do not apply.
///
/// A trial is pending from Ask until its outcome is told, it is abandoned, or
/// its lease ends; while pending it keeps suggestions away from its place. An
/// outcome may still be told after that. Not thread-safe.
class AskTellStudy {
 public:
  struct Trial {
    std::int64_t id = 0;  ///< From 1, dense.
    Suggestion suggestion;
    std::optional<TrialOutcome> outcome;
    SteadyTime asked_at{};  ///< 0 without a lease.
    bool is_abandoned = false;
  };

  /// How long a trial stays pending without an outcome.
  struct Lease {
    std::chrono::microseconds length;  ///< > 0.
    const Clock* clock;                ///< Must outlive the study.
  };

  /// `spec` as ParseHyperparameters gives it. Without a lease trials are
  /// pending for ever, and no clock is read. Null `suggester`: the one of
  /// `spec.algorithm`.
  AskTellStudy(HyperparameterSpec spec, std::uint64_t seed,
               std::optional<Lease> lease = std::nullopt,
               std::unique_ptr<Suggester> suggester = nullptr);

  /// Suggests 1 to `count` trials, pending from then on. Their ids are the
  /// last ones. Errors as Suggester::Suggest; the study is then unchanged.
  absl::StatusOr<std::vector<Trial>> Ask(int count);

  /// The most points that Prepare chooses ahead.
  static constexpr int kMostAhead = 16;

  /// Chooses one of the points of the next Ask in advance, assuming that it
  /// asks for as many as the last one. That Ask is then faster, unless an
  /// outcome comes first. Returns whether there is another point to choose.
  /// Changes no answer.
  bool Prepare();

  /// NOT_FOUND: no such trial. FAILED_PRECONDITION: it has its outcome.
  /// INVALID_ARGUMENT: the outcome is not finite.
  absl::Status Tell(std::int64_t id, const TrialOutcome& outcome);

  /// Ends a pending trial that was lost. No effect the second time. NOT_FOUND:
  /// no such trial. FAILED_PRECONDITION: it has its outcome.
  absl::Status Abandon(std::int64_t id);

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
  void EndLeases();
  void ForgetAhead();
  absl::Status ChooseAhead(int count);

  const HyperparameterSpec spec_;
  const std::uint64_t seed_;
  const std::optional<Lease> lease_;
  const std::unique_ptr<Suggester> suggester_;
  std::vector<Trial> trials_;
  // Suggestions for the next trials. Any change of the view empties the list,
  // except that an Ask takes from its front.
  std::deque<Suggestion> ahead_;
  bool has_nothing_ahead_ = false;  // More cannot be chosen.
  int last_count_ = 1;
  std::vector<std::int64_t> ended_;  // Ids, in the order of their ends.
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_ASK_TELL_STUDY_H_
