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

namespace vernier {
namespace {

constexpr std::string_view kPath = "trainingInput.hyperparameters.params";
constexpr double kMostStepValues = 1000;

/// Turns the parameters of an Experiment into those of a job file.
class ParameterList {
 public:
  ParameterList(JobTree* job, SpecDiagnostics* diagnostics)
      : job_(job), diagnostics_(diagnostics) {}

  void Put(const ConfigNode& parameters) {
    if (parameters.kind != ConfigNode::Kind::kList) {
      return job_->Error(parameters, "spec.parameters", "must be a list");
    }
    ConfigNode* const list = job_->List(parameters.position);
    for (const ConfigNode* item : parameters.items) {
      const std::string place = absl::StrCat("[", list->items.size(), "]");
      word_ = "spec.parameters" + place;
      path_ = std::string(kPath) + place;
      job_->Call(path_, word_);
      list->items.push_back(Parameter(*item));
    }
    job_->Put(kPath, "spec.parameters", parameters.position, list);
  }

 private:
  const ConfigNode* Parameter(const ConfigNode& item) {
    map_ = job_->Map(item.position);
    for (const ConfigMember& member : item.members) {
      if (member.key != "name" && member.key != "parameterType" &&
          member.key != "feasibleSpace") {
        diagnostics_->AddLeftOut(member.position,
                                 absl::StrCat(word_, ".", ShowText(member.key)),
                                 "has no counterpart");
      }
    }
    if (const ConfigNode* name = item.Find("name")) {
      Add("parameterName", "name", name);
    }
    const ConfigNode* const type = item.Find("parameterType");
    const ConfigNode* const space = item.Find("feasibleSpace");
    const std::string kind = type == nullptr ? "" : type->scalar;
    if (space == nullptr || space->kind != ConfigNode::Kind::kMap) {
      job_->Error(item, word_ + ".feasibleSpace", "must be a mapping");
    } else if (kind == "double" || kind == "int") {
      AddNumber(*space, kind == "int", type->position);
    } else if (kind == "discrete" || kind == "categorical") {
      AddList(*space, kind == "discrete", type->position);
    } else {
      job_->Error(type == nullptr ? item : *type, word_ + ".parameterType",
                  absl::StrCat("must be double, int, discrete or categorical: ",
                               ShowText(kind)));
    }
    return map_;
  }

  void Add(std::string_view field, std::string_view word,
           const ConfigNode* value) {
    map_->members.push_back({std::string(field), value->position, value});
    job_->Call(absl::StrCat(path_, ".", std::string(field)),
               absl::StrCat(word_, ".", std::string(word)));
  }

  void AddText(std::string_view field, std::string_view word,
               std::string_view text, const ConfigPosition& position) {
    Add(field, word, job_->Text(std::string(text), position));
  }

  // Katib writes numbers as texts. Returns nullopt, and reports it, if a number
  // is missing or wrong.
  std::optional<double> Number(const ConfigNode& space, const char* field) {
    const ConfigNode* const value = space.Find(field);
    const std::string word = absl::StrCat(word_, ".feasibleSpace.", field);
    if (value == nullptr) {
      job_->Error(space, word, "is required");
      return std::nullopt;
    }
    const ParsedNumber number = ParseNumber(value->scalar);
    if (number.problem == NumberProblem::kNone) return number.value;
    job_->Error(*value, word,
                absl::StrCat("must be a finite number: \"",
                             ShowText(value->scalar), "\""));
    return std::nullopt;
  }

  void AddBound(const ConfigNode& space, const char* field, const char* own) {
    const ConfigNode& value = *space.Find(field);
    Add(own, absl::StrCat("feasibleSpace.", field),
        job_->Text(value.scalar, value.position, /*is_plain=*/true));
  }

