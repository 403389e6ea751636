#include "suggest/curves/curve_chains.h"

#include "suggest/curves/curve_lessons.h"

namespace vernier {

using Eigen::Index;

CurveChains::CurveChains(Index count)
    : values_(Eigen::VectorXd::Zero(count)),
      last_changes_(values_),
      inputs_(static_cast<std::size_t>(count)),
      levels_(static_cast<std::size_t>(count)),
      has_begun_(static_cast<std::size_t>(count)),
      shared_{Eigen::MatrixXd::Zero(count, count),
              Eigen::MatrixXd::Zero(count, count),
              Eigen::MatrixXd::Zero(count, count)},
      own_{values_, values_, values_} {}

void CurveChains::Begin(Index i, const LevelValues& curve,
                        const Eigen::RowVectorXd& input) {
  const std::size_t level = curve.end() - 1;
  values_[i] = curve.values.back();
  last_changes_[i] = ChangeBefore(curve, level);
  inputs_[static_cast<std::size_t>(i)] = input;
  levels_[static_cast<std::size_t>(i)] = level;
  has_begun_[static_cast<std::size_t>(i)] = true;
}

void CurveChains::AdvanceToTheEnd(
    const std::vector<CurveTransition>& transitions) {
  for (std::size_t level = 0; level < transitions.size(); ++level) {
    Advance(transitions[level], level);
  }
}

// With e the error of a value, e' that of the value a level before, and a and c
// as below, the next value's error is a e - c e' plus the error of the change.
void CurveChains::Advance(const CurveTransition& transition,
                          std::size_t level) {
  std::vector<Index> moving;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    if (has_begun_[i] && levels_[i] <= level) {
      moving.push_back(static_cast<Index>(i));
    }
  }
  if (moving.empty()) return;
  Eigen::MatrixXd inputs(std::ssize(moving),
                         inputs_[static_cast<std::size_t>(moving[0])].size());
  for (Index k = 0; k < inputs.rows(); ++k) {
    inputs.row(k) =
        inputs_[static_cast<std::size_t>(moving[static_cast<std::size_t>(k)])];
  }
  const CurveTransition::Changes changes = transition.PredictTogether(
      inputs, values_(moving), last_changes_(moving));
  values_(moving) += changes.means;
  last_changes_(moving) = changes.means;

  const double c = transition.part_of_last_change();
  const double a = 1 + c + transition.part_of_value();
  {
    const Eigen::MatrixXd here = shared_.here(moving, moving);
    const Eigen::MatrixXd between = shared_.between(moving, moving);
    const Eigen::MatrixXd before = shared_.before(moving, moving);
    shared_.here(moving, moving) = a * a * here -
                                   a * c * (between + between.transpose()) +
                                   c * c * before + changes.covariance;
    shared_.between(moving, moving) = a * here - c * between.transpose();
    shared_.before(moving, moving) = here;
  }
  const Eigen::VectorXd here = own_.here(moving);
  const Eigen::VectorXd between = own_.between(moving);
  const Eigen::VectorXd before = own_.before(moving);
  own_.here(moving) =
      (a * a * here - 2 * a * c * between + c * c * before).array() +
      transition.noise_variance();
  own_.between(moving) = a * here - c * between;
  own_.before(moving) = here;
}

}  // namespace vernier
