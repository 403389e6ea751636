#include "study/study_file/study_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/nearest_name.h"
#include "base/shown_text.h"
#include "study/study_file/job_tree.h"
#include "study/study_file/parameter_words.h"
#include "study/study_file/study_field.h"
#include "study/study_file/value_forms.h"

namespace vernier {
namespace {

constexpr std::string_view kJobFields[] = {"jobId", "trainingInput", "vernier"};

// Keys of the sweep and experiment files of other tools.
constexpr std::string_view kForeignFields[] = {
    "method",          "program",    "command",  "run_cap",
    "early_terminate", "apiVersion", "searcher", "scheduler"};

// Words in messages of the job file's reader that are fields of a job file.
constexpr auto kMessageWords =
    std::to_array<std::pair<const char*, const char*>>(
        {{"maxValue - minValue", "the range"},
         {"minValue", "the lowest value"},
         {"maxValue", "the highest value"},
         {"maxTrials", "trials"},
         {"params", "parameters"},
         {"resumePreviousJobId", "continue_from"},
         {"scaleType UNIT_LOG_SCALE", "a log scale"},
         {"scaleType UNIT_REVERSE_LOG_SCALE", "a reverse_log scale"},
         {"type DOUBLE", "a float"},
         {"type INTEGER", "an int"},
         {"type CATEGORICAL", "a choice"},
         {"type DISCRETE", "values"},
         {"must be INTEGER, CATEGORICAL or DISCRETE, since the algorithm is "
          "GRID_SEARCH: \"DOUBLE\"",
          "must be an int, a choice or values, since the algorithm is grid"},
         {"minSteps", "min_steps"},
         {"maxSteps", "max_steps"},
         {"in seconds such as \"3600s\"", "such as \"1h 30m\""},
         {"vernier.command, trainingInput.masterConfig.containerCommand, "
          "trainingInput.masterConfig.imageUri or trainingInput.pythonModule",
          "run, image or module"}});

// Returns a message of the job file's reader in the words of a study file.
std::string InOurWords(const std::string& message) {
  std::string text = absl::StrReplaceAll(message, kMessageWords);
  constexpr std::string_view kHint = "unknown field; did you mean ";
  if (text.starts_with(kHint)) {
    text = absl::StrCat(std::string(kHint),
                        SnakeCase(std::string_view(text).substr(kHint.size())));
  }
  // Words may be said in any letter case here, and "grid" is GRID_SEARCH.
  constexpr std::string_view kChoice = "must be one of ";
  if (text.starts_with(kChoice)) {
    const auto in_lower = [](const std::string& words) {
      return absl::StrReplaceAll(absl::AsciiStrToLower(words),
                                 {{"_search", ""}});
    };
    const std::size_t value = std::min(text.rfind(": \""), text.size());
    const std::string own = text.substr(value);
    // It was made upper case, unless it was written so.
    const bool is_made =
        std::none_of(own.begin(), own.end(), absl::ascii_islower);
    text = in_lower(text.substr(0, value)) + (is_made ? in_lower(own) : own);
  }
  return text;
}

template <typename List>
bool HasAny(const ConfigNode& map, const List& keys) {
  return std::any_of(
      std::begin(keys), std::end(keys),
      [&map](std::string_view key) { return map.Find(key) != nullptr; });
}

std::vector<std::string_view> Words() {
  std::vector<std::string_view> words;
  for (const StudyField& field : StudyFields()) words.push_back(field.word);
  return words;
}

// An edit may have any of the fields. Labels are job files' field, too, and a
// word that is nearly one of ours is a slip.
bool HasOnlyWords(const ConfigNode& map) {
  const std::vector<std::string_view> words = Words();
  const auto is_word = [&words](const ConfigMember& member) {
    return std::ranges::find(words, member.key) != words.end();
  };
  return std::ranges::any_of(map.members,
                             [&](const ConfigMember& member) {
                               return is_word(member) && member.key != "labels";
                             }) &&
         std::ranges::all_of(map.members, [&](const ConfigMember& member) {
           return is_word(member) || !NearestName(member.key, words).empty();
         });
}

std::string Upper(std::string_view text) {
  std::string upper = absl::AsciiStrToUpper(std::string(text));
  std::replace(upper.begin(), upper.end(), '-', '_');
  return upper;
}

// "random" -> "RANDOM_SEARCH", "bayesian" -> "DEFAULT".
std::string AlgorithmWord(std::string_view text) {
  const std::string upper = Upper(text);
  if (upper == "BAYESIAN" || upper == "GP") return "DEFAULT";
  if (upper == "SOBOL") return "QUASI_RANDOM_SEARCH";
  const bool is_whole = upper == "DEFAULT" || upper.ends_with("_SEARCH");
  return is_whole ? upper : upper + "_SEARCH";
}

/// Turns the fields of one study file into those of a job file.
class Expansion {
 public:
  explicit Expansion(JobTree* job) : job_(job) {}

