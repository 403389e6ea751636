#ifndef VERNIER_STUDY_SUGGESTION_H_
#define VERNIER_STUDY_SUGGESTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "study/parameter.h"

namespace vernier {

/// The method by which a point was chosen.
enum class SuggestionMethod {
  kUser = 1,          ///< Given by hand.
  kDefaults,          ///< The defaults, else the middle of every range.
  kDesign,            ///< A scrambled Sobol' sequence, before any model.
  kGrid,              ///< The next point of a grid.
  kRandom,            ///< Uniformly at random.
  kQuasiRandom,       ///< A scrambled Sobol' sequence, all the way.
  kImprovement,       ///< Most expected improvement, or per training.
  kExploration,       ///< Likewise, but only large improvements count.
  kConfidenceBound,   ///< Highest upper confidence bound, others pending.
  kAwayFromFailures,  ///< Farthest from what failed: all has failed so far.
  kUntried,           ///< Drawn from what is left untried.
  kHypervolume,       ///< Most expected hypervolume, of several metrics.
  kScalarization,     ///< Best bound in one direction of many metrics.
  kFeasibility,       ///< Most likely to meet all constraints; none does yet.
  kRepeat,            ///< A point that was tried before (SuggestionRecord).
  kProposal,          ///< Proposed by a source that is trusted so far.
  kUnseenValue,       ///< Most gain among points with a value new to the study.
  kNearDefaults,      ///< kDefaults, moved into the parameter constraints.
};

/// The method with the largest number.
inline constexpr SuggestionMethod kLastSuggestionMethod =
    SuggestionMethod::kNearDefaults;

inline constexpr std::size_t kMaxSourceBytes = 64;

/// OK if `source` can be the name of who proposes points: 1 to kMaxSourceBytes
/// bytes of UTF-8 without control characters. Otherwise INVALID_ARGUMENT.
absl::Status CheckSource(std::string_view source);

/// Values of the objective, in the user's own units.
struct Prediction {
  double mean = 0;
  /// One posterior standard deviation to either side. low <= mean <= high.
  double low = 0;
  double high = 0;

  friend bool operator==(const Prediction&, const Prediction&) = default;
};

/// The place of a trial among those of its point.
struct PointRepeat {
  std::int64_t trial = 0;  ///< The first trial of the point; >= 1.
  int number = 2;          ///< Of this trial at the point; the first is 1.
  int wanted = 0;          ///< Trials of the point, if that is fixed; else 0.

  friend bool operator==(const PointRepeat&, const PointRepeat&) = default;
};

/// The record of how a point was chosen: enough to choose it again, and to
/// explain it to a user.
struct SuggestionRecord {
  SuggestionMethod method = SuggestionMethod::kRandom;
  /// The numbers of results, infeasible ones included, and of trials without
  /// one, when the point was chosen.
  std::int64_t num_completed = 0;
  std::int64_t num_pending = 0;
  /// Results that the model's hyperparameters were fitted to; 0: no model.
  std::int64_t num_fitted = 0;
  std::optional<Prediction> prediction;  ///< Unset without a model.
  std::optional<double> acquisition;     ///< Of the method's own kind.
  /// The fraction of a training after which trials without prospects are
  /// stopped, if the gain was divided by the cost of a training; in (0, 1).
  std::optional<double> stopped_part;
  /// The predicted probability that the trial does not fail, in [0, 1]; unset
  /// without a model of failures.
  std::optional<double> success_probability;
  std::optional<PointRepeat> repeat;  ///< With kRepeat only.
  /// The names of the earlier studies from which the model has learned.
  std::vector<std::string> learned_from = {};
  /// The name of who proposed the point; not empty with kProposal only.
  std::string source = {};
  /// What the user believes about the best values drew the point.
  bool follows_beliefs = false;
  /// The reason why the algorithm did not work as usual; empty: it did.
  std::string fallback;
  /// The processor's instruction set that the arithmetic used. Rounding, and so
  /// the choice between near ties, depends on it.
  std::string instruction_set;
  /// The time that the choice took; suggesters leave it unset, since they have
  /// no clock.
  std::optional<double> milliseconds;

  friend bool operator==(const SuggestionRecord&,
                         const SuggestionRecord&) = default;
};

/// A point to try.
struct Suggestion {
  Parameters parameters;
  SuggestionRecord record;

  friend bool operator==(const Suggestion&, const Suggestion&) = default;
};

/// Returns "EXPECTED_IMPROVEMENT" and so on; stored, so never changed.
std::string_view MethodName(SuggestionMethod method);

/// Inverse of MethodName; nullopt for any other text.
std::optional<SuggestionMethod> MethodFromName(std::string_view name);

/// Returns one line of JSON, exact; fields without information are left out.
std::string SuggestionRecordToJson(const SuggestionRecord& record);

/// Reads the text that SuggestionRecordToJson wrote; unknown fields are
/// skipped. INVALID_ARGUMENT if `text` is anything else.
absl::StatusOr<SuggestionRecord> SuggestionRecordFromJson(
    std::string_view text);

/// "It is repeat 2 of 3 of trial 7: ...", without the period.
std::string DescribeRepeat(const PointRepeat& repeat);

/// Returns one or two sentences for a user, without the trailing newline: the
/// method, the results that were known, and the expected value.
std::string DescribeSuggestion(const SuggestionRecord& record);

}  // namespace vernier

#endif  // VERNIER_STUDY_SUGGESTION_H_
