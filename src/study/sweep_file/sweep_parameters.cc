#include "study/sweep_file/sweep_parameters.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "study/parameter_name.h"
#include "study/step_value.h"
#include "study/study_file/distinct_values.h"

namespace vernier {
namespace {

// The most values of a parameter of type DISCRETE.
constexpr double kMostSteps = 1000;

enum class Scale { kLinear, kLog, kExponent };  // kExponent: bounds of e^x.

// A distribution of a sweep that is a range here.
struct Distribution {
  std::string_view name;
  Scale scale;
  bool has_step;
  bool is_whole;
};

// Of X, log(1/X) is as uniform as log(X).
constexpr Distribution kDistributions[] = {
    {"uniform", Scale::kLinear, false, false},
    {"int_uniform", Scale::kLinear, false, true},
    {"q_uniform", Scale::kLinear, true, false},
    {"log_uniform", Scale::kExponent, false, false},
    {"log_uniform_values", Scale::kLog, false, false},
    {"inv_log_uniform", Scale::kExponent, false, false},
    {"inv_log_uniform_values", Scale::kLog, false, false},
    {"q_log_uniform", Scale::kExponent, true, false},
    {"q_log_uniform_values", Scale::kLog, true, false},
};

constexpr std::string_view kKnownKeys[] = {
    "value", "values", "min",           "max",        "q", "mu",
    "sigma", "a",      "probabilities", "parameters", "b", "distribution"};

// Fields of a job file's parameter, and what they come from.
constexpr std::pair<std::string_view, std::string_view> kFieldWords[] = {
    {"minValue", "min"},           {"maxValue", "max"},
    {"discreteValues", "values"},  {"categoricalValues", "values"},
    {"scaleType", "distribution"},
};

// True for what YAML reads as an integer: 3, and not 3.0.
bool IsWrittenWhole(const ConfigNode* node) {
  return node != nullptr && node->is_plain &&
         node->scalar.find_first_not_of("+-0123456789") == std::string::npos &&
         NumberOf(node).has_value();
}

bool IsBoolean(const ConfigNode& node) {
  return node.is_plain && (node.scalar == "true" || node.scalar == "false" ||
                           node.scalar == "True" || node.scalar == "False");
}

ForeignScale ScaleOf(const Distribution& distribution) {
  return distribution.scale == Scale::kLinear ? ForeignScale::kLinear
                                              : ForeignScale::kLog;
}

class ParameterReader {
 public:
  ParameterReader(const ForeignNode& parameters, SweepParameters* result)
      : parameters_(parameters), job_(&parameters.job()), result_(result) {}

  void Read() {
    for (const ConfigMember& member : parameters_.get()->members) {
      ReadOne(member);
    }
    result_->made.PutIntoJob("parameters");
  }

 private:
  void Error(const ConfigNode& node, std::string message) {
    job_->Error(node, word_, std::move(message));
  }

  // Reads the parameters of a nested mapping. Their names have points, and in a
  // command they are one Python dict, whose text `dict_` becomes.
  template <typename ReadMember>
  void ReadNested(const ConfigMember& member, const ConfigNode& map,
                  ReadMember read_member) {
    const std::string above = prefix_;
    if (above.size() + member.key.size() > kMaxParameterName) {
      return job_->Error(member.position, "parameters", "has too long names");
    }
    const std::string dict_above = std::exchange(dict_, "");
    prefix_ += member.key + ".";
    for (const ConfigMember& each : map.members) read_member(each);
    prefix_ = above;
    dict_ = absl::StrCat("{", dict_, "}");
    if (above.empty()) {
      result_->nested.emplace_back(member.key, std::exchange(dict_, ""));
    } else {
      const std::string own = std::exchange(dict_, dict_above);
      AddToDict(member.key, own);
    }
  }

  // Python's form, as W&B puts it into a command.
  void AddToDict(const std::string& key, const std::string& value) {
    absl::StrAppend(&dict_, dict_.empty() ? "" : ", ", "'", key, "': ", value);
  }

  // A mapping as a constant is one of constants.
  void ReadConstantMap(const ConfigMember& member) {
    ReadNested(member, *member.value, [this](const ConfigMember& each) {
      const std::string name = prefix_ + each.key;
      word_ = "parameters." + ShowText(name);
      if (each.value->kind == ConfigNode::Kind::kMap) {
        return ReadConstantMap(each);
      }
      PutConstant(each, *each.value);
    });
  }

  void PutConstant(const ConfigMember& member, const ConfigNode& constant) {
    const bool is_nothing =
        constant.kind == ConfigNode::Kind::kNull ||
        (constant.kind == ConfigNode::Kind::kScalar && constant.scalar.empty());
    if (!is_nothing) return PutValues(member, {&constant});
    if (!prefix_.empty()) {
      return Error(constant, "must have a value, since it is in a mapping");
    }
    result_->constants.emplace_back(member.key, SweepValueText(constant));
  }

