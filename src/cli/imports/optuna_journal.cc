#include "cli/imports/optuna_journal.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/python_json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/whole_number.h"
#include "cli/imports/foreign_study.h"

namespace vernier {
namespace {

using Attributes = std::map<std::string, std::string>;

constexpr std::size_t kLongestLine = std::size_t{16} << 20;

// Operations, by Optuna's numbers.
enum Operation : std::int64_t {
  kCreateStudy = 0,
  kDeleteStudy = 1,
  kSetStudyUserAttribute = 2,
  kSetStudySystemAttribute = 3,
  kCreateTrial = 4,
  kSetTrialParam = 5,
  kSetTrialStateValues = 6,
  kSetTrialReport = 7,
  kSetTrialUserAttribute = 8,
  kSetTrialSystemAttribute = 9,
  kDiscardTrials = 10,  // Only Rustuna writes it, and Optuna passes over it.
};

bool HasEnded(OptunaTrial::State state) {
  return state != OptunaTrial::State::kRunning &&
         state != OptunaTrial::State::kWaiting;
}

// Replays the lines. Optuna's numbers of studies and trials are not in the
// file: both count from 0 over all of it, what was deleted included.
class Replay {
 public:
  absl::Status Apply(const Json& line) {
    switch (WholeAt(line, "op_code").value_or(-1)) {
      case kCreateStudy:
        return CreateStudy(line);
      case kDeleteStudy:
        studies_.erase(WholeAt(line, "study_id").value_or(-1));
        return absl::OkStatus();
      case kSetStudyUserAttribute:
        return SetOfStudy(line, "user_attr", &OptunaStudy::user_attributes);
      case kSetStudySystemAttribute:
        return SetOfStudy(line, "system_attr", &OptunaStudy::system_attributes);
      case kCreateTrial:
        return CreateTrial(line);
      case kSetTrialParam:
        return SetParam(line);
      case kSetTrialStateValues:
        return SetState(line);
      case kSetTrialReport:
        return SetReport(line);
      case kSetTrialUserAttribute:
        return SetOfTrial(line, "user_attr", &OptunaTrial::user_attributes);
      case kSetTrialSystemAttribute:
        return SetOfTrial(line, "system_attr", &OptunaTrial::system_attributes);
      case kDiscardTrials:
        return absl::OkStatus();
      default:
        return absl::InvalidArgumentError(
            "op_code must be a whole number from 0 to 10");
    }
  }

  std::vector<OptunaStudy> Take() {
    std::vector<OptunaStudy> studies;
    for (auto& [id, study] : studies_) studies.push_back(std::move(study));
    return studies;
  }

 private:
  OptunaStudy* StudyOf(const Json& line) {
    const auto found = studies_.find(WholeAt(line, "study_id").value_or(-1));
    return found == studies_.end() ? nullptr : &found->second;
  }

  // Null for a trial that has ended, too: Optuna passes over what comes then.
  OptunaTrial* OpenTrialOf(const Json& line) {
    const std::int64_t id = WholeAt(line, "trial_id").value_or(-1);
    if (id < 0 || id >= std::ssize(trials_)) return nullptr;
    const auto [study_id, position] = trials_[static_cast<std::size_t>(id)];
    const auto study = studies_.find(study_id);
    if (study == studies_.end()) return nullptr;
    OptunaTrial& trial = study->second.trials[position];
    return HasEnded(trial.state) ? nullptr : &trial;
  }

