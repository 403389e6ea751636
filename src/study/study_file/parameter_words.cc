#include "study/study_file/parameter_words.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

constexpr std::string_view kParams = "trainingInput.hyperparameters.params";
constexpr std::string_view kExamples =
    "{float: [0, 1]}, {log: [1e-5, 1]}, {int: [1, 8]}, {choice: [a, b]} or "
    "{values: [0.1, 0.5]}";

/// A kind of range or list, and its counterpart in a job file.
struct Kind {
  std::string_view word;
  std::string_view type;
  std::string_view scale;  ///< Empty: none unless `scale` gives one.
  std::string_view list;   ///< Empty: two bounds.
  std::string_view when;   ///< Of children; empty: it can have none.
};
constexpr Kind kKinds[] = {
    {"float", "DOUBLE", "", "", ""},
    {"log", "DOUBLE", "UNIT_LOG_SCALE", "", ""},
    {"int", "INTEGER", "", "", "parentIntValues"},
    {"choice", "CATEGORICAL", "", "categoricalValues",
     "parentCategoricalValues"},
    {"values", "DISCRETE", "", "discreteValues", "parentDiscreteValues"},
};

constexpr std::string_view kOptions[] = {"scale", "default", "booleans",
                                         "when"};

const Kind* KindNamed(std::string_view word) {
  for (const Kind& kind : kKinds) {
    if (kind.word == word) return &kind;
  }
  return nullptr;
}

bool IsOption(std::string_view word) {
  for (const std::string_view option : kOptions) {
    if (option == word) return true;
  }
  return false;
}

std::string UnknownWord(std::string_view word) {
  std::vector<std::string_view> known(std::begin(kOptions), std::end(kOptions));
  for (const Kind& kind : kKinds) known.push_back(kind.word);
  return absl::StrCat("is no word of a parameter", DidYouMean(word, known));
}

/// One parameter of the study file.
struct Entry {
  std::string name;
  std::string word;  ///< "parameters.NAME", for messages.
  ConfigPosition position;
  const Kind* kind = nullptr;
  const ConfigNode* range = nullptr;        ///< Or list.
  const ConfigNode* options = nullptr;      ///< The mapping; null: none.
  const ConfigMember* condition = nullptr;  ///< The only entry of `when`.
  std::vector<std::size_t> children = {};
};

// True for a list of numbers without quotes, which could be bounds or values.
bool HasOnlyNumbers(const ConfigNode& list) {
  return !list.items.empty() &&
         std::all_of(
             list.items.begin(), list.items.end(), [](const ConfigNode* item) {
               return item->kind == ConfigNode::Kind::kScalar &&
                      item->is_plain && NumberIn(item->scalar).has_value();
             });
}

class ParameterTree {
 public:
  explicit ParameterTree(JobTree* job) : job_(job) {}

