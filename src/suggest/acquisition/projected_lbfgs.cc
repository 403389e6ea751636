#include "suggest/acquisition/projected_lbfgs.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace vernier {
namespace {

using Eigen::RowVectorXd;

// The usual constant of the sufficient decrease (Nocedal and Wright 2006,
// chapter 3).
constexpr double kArmijo = 1e-4;
constexpr double kFirstStep = 0.1;
constexpr double kFlatGradient = 1e-10;
constexpr int kMaxBacktracks = 15;

struct Pair {
  RowVectorXd step;
  RowVectorXd slope_change;  // Of the negated function.
};

// One climber: its position, its history and the point that it wants evaluated
// next.
class Climber {
 public:
  Climber(RowVectorXd point, double value, RowVectorXd gradient,
          const std::vector<bool>& is_free,
          const ProjectedLbfgsOptions& options)
      : is_free_(is_free),
        options_(options),
        point_(std::move(point)),
        value_(value),
        gradient_(std::move(gradient)) {
    ChooseDirection();
  }

  bool is_done() const { return is_done_; }
  const RowVectorXd& trial() const { return trial_; }
  const RowVectorXd& point() const { return point_; }
  double value() const { return value_; }

  // Takes the function's value and gradient at trial().
  void Tell(double value, const RowVectorXd& gradient) {
    const RowVectorXd step = trial_ - point_;
    const double promised = gradient_.dot(step);
    const double gain = value - value_;
    if (!(promised > 0) || !(gain >= kArmijo * promised) ||
        !gradient.allFinite()) {
      Backtrack();
      return;
    }
    Remember({step, gradient_ - gradient});
    point_ = trial_;
    value_ = value;
    gradient_ = gradient;
    if (step.lpNorm<Eigen::Infinity>() < options_.min_step ||
        gain < options_.min_gain) {
      is_done_ = true;
      return;
    }
    ChooseDirection();
  }

 private:
  // Returns 1 for columns in which the point may move along the gradient, else
  // 0.
  RowVectorXd MovableColumns() const {
    RowVectorXd movable(point_.size());
    for (Eigen::Index j = 0; j < point_.size(); ++j) {
      const bool blocked = (point_[j] <= 0 && gradient_[j] < 0) ||
                           (point_[j] >= 1 && gradient_[j] > 0);
      movable[j] = is_free_[static_cast<std::size_t>(j)] && !blocked ? 1 : 0;
    }
    return movable;
  }

  // Two-loop recursion (Nocedal 1980) within the movable columns.
  RowVectorXd QuasiNewtonDirection(const RowVectorXd& movable) const {
    RowVectorXd direction = gradient_.cwiseProduct(movable);
    std::vector<double> weights;
    double scale = 0;
    for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) {
      const RowVectorXd step = pair->step.cwiseProduct(movable);
      const double curvature = step.dot(pair->slope_change);
      weights.push_back(curvature > 0 ? step.dot(direction) / curvature : 0);
      direction -= weights.back() * pair->slope_change.cwiseProduct(movable);
      if (scale == 0 && curvature > 0) {
        scale =
            curvature / pair->slope_change.cwiseProduct(movable).squaredNorm();
      }
    }
    if (scale > 0) direction *= scale;
    for (const Pair& pair : pairs_) {
      const RowVectorXd step = pair.step.cwiseProduct(movable);
      const double curvature = step.dot(pair.slope_change);
      const double weight = weights.back();
      weights.pop_back();
      if (!(curvature > 0)) continue;
      direction +=
          (weight - pair.slope_change.dot(direction) / curvature) * step;
    }
    return direction;
  }