  absl::Status CreateStudy(const Json& line) {
    OptunaStudy study;
    study.name = TextAt(line, "study_name");
    const auto directions = line.find("directions");
    if (study.name.empty() || directions == line.end() ||
        !directions->is_array() || directions->size() > kMostMetrics) {
      return absl::InvalidArgumentError(
          "a new study needs study_name and directions");
    }
    for (const auto& [id, other] : studies_) {
      if (other.name == study.name) return absl::OkStatus();  // Optuna's rule.
    }
    if (studies_.size() >= kMostForeignStudies) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "there are more than ", kMostForeignStudies, " studies"));
    }
    for (const Json& direction : *directions) {
      auto& goal = study.directions.emplace_back();
      if (direction == 1) goal = Goal::kMinimize;
      if (direction == 2) goal = Goal::kMaximize;
    }
    studies_.emplace(next_study_++, std::move(study));
    return absl::OkStatus();
  }

  static absl::Status Merge(const Json& line, const char* key,
                            Attributes* attributes) {
    const auto found = line.find(key);
    if (found == line.end()) return absl::OkStatus();
    if (!found->is_object()) {
      return absl::InvalidArgumentError(
          absl::StrCat(key, " must be an object"));
    }
    for (const auto& item : found->items()) {
      (*attributes)[item.key()] = DumpPythonJson(item.value());
    }
    return absl::OkStatus();
  }

  absl::Status SetOfStudy(const Json& line, const char* key,
                          Attributes OptunaStudy::*attributes) {
    OptunaStudy* const study = StudyOf(line);
    if (study == nullptr) return absl::OkStatus();
    return Merge(line, key, &(study->*attributes));
  }

  absl::Status SetOfTrial(const Json& line, const char* key,
                          Attributes OptunaTrial::*attributes) {
    OptunaTrial* const trial = OpenTrialOf(line);
    if (trial == nullptr) return absl::OkStatus();
    return Merge(line, key, &(trial->*attributes));
  }

  // A template, which add_trial and enqueue_trial send, has more than a time.
  absl::Status CreateTrial(const Json& line) {
    OptunaStudy* const study = StudyOf(line);
    if (study == nullptr) return absl::OkStatus();
    if (trials_.size() >= kMostForeignTrials) {
      return absl::ResourceExhaustedError(
          absl::StrCat("there are more than ", kMostForeignTrials, " trials"));
    }
    OptunaTrial trial;
    trial.number = std::ssize(study->trials);
    trial.started = TextAt(line, "datetime_start");
    trial.ended = TextAt(line, "datetime_complete");
    if (line.contains("state")) {
      const auto state =
          OptunaStateNumbered(WholeAt(line, "state").value_or(-1));
      if (!state.has_value()) return NoState();
      trial.state = *state;
    }
    VERNIER_RETURN_IF_ERROR(ReadValues(line, &trial));
    VERNIER_RETURN_IF_ERROR(Merge(line, "user_attrs", &trial.user_attributes));
    VERNIER_RETURN_IF_ERROR(
        Merge(line, "system_attrs", &trial.system_attributes));
    VERNIER_RETURN_IF_ERROR(ReadParams(line, &trial));
    VERNIER_RETURN_IF_ERROR(ReadReports(line, &trial));
    trials_.emplace_back(*WholeAt(line, "study_id"), study->trials.size());
    study->trials.push_back(std::move(trial));
    return absl::OkStatus();
  }

  static absl::Status NoState() {
    return absl::InvalidArgumentError("state must be a number from 0 to 4");
  }

  static absl::Status ReadParams(const Json& line, OptunaTrial* trial) {
    const auto params = line.find("params");
    if (params == line.end()) return absl::OkStatus();
    const auto distributions = line.find("distributions");
    if (!params->is_object() || distributions == line.end() ||
        !distributions->is_object()) {
      return absl::InvalidArgumentError(
          "params and distributions must be objects");
    }
    for (const auto& item : params->items()) {
      const auto value = PythonNumber(item.value());
      const std::string distribution =
          TextAt(*distributions, item.key().c_str());
      if (!value.has_value() || distribution.empty()) {
        return absl::InvalidArgumentError(
            absl::StrCat("parameter \"", ShowText(item.key()),
                         "\" must have a number and a distribution"));
      }
      trial->params[item.key()] = {*value, distribution};
    }
    return absl::OkStatus();
  }

  static absl::Status ReadReports(const Json& line, OptunaTrial* trial) {
    const auto reports = line.find("intermediate_values");
    if (reports == line.end()) return absl::OkStatus();
    if (!reports->is_object()) {
      return absl::InvalidArgumentError(
          "intermediate_values must be an object");
    }
    for (const auto& item : reports->items()) {
      const auto step = ParseWholeNumber(item.key());
      const auto value = PythonNumber(item.value());
      if (!step.has_value() || !value.has_value()) {
        return absl::InvalidArgumentError(
            "intermediate_values must have numbers by step");
      }
      trial->reports[*step] = *value;
    }
    return absl::OkStatus();
  }

  static absl::Status ReadValues(const Json& line, OptunaTrial* trial) {
    Json values = line.value("values", Json());
    // One objective may be given as a number.
    if (values.is_null() && line.contains("value")) {
      values = Json::array({line["value"]});
      if (values[0].is_null()) return absl::OkStatus();
    }
    if (values.is_null()) return absl::OkStatus();
    if (!values.is_array() || values.size() > kMostMetrics) {
      return absl::InvalidArgumentError("values must be a list of numbers");
    }
    trial->values.clear();
    for (const Json& value : values) {
      const auto number = PythonNumber(value);
      if (!number.has_value()) {
        return absl::InvalidArgumentError("values must be a list of numbers");
      }
      trial->values.push_back(*number);
    }
    return absl::OkStatus();
  }

  absl::Status SetParam(const Json& line) {
    OptunaTrial* const trial = OpenTrialOf(line);
    if (trial == nullptr) return absl::OkStatus();
    const std::string name = TextAt(line, "param_name");
    const auto internal = line.find("param_value_internal");
    const auto value =
        internal == line.end() ? std::nullopt : PythonNumber(*internal);
    const std::string distribution = TextAt(line, "distribution");
    if (name.empty() || !value.has_value() || distribution.empty()) {
      return absl::InvalidArgumentError(
          "a parameter needs param_name, param_value_internal and "
          "distribution");
    }
    trial->params[name] = {*value, distribution};
    return absl::OkStatus();
  }

  absl::Status SetState(const Json& line) {
    OptunaTrial* const trial = OpenTrialOf(line);
    if (trial == nullptr) return absl::OkStatus();
    const auto state = OptunaStateNumbered(WholeAt(line, "state").value_or(-1));
    if (!state.has_value()) return NoState();
    if (*state == OptunaTrial::State::kRunning && trial->state == *state) {
      return absl::OkStatus();
    }
    VERNIER_RETURN_IF_ERROR(ReadValues(line, trial));
    trial->state = *state;
    if (*state == OptunaTrial::State::kRunning) {
      trial->started = TextAt(line, "datetime_start");
    }
    if (HasEnded(*state)) trial->ended = TextAt(line, "datetime_complete");
    return absl::OkStatus();
  }

  absl::Status SetReport(const Json& line) {
    OptunaTrial* const trial = OpenTrialOf(line);
    if (trial == nullptr) return absl::OkStatus();
    const auto step = WholeAt(line, "step");
    const auto found = line.find("intermediate_value");
    const auto value =
        found == line.end() ? std::nullopt : PythonNumber(*found);
    if (!step.has_value() || !value.has_value()) {
      return absl::InvalidArgumentError(
          "a report needs step and intermediate_value");
    }
    trial->reports[*step] = *value;
    return absl::OkStatus();
  }

  std::map<std::int64_t, OptunaStudy> studies_;
  std::int64_t next_study_ = 0;
  // Of each trial of the file its study, and its position there.
  std::vector<std::pair<std::int64_t, std::size_t>> trials_;
};

