#include "cli/imports/optuna_database.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "cli/imports/foreign_study.h"
#include "store/foreign/foreign_database.h"

namespace vernier {
namespace {

// Reads the tables one after the other, each by one scan: no index of a foreign
// file is relied on.
class OptunaTables {
 public:
  OptunaTables(std::string path, ForeignDatabase* database)
      : path_(std::move(path)), database_(*database) {}

  absl::StatusOr<std::vector<OptunaStudy>> Read() {
    VERNIER_RETURN_IF_ERROR(ReadVersion());
    VERNIER_RETURN_IF_ERROR(ReadStudies());
    VERNIER_RETURN_IF_ERROR(ReadDirections());
    VERNIER_RETURN_IF_ERROR(ReadStudyAttributes(
        "SELECT study_id, key, value_json FROM study_user_attributes",
        &OptunaStudy::user_attributes));
    VERNIER_RETURN_IF_ERROR(ReadStudyAttributes(
        "SELECT study_id, key, value_json FROM study_system_attributes",
        &OptunaStudy::system_attributes));
    VERNIER_RETURN_IF_ERROR(ReadTrials());
    VERNIER_RETURN_IF_ERROR(ReadParams());
    VERNIER_RETURN_IF_ERROR(ReadValues());
    VERNIER_RETURN_IF_ERROR(ReadReports());
    VERNIER_RETURN_IF_ERROR(ReadTrialAttributes(
        "SELECT trial_id, key, value_json FROM trial_user_attributes",
        &OptunaTrial::user_attributes));
    VERNIER_RETURN_IF_ERROR(ReadTrialAttributes(
        "SELECT trial_id, key, value_json FROM trial_system_attributes",
        &OptunaTrial::system_attributes));
    std::vector<OptunaStudy> studies;
    for (auto& [id, study] : studies_) studies.push_back(std::move(study));
    return studies;
  }

 private:
  using Attributes = std::map<std::string, std::string>;

  absl::Status Wrong(const std::string& what) const {
    return absl::InvalidArgumentError(
        absl::StrCat(path_, ": ", what, ": no release of Optuna writes that"));
  }

  OptunaStudy* StudyOf(const ForeignRow& row, int column) {
    const auto found = studies_.find(row.Int(column).value_or(-1));
    return found == studies_.end() ? nullptr : &found->second;
  }

  OptunaTrial* TrialOf(const ForeignRow& row, int column) {
    const auto found = trials_.find(row.Int(column).value_or(-1));
    if (found == trials_.end()) return nullptr;
    return &studies_.at(found->second.study).trials[found->second.position];
  }

  absl::Status ReadVersion() {
    return database_.ForEachRow(
        "SELECT library_version FROM version_info", [this](const auto& row) {
          // Releases of the future will not go back to local time.
          const int major =
              std::atoi(row.Text(0).value_or("0").substr(0, 4).c_str());
          is_utc_ = major >= 5;
          return absl::OkStatus();
        });
  }

  absl::Status ReadStudies() {
    return database_.ForEachRow(
        "SELECT study_id, study_name FROM studies",
        [this](const auto& row) -> absl::Status {
          const auto id = row.Int(0);
          const auto name = row.Text(1);
          if (!id.has_value() || !name.has_value()) {
            return Wrong(
                "table studies has a study without a number or a name");
          }
          if (studies_.size() >= kMostForeignStudies) {
            return absl::ResourceExhaustedError(absl::StrCat(
                path_, ": has more than ", kMostForeignStudies, " studies"));
          }
          studies_[*id].name = *name;
          return absl::OkStatus();
        });
  }

  absl::Status ReadDirections() {
    return database_.ForEachRow(
        "SELECT study_id, objective, direction FROM study_directions",
        [this](const auto& row) -> absl::Status {
          OptunaStudy* const study = StudyOf(row, 0);
          if (study == nullptr) return absl::OkStatus();
          const std::int64_t objective = row.Int(1).value_or(-1);
          if (objective < 0 ||
              objective >= static_cast<std::int64_t>(kMostMetrics)) {
            return Wrong(absl::StrCat("study \"", ShowText(study->name),
                                      "\" has an objective ", objective));
          }
          const auto at = static_cast<std::size_t>(objective);
          if (study->directions.size() <= at) study->directions.resize(at + 1);
          const std::string word = row.Text(2).value_or("");
          if (word == "MINIMIZE") study->directions[at] = Goal::kMinimize;
          if (word == "MAXIMIZE") study->directions[at] = Goal::kMaximize;
          return absl::OkStatus();
        });
  }

  absl::Status ReadStudyAttributes(const char* sql,
                                   Attributes OptunaStudy::*attributes) {
    return database_.ForEachRow(sql, [&](const auto& row) {
      OptunaStudy* const study = StudyOf(row, 0);
      if (study != nullptr) {
        (study->*attributes)[row.Text(1).value_or("")] =
            row.Text(2).value_or("");
      }
      return absl::OkStatus();
    });
  }

  absl::Status ReadTrialAttributes(const char* sql,
                                   Attributes OptunaTrial::*attributes) {
    return database_.ForEachRow(sql, [&](const auto& row) {
      OptunaTrial* const trial = TrialOf(row, 0);
      if (trial != nullptr) {
        (trial->*attributes)[row.Text(1).value_or("")] =
            row.Text(2).value_or("");
      }
      return absl::OkStatus();
    });
  }

  std::string TimeOf(const ForeignRow& row, int column) const {
    std::string text = row.Text(column).value_or("");
    if (text.size() < 19 || text.size() > 40) return "";
    if (text[10] == ' ') text[10] = 'T';
    return is_utc_ ? text + "Z" : text;
  }