  void Run(const ConfigNode& file) {
    job_->Make("trainingInput");
    for (const ConfigMember& member : file.members) {
      const StudyField* const field = FieldNamed(member.key);
      if (field == nullptr) {
        ReportUnknown(member);
      } else if (member.value->kind != ConfigNode::Kind::kNull) {
        PutField(*field, member);
      }
    }
    PutGang(file.position);
    PutPlaces(file);
    // Otherwise messages would name fields that a study file cannot have.
    job_->Call("trainingInput.hyperparameters.params", "parameters");
    job_->Call("trainingInput.hyperparameters", "parameters");
    job_->Call("trainingInput.pythonModule", "run");
  }

 private:
  static const StudyField* FieldNamed(std::string_view word) {
    for (const StudyField& field : StudyFields()) {
      if (field.word == word) return &field;
    }
    return nullptr;
  }

  void ReportUnknown(const ConfigMember& member) {
    job_->Error(member.position, ShowText(member.key),
                absl::StrCat("is no field of a study file",
                             DidYouMean(member.key, Words())));
  }

  void PutField(const StudyField& field, const ConfigMember& member) {
    const ConfigNode& value = *member.value;
    switch (field.form) {
      case FieldForm::kMetric:
        return PutMetric(value, member.position);
      case FieldForm::kConstraints:
        return PutConstraints(field, value, member.position);
      case FieldForm::kParameters:
        return PutParameters(value, job_);
      case FieldForm::kRoles:
        return PutRoles(value);
      default:
        job_->Put(field.path, field.word, member.position,
                  Converted(field.form, value, field.word, field.path));
    }
  }

  void PutConstraints(const StudyField& field, const ConfigNode& value,
                      const ConfigPosition& position) {
    ConfigNode* const texts = job_->List(value.position);
    ConfigNode* const others = job_->List(value.position);
    for (const ConfigNode* item : value.items) {
      const bool is_text = item->kind == ConfigNode::Kind::kScalar;
      (is_text ? texts : others)->items.push_back(item);
    }
    // An empty list says that there are none of both.
    if (!texts->items.empty() || value.items.empty()) {
      job_->Put("vernier.parameterConstraints", field.word, position, texts);
    }
    const bool is_list = value.kind == ConfigNode::Kind::kList;
    if (is_list && others->items.empty() && !value.items.empty()) return;
    job_->Put(field.path, field.word, position,
              Converted(FieldForm::kSnake, is_list ? *others : value,
                        field.word, field.path));
  }

  const ConfigNode* Converted(FieldForm form, const ConfigNode& value,
                              std::string_view word, std::string_view path) {
    const bool is_scalar = value.kind == ConfigNode::Kind::kScalar;
    switch (form) {
      case FieldForm::kCommand: {
        const ConfigNode* list = is_scalar ? Command(value, word) : &value;
        commands_.push_back({std::string(word), list});
        return list;
      }
      case FieldForm::kDuration:
        return Duration(value);
      case FieldForm::kUpper:
        return UpperCase(value);
      case FieldForm::kAlgorithm:
        return is_scalar
                   ? job_->Text(AlgorithmWord(value.scalar), value.position)
                   : &value;
      case FieldForm::kStopEarly:
        if (is_scalar) return StopEarly(value);
        return Camel(value, std::string(path), std::string(word));
      case FieldForm::kSnake:
        return Camel(value, std::string(path), std::string(word));
      default:
        return &value;
    }
  }

