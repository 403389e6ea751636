#include "faces/dashboard/trial_columns.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "study/parameter_value.h"
#include "trials/results/best_trials.h"
#include "trials/stopping/set_aside.h"

namespace vernier {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// These are not stored states. The first makes the page drop the row.
constexpr std::uint8_t kDeleted = 8;
constexpr std::uint8_t kPaused = 9;

double MillisecondsOrNan(const std::optional<Timestamp>& time) {
  if (!time.has_value()) return kNone;
  return Milliseconds(*time);
}

std::vector<std::string> TrialStateNames() {
  std::vector<std::string> names = NamesUpTo(TrialState::kFailed, &ToString);
  names.emplace_back("deleted");
  names.emplace_back("paused");
  return names;
}

std::uint8_t TrialStateCode(const StudySnapshot& study,
                            const TrialRecord& trial) {
  if (IsDeleted(trial)) return kDeleted;
  if (IsSetAside(study, trial)) return kPaused;
  return static_cast<std::uint8_t>(trial.state);
}

/// Returns the objective: the final value, or the last value so far while there
/// is no end.
const std::optional<FinalMeasurement>& ValueOf(const TrialRecord& trial) {
  return IsTerminal(trial.state) ? trial.final_measurement
                                 : trial.objective.last;
}

double Number(const ParameterSpec& spec, const ParameterValue& value) {
  if (const auto number = NumberOf(value)) return *number;
  const auto& names = spec.categorical_values;
  const auto found =
      std::find(names.begin(), names.end(), std::get<std::string>(value));
  return found == names.end() ? kNone
                              : static_cast<double>(found - names.begin());
}

/// Columns over many trials, filled in one pass, because reading a trial that
/// has ended means unpacking it.
class TrialPass {
 public:
  /// Adds a column of the values that `get` returns for the trials.
  template <typename T, typename Get>
  void Add(std::string name, Get get) {
    auto values = std::make_shared<std::vector<T>>();
    Add(
        [values, get](const TrialRecord& trial) {
          values->push_back(static_cast<T>(get(trial)));
        },
        [values, name](ColumnWriter* columns) { columns->Add(name, *values); });
  }

  /// Adds columns that `take` collects and `write` writes.
  void Add(std::function<void(const TrialRecord&)> take,
           std::function<void(ColumnWriter*)> write) {
    parts_.push_back({std::move(take), std::move(write)});
  }

  void Run(const StudySnapshot& study, const std::vector<TrialId>& trials,
           ColumnWriter* columns) const {
    for (const TrialId id : trials) {
      const std::shared_ptr<const TrialRecord> trial = study.trials.Share(id);
      for (const Part& part : parts_) part.take(*trial);
    }
    for (const Part& part : parts_) part.write(columns);
  }

 private:
  struct Part {
    std::function<void(const TrialRecord&)> take;
    std::function<void(ColumnWriter*)> write;
  };