  absl::Status ReadTrials() {
    return database_.ForEachRow(
        "SELECT trial_id, study_id, number, state, datetime_start, "
        "datetime_complete FROM trials ORDER BY study_id, number",
        [this](const auto& row) -> absl::Status {
          OptunaStudy* const study = StudyOf(row, 1);
          if (study == nullptr) return absl::OkStatus();
          const auto id = row.Int(0);
          const auto number = row.Int(2);
          const std::string word = row.Text(3).value_or("");
          const auto state = OptunaStateNamed(word);
          if (!id.has_value() || !number.has_value() || !state.has_value()) {
            return Wrong(absl::StrCat("study \"", ShowText(study->name),
                                      "\" has trial ", number.value_or(-1),
                                      " in state \"", ShowText(word), "\""));
          }
          if (trials_.size() >= kMostForeignTrials) {
            return absl::ResourceExhaustedError(absl::StrCat(
                path_, ": has more than ", kMostForeignTrials, " trials"));
          }
          if (!study->trials.empty() &&
              study->trials.back().number == *number) {
            return Wrong(absl::StrCat("study \"", ShowText(study->name),
                                      "\" has two trials ", *number));
          }
          trials_[*id] = {*row.Int(1), study->trials.size()};
          OptunaTrial& trial = study->trials.emplace_back();
          trial.number = *number;
          trial.state = *state;
          trial.started = TimeOf(row, 4);
          trial.ended = TimeOf(row, 5);
          return absl::OkStatus();
        });
  }

  absl::Status ReadParams() {
    return database_.ForEachRow(
        "SELECT trial_id, param_name, param_value, distribution_json FROM "
        "trial_params",
        [this](const auto& row) -> absl::Status {
          OptunaTrial* const trial = TrialOf(row, 0);
          if (trial == nullptr) return absl::OkStatus();
          const auto name = row.Text(1);
          const auto value = row.Number(2);
          const auto distribution = row.Text(3);
          if (!name.has_value() || !value.has_value() ||
              !distribution.has_value()) {
            return Wrong(absl::StrCat("trial ", trial->number,
                                      " has a parameter \"",
                                      ShowText(name.value_or("")),
                                      "\" without a value or a distribution"));
          }
          trial->params[*name] = {*value, *distribution};
          return absl::OkStatus();
        });
  }

  // Returns a number beside the word that tells those which SQL does not have.
  static std::optional<double> NumberOf(const ForeignRow& row, int column) {
    const std::string type = row.Text(column + 1).value_or("");
    if (type == "FINITE") return row.Number(column);
    if (type == "INF_POS") return HUGE_VAL;
    if (type == "INF_NEG") return -HUGE_VAL;
    if (type == "NAN") return std::nan("");
    return std::nullopt;
  }

  absl::Status ReadValues() {
    return database_.ForEachRow(
        "SELECT trial_id, objective, value, value_type FROM trial_values "
        "ORDER BY trial_id, objective",
        [this](const auto& row) -> absl::Status {
          OptunaTrial* const trial = TrialOf(row, 0);
          if (trial == nullptr) return absl::OkStatus();
          const auto value = NumberOf(row, 2);
          const auto expected = static_cast<std::int64_t>(trial->values.size());
          if (!value.has_value() || row.Int(1).value_or(-1) != expected) {
            return Wrong(absl::StrCat("trial ", trial->number,
                                      " lacks the value of objective ",
                                      expected));
          }
          trial->values.push_back(*value);
          return absl::OkStatus();
        });
  }

  absl::Status ReadReports() {
    return database_.ForEachRow(
        "SELECT trial_id, step, intermediate_value, intermediate_value_type "
        "FROM trial_intermediate_values",
        [this](const auto& row) -> absl::Status {
          OptunaTrial* const trial = TrialOf(row, 0);
          if (trial == nullptr) return absl::OkStatus();
          const auto step = row.Int(1);
          const auto value = NumberOf(row, 2);
          if (!step.has_value() || !value.has_value()) {
            return Wrong(absl::StrCat("trial ", trial->number,
                                      " has a report without step or value"));
          }
          trial->reports[*step] = *value;
          return absl::OkStatus();
        });
  }

  struct Place {
    std::int64_t study = 0;
    std::size_t position = 0;
  };

  const std::string path_;
  ForeignDatabase& database_;
  bool is_utc_ = false;
  std::map<std::int64_t, OptunaStudy> studies_;
  std::map<std::int64_t, Place> trials_;
};

}  // namespace

absl::StatusOr<std::vector<OptunaStudy>> ReadOptunaDatabase(
    const std::string& path) {
  auto database = ForeignDatabase::Open(
      path,
      {"studies", "study_directions", "study_user_attributes",
       "study_system_attributes", "trials", "trial_params", "trial_values",
       "trial_intermediate_values", "trial_user_attributes",
       "trial_system_attributes", "version_info"});
  const bool is_older =
      database.ok() && (!(*database)->HasColumn("trial_values", "value_type") ||
                        !(*database)->HasColumn("trial_intermediate_values",
                                                "intermediate_value_type"));
  if (is_older || absl::IsInvalidArgument(database.status())) {
    return absl::InvalidArgumentError(absl::StrCat(
        database.ok() ? path : std::string(database.status().message()),
        ": this is no database of Optuna 3, 4 or 5; an older one is raised by "
        "`optuna storage upgrade --storage sqlite:///",
        path, "`"));
  }
  VERNIER_RETURN_IF_ERROR(database.status());
  return OptunaTables(path, database->get()).Read();
}

}  // namespace vernier