  const ConfigNode* Command(const ConfigNode& value, std::string_view word) {
    const auto words = SplitCommand(value.scalar);
    if (!words.ok()) {
      job_->Error(value, word, std::string(words.status().message()));
      return &value;
    }
    ConfigNode* const list = job_->List(value.position);
    for (const std::string& each : *words) {
      list->items.push_back(job_->Text(each, value.position));
    }
    return list;
  }

  const ConfigNode* Duration(const ConfigNode& value) {
    if (value.kind != ConfigNode::Kind::kScalar) return &value;
    const auto seconds = SecondsFromWords(value.scalar);
    return seconds.has_value() ? job_->Text(*seconds, value.position) : &value;
  }

  const ConfigNode* UpperCase(const ConfigNode& value) {
    if (value.kind == ConfigNode::Kind::kScalar) {
      return job_->Text(Upper(value.scalar), value.position);
    }
    if (value.kind != ConfigNode::Kind::kList) return &value;
    ConfigNode* const list = job_->List(value.position);
    for (const ConfigNode* item : value.items) {
      list->items.push_back(UpperCase(*item));
    }
    return list;
  }

  const ConfigNode* StopEarly(const ConfigNode& value) {
    std::string rule = Upper(value.scalar);
    if (value.is_plain && (rule == "TRUE" || rule == "YES")) rule = "AUTO";
    if (value.is_plain && (rule == "FALSE" || rule == "NO")) rule = "NONE";
    return job_->Text(rule, value.position);
  }

  // Returns the value with its fields as a job file writes them. The tree's
  // reader has bounded its depth and its nodes.
  const ConfigNode* Camel(const ConfigNode& value, const std::string& path,
                          const std::string& word) {
    if (value.kind == ConfigNode::Kind::kList) {
      ConfigNode* const list = job_->List(value.position);
      for (const ConfigNode* item : value.items) {
        const std::string place = absl::StrCat("[", list->items.size(), "]");
        list->items.push_back(Camel(*item, path + place, word + place));
      }
      return list;
    }
    if (value.kind != ConfigNode::Kind::kMap) return &value;
    ConfigNode* const map = job_->Map(value.position);
    for (const ConfigMember& member : value.members) {
      const std::string field = CamelCase(member.key);
      const std::string own_path = absl::StrCat(path, ".", field);
      const std::string own_word = absl::StrCat(word, ".", member.key);
      job_->Call(own_path, own_word);
      const ConfigNode* inner = member.value;
      if (IsDurationField(field)) {
        inner = Duration(*inner);
      } else if (!HasOwnKeys(field)) {
        inner = Camel(*inner, own_path, own_word);
      }
      map->members.push_back({field, member.position, inner});
    }
    return map;
  }

  // Reads {NAME: GOAL, ...}. A single metric goes into AI Platform's fields.
  void PutMetric(const ConfigNode& value, const ConfigPosition& key) {
    if (value.kind != ConfigNode::Kind::kMap || value.members.empty()) {
      job_->Error(value, "metric",
                  "must be the metric's name and its goal, such as {accuracy: "
                  "maximize}; several have commas between them");
      return;
    }
    const bool is_plain =
        value.members.size() == 1 &&
        value.members.front().value->kind != ConfigNode::Kind::kMap;
    if (is_plain) {
      const ConfigMember& metric = value.members.front();
      const std::string word = MetricWord(metric);
      const ConfigNode* const goal = GoalOf(*metric.value, word);
      if (goal == nullptr) return;
      const std::string path = "trainingInput.hyperparameters.";
      job_->Put(path + "goal", word, metric.value->position, goal);
      job_->Put(path + "hyperparameterMetricTag", "metric", key,
                job_->Text(metric.key, metric.position));
      return;
    }
    job_->Make("trainingInput.hyperparameters");
    constexpr std::string_view kPath = "vernier.objectives";
    ConfigNode* const list = job_->List(value.position);
    for (const ConfigMember& metric : value.members) {
      const std::string word = MetricWord(metric);
      job_->Call(absl::StrCat(std::string(kPath), "[", list->items.size(), "]"),
                 word);
      if (const ConfigNode* const one = ObjectiveFrom(metric, word)) {
        list->items.push_back(one);
      }
    }
    job_->Put(kPath, "metric", key, list);
  }

