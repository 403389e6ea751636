#include "suggest/stopping/curve_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "suggest/space/search_space_encoding.h"
#include "suggest/stopping/training_length.h"

namespace vernier {
namespace {

using Eigen::Index;

// At a level, the model uses the newest trials that went on from there: they
// lie where the search is now. Shapes are chosen by fewer of them.
constexpr std::size_t kMaxTrials = 128;
constexpr std::size_t kMaxShapeTrials = 64;

// The parameters of a space with more columns are left out.
constexpr Index kMaxColumns = 1000;

// If the last steps of complete trainings spread by more, steps mean different
// things: a quarter of them below `kMinEvenness` times what another quarter
// exceeds.
constexpr double kMinEvenness = 0.8;

// As many trials whose errors are as expected are assumed beside those seen.
constexpr double kExpectedErrors = 2;

// Shapes that are tried; length scales are of the root of the number of
// parameters. Few, because each level has few data and all levels share them.
constexpr double kLengthScales[] = {0.3, 0.8};
constexpr double kShares[][2] = {{0.5, 0.02}, {0.5, 0.15}, {0.1, 0.5}};

using Lesson = CurveModel::Lesson;

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

// The row of the parameters; nothing if it would be too long.
Eigen::RowVectorXd EncodeFew(const SearchSpaceEncoding& encoding,
                             const Parameters& parameters) {
  if (encoding.num_columns() > kMaxColumns) return {};
  return encoding.Encode(parameters);
}

bool IsLesson(const TrialCurve& trial) {
  return trial.state != CurveState::kRunning && !trial.reports.empty();
}

// The smallest step at which an ended trial began to report.
std::int64_t FirstReport(const CurveStudy& study) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max();
  for (const TrialCurve& trial : study.trials) {
    if (!IsLesson(trial)) continue;
    first = std::min(first, trial.reports.front().step);
  }
  return first;
}

std::vector<Lesson> TakeLessons(const CurveStudy& study,
                                const SearchSpaceEncoding& encoding,
                                const std::vector<std::int64_t>& levels) {
  std::vector<Lesson> lessons;
  for (const TrialCurve& trial : study.trials) {
    if (!IsLesson(trial)) continue;
    lessons.push_back({EncodeFew(encoding, trial.parameters),
                       ValuesAtLevels(trial.reports, levels),
                       trial.final_value});
  }
  return lessons;
}

// A training that ended before its last level stays at its final value.
void FillToTheEnd(std::size_t num_levels, Lesson* lesson) {
  if (!lesson->final.has_value() || lesson->levels.values.empty()) return;
  while (lesson->levels.end() < num_levels) {
    lesson->levels.values.push_back(*lesson->final);
  }
}

// What is predicted: the change from a level to the next, or from the last one
// to the final value. nullopt if the lesson did not get there.
std::optional<double> ChangeAfter(const Lesson& lesson, std::size_t level,
                                  std::size_t num_levels) {
  if (!lesson.levels.Has(level)) return std::nullopt;
  const double here = lesson.levels.at(level);
  if (lesson.levels.Has(level + 1)) return lesson.levels.at(level + 1) - here;
  if (level + 1 == num_levels && lesson.final.has_value()) {
    return *lesson.final - here;
  }
  return std::nullopt;
}

double ChangeBefore(const LevelValues& levels, std::size_t level) {
  return level > 0 && levels.Has(level - 1)
             ? levels.at(level) - levels.at(level - 1)
             : 0;
}

// Of the newest `most` lessons that went on from the level.
TransitionData DataAt(const std::vector<Lesson>& lessons, std::size_t level,
                      std::size_t num_levels, std::size_t most) {
  TransitionData data;
  for (std::size_t i = lessons.size(); i-- > 0;) {
    if (data.trials.size() == most) break;
    if (ChangeAfter(lessons[i], level, num_levels)) data.trials.push_back(i);
  }
  std::reverse(data.trials.begin(), data.trials.end());
  const Index n = std::ssize(data.trials);
  data.inputs.resize(n, lessons.front().input.size());
  data.changes.resize(n);
  data.last_change.resize(n);
  data.values.resize(n);
  for (Index row = 0; row < n; ++row) {
    const Lesson& lesson = lessons[data.trials[static_cast<std::size_t>(row)]];
    data.inputs.row(row) = lesson.input;
    data.changes[row] = *ChangeAfter(lesson, level, num_levels);
    data.last_change[row] = ChangeBefore(lesson.levels, level);
    data.values[row] = lesson.levels.at(level);
  }
  return data;
}

std::optional<std::vector<CurveTransition>> MakeTransitions(
    const std::vector<TransitionData>& data, const TransitionShape& shape) {
  double typical = 0;
  for (const TransitionData& level : data) {
    typical += MeanSquaredSurprise(level) / static_cast<double>(data.size());
  }
  std::vector<CurveTransition> transitions;
  for (const TransitionData& level : data) {
    std::optional<CurveTransition> transition =
        CurveTransition::Create(level, shape, typical);
    if (!transition.has_value()) return std::nullopt;
    transitions.push_back(*std::move(transition));
  }
  return transitions;
}

std::optional<TransitionShape> BestShape(
    const std::vector<TransitionData>& data, double root_of_parameters) {
  std::optional<TransitionShape> best;
  double highest = -std::numeric_limits<double>::infinity();
  for (const double length_scale : kLengthScales) {
    for (const auto& shares : kShares) {
      const TransitionShape shape{length_scale * root_of_parameters, shares[0],
                                  shares[1]};
      const auto transitions = MakeTransitions(data, shape);
      if (!transitions.has_value()) continue;
      double likelihood = 0;
      for (const CurveTransition& transition : *transitions) {
        likelihood += transition.log_likelihood();
      }
      if (!(likelihood > highest)) continue;
      highest = likelihood;
      best = shape;
    }
  }
  return best;
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

// How the chain from `level` errs on a complete lesson, in squared standard
// deviations, if each change is predicted from the other trials. nullopt if a
// change on the way was not among the data.
std::optional<double> SquaredError(
    const std::vector<TransitionData>& data,
    const std::vector<CurveTransition>& transitions, std::size_t level,
    std::size_t lesson) {
  ChainState state;
  double error = 0;
  double error_before = 0;
  for (std::size_t k = level; k < data.size(); ++k) {
    const auto found =
        std::lower_bound(data[k].trials.begin(), data[k].trials.end(), lesson);
    if (found == data[k].trials.end() || *found != lesson) return std::nullopt;
    const Index row = found - data[k].trials.begin();
    const double c = transitions[k].part_of_last_change();
    const double a = 1 + c + transitions[k].part_of_value();
    const double next =
        a * error - c * error_before + transitions[k].left_out_errors()[row];
    error_before = error;
    error = next;
    state.Advance(transitions[k], transitions[k].left_out_variances()[row]);
  }
  return error * error / state.variance;
}

// At least 1: a chain that seems to be better than it should be has only been
// lucky with few trials.
double InflationAt(const std::vector<TransitionData>& data,
                   const std::vector<CurveTransition>& transitions,
                   const std::vector<Lesson>& lessons, std::size_t level) {
  double sum = kExpectedErrors;
  double count = kExpectedErrors;
  for (std::size_t i = 0; i < lessons.size(); ++i) {
    if (!lessons[i].final.has_value()) continue;
    const std::optional<double> squared =
        SquaredError(data, transitions, level, i);
    if (!squared.has_value()) continue;
    sum += *squared;
    ++count;
  }
  return std::max(1.0, sum / count);
}

}  // namespace

std::optional<CurveModel> CurveModel::Create(
    const CurveStudy& study, const EarlyStoppingOptions& options) {
  const std::optional<double> length = TrainingLength(study, options);
  if (!length.has_value() || !HasEvenLengths(study)) return std::nullopt;
  CurveModel model;
  model.space_ = study.space;
  const SearchSpaceEncoding encoding(model.space_);
  model.levels_ =
      MakeLevels(FirstReport(study), static_cast<std::int64_t>(*length));
  std::vector<Lesson> lessons = TakeLessons(study, encoding, model.levels_);
  if (!model.Scale(study.goal, &lessons)) return std::nullopt;

  const std::size_t num_levels = model.levels_.size();
  std::vector<TransitionData> some;
  std::vector<TransitionData> all;
  for (std::size_t level = 0; level < num_levels; ++level) {
    all.push_back(DataAt(lessons, level, num_levels, kMaxTrials));
    some.push_back(DataAt(lessons, level, num_levels, kMaxShapeTrials));
    if (all.back().trials.empty()) return std::nullopt;
  }
  const double root =
      std::sqrt(std::max(1.0, static_cast<double>(encoding.max_active())));
  const std::optional<TransitionShape> shape = BestShape(some, root);
  if (!shape.has_value()) return std::nullopt;
  auto transitions = MakeTransitions(all, *shape);
  if (!transitions.has_value()) return std::nullopt;
  model.transitions_ = *std::move(transitions);
  for (std::size_t level = 0; level < num_levels; ++level) {
    model.inflation_.push_back(
        InflationAt(all, model.transitions_, lessons, level));
  }
  return model;
}

bool CurveModel::Scale(Goal goal, std::vector<Lesson>* lessons) {
  std::vector<double> finals;
  std::vector<double> others;
  for (const Lesson& lesson : *lessons) {
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
  best_value_ = goal == Goal::kMaximize
                    ? *std::max_element(finals.begin(), finals.end())
                    : *std::min_element(finals.begin(), finals.end());
  best_ = scale_.ToScale(best_value_);
  for (Lesson& lesson : *lessons) {
    for (double& value : lesson.levels.values) value = scale_.ToScale(value);
    if (lesson.final.has_value()) lesson.final = scale_.ToScale(*lesson.final);
    FillToTheEnd(levels_.size(), &lesson);
    if (lesson.final == best_) best_curve_ = lesson.levels;
  }
  return true;
}

std::optional<PredictedFinal> CurveModel::Predict(
    const TrialCurve& trial) const {
  LevelValues curve = ValuesAtLevels(trial.reports, levels_);
  if (curve.values.empty()) return std::nullopt;
  for (double& value : curve.values) value = scale_.ToScale(value);
  const SearchSpaceEncoding encoding(space_);
  const Eigen::RowVectorXd input = EncodeFew(encoding, trial.parameters);
  const std::size_t level = curve.end() - 1;
  PredictedFinal result{curve.values.back(), 0, level, curve.values.back()};
  double last_change = ChangeBefore(curve, level);
  ChainState state;
  for (std::size_t k = level; k < transitions_.size(); ++k) {
    const CurveTransition::Change change =
        transitions_[k].Predict(input, result.mean, last_change);
    state.Advance(transitions_[k], change.variance);
    last_change = change.mean;
    result.mean += change.mean;
  }
  result.variance = state.variance * inflation_[level];
  if (!std::isfinite(result.mean) || !(result.variance > 0) ||
      !std::isfinite(result.variance)) {
    return std::nullopt;
  }
  return result;
}

std::optional<double> CurveModel::BestCurveAt(std::size_t level) const {
  if (!best_curve_.Has(level)) return std::nullopt;
  return best_curve_.at(level);
}

}  // namespace vernier
