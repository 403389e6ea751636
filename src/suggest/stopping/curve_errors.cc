#include "suggest/stopping/curve_errors.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vernier {
namespace {

using Eigen::Index;

// As many trials whose errors are as expected are assumed beside those seen.
constexpr double kExpectedErrors = 2;

double LogDensity(double difference, double variance) {
  return -0.5 * (std::log(variance) + difference * difference / variance);
}

// Takes the errors of a way to predict, in units of their expected variance.
class Tally {
 public:
  // The final value less the expected one, and the variance of that.
  void Add(double difference, double variance) {
    errors_.push_back({difference, variance});
  }

  // Only positive differences count, for both halves of the distribution. At
  // least 1: who seems to be better than expected has only been lucky with few
  // trials.
  double Inflation() const {
    double sum = kExpectedErrors;
    for (const NormalValue& error : errors_) {
      if (error.mean > 0) sum += 2 * error.mean * error.mean / error.variance;
    }
    return std::max(
        1.0, sum / (kExpectedErrors + static_cast<double>(errors_.size())));
  }

  CurveCalibration Get() const {
    CurveCalibration result{Inflation(),
                            -std::numeric_limits<double>::infinity()};
    if (errors_.empty()) return result;
    double sum = 0;
    for (const NormalValue& error : errors_) {
      sum += LogDensity(error.mean, error.variance * result.inflation);
    }
    result.log_density = sum / static_cast<double>(errors_.size());
    return result;
  }

 private:
  std::vector<NormalValue> errors_;
};

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

CurveErrors::CurveErrors(const std::vector<CurveLesson>& lessons,
                         const std::vector<TransitionData>& changes,
                         const std::vector<CurveTransition>& transitions)
    : lessons_(lessons), changes_(changes), transitions_(transitions) {
  std::vector<double> finals;
  for (const CurveLesson& lesson : lessons) {
    if (lesson.final.has_value()) finals.push_back(*lesson.final);
  }
  if (finals.empty()) return;
  const auto middle =
      finals.begin() + static_cast<std::ptrdiff_t>(finals.size() / 2);
  std::nth_element(finals.begin(), middle, finals.end());
  median_ = *middle;
}

bool CurveErrors::IsOfBetterHalf(std::size_t lesson) const {
  const std::optional<double>& final = lessons_[lesson].final;
  return final.has_value() && *final >= median_;
}

std::optional<CurveErrors::Error> CurveErrors::ErrorFrom(
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
  return Error{error, state.variance};
}

CurveCalibration CurveErrors::OfCurve(std::size_t level) const {
  Tally tally;
  for (std::size_t i = 0; i < lessons_.size(); ++i) {
    if (!IsOfBetterHalf(i)) continue;
    const std::optional<Error> error = ErrorFrom(level, i);
    if (error.has_value()) tally.Add(error->difference, error->variance);
  }
  return tally.Get();
}

CurveCalibration CurveErrors::OfJoint(
    std::size_t level, double inflation, const FinalSurface& surface,
    const std::vector<std::size_t>& rows) const {
  Tally tally;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!IsOfBetterHalf(rows[row])) continue;
    const std::optional<Error> error = ErrorFrom(level, rows[row]);
    if (!error.has_value()) continue;
    const double final = *lessons_[rows[row]].final;
    const NormalValue joint =
        Join({final - error->difference, error->variance * inflation},
             surface.LeaveOut(static_cast<Index>(row)));
    tally.Add(final - joint.mean, joint.variance);
  }
  return tally.Get();
}

CurveCalibration CurveErrors::OfRegression(
    const CurveRegression& regression) const {
  Tally tally;
  for (std::size_t i = 0; i < regression.trainings().size(); ++i) {
    const std::size_t lesson = regression.trainings()[i];
    if (!IsOfBetterHalf(lesson)) continue;
    const NormalValue left_out = regression.LeaveOut(i);
    tally.Add(*lessons_[lesson].final - left_out.mean, left_out.variance);
  }
  return tally.Get();
}

}  // namespace vernier
