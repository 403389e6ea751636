#include "suggest/curves/curve_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "suggest/curves/curve_chains.h"
#include "suggest/curves/report_noise.h"
#include "suggest/curves/shared_errors.h"
#include "suggest/curves/training_length.h"
#include "suggest/gp/training_data.h"

namespace vernier {
namespace {

using Eigen::Index;

// At a level, the model uses the newest trials that continued from there: they
// lie where the search is now. Shapes are chosen by fewer of them.
constexpr std::size_t kMaxTrials = 128;
constexpr std::size_t kMaxShapeTrials = 64;

// If the last steps of complete trainings spread by more than this, steps do
// not mean the same in all of them: the lower quartile must be at least this
// fraction of the upper quartile.
constexpr double kMinEvenness = 0.8;

// The shapes that are tried. Length scales are multiples of the square root of
// the number of parameters. There are few shapes, because each level has few
// data and all levels share them.
constexpr double kLengthScales[] = {0.3, 0.8};
constexpr double kShares[][2] = {{0.5, 0.02}, {0.5, 0.15}, {0.1, 0.5}};

// The variance, on the scale, of where a training ends that stays where it is.
constexpr double kVarianceOfStaying = 0.01;

bool HasEvenLengths(const CurveStudy& study) {
  std::vector<double> lengths;
  for (const TrialCurve& trial : study.trials) {
    if (trial.state != CurveState::kCompleted || trial.reports.empty()) {
      continue;
    }
    lengths.push_back(static_cast<double>(trial.reports.back().step));
  }
  if (lengths.empty()) return false;
  std::sort(lengths.begin(), lengths.end());
  const double lower = lengths[lengths.size() / 4];
  const double upper = lengths[lengths.size() - 1 - lengths.size() / 4];
  return lower >= kMinEvenness * upper;
}

// Returns the smallest step at which an ended trial began to report.
std::int64_t FirstReport(const CurveStudy& study) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const TrialCurve& trial : study.trials) {
    if (trial.state == CurveState::kRunning || trial.reports.empty()) continue;
    first = std::min(first, trial.reports.front().step);
  }
  return first;
}

// A training that ended before its last level stays at its final value.
void FillToTheEnd(std::size_t num_levels, CurveLesson* lesson) {
  if (!lesson->final.has_value() || lesson->levels.values.empty()) return;
  while (lesson->levels.end() < num_levels) {
    lesson->levels.values.push_back(*lesson->final);
  }
}

// Returns the squared change that is expected at a level without data.
double TypicalChange(const std::vector<TransitionData>& data) {
  double typical = 0;
  for (const TransitionData& level : data) {
    typical += MeanSquaredSurprise(level) / static_cast<double>(data.size());
  }
  return typical;
}

std::optional<std::vector<CurveTransition>> MakeTransitions(
    const std::vector<TransitionData>& data, const TransitionShape& shape) {
  const double typical = TypicalChange(data);
  std::vector<CurveTransition> transitions;
  for (const TransitionData& level : data) {
    std::optional<CurveTransition> transition =
        CurveTransition::Create(level, shape, typical);
    if (!transition.has_value()) return std::nullopt;
    transitions.push_back(*std::move(transition));
  }
  return transitions;
}

// Returns the log likelihood of all levels together.
std::optional<double> LikelihoodOf(const std::vector<ShapeLikelihood>& levels,
                                   double parameter_share, double noise_share) {
  double sum = 0;
  for (const ShapeLikelihood& level : levels) {
    const std::optional<double> likelihood =
        level.Of(parameter_share, noise_share);
    if (!likelihood.has_value()) return std::nullopt;
    sum += *likelihood;
  }
  return sum;
}

std::optional<TransitionShape> BestShape(
    const std::vector<TransitionData>& data, double root_of_parameters) {
  const double typical = TypicalChange(data);
  std::optional<TransitionShape> best;
  double highest = -std::numeric_limits<double>::infinity();
  for (const double multiple : kLengthScales) {
    const double length_scale = multiple * root_of_parameters;
    std::vector<ShapeLikelihood> levels;
    levels.reserve(data.size());
    for (const TransitionData& level : data) {
      levels.emplace_back(level, length_scale, typical);
    }
    for (const auto& shares : kShares) {
      const std::optional<double> likelihood =
          LikelihoodOf(levels, shares[0], shares[1]);
      if (!likelihood.has_value() || !(*likelihood > highest)) continue;
      highest = *likelihood;
      best = TransitionShape{length_scale, shares[0], shares[1]};
    }
  }
  return best;
}

