#include "faces/katib/katib_stopping.h"

#include <cmath>
#include <set>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/median.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "faces/katib/katib_algorithm.h"
#include "faces/katib/katib_history.h"

namespace vernier {
namespace {

constexpr char kMedianStop[] = "medianstop";
constexpr std::size_t kLongestShownName = 200;

// Writes the value of a setting to `value`.
absl::Status ReadSetting(const katib::EarlyStoppingSetting& setting,
                         const char* wrong, int* value) {
  if (!absl::SimpleAtoi(setting.value(), value)) {
    return NotWholeKatibSetting(setting.name(), setting.value());
  }
  if (*value >= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(wrong);
}

}  // namespace

absl::StatusOr<KatibStopping> ReadKatibStopping(
    const katib::EarlyStoppingSpec& spec) {
  if (spec.algorithm_name() != kMedianStop) {
    return absl::InvalidArgumentError(
        absl::StrCat("unknown algorithm name ",
                     ShowText(spec.algorithm_name(), kLongestShownName)));
  }
  KatibStopping stopping;
  for (const katib::EarlyStoppingSetting& setting : spec.algorithm_settings()) {
    if (setting.name() == "min_trials_required") {
      VERNIER_RETURN_IF_ERROR(ReadSetting(
          setting, "min_trials_required must be greater than zero (>0)",
          &stopping.min_trials_required));
    } else if (setting.name() == "start_step") {
      VERNIER_RETURN_IF_ERROR(ReadSetting(
          setting, "start_step must be greater or equal than one (>=1)",
          &stopping.start_step));
    } else {
      return absl::InvalidArgumentError(absl::StrCat(
          "unknown setting ", ShowText(setting.name(), kLongestShownName),
          " for algorithm ", kMedianStop));
    }
  }
  return stopping;
}

absl::StatusOr<std::vector<std::string>> SucceededTrials(
    const katib::GetEarlyStoppingRulesRequest& request) {
  if (request.trials_size() > kMostKatibTrials) {
    return absl::InvalidArgumentError(
        absl::StrCat("an experiment may have ", kMostKatibTrials,
                     " trials here: ", request.trials_size()));
  }
  std::set<std::string> names;
  for (const katib::Trial& trial : request.trials()) {
    if (trial.status().condition() == katib::TrialStatus::SUCCEEDED) {
      names.insert(trial.name());
    }
  }
  return std::vector<std::string>(names.begin(), names.end());
}

std::optional<double> MeanOfFirstReports(const katib::ObservationLog& log,
                                         int start_step) {
  double sum = 0;
  int count = 0;
  int seen = 0;
  for (const katib::MetricLog& report : log.metric_logs()) {
    if (seen++ == start_step) break;
    double value = 0;
    // "unavailable" stands for a metric that was never found.
    if (!absl::SimpleAtod(report.metric().value(), &value) ||
        !std::isfinite(value)) {
      continue;
    }
    sum += value;
    ++count;
  }
  const double mean = sum / count;
  if (count == 0 || !std::isfinite(mean)) return std::nullopt;
  return mean;
}

void AddMedianRule(const katib::ExperimentSpec& experiment,
                   const KatibStopping& stopping, std::vector<double> means,
                   katib::GetEarlyStoppingRulesReply* reply) {
  if (means.empty() || std::ssize(means) < stopping.min_trials_required) return;
  const katib::ObjectiveSpec& objective = experiment.objective();
  katib::EarlyStoppingRule* const rule = reply->add_early_stopping_rules();
  rule->set_name(objective.objective_metric_name());
  rule->set_value(NumberText(Median(std::move(means))));
  rule->set_comparison(objective.type() == katib::MAXIMIZE ? katib::LESS
                                                           : katib::GREATER);
  rule->set_start_step(stopping.start_step);
}

}  // namespace vernier
