#include "study/study_file/study_file_writer.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/nearest_name.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "study/study_file/parameter_words.h"
#include "study/study_file/study_field.h"
#include "study/study_file/value_forms.h"

namespace vernier {
namespace {

constexpr std::string_view kUsualMetric = "training/hptuning/metric";
constexpr std::size_t kShortLine = 60;

using Pairs = std::vector<std::pair<std::string, Json>>;

std::string Flow(const Json& value);

std::string FlowPairs(const Json& map) {
  std::string text;
  for (const auto& [key, value] : map.items()) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", YamlWord(key), ": ",
                    Flow(value));
  }
  return "{" + text + "}";
}

// Returns the value in YAML on one line.
std::string Flow(const Json& value) {
  if (value.is_string()) return YamlWord(value.get<std::string>());
  if (value.is_object()) return FlowPairs(value);
  if (!value.is_array()) return DumpJson(value);
  std::string text;
  for (const Json& item : value) {
    absl::StrAppend(&text, text.empty() ? "" : ", ", Flow(item));
  }
  return "[" + text + "]";
}

Json Lower(const Json& value) {
  if (value.is_string()) {
    return absl::AsciiStrToLower(value.get<std::string>());
  }
  if (!value.is_array()) return value;
  Json list = Json::array();
  for (const Json& item : value) list.push_back(Lower(item));
  return list;
}

Json DurationWords(const Json& value) {
  return value.is_string() ? Json(WordsFromSeconds(value.get<std::string>()))
                           : value;
}

// Returns the value with its fields as a study file writes them.
Json Snake(const Json& value) {
  if (value.is_array()) {
    Json list = Json::array();
    for (const Json& item : value) list.push_back(Snake(item));
    return list;
  }
  if (!value.is_object()) return value;
  Json map = Json::object();
  for (const auto& [field, inner] : value.items()) {
    map[SnakeCase(field)] = IsDurationField(field) ? DurationWords(inner)
                            : HasOwnKeys(field)    ? inner
                                                   : Snake(inner);
  }
  return map;
}

Json CommandLine(const Json& words) {
  if (!words.is_array()) return words;
  std::vector<std::string> list;
  for (const Json& word : words) {
    if (!word.is_string()) return words;
    list.push_back(word.get<std::string>());
  }
  return JoinCommand(list);
}

Json StopEarly(const Json& value) {
  const Json* const rule =
      value.is_object() && value.size() == 1
          ? (value.contains("rule") ? &value["rule"] : nullptr)
          : &value;
  if (rule == nullptr || !rule->is_string()) return Lower(Snake(value));
  if (*rule == "AUTO") return true;
  if (*rule == "NONE") return false;
  return Lower(*rule);
}

// "RANDOM_SEARCH" -> "random".
Json WordOfAlgorithm(const Json& value) {
  std::string word = Lower(value).get<std::string>();
  constexpr std::string_view kEnd = "_search";
  if (word.ends_with(kEnd)) word.resize(word.size() - kEnd.size());
  return word;
}

Json InWords(FieldForm form, const Json& value) {
  switch (form) {
    case FieldForm::kCommand:
      return CommandLine(value);
    case FieldForm::kDuration:
      return DurationWords(value);
    case FieldForm::kUpper:
      return Lower(value);
    case FieldForm::kAlgorithm:
      return value.is_string() ? WordOfAlgorithm(value) : value;
    case FieldForm::kStopEarly:
      return StopEarly(value);
    case FieldForm::kSnake:
      return Snake(value);
    default:
      return value;
  }
}

// Returns the field of `job` at `path`; null if it is not there.
const Json* FieldAt(const Json& job, const std::string& path) {
  const std::vector<std::string> keys = absl::StrSplit(path, '.');
  const Json* at = &job;
  for (const std::string& key : keys) {
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &(*at)[key];
  }
  return at;
}

// Takes the field of `job` at `path` out of it; null if it is not there.
Json Take(Json& job, std::string_view path) {
  const std::vector<std::string> keys = absl::StrSplit(std::string(path), '.');
  Json* at = &job;
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    if (!at->is_object() || !at->contains(keys[i])) return nullptr;
    at = &(*at)[keys[i]];
  }
  if (!at->is_object() || !at->contains(keys.back())) return nullptr;
  Json value = (*at)[keys.back()];
  at->erase(keys.back());
  return value;
}

// A text of several words needs no quotes on a line of its own.
std::string LineText(const std::string& text) {
  const std::vector<std::string> words = absl::StrSplit(text, ' ');
  const bool is_plain = std::all_of(
      words.begin(), words.end(), [&words](const std::string& word) {
        const std::size_t dashes =
            &word == &words.front() ? 0 : word.find_first_not_of('-');
        return dashes != std::string::npos &&
               YamlWord(word.substr(dashes)) == word.substr(dashes);
      });
  return is_plain ? text : YamlWord(text);
}

