#ifndef VERNIER_SUGGEST_INSIGHTS_INSIGHTS_H_
#define VERNIER_SUGGEST_INSIGHTS_INSIGHTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "study/parameter.h"
#include "study/suggestion.h"

namespace vernier {

/// The drawings that are requested besides the ones that are always made.
struct InsightsRequest {
  /// Pairs of parameter names, at most kMostContours; none: the two most
  /// important parameters.
  std::vector<std::pair<std::string, std::string>> contours;

  friend bool operator==(const InsightsRequest&,
                         const InsightsRequest&) = default;
};
inline constexpr std::size_t kMostContours = 6;

/// The share of the variation over the search space that a parameter explains
/// by itself: 0 to 1, with an interval that holds about 90 % of the posterior.
struct Importance {
  std::string parameter;
  double share = 0;
  double low = 0;
  double high = 0;
};

/// The share that two parameters explain together beyond the sum of their own
/// shares.
struct Interaction {
  std::string first;
  std::string second;
  double share = 0;
};

/// The values of a parameter at which the model was evaluated: numbers in the
/// user's units, or positions 0, 1, ... of categories, with their labels.
struct CurveAxis {
  std::string parameter;
  std::vector<double> x;
  std::vector<std::string> labels;  ///< Of categories only.
};

/// The model's expectation along one parameter.
struct Slice {
  CurveAxis axis;
  std::vector<Prediction> predictions;  ///< One per x.
};

/// The model's expectation over two parameters.
struct Contour {
  CurveAxis first;
  CurveAxis second;
  /// Entry j * first.x.size() + i belongs to first.x[i] and second.x[j].
  std::vector<Prediction> predictions;
};

/// Each result beside its prediction from the others.
struct Calibration {
  struct Point {
    std::size_t completed = 0;  ///< Position in StudyView::completed.
    double observed = 0;
    Prediction expected;  ///< Of the measured value, noise included.
  };
  std::vector<Point> points;
  double coverage = 0;   ///< Share of results within one standard deviation.
  double log_score = 0;  ///< Mean log density of the targets.
};

enum class AdviceKind {
  kAtUpperBound,  ///< The best lies at a parameter's upper bound,
  kAtLowerBound,  ///< or at its lower one.
  kUnimportant,   ///< The parameter hardly matters.
  kNarrow,        ///< Good trials lie in a small part of the range.
  kNoisy,         ///< Results are mostly noise.
};

/// "AT_UPPER_BOUND" and so on.
const char* AdviceName(AdviceKind kind);

struct Advice {
  std::string parameter;  ///< Empty: about no single one.
  AdviceKind kind = AdviceKind::kNoisy;
  std::string text;  ///< One sentence.
};

/// The information in a study's results about its search space.
struct Insights {
  std::int64_t num_observations = 0;  ///< Results of full trainings.
  std::string reason;  ///< Why there is no model, and so no more than this.
  std::vector<Importance> importance;     ///< Largest first.
  std::vector<Interaction> interactions;  ///< Likewise, only notable ones.
  std::vector<Slice> slices;              ///< In the order of importance.
  std::vector<Contour> contours;
  Calibration calibration;
  Parameters best;             ///< With the best posterior mean.
  Prediction best_prediction;  ///< Of `best`.
  /// The improvement on the best result that is expected of the most promising
  /// untried point, in the metric's units, >= 0; and its probability.
  double expected_gain = 0;
  double improvement_probability = 0;
  std::vector<Advice> advice;
};

}  // namespace vernier

#endif  // VERNIER_SUGGEST_INSIGHTS_INSIGHTS_H_
