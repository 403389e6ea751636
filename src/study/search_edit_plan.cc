#include "study/search_edit_plan.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/number_text.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "study/parameter_type_names.h"

namespace vernier {
namespace {

// A message lists at most this many values by name.
constexpr std::size_t kMostNamed = 5;

absl::Status CannotEdit(const std::string& name, const std::string& why) {
  return absl::FailedPreconditionError(
      absl::StrCat("parameter \"", ShowText(name), "\" ", why));
}

std::string ScaleWords(ScaleType scale) {
  switch (scale) {
    case ScaleType::kNone:
      return "unset";
    case ScaleType::kLinear:
      return "linear";
    case ScaleType::kLog:
      return "log";
    case ScaleType::kReverseLog:
      return "reverse log";
  }
  return "unknown";
}

std::string RangeText(const ParameterSpec& spec) {
  return absl::StrCat(ShortNumber(spec.min_value), "..",
                      ShortNumber(spec.max_value));
}

std::string ValueText(const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    return ShortNumber(*number);
  }
  return ShowText(FormatValue(value));
}

std::string DefaultText(const ParameterSpec& spec) {
  return spec.default_value.has_value() ? ValueText(*spec.default_value)
                                        : "unset";
}

std::vector<std::string> TextsOfValues(const ParameterSpec& spec) {
  std::vector<std::string> texts;
  for (const std::string& value : spec.categorical_values) {
    texts.push_back(ShowText(value));
  }
  for (const double value : spec.discrete_values) {
    texts.push_back(ShortNumber(value, 17));
  }
  return texts;
}

// Returns the values of `from` that `other` lacks, as "a, b and 3 more".
std::string MissingValues(const ParameterSpec& from,
                          const ParameterSpec& other) {
  const std::vector<std::string> present = TextsOfValues(other);
  std::vector<std::string> missing;
  for (const std::string& text : TextsOfValues(from)) {
    if (std::find(present.begin(), present.end(), text) == present.end()) {
      missing.push_back(text);
    }
  }
  const std::size_t shown = std::min(missing.size(), kMostNamed);
  const std::size_t rest = missing.size() - shown;
  missing.resize(shown);
  return absl::StrCat(absl::StrJoin(missing, ", "),
                      rest > 0 ? absl::StrCat(" and ", rest, " more") : "");
}

// Returns the only value that a range has left.
std::string FixedText(const ParameterSpec& spec) {
  return ShortNumber(spec.min_value);
}

void CompareValues(const ParameterSpec& before, const ParameterSpec& after,
                   std::vector<std::string>* edits) {
  const bool has_range = after.type == ParameterType::kDouble ||
                         after.type == ParameterType::kInteger;
  if (has_range && (before.min_value != after.min_value ||
                    before.max_value != after.max_value)) {
    const bool is_fixed = after.min_value == after.max_value;
    edits->push_back(is_fixed ? absl::StrCat("fixed at ", FixedText(after))
                              : absl::StrCat("range ", RangeText(before),
                                             " -> ", RangeText(after)));
  }
  if (has_range) return;
  const std::string added = MissingValues(after, before);
  const std::string dropped = MissingValues(before, after);
  if (!added.empty()) edits->push_back(absl::StrCat("values added: ", added));
  if (!dropped.empty()) {
    edits->push_back(absl::StrCat("values dropped: ", dropped));
  }
  if (added.empty() && dropped.empty() &&
      before.categorical_values != after.categorical_values) {
    edits->push_back("values in another order");
  }
}

bool HasSameCondition(const std::vector<ParameterSpec>& before,
                      const ParameterSpec& spec,
                      const std::vector<ParameterSpec>& after,
                      const ParameterSpec& other) {
  if (spec.condition.has_value() != other.condition.has_value()) return false;
  if (!spec.condition.has_value()) return true;
  return before[spec.condition->parent].name ==
             after[other.condition->parent].name &&
         spec.condition->values == other.condition->values;
}

// Two spaces, and the parameters of one that correspond to those of the other.
class SpaceComparison {
 public:
  SpaceComparison(const StudySpec& before,
                  const std::optional<SearchEdits>& edits,
                  const StudySpec& after)
      : before_(before),
        earlier_edits_(edits),
        after_(after),
        partners_(after.parameters.size()),
        is_taken_(before.parameters.size(), false) {
    // Names may repeat where no configuration has both parameters. Equal
    // conditions then tell which is which, else the order does.
    for (const bool exactly : {true, false}) {
      for (std::size_t i = 0; i < partners_.size(); ++i) Pair(i, exactly);
    }
  }

  absl::StatusOr<std::vector<std::string>> Edits() const {
    std::vector<std::string> edits;
    for (std::size_t i = 0; i < partners_.size(); ++i) {
      const ParameterSpec& spec = after_.parameters[i];
      if (!partners_[i].has_value()) {
        VERNIER_RETURN_IF_ERROR(CheckAdded(spec));
        edits.push_back(absl::StrCat(ShowText(spec.name),
                                     ": added; earlier trials had ",
                                     ValueText(*spec.default_value)));
        continue;
      }
      VERNIER_RETURN_IF_ERROR(Compare(*partners_[i], i, &edits));
    }
    for (std::size_t k = 0; k < is_taken_.size(); ++k) {
      if (is_taken_[k]) continue;
      VERNIER_RETURN_IF_ERROR(Drop(before_.parameters[k], &edits));
    }
    if (edits.empty() && before_.parameters != after_.parameters) {
      edits.emplace_back("parameters in another order");
    }
    CompareConstraints(&edits);
    return edits;
  }