/// The parameters of a job as entries of `parameters`.
class ParameterWriter {
 public:
  Pairs Write(Json& params) {
    AddAll(params, nullptr);
    return std::move(entries_);
  }
  /// INVALID_ARGUMENT if two parameters that were written have the same name.
  const absl::Status& status() const { return status_; }

 private:
  void AddAll(Json& params, const Json* parent) {
    if (!params.is_array()) return;
    for (Json& param : params) Add(param, parent);
  }

  void Add(Json& param, const Json* parent) {
    Json children = Take(param, "childParameterSpecs");
    Json entry = Json::object();
    const std::string type = Text(Take(param, "type"));
    const std::string scale = Text(Take(param, "scaleType"));
    const bool is_log = type == "DOUBLE" && scale == "UNIT_LOG_SCALE";
    AddRange(param, type, is_log, &entry);
    if (!scale.empty() && scale != "NONE" && !is_log) {
      entry["scale"] = ScaleWordOf(scale);
    }
    if (Json value = Take(param, "defaultValue"); !value.is_null()) {
      entry["default"] = value;
    }
    const Json name = Take(param, "parameterName");
    if (parent != nullptr) entry["when"] = When(param, *parent);
    if (!names_.insert(Text(name)).second && status_.ok()) {
      status_ = UsedTwice(Text(name), entry);
    }
    entries_.emplace_back(Text(name), std::move(entry));
    AddAll(children, &name);
  }

  // Job files may use a name once in each of two branches of which a trial has
  // only one.
  static absl::Status UsedTwice(const std::string& name, const Json& entry) {
    const std::string where =
        entry.contains("when") ? " for " + Flow(entry["when"]) : "";
    return absl::InvalidArgumentError(absl::StrCat(
        InQuotes(name), where,
        " has the name of another parameter; a study file cannot use one name "
        "twice; run this job file as it is"));
  }

  static std::string Text(const Json& value) {
    return value.is_string() ? value.get<std::string>() : "";
  }

  static std::string ScaleWordOf(const std::string& scale) {
    for (const ScaleWord& each : kScaleWords) {
      if (each.scale == scale) return std::string(each.word);
    }
    return scale;
  }

  static void AddRange(Json& param, const std::string& type, bool is_log,
                       Json* entry) {
    Json low = Take(param, "minValue");
    Json high = Take(param, "maxValue");
    Json categories = Take(param, "categoricalValues");
    const Json booleans = Take(param, "booleanValues");
    Json numbers = Take(param, "discreteValues");
    if (type == "CATEGORICAL") {
      if (booleans == Json(true)) MakeBooleans(&categories);
      (*entry)["choice"] = std::move(categories);
    } else if (type == "DISCRETE") {
      (*entry)["values"] = std::move(numbers);
    } else {
      (*entry)[is_log              ? "log"
               : type == "INTEGER" ? "int"
                                   : "float"] =
          Json::array({std::move(low), std::move(high)});
    }
  }

  static void MakeBooleans(Json* categories) {
    for (Json& each : *categories) {
      const std::string text = absl::AsciiStrToLower(Text(each));
      if (text == "true" || text == "false") each = text == "true";
    }
  }

  static Json When(Json& param, const Json& parent) {
    Json values = Json::array();
    for (const char* key : {"parentCategoricalValues", "parentIntValues",
                            "parentDiscreteValues"}) {
      Json list = Take(param, key);
      if (list.is_object() && list.contains("values")) values = list["values"];
    }
    Json when = Json::object();
    when[Text(parent)] = values.size() == 1 ? values[0] : values;
    return when;
  }

  Pairs entries_;
  std::set<std::string> names_;
  absl::Status status_;
};

/// The parameters of a job, whose commands may have their names in braces.
class ParameterNames {
 public:
  explicit ParameterNames(const Json* params) { Add(params); }

  /// True if a study file would take a text in the braces of a word for the
  /// place of a parameter, or for a slip in one.
  bool HasPlaceIn(const std::string& word) const {
    const std::vector<std::string_view> names(names_.begin(), names_.end());
    const auto texts = TextsInBraces(word);
    return std::any_of(texts.begin(), texts.end(), [&](auto text) {
      return std::find(names.begin(), names.end(), text) != names.end() ||
             !NearestName(text, names).empty();
    });
  }

 private:
  void Add(const Json* params) {
    if (params == nullptr || !params->is_array()) return;
    for (const Json& param : *params) {
      const Json* const name = FieldAt(param, "parameterName");
      if (name != nullptr && name->is_string()) {
        names_.push_back(name->get<std::string>());
      }
      Add(FieldAt(param, "childParameterSpecs"));
    }
  }

  std::vector<std::string> names_;
};

