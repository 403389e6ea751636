#include "study/metrics/metric_goal.h"

#include "absl/strings/str_cat.h"
#include "base/number_text.h"

namespace vernier {

std::string BoundsText(const OutcomeConstraint& constraint) {
  std::string text;
  if (constraint.min.has_value()) {
    text = absl::StrCat(">= ", NumberText(*constraint.min));
  }
  if (constraint.max.has_value()) {
    absl::StrAppend(&text, text.empty() ? "" : " and ",
                    "<= ", NumberText(*constraint.max));
  }
  return text;
}

}  // namespace vernier