  static std::string MetricWord(const ConfigMember& metric) {
    return "metric." + ShowText(metric.key);
  }

  // Returns MAXIMIZE or MINIMIZE; null, and an error, for anything else.
  const ConfigNode* GoalOf(const ConfigNode& value, const std::string& word) {
    std::string goal = Upper(value.scalar);
    if (goal == "MAX") goal = "MAXIMIZE";
    if (goal == "MIN") goal = "MINIMIZE";
    if (goal == "MAXIMIZE" || goal == "MINIMIZE") {
      return job_->Text(goal, value.position);
    }
    job_->Error(
        value, word,
        absl::StrCat("must be maximize or minimize: ", ShowValue(value)));
    return nullptr;
  }

  // Returns one of several objectives: its goal, or {goal: ..., reference:
  // ...}.
  const ConfigNode* ObjectiveFrom(const ConfigMember& metric,
                                  const std::string& word) {
    ConfigNode* const one = job_->Map(metric.position);
    one->members.push_back(
        {"metric", metric.position, job_->Text(metric.key, metric.position)});
    if (metric.value->kind != ConfigNode::Kind::kMap) {
      const ConfigNode* const goal = GoalOf(*metric.value, word);
      if (goal == nullptr) return nullptr;
      one->members.push_back({"goal", metric.value->position, goal});
      return one;
    }
    if (metric.value->Find("goal") == nullptr) {
      job_->Error(*metric.value, word,
                  "must have a goal: {goal: minimize, reference: 0.5}");
      return nullptr;
    }
    for (const ConfigMember& field : metric.value->members) {
      const ConfigNode* value = field.value;
      if (field.key == "goal") value = GoalOf(*value, word + ".goal");
      if (value == nullptr) return nullptr;
      one->members.push_back({field.key, field.position, value});
    }
    return one;
  }

  void PutRoles(const ConfigNode& roles) {
    if (roles.kind != ConfigNode::Kind::kMap) {
      job_->Error(roles, "roles",
                  "must be a mapping of master, worker, parameter_server and "
                  "evaluator");
      return;
    }
    for (const ConfigMember& member : roles.members) {
      const auto known = StudyRoles();
      const auto role = std::find_if(
          known.begin(), known.end(),
          [&member](const StudyRole& each) { return each.word == member.key; });
      if (role != known.end()) {
        PutRole(*role, *member.value);
        continue;
      }
      job_->Error(member.position, "roles." + ShowText(member.key),
                  "must be master, worker, parameter_server or evaluator");
    }
  }

  void PutRole(const StudyRole& role, const ConfigNode& value) {
    const std::string word = absl::StrCat("roles.", std::string(role.word));
    if (value.kind != ConfigNode::Kind::kMap) {
      job_->Error(value, word, "must be a mapping such as {count: 2}");
      return;
    }
    for (const ConfigMember& member : value.members) {
      const auto known = StudyRoleFields();
      const auto field = std::find_if(known.begin(), known.end(),
                                      [&member](const StudyRoleField& each) {
                                        return each.word == member.key;
                                      });
      const std::string own_word =
          absl::StrCat(word, ".", ShowText(member.key));
      if (field == known.end()) {
        job_->Error(member.position, own_word,
                    "must be count, machine, image, command, args or "
                    "accelerator");
        continue;
      }
      const std::string path = absl::StrCat(
          "trainingInput.", std::string(role.name), std::string(field->suffix));
      job_->Put(path, own_word, member.position,
                Converted(field->form, *member.value, own_word, path));
    }
  }

