#include "study/foreign_files/foreign_parameters.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "study/parameter_name.h"
#include "study/step_value.h"
#include "study/study_file/distinct_values.h"

namespace vernier {
namespace {

constexpr std::string_view kListPath = "trainingInput.hyperparameters.params";
constexpr double kMostListed = 1000;
// What a job may have. Refused early, since each may become a long list.
constexpr int kMostParameters = 1000;
// The most trials that a job may have.
constexpr std::int64_t kMostCombinations = 1'000'000;

bool IsPlainNumber(const ConfigNode& node) {
  return node.is_plain && NumberOf(&node).has_value();
}

std::string TextOfValue(const ConfigNode& value) { return value.scalar; }

}  // namespace

ForeignParameters::ForeignParameters(const ForeignNode& file, Words words)
    : job_(&file.job()), words_(words) {
  places_.push_back({job_->List(file.at()), std::string(kListPath)});
}

bool ForeignParameters::Accepts(const ForeignParameter& parameter) {
  if (parameter.name.size() > kMaxParameterName) {
    job_->Error(
        parameter.position, "",
        absl::StrCat("a parameter's name must have at most ", kMaxParameterName,
                     " characters, with those of "
                     "what it is nested in: ",
                     parameter.name.size()));
    return false;
  }
  if (count_ < kMostParameters) return true;
  if (count_++ == kMostParameters) {
    job_->Error(
        parameter.position, parameter.word,
        absl::StrCat("is one of more than ", kMostParameters, " parameters"));
  }
  return false;
}

ForeignParameters::Made ForeignParameters::Begin(
    const ForeignParameter& parameter, std::string_view type) {
  ++count_;
  const Place& place = places_.back();
  Made made;
  made.path = absl::StrCat(place.path, "[", place.list->items.size(), "]");
  made.map = job_->Map(parameter.position);
  place.list->items.push_back(made.map);
  job_->Call(made.path, parameter.word);
  for (const auto& [field, word] : words_) {
    job_->Call(absl::StrCat(made.path, ".", std::string(field)),
               absl::StrCat(parameter.word, ".", std::string(word)));
  }
  job_->Call(made.path + ".parameterName",
             parameter.name_field.empty()
                 ? parameter.word
                 : absl::StrCat(parameter.word, ".",
                                std::string(parameter.name_field)));
  made.Add("parameterName", job_->Text(parameter.name, parameter.position));
  made.Add("type", job_->Text(std::string(type), parameter.position));
  if (place.values != nullptr) made.Add(place.condition, place.values);
  return made;
}

void ForeignParameters::Made::Add(std::string_view field,
                                  const ConfigNode* value) const {
  map->members.push_back({std::string(field), value->position, value});
}

void ForeignParameters::AddScale(const Made& made, ForeignScale scale) {
  if (scale == ForeignScale::kLinear) return;
  made.Add("scaleType",
           job_->Text(scale == ForeignScale::kLog ? "UNIT_LOG_SCALE"
                                                  : "UNIT_REVERSE_LOG_SCALE",
                      made.map->position));
}

void ForeignParameters::Count(std::size_t values) {
  has_choice_ = has_choice_ || values > 1;
  if (!combinations_.has_value()) return;
  combinations_ = std::min(*combinations_ * static_cast<std::int64_t>(values),
                           kMostCombinations);
}

void ForeignParameters::CountRange(const ForeignParameter& parameter,
                                   bool is_whole) {
  combinations_.reset();
  has_choice_ = true;
  if (!is_whole) continuous_.push_back(parameter);
}

ForeignParameters::Made ForeignParameters::AddRange(
    const ForeignParameter& parameter, const ForeignRange& range) {
  if (!Accepts(parameter)) return {};
  if (!std::isfinite(range.low) || !std::isfinite(range.high)) {
    job_->Error(parameter.position, parameter.word,
                "has bounds that are too large");
    return {};
  }
  CountRange(parameter, range.is_whole);
  const Made made = Begin(parameter, range.is_whole ? "INTEGER" : "DOUBLE");
  const ConfigPosition& at = parameter.position;
  made.Add("minValue", job_->Text(NumberText(range.low), at, true));
  made.Add("maxValue", job_->Text(NumberText(range.high), at, true));
  AddScale(made, range.scale);
  return made;
}

ForeignParameters::Made ForeignParameters::AddNumbers(
    const ForeignParameter& parameter, std::vector<double> values,
    ForeignScale scale) {
  if (!Accepts(parameter)) return {};
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  Count(values.size());
  const Made made = Begin(parameter, "DISCRETE");
  ConfigNode* const list = job_->List(parameter.position);
  for (const double value : values) {
    list->items.push_back(
        job_->Text(NumberText(value), parameter.position, true));
  }
  made.Add("discreteValues", list);
  // What is rounded to zero has no logarithm.
  if (!values.empty() && values.front() > 0) AddScale(made, scale);
  return made;
}

ForeignParameters::Made ForeignParameters::AddRounded(
    const ForeignParameter& parameter, const ForeignRange& range, double step,
    bool is_cut) {
  if (!Accepts(parameter)) return {};
  // The multiples whose surroundings of half a step have a part in the range.
  const double first = std::floor(range.low / step + 0.5);
  const double last =
      std::max(first, std::ceil(range.high / step - 0.5 - 1e-9));
  const bool is_on_grid =
      !is_cut || (first * step == range.low && last * step == range.high);
  if (step == 1 && is_on_grid && last > first &&
      (range.scale == ForeignScale::kLinear || first > 0)) {
    return AddRange(parameter, {first, last, true, range.scale});
  }
  if (!(last - first < kMostListed)) {
    job_->Error(parameter.position, parameter.word,
                absl::StrCat("has more than ", kMostListed,
                             " steps; make them larger, or take a range "
                             "without"));
    return {};
  }
  std::vector<double> values;
  // Counted apart, since a huge number plus one is the same number.
  for (double steps = 0; steps <= last - first; ++steps) {
    const double value = StepValue(0, step, first + steps);
    values.push_back(is_cut ? std::clamp(value, range.low, range.high) : value);
  }
  return AddNumbers(parameter, std::move(values), range.scale);
}

ForeignParameters::Made ForeignParameters::AddValues(
    const ForeignParameter& parameter,
    const std::vector<const ConfigNode*>& values) {
  const bool are_numbers =
      !values.empty() &&
      std::all_of(values.begin(), values.end(),
                  [](const auto* value) { return IsPlainNumber(*value); });
  if (!are_numbers) return AddTexts(parameter, values);
  return AddNumberList(parameter, parameter.word, values,
                       ForeignScale::kLinear);
}

ForeignParameters::Made ForeignParameters::AddNumberList(
    const ForeignParameter& parameter, const std::string& word,
    const std::vector<const ConfigNode*>& values, ForeignScale scale) {
  std::vector<double> numbers;
  for (const ConfigNode* const value :
       DistinctValues(values, &NumberOrText, word, job_)) {
    const auto number = NumberOf(value);
    if (!number.has_value()) {
      job_->Error(*value, word, "must be numbers");
      return {};
    }
    numbers.push_back(*number);
  }
  return AddNumbers(parameter, std::move(numbers), scale);
}

ForeignParameters::Made ForeignParameters::AddTexts(
    const ForeignParameter& parameter,
    const std::vector<const ConfigNode*>& values) {
  if (!Accepts(parameter)) return {};
  for (const ConfigNode* const value : values) {
    if (value->kind == ConfigNode::Kind::kScalar) continue;
    job_->Error(*value, parameter.word,
                absl::StrCat("must have numbers, texts and booleans as values, "
                             "and not ",
                             std::string(KindName(value->kind)),
                             "; choose by a name, from which the program makes "
                             "it"));
    return {};
  }
  const std::vector<const ConfigNode*> distinct =
      DistinctValues(values, &TextOfValue, parameter.word, job_);
  Count(distinct.size());
  const Made made = Begin(parameter, "CATEGORICAL");
  ConfigNode* const list = job_->List(parameter.position);
  for (const ConfigNode* const value : distinct) {
    // Numbers among texts are texts; true and false stay what they are.
    list->items.push_back(IsPlainNumber(*value)
                              ? job_->Text(value->scalar, value->position)
                              : value);
  }
  made.Add("categoricalValues", list);
  return made;
}

void ForeignParameters::Enter(const Made& parent, std::string_view condition,
                              const ConfigNode* values) {
  constexpr std::string_view kChildren = "childParameterSpecs";
  ConfigNode*& list = children_[parent.map];
  if (list == nullptr) {
    list = job_->List(values->position);
    parent.Add(kChildren, list);
  }
  ConfigNode* const map = job_->Map(values->position);
  map->members.push_back({"values", values->position, values});
  places_.push_back({list,
                     absl::StrCat(parent.path, ".", std::string(kChildren)),
                     condition, map});
}

void ForeignParameters::RefuseRangesInGrid(std::string_view remedy) const {
  for (const ForeignParameter& parameter : continuous_) {
    job_->Error(parameter.position, parameter.word,
                absl::StrCat("is a range of numbers, of which there is no "
                             "grid: ",
                             std::string(remedy)));
  }
}

void ForeignParameters::RequireChoice(const ForeignNode& space) const {
  if (has_choice_ || space.has_errors()) return;
  space.Error("has no parameter with more than one value");
}

void ForeignParameters::PutIntoJob(std::string_view word) {
  const Place& place = places_.front();
  if (place.list->items.empty()) return;
  job_->Put(kListPath, word, place.list->position, place.list);
}

}  // namespace vernier
