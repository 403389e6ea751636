#include "faces/katib/katib_history.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/calls/call_meter.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

// Returns the trials, each name once, in the order in which they ended, which
// is that of the texts of their times. The controller's own order is by chance.
std::vector<const katib::Trial*> InOrder(
    const google::protobuf::RepeatedPtrField<katib::Trial>& trials) {
  std::vector<const katib::Trial*> sorted;
  sorted.reserve(static_cast<std::size_t>(trials.size()));
  for (const katib::Trial& trial : trials) sorted.push_back(&trial);
  const auto key = [](const katib::Trial* trial) {
    return std::tie(trial->status().completion_time(),
                    trial->status().start_time(), trial->name());
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const katib::Trial* a, const katib::Trial* b) {
                     return key(a) < key(b);
                   });
  std::set<std::string_view> names;
  std::erase_if(sorted, [&](const katib::Trial* trial) {
    return !trial->name().empty() && !names.insert(trial->name()).second;
  });
  return sorted;
}

// Returns the value of the objective, which may be not finite; nullopt if the
// trial has none, or a text such as "unavailable". The controller sets the
// metric's name in the trial, too.
std::optional<double> ResultOf(const katib::Trial& trial,
                               const katib::ExperimentSpec& experiment) {
  const std::string& own = trial.spec().objective().objective_metric_name();
  const std::string& name =
      own.empty() ? experiment.objective().objective_metric_name() : own;
  for (const katib::Metric& metric : trial.status().observation().metrics()) {
    double value = 0;
    if (metric.name() == name && absl::SimpleAtod(metric.value(), &value)) {
      return value;
    }
  }
  return std::nullopt;
}

void AddKatibTrial(const katib::Trial& trial, const katib::ExperimentSpec& spec,
                   Parameters parameters, StudyView* view) {
  using Status = katib::TrialStatus;
  const auto condition = trial.status().condition();
  const std::optional<double> value = ResultOf(trial, spec);
  const bool is_stopped = condition == Status::EARLYSTOPPED;
  Observation observation{std::move(parameters), std::nullopt};
  if (condition == Status::FAILED) {
    view->completed.push_back(std::move(observation));
  } else if (condition == Status::SUCCEEDED || is_stopped) {
    if (!value.has_value()) {
      view->given_up.push_back(std::move(observation.parameters));
      return;
    }
    if (std::isfinite(*value)) {
      observation.objective = value;
      observation.is_stopped_early = is_stopped;
    }
    view->completed.push_back(std::move(observation));
  } else if (condition == Status::KILLED ||
             condition == Status::METRICSUNAVAILABLE) {
    view->given_up.push_back(std::move(observation.parameters));
  } else {
    view->pending.push_back(std::move(observation.parameters));
  }
}

}  // namespace

absl::StatusOr<StudyView> ViewOfKatib(
    const katib::GetSuggestionsRequest& request, const KatibSpace& space,
    std::uint64_t seed) {
  if (request.trials_size() > kMostKatibTrials) {
    return absl::InvalidArgumentError(
        absl::StrCat("an experiment may have ", kMostKatibTrials,
                     " trials here: ", request.trials_size()));
  }
  const katib::ExperimentSpec& spec = request.experiment().spec();
  StudyView view;
  view.space = space.parameters();
  // As Katib's services read it.
  view.goal = spec.objective().type() == katib::MAXIMIZE ? Goal::kMaximize
                                                         : Goal::kMinimize;
  view.seed = seed;
  for (const katib::Trial* const trial : InOrder(request.trials())) {
    VERNIER_RETURN_IF_ERROR(UseInCall(CallCost{1, 0}));
    std::optional<Parameters> parameters =
        space.ValuesOf(trial->spec().parameter_assignments().assignments());
    if (!parameters.has_value()) continue;
    AddKatibTrial(*trial, spec, *std::move(parameters), &view);
  }
  // The controller leaves trials out whose metrics it could not have, but
  // counts the points that it was given.
  const std::int64_t given = std::int64_t{request.total_request_number()} -
                             request.current_request_number();
  view.trials_created = std::max<std::int64_t>(request.trials_size(), given);
  return view;
}

}  // namespace vernier