  void ReadOne(const ConfigMember& member) {
    word_ = "parameters." + ShowText(prefix_ + member.key);
    const ConfigNode& value = *member.value;
    if (value.kind != ConfigNode::Kind::kMap) {
      return job_->Error(member.position, word_,
                         "must be a mapping such as {min: 0, max: 1}, "
                         "{values: [a, b]} or {value: 3}");
    }
    if (const ConfigNode* const nested = value.Find("parameters")) {
      if (nested->kind != ConfigNode::Kind::kMap || value.members.size() > 1) {
        return Error(value, "must have nothing beside parameters, a mapping");
      }
      return ReadNested(member, *nested,
                        [this](const ConfigMember& each) { ReadOne(each); });
    }
    for (const ConfigMember& field : value.members) {
      if (std::find(std::begin(kKnownKeys), std::end(kKnownKeys), field.key) ==
          std::end(kKnownKeys)) {
        job_->Error(field.position,
                    absl::StrCat(word_, ".", ShowText(field.key)),
                    "is no field of a sweep's parameter");
      }
    }
    if (const ConfigNode* const constant = value.Find("value")) {
      if (constant->kind == ConfigNode::Kind::kMap) {
        return ReadConstantMap({member.key, member.position, constant});
      }
      return PutConstant(member, *constant);
    }
    if (value.Find("values") != nullptr) return ReadValues(member);
    result_->is_choice = true;
    ReadRange(member);
  }

  using Made = ForeignParameters::Made;

  // Begins the parameter's mapping of the job file.
  Made Begin(const ConfigMember& member, std::string_view type) {
    const std::string name = prefix_ + member.key;
    if (prefix_.empty()) {
      result_->searched.push_back(name);
    } else {
      const char* const quote = is_text_ ? "'" : "";
      AddToDict(member.key, absl::StrCat(quote, "{", name, "}", quote));
    }
    is_text_ = false;
    return result_->made.Begin({name, word_, member.position, "parameterName"},
                               type);
  }

  const ConfigNode* Number(double value, const ConfigNode& at) {
    return job_->Text(NumberText(value), at.position, true);
  }

  void ReadValues(const ConfigMember& member) {
    const ConfigNode& values = *member.value->Find("values");
    if (values.kind != ConfigNode::Kind::kList || values.items.empty()) {
      return Error(values, "must be a list of values");
    }
    if (const auto* weights = member.value->Find("probabilities")) {
      parameters_.With(weights)
          .value()
          .Called(word_ + ".probabilities")
          .LeaveOut(
              "has no counterpart: the search decides how often a value is "
              "tried");
    }
    PutValues(member, values.items);
  }

  void PutValues(const ConfigMember& member,
                 const std::vector<const ConfigNode*>& values) {
    const ConfigNode& first = *values.front();
    bool is_all_numbers = true;
    for (const ConfigNode* const item : values) {
      if (item->kind != ConfigNode::Kind::kScalar &&
          item->kind != ConfigNode::Kind::kNull) {
        return Error(*item,
                     "must be a single value, since lists and mappings cannot "
                     "be arguments");
      }
      result_->has_booleans = result_->has_booleans || IsBoolean(*item);
      is_all_numbers =
          is_all_numbers && item->is_plain && NumberOf(item).has_value();
    }
    const std::vector<const ConfigNode*> distinct = DistinctValues(
        values, is_all_numbers ? &NumberOrText : &SweepValueText, word_, job_);
    result_->is_choice = result_->is_choice || distinct.size() > 1;
    result_->made.Count(distinct.size());
    if (is_all_numbers) return PutNumbers(member, distinct);
    ConfigNode* const list = job_->List(first.position);
    is_text_ = std::all_of(values.begin(), values.end(), [](const auto* item) {
      return item->kind == ConfigNode::Kind::kScalar && !IsBoolean(*item) &&
             !(item->is_plain && NumberOf(item).has_value());
    });
    for (const ConfigNode* const item : distinct) {
      list->items.push_back(job_->Text(SweepValueText(*item), item->position));
    }
    Begin(member, "CATEGORICAL").Add("categoricalValues", list);
  }

  void PutNumbers(const ConfigMember& member,
                  const std::vector<const ConfigNode*>& values) {
    std::vector<double> numbers;
    numbers.reserve(values.size());
    for (const ConfigNode* const item : values) {
      numbers.push_back(*NumberOf(item));
    }
    std::sort(numbers.begin(), numbers.end());
    const ConfigNode& first = *values.front();
    ConfigNode* const list = job_->List(first.position);
    for (const double number : numbers) {
      list->items.push_back(Number(number, first));
    }
    Begin(member, "DISCRETE").Add("discreteValues", list);
  }