  void Put(const ConfigNode& parameters) {
    for (const ConfigMember& member : parameters.members) Read(member);
    std::vector<std::size_t> roots;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].condition == nullptr) {
        roots.push_back(i);
      } else {
        JoinParent(i);
      }
    }
    ConfigNode* const list = job_->List(parameters.position);
    AddAll(roots, std::string(kParams), list);
    for (const Entry& entry : entries_) {
      if (entry.kind == nullptr || placed_.contains(entry.name)) continue;
      job_->Error(entry.position, entry.word,
                  "its `when` leads back to itself or to a parameter that has "
                  "a mistake");
    }
    job_->Put(kParams, "parameters", parameters.position, list);
  }

 private:
  void Read(const ConfigMember& member) {
    Entry entry{member.key, "parameters." + ShowText(member.key),
                member.position};
    const ConfigNode& value = *member.value;
    if (value.kind == ConfigNode::Kind::kList && HasOnlyNumbers(value)) {
      job_->Error(value, entry.word,
                  "may be a range or separate values; write {float: [0, 1]}, "
                  "{log: [1e-5, 1]} or {int: [1, 8]} for a range, and {values: "
                  "[...]} for these values alone");
    } else if (value.kind == ConfigNode::Kind::kList) {
      entry.kind = KindNamed("choice");
      entry.range = &value;
    } else if (value.kind == ConfigNode::Kind::kMap) {
      entry.options = &value;
      ReadWords(value, &entry);
    } else {
      job_->Error(value, entry.word,
                  absl::StrCat("must be a mapping such as ",
                               std::string(kExamples), ": ", ShowValue(value)));
    }
    places_.emplace(entry.name, entries_.size());
    entries_.push_back(std::move(entry));
  }

  void ReadWords(const ConfigNode& map, Entry* entry) {
    for (const ConfigMember& member : map.members) {
      const Kind* const kind = KindNamed(member.key);
      const std::string word = entry->word + "." + ShowText(member.key);
      if (kind == nullptr) {
        if (!IsOption(member.key)) {
          job_->Error(member.position, word, UnknownWord(member.key));
        }
        continue;
      }
      if (entry->kind != nullptr) {
        job_->Error(member.position, word,
                    absl::StrCat("must not be given beside ",
                                 std::string(entry->kind->word)));
        continue;
      }
      entry->kind = kind;
      entry->range = member.value;
    }
    if (entry->kind == nullptr) {
      job_->Error(
          map, entry->word,
          absl::StrCat("must say what it can be: ", std::string(kExamples)));
    }
    if (const ConfigNode* when = map.Find("when")) ReadWhen(*when, entry);
  }

  void ReadWhen(const ConfigNode& when, Entry* entry) {
    if (when.kind == ConfigNode::Kind::kMap && when.members.size() == 1) {
      entry->condition = &when.members.front();
      return;
    }
    entry->kind = nullptr;
    job_->Error(when, entry->word + ".when",
                "must be one other parameter and its value, such as "
                "{optimizer: sgd}; give that one a `when` for a further "
                "condition");
  }

  void JoinParent(std::size_t child) {
    Entry& entry = entries_[child];
    const ConfigMember& condition = *entry.condition;
    const std::string word = entry.word + ".when";
    const auto parent = places_.find(condition.key);
    if (parent == places_.end()) {
      std::vector<std::string_view> names;
      for (const Entry& each : entries_) names.push_back(each.name);
      job_->Error(
          condition.position, word,
          absl::StrCat("no parameter is called \"", ShowText(condition.key),
                       "\"", DidYouMean(condition.key, names)));
      entry.kind = nullptr;
      return;
    }
    const Kind* const kind = entries_[parent->second].kind;
    if (kind != nullptr && kind->when.empty()) {
      job_->Error(condition.position, word,
                  absl::StrCat("must name a parameter with distinct values; \"",
                               ShowText(condition.key), "\" is a ",
                               std::string(kind->word)));
      entry.kind = nullptr;
      return;
    }
    entries_[parent->second].children.push_back(child);
  }

  // The depth is bounded by the number of parameters; job files allow only 16
  // levels.
  void AddAll(const std::vector<std::size_t>& which, const std::string& path,
              ConfigNode* list) {
    for (const std::size_t i : which) {
      if (entries_[i].kind == nullptr) continue;
      if (!placed_.insert(entries_[i].name).second) continue;
      const std::string own = absl::StrCat(path, "[", list->items.size(), "]");
      list->items.push_back(MakeParameter(entries_[i], own));
    }
  }

  const ConfigNode* MakeParameter(const Entry& entry, const std::string& path) {
    ConfigNode* const map = job_->Map(entry.position);
    path_ = path;
    word_ = entry.word;
    job_->Call(path, entry.word);
    Add(map, "parameterName", "", entry.position,
        job_->Text(entry.name, entry.position));
    Add(map, "type", "", entry.position,
        job_->Text(std::string(entry.kind->type), entry.position));
    AddRange(entry, map);
    AddOptions(entry, map);
    if (entry.condition != nullptr) AddCondition(entry, map);
    if (entry.children.empty()) return map;
    ConfigNode* const children = job_->List(entry.position);
    map->members.push_back({"childParameterSpecs", entry.position, children});
    AddAll(entry.children, path + ".childParameterSpecs", children);
    return map;
  }

  // `word` is the name in the study file below the parameter; empty: the
  // parameter's own.
  void Add(ConfigNode* map, std::string_view field, std::string_view word,
           const ConfigPosition& key, const ConfigNode* value) {
    map->members.push_back({std::string(field), key, value});
    job_->Call(path_ + "." + std::string(field),
               word.empty() ? word_ : word_ + "." + std::string(word));
  }

  void AddRange(const Entry& entry, ConfigNode* map) {
    const Kind& kind = *entry.kind;
    const std::string word(kind.word);
    if (!kind.list.empty()) {
      Add(map, kind.list, word, entry.range->position, entry.range);
      return;
    }
    if (entry.range->kind != ConfigNode::Kind::kList ||
        entry.range->items.size() != 2) {
      job_->Error(*entry.range, entry.word + "." + word,
                  "must be a list of the lowest and the highest number, such "
                  "as [0, 1]");
    }
    const auto& bounds = entry.range->items;
    constexpr std::string_view kBounds[] = {"minValue", "maxValue"};
    for (std::size_t i = 0; i < bounds.size() && i < 2; ++i) {
      Add(map, kBounds[i], absl::StrCat(word, "[", i, "]"), bounds[i]->position,
          bounds[i]);
    }
    if (!kind.scale.empty()) {
      Add(map, "scaleType", word, entry.position,
          job_->Text(std::string(kind.scale), entry.position));
    }
  }

  void AddOptions(const Entry& entry, ConfigNode* map) {
    if (entry.options == nullptr) return;
    const ConfigNode* const value = entry.options->Find("default");
    if (value != nullptr) {
      Add(map, "defaultValue", "default", value->position, value);
    }
    if (const ConfigNode* booleans = entry.options->Find("booleans")) {
      Add(map, "booleanValues", "booleans", booleans->position, booleans);
    }
    const ConfigNode* const scale = entry.options->Find("scale");
    if (scale == nullptr) return;
    for (const ScaleWord& each : kScaleWords) {
      if (each.word != scale->scalar) continue;
      if (entry.kind->scale.empty()) {
        Add(map, "scaleType", "scale", scale->position,
            job_->Text(std::string(each.scale), scale->position));
      } else if (entry.kind->scale != each.scale) {
        job_->Error(*scale, entry.word + ".scale",
                    absl::StrCat("must not be given beside ",
                                 std::string(entry.kind->word)));
      }
      return;
    }
    job_->Error(*scale, entry.word + ".scale",
                absl::StrCat("must be linear, log or reverse_log: ",
                             ShowValue(*scale)));
  }

  void AddCondition(const Entry& entry, ConfigNode* map) {
    const ConfigMember& condition = *entry.condition;
    const Entry& parent = entries_[places_.find(condition.key)->second];
    const ConfigNode* values = condition.value;
    if (values->kind != ConfigNode::Kind::kList) {
      ConfigNode* const one = job_->List(values->position);
      one->items.push_back(values);
      values = one;
    }
    ConfigNode* const list = job_->Map(values->position);
    list->members.push_back({"values", values->position, values});
    Add(map, parent.kind->when, "when", condition.position, list);
    job_->Call(path_ + "." + std::string(parent.kind->when) + ".values",
               entry.word + ".when");
  }

  JobTree* job_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::set<std::string> placed_;
  std::string path_;  // The path of the parameter that is being made.
  std::string word_;
};

}  // namespace

void PutParameters(const ConfigNode& parameters, JobTree* job) {
  if (parameters.kind != ConfigNode::Kind::kMap) {
    job->Error(
        parameters, "parameters",
        absl::StrCat("must be a mapping from names to ", std::string(kExamples),
                     ": ", ShowValue(parameters)));
    return;
  }
  ParameterTree(job).Put(parameters);
}

}  // namespace vernier
