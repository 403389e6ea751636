#include "cli/imports/table_study.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "base/timestamp_text.h"
#include "base/whole_number.h"
#include "cli/imports/foreign_facts.h"
#include "cli/imports/left_out_trials.h"
#include "cli/imports/space_conditions.h"
#include "study/parameter_range.h"
#include "study/parameter_value.h"

namespace vernier {
namespace {

constexpr std::size_t kMostChoicesInferred = 200;
constexpr double kDecadesOfLog = 1000;  // The largest over the smallest value.

enum class RowState { kDone, kStopped, kFailed, kOpen };

struct StateWord {
  std::string_view word;
  RowState state;
};
constexpr StateWord kStateWords[] = {
    {"complete", RowState::kDone},     {"completed", RowState::kDone},
    {"done", RowState::kDone},         {"finished", RowState::kDone},
    {"ok", RowState::kDone},           {"succeeded", RowState::kDone},
    {"success", RowState::kDone},      {"terminated", RowState::kDone},
    {"pruned", RowState::kStopped},    {"stopped", RowState::kStopped},
    {"cancelled", RowState::kFailed},  {"canceled", RowState::kFailed},
    {"crashed", RowState::kFailed},    {"error", RowState::kFailed},
    {"fail", RowState::kFailed},       {"failed", RowState::kFailed},
    {"infeasible", RowState::kFailed}, {"killed", RowState::kFailed},
    {"active", RowState::kOpen},       {"paused", RowState::kOpen},
    {"pending", RowState::kOpen},      {"preempted", RowState::kOpen},
    {"queued", RowState::kOpen},       {"requested", RowState::kOpen},
    {"running", RowState::kOpen},      {"scheduled", RowState::kOpen},
    {"waiting", RowState::kOpen},
};

std::optional<RowState> StateOfWord(const std::string& text) {
  const std::string word = absl::AsciiStrToLower(text);
  for (const StateWord& each : kStateWords) {
    if (word == each.word) return each.state;
  }
  return std::nullopt;
}

// The names of columns that hold states wherever they hold words for them, in
// small letters.
constexpr std::string_view kStateColumns[] = {"state", "status"};

bool IsStateColumnName(const std::string& name) {
  const std::string lower = absl::AsciiStrToLower(name);
  return std::find(std::begin(kStateColumns), std::end(kStateColumns), lower) !=
         std::end(kStateColumns);
}

// Reads a number, also the words of programs for what is not finite.
std::optional<double> CellNumber(const std::string& cell) {
  const ParsedNumber number = ParseNumber(cell);
  if (number.problem == NumberProblem::kNone) return number.value;
  const std::string word = absl::AsciiStrToLower(cell);
  if (word == "nan") return std::nan("");
  if (word == "inf" || word == "infinity" || word == "+inf") return HUGE_VAL;
  if (word == "-inf" || word == "-infinity") return -HUGE_VAL;
  return std::nullopt;
}

// A number stays as it is written where JSON has the form, since a double may
// lack its last digits, as those of a seed of 64 bits.
std::string CellJson(const std::string& cell) {
  const ParsedNumber number = ParseNumber(cell);
  if (number.problem != NumberProblem::kNone) return DumpJson(Json(cell));
  return ParseJson(cell).ok() ? cell : NumberText(number.value);
}

// What a column of numbers holds.
struct NumberRange {
  bool are_numbers = true;
  bool are_whole = true;
  bool are_written_whole = true;  // "2" and not "2.0".
  bool has_gaps = false;
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
};

// A whole number that no double has is no number here, but a text: another
// seed would be another trial.
NumberRange RangeOf(const CsvTable& table, std::size_t column) {
  NumberRange range;
  for (const CsvTable::Row& row : table.rows) {
    const std::string& cell = row.cells[column];
    range.has_gaps |= cell.empty();
    if (cell.empty()) continue;
    const auto number = CellNumber(cell);
    if (!number.has_value() || IsInexactWhole(cell, *number)) {
      range.are_numbers = false;
      return range;
    }
    if (!std::isfinite(*number)) continue;
    range.are_whole &= ParseInteger(cell).has_value() &&
                       std::fabs(*number) <= kMaxExactInteger;
    range.are_written_whole &= ParseWholeNumber(cell).has_value();
    range.low = std::fmin(range.low, *number);
    range.high = std::fmax(range.high, *number);
  }
  range.are_numbers = range.low <= range.high;
  // pandas writes whole numbers as 2.0 where some rows have none.
  range.are_whole &= range.are_written_whole || range.has_gaps;
  return range;
}

// Returns the parameter that a column looks like; nullopt for a column of many
// texts, and for one without values.
std::optional<ParameterSpec> Infer(const CsvTable& table, std::size_t column) {
  ParameterSpec spec;
  spec.name = table.columns[column];
  const NumberRange range = RangeOf(table, column);
  if (range.are_numbers) {
    spec.type =
        range.are_whole ? ParameterType::kInteger : ParameterType::kDouble;
    spec.min_value = range.low;
    spec.max_value = range.high;
    spec.scale = range.low > 0 && range.high / range.low >= kDecadesOfLog
                     ? ScaleType::kLog
                     : ScaleType::kLinear;
    return spec;
  }
  std::set<std::string> texts;
  for (const CsvTable::Row& row : table.rows) {
    const std::string& cell = row.cells[column];
    if (cell.empty() || !texts.insert(cell).second) continue;
    if (texts.size() > kMostChoicesInferred) return std::nullopt;
    spec.categorical_values.push_back(cell);
  }
  if (spec.categorical_values.empty()) return std::nullopt;
  spec.type = ParameterType::kCategorical;
  return spec;
}

// Returns the value that a cell gives a parameter; a number or a text as it is
// if it is none of the parameter's, so that it is named later.
ParameterValue ValueOfCell(const ParameterSpec& spec, const std::string& cell) {
  if (spec.type == ParameterType::kCategorical) {
    return ValueOf(spec, cell).value_or(cell);
  }
  const auto number = CellNumber(cell);
  if (!number.has_value()) return cell;
  const auto value = ValueOf(spec, *number);
  return value.has_value() ? *value : ParameterValue(*number);
}

// Reads one table.
class TableReading {
 public:
  TableReading(const CsvTable& table, const TableColumns& columns,
               ForeignStudy* study)
      : table_(table), columns_(columns), study_(*study) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      positions_[table.columns[i]] = i;
    }
  }