std::vector<std::size_t> SurfaceRows(const std::vector<CurveLesson>& lessons) {
  std::vector<std::size_t> rows;
  for (const bool is_complete : {true, false}) {
    for (std::size_t i = lessons.size(); i-- > 0;) {
      if (rows.size() == kMaxTrials) break;
      if (lessons[i].final.has_value() == is_complete &&
          !lessons[i].levels.values.empty()) {
        rows.push_back(i);
      }
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

// Calls `calibrate` for each level. If so few trainings came to their end that
// none of them has data at a level, the calibration of the next level is used.
template <typename Calibrate>
std::vector<CurveCalibration> ByLevel(std::size_t num_levels,
                                      const Calibrate& calibrate) {
  std::vector<CurveCalibration> levels(num_levels);
  for (std::size_t level = num_levels; level-- > 0;) {
    levels[level] = calibrate(level);
    if (!std::isfinite(levels[level].log_density) && level + 1 < num_levels) {
      levels[level] = levels[level + 1];
    }
  }
  return levels;
}

// Scales the errors of curve `i` by the square root of `factor`.
void Widen(Index i, double factor, Eigen::MatrixXd* covariance) {
  covariance->row(i) *= std::sqrt(factor);
  covariance->col(i) *= std::sqrt(factor);
}

// Makes curve `i`'s prediction that of a training that stays at the value
// `there` with probability `stays`, and else changes as predicted: the mean and
// the variance of that mixture. The errors that curves share are those of the
// changes.
void MixWithStaying(double stays, double there, Index i, double* mean,
                    double* own_variance, Eigen::MatrixXd* covariance) {
  if (!(stays > 0)) return;
  const double changes = 1 - stays;
  const double change = *mean - there;
  const double variance =
      changes * (*own_variance + (*covariance)(i, i)) +
      stays * (kVarianceOfStaying + changes * change * change);
  covariance->row(i) *= changes;
  covariance->col(i) *= changes;
  *mean = there + changes * change;
  *own_variance = variance - (*covariance)(i, i);
}

bool IsUsable(const PredictedFinal& final) {
  return std::isfinite(final.mean) && std::isfinite(final.variance) &&
         final.variance > 0;
}

}  // namespace

std::optional<CurveModel> CurveModel::Create(
    const CurveStudy& study, const EarlyStoppingOptions& options) {
  const std::optional<std::int64_t> length = TrainingLength(study, options);
  if (!length.has_value() || !HasEvenLengths(study)) return std::nullopt;
  CurveModel model;
  model.space_ = study.space;
  const SearchSpaceEncoding encoding(model.space_);
  model.levels_ = MakeLevels(FirstReport(study), *length);
  std::vector<CurveLesson> lessons =
      TakeLessons(study, encoding, model.levels_);
  if (!model.Scale(study.goal, &lessons)) return std::nullopt;

  const std::size_t num_levels = model.levels_.size();
  std::vector<TransitionData> some;
  std::vector<TransitionData> all;
  for (std::size_t level = 0; level < num_levels; ++level) {
    all.push_back(ChangesAfter(lessons, level, num_levels, kMaxTrials));
    some.push_back(ChangesAfter(lessons, level, num_levels, kMaxShapeTrials));
    if (all.back().trials.empty()) return std::nullopt;
  }
  const double root =
      std::sqrt(std::max(1.0, static_cast<double>(encoding.max_active())));
  const std::optional<TransitionShape> shape = BestShape(some, root);
  if (!shape.has_value()) return std::nullopt;
  auto transitions = MakeTransitions(all, *shape);
  if (!transitions.has_value()) return std::nullopt;
  model.transitions_ = *std::move(transitions);
  model.noise_ = NoiseOfReports(study);
  model.stalls_ = CurveStalls(lessons, num_levels, model.NoiseAt(0));
  const CurveErrors errors(lessons, all, model.transitions_);
  model.alone_ = ByLevel(
      num_levels, [&](std::size_t level) { return errors.OfCurve(level); });
  model.MakeSurface(encoding, lessons, errors);
  model.lessons_ = std::move(lessons);
  model.FindBestWithoutLuck();
  return model;
}

RegressionData CurveModel::SurfaceData(
    const SearchSpaceEncoding& encoding,
    const std::vector<CurveLesson>& lessons,
    const std::vector<std::size_t>& rows) const {
  const Index n = std::ssize(rows);
  CurveChains chains(n);
  for (Index row = 0; row < n; ++row) {
    const CurveLesson& lesson = lessons[rows[static_cast<std::size_t>(row)]];
    if (!lesson.final.has_value()) {
      chains.Begin(row, lesson.levels, lesson.input);
    }
  }
  chains.AdvanceToTheEnd(transitions_);
  Eigen::MatrixXd covariance = chains.shared_covariance();
  RegressionData data;
  data.groups = MakeLengthScaleGroups(encoding);
  data.inputs.resize(n, encoding.num_columns());
  data.targets = chains.values();
  data.noise_scale = Eigen::VectorXd::Zero(n);
  data.known_noise = chains.own_variances();
  for (Index row = 0; row < n; ++row) {
    const CurveLesson& lesson = lessons[rows[static_cast<std::size_t>(row)]];
    data.inputs.row(row) = lesson.input;
    if (lesson.final.has_value()) {
      data.targets[row] = *lesson.final;
      data.noise_scale[row] = 1;
      continue;
    }
    const double inflation = alone_[lesson.levels.end() - 1].inflation;
    data.known_noise[row] *= inflation;
    Widen(row, inflation, &covariance);
    MixWithStaying(stalls_.ProbabilityToStay(lesson.levels),
                   lesson.levels.values.back(), row, &data.targets[row],
                   &data.known_noise[row], &covariance);
  }
  data.shared_noise = SharedErrors(covariance);
  data.known_noise +=
      (covariance.diagonal() - data.shared_noise.rowwise().squaredNorm())
          .cwiseMax(0);
  return data;
}

void CurveModel::MakeSurface(const SearchSpaceEncoding& encoding,
                             const std::vector<CurveLesson>& lessons,
                             const CurveErrors& errors) {
  if (encoding.num_columns() > kMaxLessonColumns) return;
  const std::vector<std::size_t> rows = SurfaceRows(lessons);
  surface_ = FinalSurface::Create(SurfaceData(encoding, lessons, rows));
  if (!surface_.has_value()) return;
  joint_ = ByLevel(levels_.size(), [&](std::size_t level) {
    return errors.OfJoint(level, alone_[level].inflation, *surface_, rows);
  });
  for (std::size_t row = 0; row < rows.size(); ++row) {
    row_of_[lessons[rows[row]].trial] = static_cast<Index>(row);
  }
}

bool CurveModel::Scale(Goal goal, std::vector<CurveLesson>* lessons) {
  std::vector<double> finals;
  std::vector<double> others;
  for (const CurveLesson& lesson : *lessons) {
    others.insert(others.end(), lesson.levels.values.begin(),
                  lesson.levels.values.end());
    if (lesson.final.has_value()) finals.push_back(*lesson.final);
  }
  num_complete_ = static_cast<int>(finals.size());
  if (num_complete_ < kMinComplete) return false;
  const std::optional<CurveScale> scale =
      CurveScale::Create(finals, others, goal);
  if (!scale.has_value()) return false;
  scale_ = *scale;
  for (const CurveLesson& lesson : *lessons) {
    if (!lesson.final.has_value() || lesson.breaks_constraint) continue;
    if (has_best_ && !IsWorse(best_value_, *lesson.final, goal)) continue;
    best_value_ = *lesson.final;
    has_best_ = true;
  }
  if (has_best_) best_ = scale_.ToScale(best_value_);
  for (CurveLesson& lesson : *lessons) {
    for (double& value : lesson.levels.values) value = scale_.ToScale(value);
    if (lesson.final.has_value()) lesson.final = scale_.ToScale(*lesson.final);
    FillToTheEnd(levels_.size(), &lesson);
    if (has_best_ && lesson.final == best_ && !lesson.breaks_constraint) {
      best_curve_ = lesson.levels;
    }
  }
  return true;
}

void CurveModel::FindBestWithoutLuck() {
  best_without_luck_ = {best_, 0};
  if (!has_best_ || !(noise_ > 0) || !surface_.has_value()) return;
  best_without_luck_.mean = -std::numeric_limits<double>::infinity();
  for (const CurveLesson& lesson : lessons_) {
    const auto row = row_of_.find(lesson.trial);
    if (!lesson.final.has_value() || lesson.breaks_constraint ||
        row == row_of_.end()) {
      continue;
    }
    const double noise = NoiseAt(*lesson.final);
    const NormalValue value =
        Join({*lesson.final, noise * noise}, surface_->LeaveOut(row->second));
    if (value.mean > best_without_luck_.mean) best_without_luck_ = value;
  }
}

PredictedFinals CurveModel::Predict(
    const std::vector<const TrialCurve*>& trials) const {
  PredictedFinals result = PredictChanges(SearchSpaceEncoding(space_), trials);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!result.finals[i].has_value()) continue;
    PredictedFinal& final = *result.finals[i];
    const auto row = static_cast<Index>(i);
    double own = final.variance - result.shared_covariance(row, row);
    MixWithStaying(final.stays, final.value_there, row, &final.mean, &own,
                   &result.shared_covariance);
    final.variance = own + result.shared_covariance(row, row);
  }
  return result;
}

