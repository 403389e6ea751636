#include "suggest/curves/curve_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vernier {
namespace {

// The error of an extrapolation is known for each training that came to its
// end: its changes are predicted from the other trainings (left_out_errors),
// and these errors are chained to the final value like the changes themselves.
// The Tally compares squared errors with their predicted variances. Only the
// better half of the trainings counts, which the trials that a rule has doubts
// about resemble.

using Eigen::Index;

// The Tally also assumes this many trials whose errors are as expected.
constexpr double kExpectedErrors = 2;

double LogDensity(double difference, double variance) {
  return -0.5 * (std::log(variance) + difference * difference / variance);
}

// Collects the errors of a way to predict, in units of their predicted
// variance.
class Tally {
 public:
  void Add(const PredictionError& error) { errors_.push_back(error); }

  // Only positive differences count, twice, in place of both halves of the
  // distribution. The result is at least 1: predictions that seem better than
  // expected have only been lucky with few trials.
  double Inflation() const {
    double sum = kExpectedErrors;
    for (const PredictionError& error : errors_) {
      if (error.difference <= 0) continue;
      sum += 2 * error.difference * error.difference / error.variance;
    }
    return std::max(
        1.0, sum / (kExpectedErrors + static_cast<double>(errors_.size())));
  }

  CurveCalibration Get() const {
    CurveCalibration result{Inflation(),
                            -std::numeric_limits<double>::infinity()};
    if (errors_.empty()) return result;
    double sum = 0;
    for (const PredictionError& error : errors_) {
      sum += LogDensity(error.difference, error.variance * result.inflation);
    }
    result.log_density = sum / static_cast<double>(errors_.size());
    return result;
  }

 private:
  std::vector<PredictionError> errors_;
};

// Returns the median of the final values; 0 if there are none.
double MedianFinal(const std::vector<CurveLesson>& lessons) {
  std::vector<double> finals;
  for (const CurveLesson& lesson : lessons) {
    if (lesson.final.has_value()) finals.push_back(*lesson.final);
  }
  if (finals.empty()) return 0;
  const auto middle =
      finals.begin() + static_cast<std::ptrdiff_t>(finals.size() / 2);
  std::nth_element(finals.begin(), middle, finals.end());
  return *middle;
}

bool IsOfBetterHalf(const CurveLesson& lesson, double median) {
  return lesson.final.has_value() && *lesson.final >= median;
}

// The uncertainty of a value and of the one a level before.
struct ChainState {
  double variance = 0;
  double covariance = 0;
  double variance_before = 0;

  void Advance(const CurveTransition& transition, double step_variance) {
    const double c = transition.part_of_last_change();
    const double a = 1 + c + transition.part_of_value();
    const double next = a * a * variance - 2 * a * c * covariance +
                        c * c * variance_before + step_variance;
    const double next_covariance = a * variance - c * covariance;
    variance_before = variance;
    covariance = next_covariance;
    variance = next;
  }
};

}  // namespace

CurveCalibration CalibrateRegression(const CurveRegression& regression,
                                     const std::vector<CurveLesson>& lessons) {
  const double median = MedianFinal(lessons);
  Tally tally;
  for (std::size_t i = 0; i < regression.trainings().size(); ++i) {
    const CurveLesson& lesson = lessons[regression.trainings()[i]];
    if (!IsOfBetterHalf(lesson, median)) continue;
    const NormalValue left_out = regression.LeaveOut(i);
    tally.Add({*lesson.final - left_out.mean, left_out.variance});
  }
  return tally.Get();
}

CurveErrors::CurveErrors(const std::vector<CurveLesson>& lessons,
                         const std::vector<TransitionData>& changes,
                         const std::vector<CurveTransition>& transitions)
    : lessons_(lessons),
      changes_(changes),
      transitions_(transitions),
      median_(MedianFinal(lessons)) {}

std::optional<PredictionError> CurveErrors::ErrorFrom(
    std::size_t level, std::size_t lesson) const {
  ChainState state;
  double error = 0;
  double error_before = 0;
  for (std::size_t k = level; k < changes_.size(); ++k) {
    const std::vector<std::size_t>& trials = changes_[k].trials;
    const auto found = std::lower_bound(trials.begin(), trials.end(), lesson);
    if (found == trials.end() || *found != lesson) return std::nullopt;
    const Index row = found - trials.begin();
    const CurveTransition& transition = transitions_[k];
    const double c = transition.part_of_last_change();
    const double a = 1 + c + transition.part_of_value();
    const double next =
        a * error - c * error_before + transition.left_out_errors()[row];
    error_before = error;
    error = next;
    state.Advance(transition, transition.left_out_variances()[row]);
  }
  return PredictionError{error, state.variance};
}

CurveCalibration CurveErrors::OfCurve(std::size_t level) const {
  Tally tally;
  for (std::size_t i = 0; i < lessons_.size(); ++i) {
    if (!IsOfBetterHalf(lessons_[i], median_)) continue;
    const std::optional<PredictionError> error = ErrorFrom(level, i);
    if (error.has_value()) tally.Add(*error);
  }
  return tally.Get();
}

CurveCalibration CurveErrors::OfJoint(
    std::size_t level, double inflation, const FinalSurface& surface,
    const std::vector<std::size_t>& rows) const {
  Tally tally;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!IsOfBetterHalf(lessons_[rows[row]], median_)) continue;
    const std::optional<PredictionError> error = ErrorFrom(level, rows[row]);
    if (!error.has_value()) continue;
    const double final = *lessons_[rows[row]].final;
    const NormalValue joint =
        Join({final - error->difference, error->variance * inflation},
             surface.LeaveOut(static_cast<Index>(row)));
    tally.Add({final - joint.mean, joint.variance});
  }
  return tally.Get();
}

}  // namespace vernier