 private:
  void Pair(std::size_t i, bool exactly) {
    if (partners_[i].has_value()) return;
    const ParameterSpec& spec = after_.parameters[i];
    for (std::size_t k = 0; k < is_taken_.size(); ++k) {
      const ParameterSpec& other = before_.parameters[k];
      if (is_taken_[k] || other.name != spec.name) continue;
      if (exactly && !HasSameCondition(before_.parameters, other,
                                       after_.parameters, spec)) {
        continue;
      }
      partners_[i] = k;
      is_taken_[k] = true;
      return;
    }
  }

  absl::Status CheckAdded(const ParameterSpec& spec) const {
    if (!spec.default_value.has_value()) {
      return CannotEdit(
          spec.name,
          "is new and has no default: give it the value that earlier trials "
          "had, so that they can be compared with those to come");
    }
    if (!earlier_edits_.has_value()) return absl::OkStatus();
    for (const NamedValue& dropped : earlier_edits_->dropped) {
      if (dropped.name != spec.name || dropped.value == *spec.default_value) {
        continue;
      }
      return CannotEdit(spec.name,
                        absl::StrCat("was dropped, and the trials since had ",
                                     ValueText(dropped.value),
                                     ": its default must be that, not ",
                                     ValueText(*spec.default_value)));
    }
    return absl::OkStatus();
  }

  absl::Status Compare(std::size_t k, std::size_t i,
                       std::vector<std::string>* edits) const {
    const ParameterSpec& before = before_.parameters[k];
    const ParameterSpec& after = after_.parameters[i];
    if (before.type != after.type) {
      return CannotEdit(
          after.name,
          absl::StrCat("was ", std::string(NameOf(before.type)), " and is ",
                       std::string(NameOf(after.type)),
                       ": a type never changes, because programs would get "
                       "the values of earlier trials in another form; give "
                       "the new parameter a name of its own"));
    }
    std::vector<std::string> own;
    CompareValues(before, after, &own);
    if (before.scale != after.scale) {
      own.push_back(absl::StrCat("scale ", ScaleWords(before.scale), " -> ",
                                 ScaleWords(after.scale)));
    }
    if (before.default_value != after.default_value) {
      own.push_back(absl::StrCat("default ", DefaultText(before), " -> ",
                                 DefaultText(after)));
    }
    if (!HasSameCondition(before_.parameters, before, after_.parameters,
                          after)) {
      own.emplace_back("another condition");
    }
    if (before.has_booleans != after.has_booleans) {
      own.emplace_back(after.has_booleans ? "values are booleans"
                                          : "values are texts");
    }
    for (const std::string& edit : own) {
      edits->push_back(absl::StrCat(ShowText(after.name), ": ", edit));
    }
    return absl::OkStatus();
  }

  static absl::Status Drop(const ParameterSpec& spec,
                           std::vector<std::string>* edits) {
    const std::optional<ParameterValue> value = ValueWhenDropped(spec);
    if (!value.has_value()) {
      return CannotEdit(
          spec.name,
          "has no default, so that it is not known which value trials have "
          "once it is dropped: fix it first, by a range or a list of one "
          "value, or give it a default");
    }
    edits->push_back(absl::StrCat(ShowText(spec.name),
                                  ": dropped; later trials have ",
                                  ValueText(*value)));
    return absl::OkStatus();
  }

  void CompareConstraints(std::vector<std::string>* edits) const {
    const auto& old_ones = before_.parameter_constraints;
    const auto& new_ones = after_.parameter_constraints;
    for (const ParameterConstraint& each : new_ones) {
      if (std::find(old_ones.begin(), old_ones.end(), each) == old_ones.end()) {
        edits->push_back(
            absl::StrCat("constraint added: ", QuotedTexts({each})));
      }
    }
    for (const ParameterConstraint& each : old_ones) {
      if (std::find(new_ones.begin(), new_ones.end(), each) == new_ones.end()) {
        edits->push_back(
            absl::StrCat("constraint dropped: ", QuotedTexts({each})));
      }
    }
  }

  const StudySpec& before_;
  const std::optional<SearchEdits>& earlier_edits_;
  const StudySpec& after_;
  std::vector<std::optional<std::size_t>> partners_;  // Of `after`'s.
  std::vector<bool> is_taken_;                        // Of `before`'s.
};

}  // namespace

absl::StatusOr<std::vector<std::string>> PlanSearchEdit(
    const StudySpec& before, const std::optional<SearchEdits>& edits,
    const StudySpec& after) {
  return SpaceComparison(before, edits, after).Edits();
}

}  // namespace vernier