  // Gives each kind of replica of a gang a machine type.
  void PutGang(const ConfigPosition& position) {
    bool is_gang = false;
    for (const StudyRole& role : StudyRoles()) {
      const std::string path =
          absl::StrCat("trainingInput.", std::string(role.name));
      is_gang =
          is_gang || job_->Has(path + "Count") || job_->Has(path + "Type");
    }
    if (!is_gang || job_->Has("trainingInput.scaleTier")) return;
    job_->Put("trainingInput.scaleTier", "scale_tier", position,
              job_->Text("CUSTOM", position));
    for (const StudyRole& role : StudyRoles()) {
      const std::string path =
          absl::StrCat("trainingInput.", std::string(role.name));
      const bool is_there = role.name == "master" || job_->Has(path + "Count");
      if (!is_there || job_->Has(path + "Type")) continue;
      job_->Put(path + "Type",
                absl::StrCat("roles.", std::string(role.word), ".machine"),
                position, job_->Text(std::string(kUsualMachine), position));
    }
  }

  // If a word of a command has the place of a parameter, such as {lr}, values
  // go to such places, unless the file says that they go elsewhere.
  void PutPlaces(const ConfigNode& file) {
    const ConfigNode* const parameters = file.Find("parameters");
    if (parameters == nullptr || HasOtherArgStyle(file)) return;
    std::vector<std::string_view> names;
    for (const ConfigMember& member : parameters->members) {
      names.push_back(member.key);
    }
    const ConfigNode* first = nullptr;
    for (const auto& [word, command] : commands_) {
      for (const ConfigNode* item : command->items) {
        if (HasPlace(*item, word, names) && first == nullptr) first = item;
      }
    }
    if (first == nullptr || job_->Has("vernier.argStyle")) return;
    job_->Put("vernier.argStyle", "arg_style", first->position,
              job_->Text("PLACEHOLDERS", first->position));
  }

  static bool HasOtherArgStyle(const ConfigNode& file) {
    const ConfigNode* const style = file.Find("arg_style");
    return style != nullptr && style->kind == ConfigNode::Kind::kScalar &&
           Upper(style->scalar) != "PLACEHOLDERS";
  }

  // A place that is no parameter's is an error only if it resembles a
  // parameter's name.
  bool HasPlace(const ConfigNode& item, const std::string& word,
                const std::vector<std::string_view>& names) {
    bool is_any = false;
    for (const std::string_view name : TextsInBraces(item.scalar)) {
      if (std::find(names.begin(), names.end(), name) != names.end()) {
        is_any = true;
        continue;
      }
      const std::string nearest = DidYouMean(name, names);
      if (nearest.empty()) continue;
      job_->Error(item, word,
                  absl::StrCat("no parameter is called \"", ShowText(name),
                               "\"", nearest));
    }
    return is_any;
  }

  JobTree* job_;
  // The values that were read as commands, by their words.
  std::vector<std::pair<std::string, const ConfigNode*>> commands_;
};

}  // namespace

bool IsStudyFile(const ConfigNode* root) {
  if (root == nullptr || root->kind != ConfigNode::Kind::kMap) return false;
  if (HasAny(*root, kJobFields)) return false;
  if (root->Find("run") != nullptr) return true;
  if (root->Find("parameters") != nullptr) {
    return !HasAny(*root, kForeignFields);
  }
  return HasOnlyWords(*root);
}

bool ExpandStudyFile(ConfigTree& tree, SpecDiagnostics& diagnostics) {
  const ConfigNode& file = *tree.root;
  JobTree job(&tree, &diagnostics, file.position);
  Expansion(&job).Run(file);
  tree.root = job.root();
  diagnostics.Rename(job.TakeWords(), &InOurWords);
  return !diagnostics.has_errors();
}

}  // namespace vernier
