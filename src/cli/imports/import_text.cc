#include "cli/imports/import_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/number_text.h"
#include "study/study_file/study_file_writer.h"

namespace vernier {
namespace {

constexpr std::size_t kMostShown = 12;  // Of a list of values.

// Returns the state that the trial gets here: the service takes one whose value
// is not finite as infeasible.
ForeignTrial::State StateHere(const StudySpec& spec,
                              const ForeignTrial& trial) {
  if (!trial.final_report.has_value()) return trial.state;
  const auto& values = trial.final_report->metrics;
  const bool is_finite =
      std::all_of(values.begin(), values.end(), [&](const MetricValue& one) {
        return std::isfinite(one.value) ||
               std::none_of(spec.metrics.begin(), spec.metrics.end(),
                            [&](const MetricGoal& metric) {
                              return metric.name == one.metric;
                            });
      });
  return is_finite ? trial.state : ForeignTrial::State::kInfeasible;
}

std::size_t CountIn(const ImportPlan& plan, ForeignTrial::State state) {
  return static_cast<std::size_t>(std::count_if(
      plan.to_add.begin(), plan.to_add.end(), [&](const PlannedTrial& one) {
        return StateHere(plan.spec, one.trial) == state;
      }));
}

std::string MetricsText(const StudySpec& spec) {
  std::vector<std::string> metrics;
  for (const MetricGoal& metric : spec.metrics) {
    metrics.push_back(absl::StrCat(metric.name, metric.goal == Goal::kMinimize
                                                    ? ":minimize"
                                                    : ":maximize"));
  }
  return absl::StrJoin(metrics, " ");
}

std::string ListText(std::vector<std::string> values) {
  const std::size_t count = values.size();
  if (count > kMostShown) {
    values.resize(kMostShown);
    values.push_back(absl::StrCat("... ", count, " in all"));
  }
  return absl::StrCat("[", absl::StrJoin(values, ", "), "]");
}

std::string ShownValue(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    return YamlWord(*text);
  }
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return absl::StrCat(*whole);
  }
  return NumberText(std::get<double>(value));
}

std::string RangeText(const ParameterSpec& spec) {
  const std::string range = absl::StrCat("[", NumberText(spec.min_value), ", ",
                                         NumberText(spec.max_value), "]");
  switch (spec.type) {
    case ParameterType::kDouble:
      return absl::StrCat(spec.scale == ScaleType::kLog ? "log: " : "float: ",
                          range);
    case ParameterType::kInteger:
      return absl::StrCat("int: ", range,
                          spec.scale == ScaleType::kLog ? ", scale: log" : "");
    case ParameterType::kDiscrete: {
      std::vector<std::string> values;
      for (const double one : spec.discrete_values) {
        values.push_back(NumberText(one));
      }
      return absl::StrCat("values: ", ListText(std::move(values)));
    }
    case ParameterType::kCategorical:
      break;
  }
  std::vector<std::string> values;
  for (const std::string& one : spec.categorical_values) {
    values.push_back(YamlWord(one));
  }
  return absl::StrCat("choice: ", ListText(std::move(values)));
}

std::string ParameterText(const std::vector<ParameterSpec>& space,
                          const ParameterSpec& spec) {
  std::string text = RangeText(spec);
  if (spec.condition.has_value()) {
    std::vector<std::string> values;
    for (const ParameterValue& one : spec.condition->values) {
      values.push_back(ShownValue(one));
    }
    absl::StrAppend(&text, ", when: {",
                    YamlWord(space[spec.condition->parent].name), ": ",
                    ListText(std::move(values)), "}");
  }
  return absl::StrCat("{", text, "}");
}

Json StudyJson(const PlannedImport& one, bool is_done) {
  const ImportPlan& plan = one.plan;
  Json parameters = Json::object();
  for (const ParameterSpec& spec : plan.spec.parameters) {
    parameters[spec.name] = ParameterText(plan.spec.parameters, spec);
  }
  Json metrics = Json::object();
  for (const MetricGoal& metric : plan.spec.metrics) {
    metrics[metric.name] =
        metric.goal == Goal::kMinimize ? "minimize" : "maximize";
  }
  Json constraints = Json::array();
  for (const OutcomeConstraint& each : plan.spec.constraints) {
    constraints.push_back(each.metric);
  }
  return Json{{"study", plan.name},
              {"from",
               {{"tool", one.study.tool},
                {"file", one.study.file},
                {"study", one.study.name}}},
              {"isNew", plan.is_new},
              {"metrics", metrics},
              {"constraints", constraints},
              {"parameters", parameters},
              {"newTrials", plan.to_add.size()},
              {"completed", CountIn(plan, ForeignTrial::State::kCompleted)},
              {"stopped", CountIn(plan, ForeignTrial::State::kStopped)},
              {"infeasible", CountIn(plan, ForeignTrial::State::kInfeasible)},
              {"thereAlready", plan.there_already},
              {"leftOut", plan.left_out},
              {"notes", plan.notes},
              {"done", is_done}};
}

}  // namespace

TextTable ImportTable(const std::vector<PlannedImport>& imports) {
  TextTable table{{"STUDY", "FROM", "METRICS", "PARAMETERS", "NEW TRIALS",
                   "COMPLETED", "STOPPED", "INFEASIBLE", "THERE ALREADY"},
                  {}};
  for (const PlannedImport& one : imports) {
    const ImportPlan& plan = one.plan;
    table.rows.push_back(
        {plan.name, one.study.tool, MetricsText(plan.spec),
         absl::StrCat(plan.spec.parameters.size()),
         absl::StrCat(plan.to_add.size()),
         absl::StrCat(CountIn(plan, ForeignTrial::State::kCompleted)),
         absl::StrCat(CountIn(plan, ForeignTrial::State::kStopped)),
         absl::StrCat(CountIn(plan, ForeignTrial::State::kInfeasible)),
         absl::StrCat(plan.there_already)});
  }
  return table;
}

std::string ImportJson(const std::vector<PlannedImport>& imports,
                       bool is_done) {
  Json list = Json::array();
  for (const PlannedImport& one : imports) {
    list.push_back(StudyJson(one, is_done));
  }
  return DumpJson(list);
}

std::string SpaceLines(const std::vector<ParameterSpec>& space) {
  std::string lines;
  for (const ParameterSpec& spec : space) {
    absl::StrAppend(&lines, "  ", YamlWord(spec.name), ": ",
                    ParameterText(space, spec), "\n");
  }
  return lines;
}

}  // namespace vernier