  std::vector<Part> parts_;  // In the order of their columns.
};

void AddLife(const StudySnapshot& study, TrialPass* pass) {
  pass->Add<std::int32_t>("id",
                          [](const TrialRecord& t) { return ToInt(t.id); });
  pass->Add<std::uint8_t>("state", [&study](const TrialRecord& trial) {
    return TrialStateCode(study, trial);
  });
  pass->Add<std::uint8_t>("cause", [](const TrialRecord& t) {
    return static_cast<int>(t.end_cause);
  });
  pass->Add<std::uint8_t>("attempts", [](const TrialRecord& t) {
    return std::min<std::size_t>(t.attempts.size(), 255);
  });
  pass->Add<double>("created", [](const TrialRecord& t) {
    return MillisecondsOrNan(t.created_at);
  });
  pass->Add<double>("started", [](const TrialRecord& t) {
    return MillisecondsOrNan(t.started_at);
  });
  pass->Add<double>("ended", [](const TrialRecord& t) {
    return MillisecondsOrNan(t.ended_at);
  });
}

// `study` must outlive the pass.
void AddObjective(const StudySnapshot& study, TrialPass* pass) {
  pass->Add<double>("value", [](const TrialRecord& t) {
    const auto& value = ValueOf(t);
    return value.has_value() ? value->value : kNone;
  });
  pass->Add<double>("step", [](const TrialRecord& t) {
    const auto& value = ValueOf(t);
    return value.has_value() ? static_cast<double>(value->step) : kNone;
  });
  pass->Add<std::uint8_t>("final", [](const TrialRecord& t) {
    return t.final_measurement.has_value() ? 1 : 0;
  });
  pass->Add<std::uint8_t>("mayBeBest", [&study](const TrialRecord& t) {
    return MayBeBest(study, BriefOf(t)) ? 1 : 0;
  });
}

void AddSuggestion(TrialPass* pass) {
  pass->Add<std::uint8_t>("method", [](const TrialRecord& t) {
    return t.origin.record.has_value()
               ? static_cast<int>(t.origin.record->method)
               : 0;
  });
  const auto add = [&](const char* name, double Prediction::*part) {
    pass->Add<float>(name, [part](const TrialRecord& trial) {
      const auto& record = trial.origin.record;
      return record.has_value() && record->prediction.has_value()
                 ? (*record->prediction).*part
                 : kNone;
    });
  };
  add("mean", &Prediction::mean);
  add("low", &Prediction::low);
  add("high", &Prediction::high);
}

// Adds one column for each parameter. `space` must outlive the pass.
void AddParameters(const std::vector<ParameterSpec>& space, TrialPass* pass) {
  struct Columns {
    std::vector<const ParameterSpec*> specs;
    std::map<std::string_view, std::size_t> by_name;  // Index into specs.
    std::vector<std::vector<double>> values;
  };
  auto all = std::make_shared<Columns>();
  all->specs = DistinctParameters(space);
  all->values.resize(all->specs.size());
  for (std::size_t i = 0; i < all->specs.size(); ++i) {
    all->by_name[all->specs[i]->name] = i;
  }
  const auto take = [all](const TrialRecord& trial) {
    for (auto& column : all->values) column.push_back(kNone);
    for (const NamedValue& value : trial.parameters) {
      const auto found = all->by_name.find(value.name);
      if (found == all->by_name.end()) continue;
      all->values[found->second].back() =
          Number(*all->specs[found->second], value.value);
    }
  };
  pass->Add(take, [all](ColumnWriter* columns) {
    for (std::size_t i = 0; i < all->specs.size(); ++i) {
      columns->Add("p:" + all->specs[i]->name, all->values[i]);
    }
  });
}

double ReportedValue(const TrialRecord& trial, const std::string& metric) {
  if (!trial.final_report.has_value()) return kNone;
  for (const MetricValue& value : trial.final_report->metrics) {
    if (value.metric == metric) return value.value;
  }
  return kNone;
}

}  // namespace

std::vector<TrialId> AllTrials(const StudySnapshot& study) {
  std::vector<TrialId> trials;
  trials.reserve(study.trials.size());
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    trials.push_back(TrialId(static_cast<std::int64_t>(n)));
  }
  return trials;
}

std::vector<const ParameterSpec*> DistinctParameters(
    const std::vector<ParameterSpec>& space) {
  std::vector<const ParameterSpec*> distinct;
  for (const ParameterSpec& spec : space) {
    const bool is_new = std::none_of(distinct.begin(), distinct.end(),
                                     [&spec](const ParameterSpec* known) {
                                       return known->name == spec.name;
                                     });
    if (is_new) distinct.push_back(&spec);
  }
  return distinct;
}

void WriteTrialColumns(const StudySnapshot& study,
                       const std::vector<TrialId>& trials,
                       ColumnWriter* columns) {
  columns->SetDictionary("state", TrialStateNames());
  columns->SetDictionary("cause", NamesUpTo(kLastEndCause, &ToString));
  columns->SetDictionary("method",
                         NamesUpTo(kLastSuggestionMethod, &MethodName));
  TrialPass pass;
  AddLife(study, &pass);
  AddObjective(study, &pass);
  AddSuggestion(&pass);
  AddParameters(study.spec->parameters, &pass);
  if (study.spec->metrics.size() > 1) {
    for (const MetricGoal& metric : study.spec->metrics) {
      pass.Add<double>("m:" + metric.name, [&metric](const TrialRecord& trial) {
        return ReportedValue(trial, metric.name);
      });
    }
  }
  pass.Run(study, trials, columns);
}

}  // namespace vernier