/// Writes one job. Each written field is taken out of the job, so that the
/// fields left at the end are those without a word.
class Writer {
 public:
  explicit Writer(Json job) : job_(std::move(job)) {}

  absl::StatusOr<WrittenStudyFile> Write() {
    DropUsualMachines();
    MoveAlgorithm();
    MoveEarlyStopping();
    MoveMetricSource();
    SayArgStyle();
    for (const StudyField& field : StudyFields()) WriteField(field);
    if (!status_.ok()) return status_;
    ListRest(job_, "");
    return std::move(file_);
  }

 private:
  void WriteField(const StudyField& field) {
    switch (field.form) {
      case FieldForm::kMetric:
        return WriteMetric();
      case FieldForm::kParameters: {
        Json params = Take(job_, field.path);
        ParameterWriter writer;
        Line(field.word, writer.Write(params));
        status_ = writer.status();
        return;
      }
      case FieldForm::kConstraints:
        return WriteConstraints(field);
      case FieldForm::kRoles:
        return WriteRoles();
      default:
        break;
    }
    const Json value = Take(job_, field.path);
    if (!value.is_null()) Line(field.word, InWords(field.form, value));
  }

  void WriteConstraints(const StudyField& field) {
    Json list = Json::array();
    for (const std::string_view path :
         {std::string_view("vernier.parameterConstraints"), field.path}) {
      const Json constraints = Take(job_, path);
      if (!constraints.is_array()) continue;
      for (const Json& each : constraints) list.push_back(Snake(each));
    }
    if (!list.empty()) Line(field.word, list);
  }

  void WriteMetric() {
    Json goal = Take(job_, "trainingInput.hyperparameters.goal");
    Json tag =
        Take(job_, "trainingInput.hyperparameters.hyperparameterMetricTag");
    if (Json objectives = Take(job_, "vernier.objectives");
        objectives.is_array() && !objectives.empty()) {
      return Line("metric", SeveralMetrics(objectives));
    }
    const auto& input = job_["trainingInput"];
    if (!input.is_object() || !input.contains("hyperparameters")) return;
    const std::string name =
        tag.is_string() ? tag.get<std::string>() : std::string(kUsualMetric);
    Line("metric",
         Json({{name, goal == "MINIMIZE" ? "minimize" : "maximize"}}));
  }

  static Json SeveralMetrics(const Json& objectives) {
    Json metrics = Json::object();
    for (const Json& each : objectives) {
      const Json goal =
          each.value("goal", "") == "MINIMIZE" ? "minimize" : "maximize";
      Json& metric = metrics[each.value("metric", "")];
      metric = goal;
      if (!each.contains("reference")) continue;
      metric = Json{{"goal", goal}, {"reference", each["reference"]}};
    }
    return metrics;
  }

  void WriteRoles() {
    Json roles = Json::object();
    for (const StudyRole& role : StudyRoles()) {
      Json fields = Json::object();
      for (const StudyRoleField& field : StudyRoleFields()) {
        const Json value = Take(job_, RolePath(role, field));
        if (value.is_null()) continue;
        fields[std::string(field.word)] = InWords(field.form, value);
      }
      if (!fields.empty()) roles[std::string(role.word)] = std::move(fields);
    }
    if (!roles.empty()) Line("roles", roles);
  }

  // Takes out machine types that a study file need not name.
  void DropUsualMachines() {
    Json& input = job_["trainingInput"];
    if (!input.is_object() || !input.contains("scaleTier") ||
        input["scaleTier"] != "CUSTOM") {
      return;
    }
    bool is_gang = false;
    for (const StudyRole& role : StudyRoles()) {
      const std::string type = std::string(role.name) + "Type";
      const bool has_count = input.contains(std::string(role.name) + "Count");
      is_gang = is_gang || has_count;
      if (!input.contains(type)) continue;
      if (input[type] != kUsualMachine) return;
      if (!has_count && role.name != "master") return;
    }
    if (!is_gang) return;
    input.erase("scaleTier");
    for (const StudyRole& role : StudyRoles()) {
      input.erase(std::string(role.name) + "Type");
    }
  }

  // True if the job has the field of our own section.
  bool HasOwn(const std::string& field) const {
    return FieldAt(job_, "vernier." + field) != nullptr;
  }

  // Puts a field, which the job has not, into our own section.
  void PutOwn(const char* field, Json value) {
    Json& section = job_["vernier"];
    if (section.is_null() || section.is_object()) {
      section[field] = std::move(value);
    }
  }

  // Our own fields override AI Platform's, which have no words of their own.
  void MoveAlgorithm() {
    if (HasOwn("algorithm")) return;
    Json theirs = Take(job_, "trainingInput.hyperparameters.algorithm");
    if (theirs.is_string() && theirs != "ALGORITHM_UNSPECIFIED") {
      PutOwn("algorithm", std::move(theirs));
    }
  }