  void AddNumber(const ConfigNode& space, bool is_whole,
                 const ConfigPosition& position) {
    const std::optional<double> low = Number(space, "min");
    const std::optional<double> high = Number(space, "max");
    if (!low.has_value() || !high.has_value()) return;
    double step = 0;
    if (space.Find("step") != nullptr && !space.Find("step")->scalar.empty()) {
      step = Number(space, "step").value_or(0);
      if (step <= 0) {
        return job_->Error(*space.Find("step"), word_ + ".feasibleSpace.step",
                           "must be > 0");
      }
    }
    if (is_whole && step <= 1) step = 0;
    const double count =
        step > 0 ? std::floor((*high - *low) / step + 1e-9) : 0;
    if (step > 0 && count + 1 <= kMostStepValues && *low <= *high) {
      AddText("type", "parameterType", "DISCRETE", position);
      AddSteps(*low, step, count, *space.Find("step"));
    } else {
      if (step > 0) {
        diagnostics_->AddLeftOut(
            space.Find("step")->position, word_ + ".feasibleSpace.step",
            absl::StrCat("makes more than ", kMostStepValues,
                         " values, so all between min and max are searched"));
      }
      AddText("type", "parameterType", is_whole ? "INTEGER" : "DOUBLE",
              position);
      AddBound(space, "min", "minValue");
      AddBound(space, "max", "maxValue");
    }
    AddScale(space, *low);
  }

  void AddSteps(double low, double step, double count, const ConfigNode& at) {
    ConfigNode* const list = job_->List(at.position);
    for (double number = 0; number <= count; ++number) {
      list->items.push_back(job_->Text(NumberText(StepValue(low, step, number)),
                                       at.position, true));
    }
    Add("discreteValues", "feasibleSpace.step", list);
  }

  void AddScale(const ConfigNode& space, double low) {
    const ConfigNode* const distribution = space.Find("distribution");
    if (distribution == nullptr) return;
    const std::string word = word_ + ".feasibleSpace.distribution";
    const std::string& name = distribution->scalar;
    if (name == "normal" || name == "logNormal") {
      diagnostics_->AddLeftOut(
          distribution->position, word,
          absl::StrCat("counts as ",
                       name == "normal" ? "uniform" : "logUniform",
                       ": the engine knows bounds and "
                       "scales, but no densities"));
    }
    if (name == "logUniform" || name == "logNormal") {
      if (low <= 0) {
        return job_->Error(*distribution, word,
                           "needs a min > 0; Katib would lift it");
      }
      AddText("scaleType", "feasibleSpace.distribution", "UNIT_LOG_SCALE",
              distribution->position);
    } else if (name != "uniform" && name != "normal") {
      job_->Error(*distribution, word,
                  absl::StrCat("must be uniform, logUniform, normal or "
                               "logNormal: ",
                               ShowText(name)));
    }
  }

  // Katib's discrete values are texts in any order.
  void AddList(const ConfigNode& space, bool is_discrete,
               const ConfigPosition& position) {
    const ConfigNode* const list = space.Find("list");
    if (list == nullptr || list->kind != ConfigNode::Kind::kList) {
      return job_->Error(space, word_ + ".feasibleSpace.list",
                         "must be a list");
    }
    std::map<double, const ConfigNode*> numbers;
    std::set<std::string_view> seen;
    ConfigNode* const texts = job_->List(list->position);
    bool is_numeric = is_discrete;
    for (const ConfigNode* item : list->items) {
      if (!seen.insert(item->scalar).second) continue;
      texts->items.push_back(job_->Text(item->scalar, item->position));
      const ParsedNumber number = ParseNumber(item->scalar);
      is_numeric = is_numeric && number.problem == NumberProblem::kNone &&
                   numbers.emplace(number.value, item).second;
    }
    AddText("type", "parameterType", is_numeric ? "DISCRETE" : "CATEGORICAL",
            position);
    if (!is_numeric)
      return Add("categoricalValues", "feasibleSpace.list", texts);
    ConfigNode* const sorted = job_->List(list->position);
    for (const auto& [number, item] : numbers) {
      sorted->items.push_back(job_->Text(item->scalar, item->position, true));
    }
    Add("discreteValues", "feasibleSpace.list", sorted);
  }

  JobTree* job_;
  SpecDiagnostics* diagnostics_;
  ConfigNode* map_ = nullptr;  // The parameter that is being made.
  std::string path_;
  std::string word_;
};

}  // namespace

void PutKatibParameters(const ConfigNode& parameters, JobTree* job,
                        SpecDiagnostics* diagnostics) {
  ParameterList(job, diagnostics).Put(parameters);
}

}  // namespace vernier