LevelValues CurveModel::CurveOf(const TrialCurve& trial) const {
  LevelValues curve = ValuesAtLevels(trial.reports, levels_);
  for (double& value : curve.values) value = scale_.ToScale(value);
  return curve;
}

PredictedFinals CurveModel::PredictChanges(
    const SearchSpaceEncoding& encoding,
    const std::vector<const TrialCurve*>& trials) const {
  CurveChains chains(std::ssize(trials));
  PredictedFinals result;
  result.finals.resize(trials.size());
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const LevelValues curve = CurveOf(*trials[i]);
    if (curve.values.empty()) continue;
    chains.Begin(static_cast<Index>(i), curve,
                 EncodeForLessons(encoding, trials[i]->parameters));
    result.finals[i] =
        PredictedFinal{.level = curve.end() - 1,
                       .value_there = curve.values.back(),
                       .stays = stalls_.ProbabilityToStay(curve)};
  }
  chains.AdvanceToTheEnd(transitions_);
  result.shared_covariance = chains.shared_covariance();
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (!result.finals[i].has_value()) continue;
    const auto row = static_cast<Index>(i);
    PredictedFinal& final = *result.finals[i];
    const double inflation = alone_[final.level].inflation;
    Widen(row, inflation, &result.shared_covariance);
    final.mean = chains.values()[row];
    final.variance = chains.own_variances()[row] * inflation +
                     result.shared_covariance(row, row);
    if (IsUsable(final)) continue;
    result.finals[i].reset();
    result.shared_covariance.row(row).setZero();
    result.shared_covariance.col(row).setZero();
  }
  return result;
}