absl::Status AtLine(const std::string& file, std::size_t line,
                    const absl::Status& status) {
  return absl::Status(
      status.code(),
      absl::StrCat(file, ": line ", line, ": ", std::string(status.message())));
}

}  // namespace

bool IsOptunaJournal(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  if (first.empty() || first.size() > kLongestLine || first.front() != '{') {
    return false;
  }
  const auto json = ParsePythonJson(first);
  return json.ok() && json->is_object() && json->contains("op_code") &&
         json->contains("worker_id");
}

absl::StatusOr<std::vector<OptunaStudy>> ReadOptunaJournal(
    std::string_view text, const std::string& file) {
  Replay replay;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // It is being written.
    const std::string_view one = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (one.size() > kLongestLine) {
      return AtLine(file, line,
                    absl::ResourceExhaustedError(absl::StrCat(
                        "has more than ", kLongestLine, " bytes")));
    }
    const auto json = ParsePythonJson(one);
    if (!json.ok()) return AtLine(file, line, json.status());
    if (!json->is_object()) {
      return AtLine(file, line,
                    absl::InvalidArgumentError("must be a JSON object"));
    }
    const absl::Status applied = replay.Apply(*json);
    if (!applied.ok()) return AtLine(file, line, applied);
  }
  return replay.Take();
}

}  // namespace vernier
