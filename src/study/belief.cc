#include "study/belief.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "study/parameter_range.h"
#include "study/parameter_value.h"

namespace vernier {
namespace {

constexpr std::string_view kWidthWanted =
    "must be a number > 0, or a factor > 1 such as \"10x\"";

// A believed number may lie between two values of a DISCRETE.
bool IsInRange(const ParameterSpec& spec, double number) {
  return number >= LowestOf(spec) && number <= HighestOf(spec);
}

std::optional<std::variant<double, std::string>> ReadNear(
    const ParameterSpec& spec, const std::string& text) {
  if (spec.type == ParameterType::kCategorical) {
    const std::optional<ParameterValue> value = ValueOf(spec, text);
    if (!value.has_value()) return std::nullopt;
    return std::get<std::string>(*value);
  }
  const std::optional<double> number = NumberIn(text);
  if (!number.has_value() || !IsInRange(spec, *number)) return std::nullopt;
  return *number;
}

std::string NearWanted(const ParameterSpec& spec, const std::string& text) {
  if (spec.type != ParameterType::kCategorical) {
    return absl::StrCat("must be a number from ", NumberText(LowestOf(spec)),
                        " to ", NumberText(HighestOf(spec)), ": \"",
                        ShowText(text), "\"");
  }
  const std::vector<std::string_view> values(spec.categorical_values.begin(),
                                             spec.categorical_values.end());
  return absl::StrCat("must be ", DescribeValues(spec), ": \"", ShowText(text),
                      "\"", DidYouMean(text, values));
}

// Returns why the believed number cannot have the width; empty if it can.
std::string WhyNotWithin(const ParameterSpec& spec, double near,
                         const BeliefWidth& width) {
  if (spec.scale == ScaleType::kLog && !width.is_factor) {
    return absl::StrCat(
        "must be a factor > 1 such as \"10x\", because the scale is "
        "logarithmic: \"",
        ToString(width), "\"");
  }
  if (width.is_factor && !(near > 0)) {
    return absl::StrCat(
        "must be a number > 0, because a factor says nothing around ",
        NumberText(near), ": \"", ToString(width), "\"");
  }
  return "";
}

BeliefMistake NoSuchParameter(const std::vector<ParameterSpec>& space,
                              const std::string& name) {
  std::vector<std::string_view> names;
  names.reserve(space.size());
  for (const ParameterSpec& spec : space) names.push_back(spec.name);
  return {"",
          "the search space has no such parameter" + DidYouMean(name, names)};
}

}  // namespace

std::variant<Belief, BeliefMistake> ReadBelief(
    const std::vector<ParameterSpec>& space, const std::string& parameter,
    const BeliefText& text) {
  const ParameterSpec* found = nullptr;  // The first that varies, or fits.
  bool is_known = false;
  std::optional<std::variant<double, std::string>> near;
  for (const ParameterSpec& spec : space) {
    if (spec.name != parameter) continue;
    is_known = true;
    if (IsConstant(spec) || near.has_value()) continue;
    near = ReadNear(spec, text.near);
    if (near.has_value() || found == nullptr) found = &spec;
  }
  if (!is_known) return NoSuchParameter(space, parameter);
  if (found == nullptr) {
    return BeliefMistake{"",
                         "the parameter has one value only, so there is "
                         "nothing to believe about it"};
  }
  if (text.near.empty()) {
    return BeliefMistake{"near",
                         "is required: the value that is believed to "
                         "be about the best"};
  }
  if (!near.has_value()) {
    return BeliefMistake{"near", NearWanted(*found, text.near)};
  }
  Belief belief{parameter, *near, std::nullopt};
  if (text.within.empty()) return belief;
  const auto* const number = std::get_if<double>(&*near);
  if (number == nullptr) {
    return BeliefMistake{"within",
                         "is for numbers; of two categories, none is nearer"};
  }
  belief.within = WidthFromText(text.within);
  if (!belief.within.has_value()) {
    return BeliefMistake{"within",
                         absl::StrCat(std::string(kWidthWanted), ": \"",
                                      ShowText(text.within), "\"")};
  }
  std::string why = WhyNotWithin(*found, *number, *belief.within);
  if (!why.empty()) return BeliefMistake{"within", std::move(why)};
  return belief;
}

std::optional<BeliefWidth> WidthFromText(std::string_view text) {
  const bool is_factor = text.ends_with('x') || text.ends_with('X');
  if (is_factor) text.remove_suffix(1);
  const std::optional<double> amount = NumberIn(text);
  if (!amount.has_value() || !(*amount > (is_factor ? 1 : 0))) {
    return std::nullopt;
  }
  return BeliefWidth{*amount, is_factor};
}

std::string ToString(const BeliefWidth& width) {
  return NumberText(width.amount) + (width.is_factor ? "x" : "");
}

bool IsAbout(const Belief& belief, const ParameterSpec& spec) {
  if (belief.parameter != spec.name || IsConstant(spec)) return false;
  if (const auto* const text = std::get_if<std::string>(&belief.near)) {
    return spec.type == ParameterType::kCategorical &&
           ValueOf(spec, *text).has_value();
  }
  if (spec.type == ParameterType::kCategorical) return false;
  return IsInRange(spec, std::get<double>(belief.near));
}

}  // namespace vernier