  void ChooseDirection() {
    const RowVectorXd movable = MovableColumns();
    const RowVectorXd uphill = gradient_.cwiseProduct(movable);
    const double steepest =
        uphill.size() > 0 ? uphill.lpNorm<Eigen::Infinity>() : 0.0;
    if (!std::isfinite(value_) || !(steepest > kFlatGradient)) {
      is_done_ = true;
      return;
    }
    direction_ = QuasiNewtonDirection(movable);
    if (pairs_.empty() || !direction_.allFinite() ||
        !(direction_.dot(uphill) > 0)) {
      pairs_.clear();
      direction_ = uphill * (kFirstStep / steepest);
    }
    const double longest = direction_.lpNorm<Eigen::Infinity>();
    if (longest > options_.max_step) direction_ *= options_.max_step / longest;
    backtracks_ = 0;
    fraction_ = 1;
    ProposeTrial();
  }

  void Backtrack() {
    fraction_ *= 0.5;
    if (++backtracks_ <= kMaxBacktracks) {
      ProposeTrial();
    } else if (!pairs_.empty()) {
      pairs_.clear();  // Try once more, along the gradient.
      ChooseDirection();
    } else {
      is_done_ = true;
    }
  }

  void ProposeTrial() {
    if (!SetTrial()) Backtrack();
  }

  // Returns false if the trial has no projection.
  bool SetTrial() {
    trial_ = (point_ + fraction_ * direction_).cwiseMax(0.0).cwiseMin(1.0);
    // Fixed columns stay as they are: those of categories need not be within
    // [0, 1].
    for (Eigen::Index j = 0; j < trial_.size(); ++j) {
      if (!is_free_[static_cast<std::size_t>(j)]) trial_[j] = point_[j];
    }
    return options_.project == nullptr || options_.project(is_free_, &trial_);
  }

  void Remember(Pair pair) {
    const double curvature = pair.step.dot(pair.slope_change);
    if (!(curvature > 1e-12 * pair.step.norm() * pair.slope_change.norm())) {
      return;
    }
    pairs_.push_back(std::move(pair));
    if (static_cast<int>(pairs_.size()) > options_.history) {
      pairs_.pop_front();
    }
  }

  const std::vector<bool>& is_free_;
  const ProjectedLbfgsOptions& options_;
  RowVectorXd point_;
  double value_;
  RowVectorXd gradient_;  // At point_.
  std::deque<Pair> pairs_;
  RowVectorXd direction_;
  RowVectorXd trial_;
  double fraction_ = 1;  // Of direction_.
  int backtracks_ = 0;
  bool is_done_ = false;
};

}  // namespace

ClimbResult ClimbTogether(const AcquisitionFunction& function,
                          const Eigen::MatrixXd& starts,
                          const std::vector<std::vector<bool>>& is_free,
                          const ProjectedLbfgsOptions& options) {
  Eigen::VectorXd values;
  Eigen::MatrixXd gradients;
  function.Evaluate(starts, &values, &gradients);
  std::vector<Climber> climbers;
  climbers.reserve(static_cast<std::size_t>(starts.rows()));
  for (Eigen::Index i = 0; i < starts.rows(); ++i) {
    climbers.emplace_back(starts.row(i), values[i], gradients.row(i),
                          is_free[static_cast<std::size_t>(i)], options);
  }
  for (int round = 0; round < options.max_rounds; ++round) {
    std::vector<Climber*> live;
    for (Climber& climber : climbers) {
      if (!climber.is_done()) live.push_back(&climber);
    }
    if (live.empty()) break;
    Eigen::MatrixXd trials(static_cast<Eigen::Index>(live.size()),
                           starts.cols());
    for (std::size_t i = 0; i < live.size(); ++i) {
      trials.row(static_cast<Eigen::Index>(i)) = live[i]->trial();
    }
    function.Evaluate(trials, &values, &gradients);
    for (std::size_t i = 0; i < live.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      live[i]->Tell(values[row], gradients.row(row));
    }
  }
  ClimbResult result{starts, Eigen::VectorXd(starts.rows())};
  for (Eigen::Index i = 0; i < starts.rows(); ++i) {
    result.points.row(i) = climbers[static_cast<std::size_t>(i)].point();
    result.values[i] = climbers[static_cast<std::size_t>(i)].value();
  }
  return result;
}

}  // namespace vernier