  void ReadRange(const ConfigMember& member) {
    const ConfigNode& value = *member.value;
    const ConfigNode* const low = value.Find("min");
    const ConfigNode* const high = value.Find("max");
    const Distribution* const distribution = DistributionOf(value);
    if (distribution == nullptr) return;
    if (low == nullptr || high == nullptr) {
      return Error(value, "must have min and max, values, or value");
    }
    const auto lowest = NumberOf(low);
    const auto highest = NumberOf(high);
    if (!lowest.has_value() || !highest.has_value()) {
      return Error(lowest.has_value() ? *high : *low, "must be a number");
    }
    double bounds[] = {*lowest, *highest};
    if (distribution->scale == Scale::kExponent) {
      for (double& bound : bounds) bound = std::exp(bound);
    }
    if (!std::isfinite(bounds[0]) || !std::isfinite(bounds[1])) {
      return Error(value, "has bounds that are exponents of e, and too large");
    }
    if (distribution->has_step) {
      return PutSteps(member, *distribution, bounds[0], bounds[1]);
    }
    const bool is_whole = distribution->is_whole;
    result_->made.CountRange({member.key, word_, value.position}, is_whole);
    const Made made = Begin(member, is_whole ? "INTEGER" : "DOUBLE");
    const bool is_as_written = distribution->scale != Scale::kExponent;
    made.Add("minValue", is_as_written ? low : Number(bounds[0], *low));
    made.Add("maxValue", is_as_written ? high : Number(bounds[1], *high));
    result_->made.AddScale(made, ScaleOf(*distribution));
  }

  // Null, and an error, if the distribution is no range.
  const Distribution* DistributionOf(const ConfigNode& value) {
    const ConfigNode* const named = value.Find("distribution");
    std::string_view name = "uniform";
    if (named != nullptr) {
      name = named->scalar;
    } else if (IsWrittenWhole(value.Find("min")) &&
               IsWrittenWhole(value.Find("max"))) {
      name = "int_uniform";
    }
    for (const Distribution& distribution : kDistributions) {
      if (distribution.name == name) return &distribution;
    }
    if (name == "constant" || name == "categorical") {
      Error(value, "must have value or values");
    } else {
      Error(*named,
            absl::StrCat("has no counterpart here: ", ShowValue(*named),
                         "; take a range with min and max, such as "
                         "{distribution: log_uniform_values, min: 0.001, max: "
                         "1}"));
    }
    return nullptr;
  }

  // W&B draws x, and rounds it to a multiple of q. So the ends may lie beyond
  // the bounds.
  void PutSteps(const ConfigMember& member, const Distribution& distribution,
                double low, double high) {
    const ConfigNode* const step = member.value->Find("q");
    const double q = step == nullptr ? 1 : NumberOf(step).value_or(0);
    if (!(q > 0)) return Error(*step, "q must be a number > 0");
    if (high < low) return Error(*member.value, "min must be <= max");
    const double first = std::round(low / q);
    const double last = std::round(high / q);
    if (q == 1 && std::abs(first) < kMaxExactInteger &&
        std::abs(last) < kMaxExactInteger) {
      return PutWholeSteps(member, distribution, first, last);
    }
    if (!(last - first < kMostSteps)) {
      return Error(*member.value,
                   absl::StrCat("has more than ", kMostSteps,
                                " steps; leave q out, or make it larger"));
    }
    std::vector<double> values;
    // Counted apart, since a huge number plus one is the same number.
    for (double steps = 0; steps <= last - first; ++steps) {
      values.push_back(StepValue(0, q, first + steps));
    }
    const bool is_log = distribution.scale != Scale::kLinear;
    if (is_log && values.front() <= 0) values.erase(values.begin());
    if (values.empty()) {
      return Error(*member.value, "has no value above 0 at this q");
    }
    result_->made.Count(values.size());
    ConfigNode* const list = job_->List(member.position);
    for (const double each : values) {
      list->items.push_back(Number(each, *member.value));
    }
    const Made made = Begin(member, "DISCRETE");
    made.Add("discreteValues", list);
    result_->made.AddScale(made, ScaleOf(distribution));
  }

  void PutWholeSteps(const ConfigMember& member,
                     const Distribution& distribution, double first,
                     double last) {
    const bool is_log = distribution.scale != Scale::kLinear;
    result_->made.CountRange({member.key, word_, member.position},
                             /*is_whole=*/true);
    const Made made = Begin(member, "INTEGER");
    if (is_log) first = std::max(first, 1.0);
    made.Add("minValue", Number(first, *member.value));
    made.Add("maxValue", Number(std::max(first, last), *member.value));
    result_->made.AddScale(made, ScaleOf(distribution));
  }

  ForeignNode parameters_;
  JobTree* job_;
  SweepParameters* result_;
  std::string word_;      // Of the parameter that is being read.
  std::string prefix_;    // Of names in the nested mapping that is being read.
  std::string dict_;      // The inside of its text in a command.
  bool is_text_ = false;  // Of the parameter that Begin is called for.
};

}  // namespace

std::string SweepValueText(const ConfigNode& value) {
  if (value.kind == ConfigNode::Kind::kNull) return "None";
  if (!IsBoolean(value)) return value.scalar;
  return value.scalar == "true" || value.scalar == "True" ? "True" : "False";
}

SweepParameters PutSweepParameters(const ForeignNode& parameters) {
  SweepParameters result = {.made = {parameters, kFieldWords}};
  ParameterReader(parameters, &result).Read();
  return result;
}

}  // namespace vernier
