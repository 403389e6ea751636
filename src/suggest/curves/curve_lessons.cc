#include "suggest/curves/curve_lessons.h"

#include <algorithm>

namespace vernier {
namespace {

using Eigen::Index;

// Returns nullopt if the lesson did not get there.
std::optional<double> ChangeAfter(const CurveLesson& lesson, std::size_t level,
                                  std::size_t num_levels) {
  if (!lesson.levels.Has(level)) return std::nullopt;
  const std::optional<double> next = ValueAfter(lesson, level, num_levels);
  if (!next.has_value()) return std::nullopt;
  return *next - lesson.levels.at(level);
}

}  // namespace

std::optional<double> ValueAfter(const CurveLesson& lesson, std::size_t level,
                                 std::size_t num_levels) {
  if (level + 1 == num_levels) return lesson.final;
  if (!lesson.levels.Has(level + 1)) return std::nullopt;
  return lesson.levels.at(level + 1);
}

Eigen::RowVectorXd EncodeForLessons(const SearchSpaceEncoding& encoding,
                                    const Parameters& parameters) {
  if (encoding.num_columns() > kMaxLessonColumns) return {};
  return encoding.Encode(parameters);
}

std::vector<CurveLesson> TakeLessons(const CurveStudy& study,
                                     const SearchSpaceEncoding& encoding,
                                     const std::vector<std::int64_t>& levels) {
  std::vector<CurveLesson> lessons;
  for (const TrialCurve& trial : study.trials) {
    if (trial.state == CurveState::kRunning || trial.reports.empty()) continue;
    lessons.push_back({trial.trial,
                       EncodeForLessons(encoding, trial.parameters),
                       ValuesAtLevels(trial.reports, levels), trial.final_value,
                       trial.breaks_constraint});
  }
  return lessons;
}

double ChangeBefore(const LevelValues& levels, std::size_t level) {
  return level > 0 && levels.Has(level - 1)
             ? levels.at(level) - levels.at(level - 1)
             : 0;
}

TransitionData ChangesAfter(const std::vector<CurveLesson>& lessons,
                            std::size_t level, std::size_t num_levels,
                            std::size_t most) {
  TransitionData data;
  for (std::size_t i = lessons.size(); i-- > 0;) {
    if (data.trials.size() == most) break;
    if (ChangeAfter(lessons[i], level, num_levels)) data.trials.push_back(i);
  }
  std::reverse(data.trials.begin(), data.trials.end());
  const Index n = std::ssize(data.trials);
  data.inputs.resize(n, lessons.empty() ? 0 : lessons.front().input.size());
  data.changes.resize(n);
  data.last_change.resize(n);
  data.values.resize(n);
  for (Index row = 0; row < n; ++row) {
    const CurveLesson& lesson =
        lessons[data.trials[static_cast<std::size_t>(row)]];
    data.inputs.row(row) = lesson.input;
    data.changes[row] = *ChangeAfter(lesson, level, num_levels);
    data.last_change[row] = ChangeBefore(lesson.levels, level);
    data.values[row] = lesson.levels.at(level);
  }
  return data;
}

}  // namespace vernier
