#include "cli/live/live_trial.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "base/timestamp_text.h"
#include "cli/display/end_reason.h"
#include "cli/display/resource_tables.h"
#include "cli/text/short_names.h"

namespace vernier {
namespace {

constexpr std::size_t kWidestName = 20;

std::string ParametersText(const Json& trial) {
  const Json parameters = trial.value("parameters", Json::array());
  std::vector<std::string> names;
  for (const Json& parameter : parameters) {
    names.push_back(parameter.value("name", ""));
  }
  // Long names would push the values out of the line.
  names = ShortNames(names, kWidestName);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    // The value is shown unchanged, so that a filter finds it.
    absl::StrAppend(&text, text.empty() ? "" : " ", names[i], "=",
                    parameters[i].value("value", ""));
  }
  return text;
}

/// Returns the state of the newest attempt; empty without one.
std::string AttemptState(const Json& trial) {
  const Json attempts = trial.value("attempts", Json::array());
  return attempts.empty() ? "" : attempts.back().value("state", "");
}

// Returns "accuracy 0.93, latency 12" for a trial that has several values.
std::string FinalMetricsText(const Json& trial) {
  const Json values = trial.value("finalMetrics", Json::object());
  if (values.size() < 2) return "";
  std::vector<std::string> parts;
  for (const auto& [name, value] : values.items()) {
    parts.push_back(absl::StrCat(
        name, " ",
        value.is_number() ? ShortNumber(value.get<double>()) : value.dump()));
  }
  std::sort(parts.begin(), parts.end());  // The message has no order.
  return absl::StrJoin(parts, ", ");
}

LiveTrial ReadLiveTrial(const Json& json) {
  const std::string cause = json.value("endCause", "");
  LiveTrial trial;
  trial.number = std::strtoll(json.value("trialId", "0").c_str(), nullptr, 10);
  trial.state = ShownTrialState(json);
  trial.has_ended = !cause.empty();
  const std::string attempt = AttemptState(json);
  trial.has_live_attempt = !attempt.empty() && attempt != "EXITED" &&
                           attempt != "KILLED" && attempt != "LOST";
  trial.runs = (trial.state == "ACTIVE" || trial.state == "STOPPING") &&
               (attempt.empty() || trial.has_live_attempt);
  trial.started_at = ParseTimestamp(json.value("startTime", ""));
  trial.ended_at = ParseTimestamp(json.value("endTime", ""));
  const Json measurement = json.value(
      trial.has_ended ? "finalMeasurement" : "lastMeasurement", Json());
  if (measurement.is_object()) {
    const double value = measurement.value("value", 0.0);
    if (trial.has_ended) trial.value = value;
    trial.measurement = absl::StrCat(ShortNumber(value), " at step ",
                                     measurement.value("step", "0"));
  }
  if (const std::string values = FinalMetricsText(json); !values.empty()) {
    trial.measurement = values;
  }
  trial.breaks_constraint = json.value("breaksConstraint", false);
  trial.parameters = ParametersText(json);
  trial.reason = EndReason(cause, json.value("message", ""));
  // A running trial waits for its program to end, which need not be said.
  if (attempt != "RUNNING") trial.waiting_for = json.value("waitingFor", "");
  return trial;
}

}  // namespace

absl::StatusOr<std::vector<LiveTrial>> ReadLiveTrials(std::string_view answer) {
  VERNIER_ASSIGN_OR_RETURN(const Json document, ParseJson(answer));
  if (!document.is_object()) {
    return absl::InvalidArgumentError("not a list of trials");
  }
  std::vector<LiveTrial> trials;
  for (const Json& trial : document.value("trials", Json::array())) {
    trials.push_back(ReadLiveTrial(trial));
  }
  return trials;
}

std::vector<Span> LineOf(const LiveTrial& trial) {
  const std::string state = absl::AsciiStrToLower(trial.state);
  std::vector<Span> line = {{absl::StrCat("trial ", trial.number, "  ")},
                            {state, ColourOfState(state)}};
  for (const std::string& part : {trial.measurement, trial.parameters}) {
    if (!part.empty()) line.push_back({"  " + part});
  }
  if (!trial.reason.empty()) {
    line.push_back({absl::StrCat("  (", trial.reason, ")")});
  } else if (trial.measurement.empty() && !trial.waiting_for.empty()) {
    line.push_back({"  " + trial.waiting_for});
  }
  return line;
}

std::string FailureText(const LiveTrial& trial) {
  if (trial.state != "FAILED" && trial.state != "INFEASIBLE") return "";
  return absl::StrCat("trial ", trial.number, "  ", trial.reason);
}

}  // namespace vernier