  absl::Status Run() {
    VERNIER_RETURN_IF_ERROR(CheckColumns());
    study_.spec.metrics = columns_.metrics;
    VERNIER_RETURN_IF_ERROR(FindParameters());
    for (const CsvTable::Row& row : table_.rows) {
      VERNIER_RETURN_IF_ERROR(AddRow(row));
    }
    std::vector<Parameters> complete;
    for (const ForeignTrial& trial : study_.trials) {
      if (trial.state == ForeignTrial::State::kCompleted) {
        complete.push_back(trial.parameters);
      }
    }
    InferConditions(complete, &study_.spec.parameters, &study_.notes);
    for (std::string& line : left_out_.Lines()) {
      study_.notes.push_back(std::move(line));
    }
    return absl::OkStatus();
  }

 private:
  absl::Status Need(const std::string& column) {
    taken_.insert(column);
    if (positions_.count(column) != 0) return absl::OkStatus();
    const std::vector<std::string_view> known(table_.columns.begin(),
                                              table_.columns.end());
    const std::string_view nearest = NearestName(column, known);
    std::string hint = SeparatorHint(table_.columns);
    if (hint.empty() && !nearest.empty()) {
      hint = absl::StrCat("; did you mean \"", ShowText(std::string(nearest)),
                          "\"?");
    }
    return absl::InvalidArgumentError(absl::StrCat(
        study_.file, ": has no column \"", ShowText(column), "\"", hint));
  }

  absl::Status CheckColumns() {
    for (const MetricGoal& metric : columns_.metrics) {
      VERNIER_RETURN_IF_ERROR(Need(metric.name));
    }
    for (const std::string* one :
         {&columns_.id, &columns_.state, &columns_.started, &columns_.ended}) {
      if (!one->empty()) VERNIER_RETURN_IF_ERROR(Need(*one));
    }
    state_ = columns_.state.empty() ? FindStates() : columns_.state;
    if (!state_.empty()) taken_.insert(state_);
    return absl::OkStatus();
  }

  bool IsNamed(const std::string& column) const {
    const auto is_it = [&](const ParameterSpec& spec) {
      return spec.name == column;
    };
    const auto& inferred = columns_.inferred;
    return taken_.count(column) != 0 ||
           std::any_of(columns_.given.begin(), columns_.given.end(), is_it) ||
           std::find(inferred.begin(), inferred.end(), column) !=
               inferred.end();
  }

