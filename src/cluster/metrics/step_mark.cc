#include "cluster/metrics/step_mark.h"

#include "absl/strings/str_cat.h"

namespace vernier {

std::string_view ToString(StepUnit unit) {
  switch (unit) {
    case StepUnit::kNone:
      return "";
    case StepUnit::kStep:
      return "step";
    case StepUnit::kEpoch:
      return "epoch";
    case StepUnit::kIteration:
      return "iteration";
    case StepUnit::kBatch:
      return "batch";
    case StepUnit::kRound:
      return "round";
  }
  return "";
}

std::string ToText(const StepMark& mark) {
  if (mark.unit == StepUnit::kNone) return "";
  if (mark.unit == StepUnit::kEpoch && mark.epoch.has_value()) {
    return absl::StrCat("epoch ", *mark.epoch);
  }
  const std::string text =
      absl::StrCat(std::string(ToString(mark.unit)), " ", mark.step);
  if (!mark.epoch.has_value()) return text;
  return absl::StrCat("epoch ", *mark.epoch, ", ", text);
}

}  // namespace vernier
