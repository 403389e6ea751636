#include "study/katib_file/katib_parameters.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "study/step_value.h"
#include "study/study_file/job_tree.h"

namespace vernier {
namespace {

constexpr std::string_view kPath = "trainingInput.hyperparameters.params";
constexpr double kMostStepValues = 1000;

/// Turns the parameters of an Experiment into those of a job file.
class ParameterList {
 public:
  explicit ParameterList(const ForeignNode& parameters)
      : parameters_(parameters), job_(parameters.job()) {}

  void Put() {
    if (!parameters_.is_list()) return parameters_.Error("must be a list");
    ConfigNode* const list = job_.List(parameters_.at());
    for (const ForeignNode& item : parameters_.items()) {
      path_ = absl::StrCat(std::string(kPath), "[", list->items.size(), "]");
      job_.Call(path_, item.word());
      map_ = job_.Map(item.at());
      PutParameter(item);
      list->items.push_back(map_);
    }
    parameters_.With(list).Put(kPath);
  }

 private:
  void PutParameter(const ForeignNode& item) {
    for (const ForeignNode& member : item.members()) {
      if (member.key() != "name" && member.key() != "parameterType" &&
          member.key() != "feasibleSpace") {
        member.LeaveOut("has no counterpart");
      }
    }
    if (const auto name = item.Find("name")) Add("parameterName", name);
    const ForeignNode type = item.Find("parameterType");
    const ForeignNode space = item.Find("feasibleSpace");
    const std::string kind = type.text();
    if (!space.is_map()) {
      item.Called(space.word()).Error("must be a mapping");
    } else if (kind == "double" || kind == "int") {
      AddNumber(space, kind == "int", type);
    } else if (kind == "discrete" || kind == "categorical") {
      AddList(space, kind == "discrete", type);
    } else {
      type.Error("must be double, int, discrete or categorical: " +
                 ShowText(kind));
    }
  }

  void Add(std::string_view field, const ForeignNode& value) {
    map_->members.push_back({std::string(field), value.at(), value.get()});
    job_.Call(absl::StrCat(path_, ".", std::string(field)), value.word());
  }

  // Katib writes numbers as texts. Returns nullopt, and reports it, if a number
  // is missing or wrong.
  static std::optional<double> Number(const ForeignNode& value) {
    if (!value) {
      value.Error("is required");
      return std::nullopt;
    }
    const std::optional<double> number = NumberIn(value.text());
    if (!number.has_value()) {
      value.Error(absl::StrCat("must be a finite number: \"",
                               ShowText(value.text()), "\""));
    }
    return number;
  }

  void AddNumber(const ForeignNode& space, bool is_whole,
                 const ForeignNode& type) {
    const ForeignNode min = space.Find("min");
    const ForeignNode max = space.Find("max");
    const ForeignNode given_step = space.Find("step");
    const std::optional<double> low = Number(min);
    const std::optional<double> high = Number(max);
    if (!low.has_value() || !high.has_value()) return;
    double step = 0;
    if (!given_step.text().empty()) {
      step = Number(given_step).value_or(0);
      if (step <= 0) return given_step.Error("must be > 0");
    }
    if (is_whole && step <= 1) step = 0;
    const double count =
        step > 0 ? std::floor((*high - *low) / step + 1e-9) : 0;
    if (step > 0 && count + 1 <= kMostStepValues && *low <= *high) {
      Add("type", type.With("DISCRETE"));
      AddSteps(*low, step, count, given_step);
    } else {
      if (step > 0) {
        given_step.LeaveOut(
            absl::StrCat("makes more than ", kMostStepValues,
                         " values, so all between min and max are searched"));
      }
      Add("type", type.With(is_whole ? "INTEGER" : "DOUBLE"));
      Add("minValue", min.With(min.text(), true));
      Add("maxValue", max.With(max.text(), true));
    }
    AddScale(space.Find("distribution"), *low);
  }

  void AddSteps(double low, double step, double count, const ForeignNode& at) {
    ConfigNode* const list = job_.List(at.at());
    for (double number = 0; number <= count; ++number) {
      const double value = StepValue(low, step, number);
      list->items.push_back(at.With(NumberText(value), true).get());
    }
    Add("discreteValues", at.With(list));
  }

  void AddScale(const ForeignNode& distribution, double low) {
    if (!distribution) return;
    const std::string name = distribution.text();
    if (name == "normal" || name == "logNormal") {
      distribution.LeaveOut(absl::StrCat(
          "counts as ", name == "normal" ? "uniform" : "logUniform",
          ": the engine knows bounds and "
          "scales, but no densities"));
    }
    if (name == "logUniform" || name == "logNormal") {
      if (low <= 0) {
        return distribution.Error("needs a min > 0; Katib would lift it");
      }
      Add("scaleType", distribution.With("UNIT_LOG_SCALE"));
    } else if (name != "uniform" && name != "normal") {
      distribution.Error("must be uniform, logUniform, normal or logNormal: " +
                         ShowText(name));
    }
  }

  // Katib's discrete values are texts in any order.
  void AddList(const ForeignNode& space, bool is_discrete,
               const ForeignNode& type) {
    const ForeignNode list = space.Find("list");
    if (!list.is_list()) {
      return space.Called(list.word()).Error("must be a list");
    }
    std::map<double, const ConfigNode*> numbers;
    std::set<std::string> seen;
    ConfigNode* const texts = job_.List(list.at());
    bool is_numeric = is_discrete;
    for (const ForeignNode& item : list.items()) {
      if (!seen.insert(item.text()).second) continue;
      texts->items.push_back(item.With(item.text()).get());
      const std::optional<double> number = NumberIn(item.text());
      is_numeric =
          is_numeric && number.has_value() &&
          numbers.emplace(*number, item.With(item.text(), true).get()).second;
    }
    Add("type", type.With(is_numeric ? "DISCRETE" : "CATEGORICAL"));
    if (!is_numeric) return Add("categoricalValues", list.With(texts));
    ConfigNode* const sorted = job_.List(list.at());
    for (const auto& [number, item] : numbers) sorted->items.push_back(item);
    Add("discreteValues", list.With(sorted));
  }

  ForeignNode parameters_;
  JobTree& job_;
  ConfigNode* map_ = nullptr;  // The parameter that is being made.
  std::string path_;
};

}  // namespace

void PutKatibParameters(const ForeignNode& parameters) {
  ParameterList(parameters).Put();
}

}  // namespace vernier