  void MoveEarlyStopping() {
    const std::string path =
        "trainingInput.hyperparameters.enableTrialEarlyStopping";
    const Json* const theirs = FieldAt(job_, path);
    const bool is_on = theirs != nullptr && *theirs == Json(true);
    if (is_on && HasOwn("earlyStopping")) return;
    (void)Take(job_, path);  // Without it, false is so anyway.
    if (is_on) PutOwn("earlyStopping", "AUTO");
  }

  void MoveMetricSource() {
    if (HasOwn("metricSources")) return;
    Json one = Take(job_, "vernier.metricSource");
    if (one.is_string()) PutOwn("metricSources", Json::array({std::move(one)}));
  }

  // A study file takes braces with a parameter's name for its place, unless it
  // says otherwise.
  void SayArgStyle() {
    if (HasOwn("argStyle")) return;
    const ParameterNames names(
        FieldAt(job_, "trainingInput.hyperparameters.params"));
    const std::vector<std::string> words = CommandWords();
    if (std::any_of(words.begin(), words.end(), [&](const std::string& word) {
          return names.HasPlaceIn(word);
        })) {
      PutOwn("argStyle", "SPACE");
    }
  }

  // Returns the words of what a study file reads as commands.
  std::vector<std::string> CommandWords() const {
    std::vector<std::string> words;
    const auto add = [&](FieldForm form, const std::string& path) {
      const Json* const list =
          form == FieldForm::kCommand ? FieldAt(job_, path) : nullptr;
      if (list == nullptr || !list->is_array()) return;
      for (const Json& word : *list) {
        if (word.is_string()) words.push_back(word.get<std::string>());
      }
    };
    for (const StudyField& field : StudyFields()) {
      add(field.form, std::string(field.path));
    }
    for (const StudyRole& role : StudyRoles()) {
      for (const StudyRoleField& field : StudyRoleFields()) {
        add(field.form, RolePath(role, field));
      }
    }
    return words;
  }

  static std::string RolePath(const StudyRole& role,
                              const StudyRoleField& field) {
    return absl::StrCat("trainingInput.", std::string(role.name),
                        std::string(field.suffix));
  }

  void Line(std::string_view word, const Json& value) {
    if (value.is_null()) return;
    const std::string flow =
        value.is_string() ? LineText(value.get<std::string>()) : Flow(value);
    absl::StrAppend(&file_.text, std::string(word), ":");
    if (!value.is_object() || value.empty() || flow.size() < kShortLine) {
      absl::StrAppend(&file_.text, " ", flow, "\n");
      return;
    }
    absl::StrAppend(&file_.text, "\n");
    for (const auto& [key, inner] : value.items()) {
      absl::StrAppend(&file_.text, "  ", YamlWord(key), ": ", Flow(inner),
                      "\n");
    }
  }

  void Line(std::string_view word, const Pairs& entries) {
    if (entries.empty()) return;
    absl::StrAppend(&file_.text, std::string(word), ":\n");
    for (const auto& [name, entry] : entries) {
      absl::StrAppend(&file_.text, "  ", YamlWord(name), ": ", Flow(entry),
                      "\n");
    }
  }

  void ListRest(const Json& rest, const std::string& path) {
    for (const auto& [key, value] : rest.items()) {
      std::string own = path;
      if (!own.empty()) own += '.';
      own += key;
      if (value.is_object()) {
        ListRest(value, own);
      } else if (!value.is_null()) {
        file_.left_out.push_back(std::move(own));
      }
    }
  }

  Json job_;
  WrittenStudyFile file_;
  absl::Status status_;
};

}  // namespace

std::string YamlWord(const std::string& text) {
  constexpr std::string_view kPlain = "_./+-";
  const std::string lower = absl::AsciiStrToLower(text);
  constexpr std::string_view kWords[] = {"true", "false", "yes",  "no", "on",
                                         "off",  "null",  "none", "y",  "n"};
  const bool is_word = std::find(std::begin(kWords), std::end(kWords), lower) !=
                       std::end(kWords);
  const bool is_plain =
      !text.empty() && !is_word && text.front() != '-' &&
      std::all_of(text.begin(), text.end(), [kPlain](char c) {
        return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
               kPlain.find(c) != std::string_view::npos;
      });
  // JSON's quoted form is also valid YAML.
  return is_plain ? text : DumpJson(Json(text));
}

std::string CommandText(const std::vector<std::string>& words) {
  return LineText(JoinCommand(words));
}

absl::StatusOr<WrittenStudyFile> WriteStudyFile(std::string_view json) {
  VERNIER_ASSIGN_OR_RETURN(Json job, ParseJson(json));
  if (!job.is_object()) {
    return absl::InvalidArgumentError("the job is no JSON object");
  }
  return Writer(std::move(job)).Write();
}

}  // namespace vernier