const CurveModel::LevelRegression* CurveModel::RegressionAt(
    const SearchSpaceEncoding& encoding, std::size_t level) {
  const auto [place, is_new] = regressions_.try_emplace(level);
  if (is_new) {
    std::optional<CurveRegression> regression =
        CurveRegression::Create(encoding, lessons_, level);
    if (regression.has_value()) {
      const CurveCalibration calibration =
          CalibrateRegression(*regression, lessons_);
      place->second = LevelRegression{*std::move(regression), calibration};
    }
  }
  if (!place->second.has_value()) return nullptr;
  double others = alone_[level].log_density;
  if (surface_.has_value()) {
    others = std::max(others, joint_[level].log_density);
  }
  return place->second->calibration.log_density > others ? &*place->second
                                                         : nullptr;
}

NormalValue CurveModel::Before(const TrialCurve& trial,
                               const Eigen::RowVectorXd& input) const {
  const auto row = row_of_.find(trial.trial);
  return row != row_of_.end() ? surface_->LeaveOut(row->second)
                              : surface_->Predict(input);
}

std::optional<TrialOutlook> CurveModel::Judge(const TrialCurve& trial) {
  const SearchSpaceEncoding encoding(space_);
  const std::optional<PredictedFinal> alone =
      PredictChanges(encoding, {&trial}).finals.front();
  if (!alone.has_value()) return std::nullopt;
  const TrialOutlook by_curve{*alone, std::nullopt};
  if (encoding.num_columns() > kMaxLessonColumns) return by_curve;
  const std::size_t level = alone->level;
  const Eigen::RowVectorXd input = encoding.Encode(trial.parameters);
  TrialOutlook outlook = by_curve;
  std::optional<NormalValue> before;
  if (surface_.has_value()) {
    before = Before(trial, input);
    outlook.before = {before->mean, before->variance * joint_[level].inflation};
  }
  NormalValue final;
  if (const LevelRegression* best = RegressionAt(encoding, level)) {
    final = best->regression.Predict(input, CurveOf(trial));
    final.variance *= best->calibration.inflation;
  } else if (before.has_value() &&
             joint_[level].log_density >= alone_[level].log_density) {
    final = Join({alone->mean, alone->variance}, *before);
    final.variance *= joint_[level].inflation;
  } else {
    return by_curve;
  }
  outlook.final.mean = final.mean;
  outlook.final.variance = final.variance;
  return IsUsable(outlook.final) ? outlook : by_curve;
}

std::optional<NormalValue> CurveModel::Foresee(
    const Parameters& parameters) const {
  const SearchSpaceEncoding encoding(space_);
  if (!surface_.has_value() || encoding.num_columns() > kMaxLessonColumns) {
    return std::nullopt;
  }
  NormalValue value = surface_->Predict(encoding.Encode(parameters));
  value.variance *= joint_.front().inflation;
  return value;
}

std::optional<double> CurveModel::BestCurveAt(std::size_t level) const {
  if (!best_curve_.Has(level)) return std::nullopt;
  return best_curve_.at(level);
}

}  // namespace vernier