  // Returns the column of states that nobody named; empty if there is none.
  // Without it, trials that failed or still run would count as completed.
  std::string FindStates() {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const std::string& name = table_.columns[i];
      if (!IsStateColumnName(name) || IsNamed(name)) continue;
      std::size_t states = 0;
      std::string other;
      for (const CsvTable::Row& row : table_.rows) {
        const bool is_state = StateOfWord(row.cells[i]).has_value();
        states += is_state;
        if (!is_state) other = row.cells[i];
      }
      if (states == 0) continue;
      const bool are_all = states == table_.rows.size();
      study_.notes.push_back(absl::StrCat(
          "column ", ShowText(name),
          are_all ? " is taken for the states of the trials: -p "
                  : absl::StrCat(" is not taken for the states of the trials, "
                                 "since \"",
                                 ShowText(other, 40), "\" is none: --state "),
          ShowText(name),
          are_all ? " makes it a parameter" : " reads it as such"));
      if (are_all) return name;
    }
    return "";
  }

  // A column of such texts becomes a choice, which is seldom what is meant.
  void NoteNumberTexts(const ParameterSpec& spec) {
    for (const std::string& text : spec.categorical_values) {
      if (!IsForeignNumber(text)) continue;
      study_.notes.push_back(absl::StrCat(
          "column ", ShowText(spec.name),
          " is a choice between texts, since "
          "\"",
          ShowText(text, 40),
          "\" is no number here: write numbers with "
          "a decimal point, without separators and signs of percent"));
      return;
    }
  }

  absl::Status FindParameters() {
    auto& space = study_.spec.parameters;
    for (const ParameterSpec& spec : columns_.given) {
      VERNIER_RETURN_IF_ERROR(Need(spec.name));
      space.push_back(spec);
    }
    for (const std::string& name : columns_.inferred) {
      VERNIER_RETURN_IF_ERROR(Need(name));
      const auto spec = Infer(table_, positions_.at(name));
      if (!spec.has_value()) {
        return absl::InvalidArgumentError(
            absl::StrCat(study_.file, ": column \"", ShowText(name),
                         "\" has no values, or too many texts for a choice"));
      }
      NoteNumberTexts(*spec);
      space.push_back(*spec);
    }
    if (!space.empty()) return absl::OkStatus();
    std::size_t others = 0;
    std::size_t constant = 0;
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      if (taken_.count(table_.columns[i]) != 0) continue;
      const auto spec = Infer(table_, i);
      ++others;
      constant += spec.has_value() && IsConstant(*spec);
      if (!spec.has_value() || IsConstant(*spec)) {
        study_.notes.push_back(absl::StrCat(
            "column ", ShowText(table_.columns[i]),
            !spec.has_value() ? " has no values, or too many texts for a choice"
                              : " has the same value in all rows",
            ": it is no parameter, and becomes an attribute; -p ",
            ShowText(table_.columns[i]), "=VALUES makes it one"));
        continue;
      }
      taken_.insert(spec->name);
      NoteNumberTexts(*spec);
      space.push_back(*spec);
    }
    if (space.empty()) {
      study_.no_parameters =
          others == 0 ? "the table has no other column"
                      : absl::StrCat(others == constant
                                         ? "each other column has the same "
                                           "value in all rows"
                                         : "the other columns have one value, "
                                           "none, or too many texts",
                                     "; -p NAME=VALUES makes one a parameter");
      return absl::OkStatus();
    }
    study_.notes.push_back(
        "the types and ranges of the parameters are those that the table "
        "has: -p NAME=VALUES gives others, such as -p lr=log:1e-5..1");
    return absl::OkStatus();
  }

  const std::string& Cell(const CsvTable::Row& row,
                          const std::string& column) const {
    static const auto* const kNone = new std::string();
    return column.empty() ? *kNone : row.cells[positions_.at(column)];
  }

  absl::Status WrongAt(const CsvTable::Row& row, const std::string& column,
                       const std::string& what) const {
    return absl::InvalidArgumentError(absl::StrCat(
        study_.file, ": line ", row.line, ": column \"", ShowText(column),
        "\": ", what, ": \"", ShowText(Cell(row, column)), "\""));
  }

  absl::Status AddRow(const CsvTable::Row& row) {
    ForeignTrial trial;
    trial.id =
        columns_.id.empty() ? absl::StrCat(++number_) : Cell(row, columns_.id);
    if (trial.id.empty() || trial.id.size() > 200 ||
        !ids_.insert(trial.id).second) {
      return WrongAt(row, columns_.id,
                     "must tell the rows apart, and is empty, long or twice "
                     "there");
    }
    RowState state = RowState::kDone;
    if (!state_.empty()) {
      const auto said = StateOfWord(Cell(row, state_));
      if (!said.has_value()) {
        return WrongAt(row, state_,
                       "must be a state such as finished, failed, stopped or "
                       "running");
      }
      state = *said;
    }
    if (state == RowState::kOpen) {
      left_out_.Add("running or waiting, without a result: left out", trial.id);
      return absl::OkStatus();
    }
    trial.started = Cell(row, columns_.started);
    trial.ended = Cell(row, columns_.ended);
    NoteTimes(trial);
    for (const ParameterSpec& spec : study_.spec.parameters) {
      const std::string& cell = Cell(row, spec.name);
      if (!cell.empty()) {
        trial.parameters.push_back({spec.name, ValueOfCell(spec, cell)});
      }
    }
    VERNIER_RETURN_IF_ERROR(AddEndOf(row, state, &trial));
    AddOthers(row, &trial);
    study_.trials.push_back(std::move(trial));
    return absl::OkStatus();
  }

  void NoteTimes(const ForeignTrial& trial) {
    for (const std::string& time : {trial.started, trial.ended}) {
      if (time.empty() || ParseTimestamp(time).has_value()) continue;
      left_out_.Add(
          "without how long it took, since a time is not like "
          "2026-02-03T04:05:06",
          trial.id);
      return;
    }
  }

  absl::Status AddEndOf(const CsvTable::Row& row, RowState state,
                        ForeignTrial* trial) {
    MetricReport report;
    std::string missing;
    for (const MetricGoal& metric : columns_.metrics) {
      const std::string& cell = Cell(row, metric.name);
      if (cell.empty()) {
        missing = metric.name;
        continue;
      }
      const auto number = CellNumber(cell);
      if (!number.has_value()) {
        return WrongAt(row, metric.name, "must be a number");
      }
      report.metrics.push_back({metric.name, *number});
      if (std::isfinite(*number) || state == RowState::kFailed) continue;
      left_out_.Add("a value is NaN or infinite: it comes as infeasible",
                    trial->id);
    }
    if (state == RowState::kFailed || !missing.empty()) {
      trial->state = ForeignTrial::State::kInfeasible;
      trial->reason =
          state == RowState::kFailed
              ? absl::StrCat("its row says \"", Cell(row, state_), "\"")
              : absl::StrCat("it has no value of ", missing);
      if (state != RowState::kFailed) {
        left_out_.Add(absl::StrCat("without a value of ", ShowText(missing),
                                   ": it comes as infeasible"),
                      trial->id);
      }
      return absl::OkStatus();
    }
    report.elapsed = TimeBetween(trial->started, trial->ended);
    if (state == RowState::kStopped) {
      trial->state = ForeignTrial::State::kStopped;
    }
    trial->final_report = std::move(report);
    return absl::OkStatus();
  }

  void AddOthers(const CsvTable::Row& row, ForeignTrial* trial) {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const std::string& name = table_.columns[i];
      if (taken_.count(name) != 0 || row.cells[i].empty()) continue;
      const std::string why =
          AddAttribute(name, CellJson(row.cells[i]), &trial->attributes);
      if (why.empty()) continue;
      left_out_.Add(absl::StrCat("without the value of column ", ShowText(name),
                                 ": ", why),
                    trial->id);
    }
  }

  const CsvTable& table_;
  const TableColumns& columns_;
  ForeignStudy& study_;
  std::map<std::string, std::size_t> positions_;
  std::set<std::string> taken_;  // Columns that are no attributes.
  std::string state_;            // The column of states; empty: none.
  std::set<std::string> ids_;
  std::size_t number_ = 0;
  LeftOutTrials left_out_;
};

}  // namespace

absl::StatusOr<ForeignStudy> StudyFromTable(const CsvTable& table,
                                            const TableColumns& columns,
                                            const std::string& file,
                                            const std::string& name) {
  ForeignStudy study;
  study.tool = "csv";
  study.file = file;
  study.name = name;
  VERNIER_RETURN_IF_ERROR(TableReading(table, columns, &study).Run());
  return study;
}

}  // namespace vernier
