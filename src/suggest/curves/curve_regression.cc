#include "suggest/curves/curve_regression.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "suggest/gp/training_data.h"

namespace vernier {
namespace {

using Eigen::Index;

constexpr Index kFeatures = 2;

// The change is taken over about the last half of the training so far: over one
// level, noise would hide it.
constexpr std::size_t kLevelsBack = 2;

// Features are scaled to this standard deviation, which coordinates of the
// encoded space have and for which the priors of the length scales are made.
constexpr double kDeviation = 0.3;
constexpr double kMinDeviation = 1e-6;

std::vector<std::size_t> TrainingsAt(const std::vector<CurveLesson>& lessons,
                                     std::size_t level) {
  std::vector<std::size_t> trainings;
  for (std::size_t i = lessons.size(); i-- > 0;) {
    if (trainings.size() == CurveRegression::kMaxTrainings) break;
    if (lessons[i].final.has_value() && lessons[i].levels.Has(level)) {
      trainings.push_back(i);
    }
  }
  std::reverse(trainings.begin(), trainings.end());
  return trainings;
}

Eigen::RowVectorXd RawFeatures(const LevelValues& curve, std::size_t level) {
  const std::size_t back = level >= kLevelsBack ? level - kLevelsBack : 0;
  const double here = curve.at(level);
  Eigen::RowVectorXd features(kFeatures);
  features << here, here - curve.at(std::max(back, curve.first));
  return features;
}

LengthScaleGroups WithFeatures(LengthScaleGroups groups) {
  for (Index i = 0; i < kFeatures; ++i) {
    groups.group_of_column.push_back(groups.size());
    groups.is_categorical.push_back(false);
  }
  if (groups.num_active > 0) groups.num_active += kFeatures;
  return groups;
}

}  // namespace

std::optional<CurveRegression> CurveRegression::Create(
    const SearchSpaceEncoding& encoding,
    const std::vector<CurveLesson>& lessons, std::size_t level) {
  const Index columns = encoding.num_columns();
  if (columns > kMaxLessonColumns) return std::nullopt;
  CurveRegression regression(level, TrainingsAt(lessons, level));
  const auto n = static_cast<Index>(regression.trainings_.size());
  if (regression.trainings_.size() < kMinTrainings) return std::nullopt;
  RegressionData data;
  data.groups = WithFeatures(MakeLengthScaleGroups(encoding));
  data.inputs.resize(n, columns + kFeatures);
  data.targets.resize(n);
  data.noise_scale = Eigen::VectorXd::Ones(n);
  regression.values_there_.resize(n);
  for (Index row = 0; row < n; ++row) {
    const CurveLesson& lesson =
        lessons[regression.trainings_[static_cast<std::size_t>(row)]];
    data.inputs.row(row) << lesson.input, RawFeatures(lesson.levels, level);
    regression.values_there_[row] = lesson.levels.at(level);
    data.targets[row] = *lesson.final - regression.values_there_[row];
  }
  auto features = data.inputs.rightCols(kFeatures);
  regression.centre_ = features.colwise().mean();
  features.rowwise() -= regression.centre_;
  const Eigen::RowVectorXd deviation =
      (features.colwise().squaredNorm() / static_cast<double>(n)).cwiseSqrt();
  regression.factor_ =
      kDeviation * deviation.cwiseMax(kMinDeviation).cwiseInverse();
  features.array().rowwise() *= regression.factor_.array();
  regression.surface_ = FinalSurface::Create(std::move(data));
  if (!regression.surface_.has_value()) return std::nullopt;
  return regression;
}

Eigen::RowVectorXd CurveRegression::Features(const LevelValues& curve) const {
  return (RawFeatures(curve, level_) - centre_).cwiseProduct(factor_);
}

NormalValue CurveRegression::Predict(const Eigen::RowVectorXd& input,
                                     const LevelValues& curve) const {
  Eigen::RowVectorXd row(input.size() + kFeatures);
  row << input, Features(curve);
  NormalValue final = surface_->Predict(row);
  final.mean += curve.at(level_);
  return final;
}

NormalValue CurveRegression::LeaveOut(std::size_t i) const {
  const auto row = static_cast<Index>(i);
  NormalValue final = surface_->LeaveOut(row);
  final.mean += values_there_[row];
  return final;
}

}  // namespace vernier
