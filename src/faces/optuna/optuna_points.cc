#include "faces/optuna/optuna_points.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "faces/optuna/optuna_message.h"
#include "study/find_by_name.h"
#include "study/optuna_space/optuna_distribution.h"
#include "study/parameter_value.h"
#include "suggest/suggester_factory.h"

namespace vernier {
namespace {

// The newest trials among which the present distribution of a parameter is
// searched; what none of them has is left to the client.
constexpr std::int64_t kNewestTrials = 200;

// Clients may store values outside of the ranges that they declare; a model
// cannot learn from those.
bool IsInside(const std::vector<ParameterSpec>& space,
              const Parameters& parameters) {
  return std::all_of(parameters.begin(), parameters.end(),
                     [&](const NamedValue& one) {
                       const ParameterSpec* spec = FindByName(space, one.name);
                       return spec != nullptr && IsPossible(*spec, one.value);
                     });
}

ParameterValue MiddleOf(const ParameterSpec& spec) {
  if (spec.type == ParameterType::kCategorical) {
    return spec.categorical_values.front();
  }
  const double middle =
      spec.scale == ScaleType::kLog
          ? std::sqrt(spec.min_value) * std::sqrt(spec.max_value)
          : spec.min_value / 2 + spec.max_value / 2;
  const double inside = std::clamp(middle, spec.min_value, spec.max_value);
  if (spec.type == ParameterType::kDouble) return inside;
  return std::clamp(static_cast<std::int64_t>(std::llround(inside)),
                    static_cast<std::int64_t>(spec.min_value),
                    static_cast<std::int64_t>(spec.max_value));
}

// The values that a trial carried.
Parameters FixedIn(const std::vector<ParameterSpec>& space,
                   const TrialRecord& trial) {
  Parameters fixed;
  const auto* text = FindText(trial.metadata, kSystemSpace, kFixedParams);
  if (text == nullptr) return fixed;
  const auto json = ParseJson(*text);
  if (!json.ok() || !json->is_object()) return fixed;
  for (const auto& item : json->items()) {
    const ParameterSpec* const spec = FindByName(space, item.key());
    if (spec == nullptr) continue;
    if (auto value = ValueOfFixed(*spec, DumpJson(item.value()))) {
      fixed.push_back({spec->name, *std::move(value)});
    }
  }
  return fixed;
}

// The point of a trial, complete: a parameter of a branch that it has not
// taken, or that its client has not asked for yet, has the value that the trial
// carried, else the middle of its range.
Parameters PointOf(const std::vector<ParameterSpec>& space,
                   const TrialRecord& trial) {
  const Parameters fixed = trial.parameters.size() < space.size()
                               ? FixedIn(space, trial)
                               : Parameters();
  Parameters point;
  for (const ParameterSpec& spec : space) {
    const ParameterValue* value = FindValue(trial.parameters, spec.name);
    if (value == nullptr) value = FindValue(fixed, spec.name);
    point.push_back({spec.name, value == nullptr ? MiddleOf(spec) : *value});
  }
  return point;
}

// Returns the newest distribution of a parameter.
std::optional<OptunaDistribution> NewestOf(
    const StudySnapshot& study,
    const std::vector<std::shared_ptr<const TrialRecord>>& newest,
    const std::string& name) {
  for (const auto& trial : newest) {
    const auto declared = FindDeclared(study, *trial, name);
    if (!declared.has_value()) continue;
    auto read = ReadDistribution(declared->distribution);
    if (read.ok()) return *std::move(read);
  }
  return std::nullopt;
}

std::string FixedParams(const StudySnapshot& study, const Parameters& point) {
  std::vector<std::shared_ptr<const TrialRecord>> newest;
  const auto count = static_cast<std::int64_t>(study.trials.size());
  for (std::int64_t n = count;
       n > std::max<std::int64_t>(0, count - kNewestTrials); --n) {
    newest.push_back(study.trials.Share(TrialId{n}));
    if (newest.back()->parameters.size() == point.size()) break;
  }
  std::string fixed;
  for (const NamedValue& one : point) {
    const auto distribution = NewestOf(study, newest, one.name);
    if (!distribution.has_value()) continue;
    const auto json = FixedValueJson(*distribution, one.value);
    if (!json.has_value()) continue;
    absl::StrAppend(&fixed, fixed.empty() ? "" : ", ", DumpJson(Json(one.name)),
                    ": ", *json);
  }
  return absl::StrCat("{", fixed, "}");
}

}  // namespace

OptunaPoints::Turn OptunaPoints::Begin(StudyId study) {
  std::shared_ptr<Turn::Kept> kept;
  {
    const MutexLock lock(mu_);
    std::shared_ptr<Turn::Kept>& entry = studies_[study];
    if (entry == nullptr) entry = std::make_shared<Turn::Kept>();
    kept = entry;
  }
  return Turn(*this, std::move(kept));
}

void OptunaPoints::Forget(StudyId study) {
  const MutexLock lock(mu_);
  studies_.erase(study);
}

std::optional<OptunaPoints::Point> OptunaPoints::Turn::Choose(
    const StudySnapshot& study) {
  if (study.spec->parameters.empty()) return std::nullopt;
  SuggestionExecutor::Request request =
      points_.engines_.RequestPoints(study, nullptr, 1);
  const std::vector<ParameterSpec>& space = study.spec->parameters;
  for (Observation& one : request.view.completed) {
    one.parameters = PointOf(space, *study.trials.Share(TrialId{one.trial}));
  }
  std::erase_if(request.view.completed, [&](const Observation& one) {
    return !IsInside(space, one.parameters);
  });
  request.view.pending.clear();
  for (const TrialId id : study.open) {
    const auto trial = study.trials.Share(id);
    // Without any value it says nothing of where it will be.
    if (trial->parameters.empty() && FixedIn(space, *trial).empty()) continue;
    Parameters point = PointOf(space, *trial);
    if (IsInside(space, point)) {
      request.view.pending.push_back(std::move(point));
    }
  }
  // What was learnt in a smaller space does not hold in this one.
  if (kept_->suggester == nullptr || kept_->space != space) {
    kept_->suggester = MakeSuggester(request.algorithm);
    kept_->space = space;
  }
  auto points = kept_->suggester->Suggest(request.view, 1);
  if (!points.ok() || points->empty()) {
    if (!points.ok()) {
      points_.log_(absl::StrCat("study ", study.name,
                                ": the client chooses the next trial itself: ",
                                points.status().message()));
    }
    return std::nullopt;
  }
  Point point;
  point.fixed_params = FixedParams(study, points->front().parameters);
  point.origin =
      TrialOf(study, request.seen_events, std::move(points->front())).origin;
  return point;
}

}  // namespace vernier
