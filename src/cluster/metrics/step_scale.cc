#include "cluster/metrics/step_scale.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// The bound of implausibly large steps, so that sums do not overflow.
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 8;

bool IsWhole(const StepMark& mark) {
  if (mark.unit == StepUnit::kNone) return false;
  return mark.unit != StepUnit::kEpoch || !mark.epoch.has_value();
}

bool HaveEpochs(const StepMark& a, const StepMark& b) {
  return a.epoch.has_value() && b.epoch.has_value();
}

// Returns whether a step of the same unit starts to count from the beginning
// again.
bool BeginsAgain(const StepMark& before, const StepMark& after) {
  if (after.step < before.step) return true;
  return HaveEpochs(before, after) && before.epoch != after.epoch &&
         after.step == before.step;
}

// Returns whether BeginsAgain holds because the next epoch has begun.
bool IsNextEpoch(const StepMark& before, const StepMark& after) {
  return HaveEpochs(before, after) && *before.epoch < *after.epoch;
}

std::string TextOf(const StepMark& mark) {
  const std::string text = ToText(mark);
  return text.empty() ? "none" : text;
}

}  // namespace

void StepScale::NoteConflict(const StepMark& mark) {
  if (!conflict_.empty()) return;
  conflict_ = absl::StrCat(TextOf(before_), ", then ", TextOf(mark));
}

std::int64_t StepScale::StandOf(const StepMark& mark) {
  const std::int64_t own = std::clamp(mark.step, -kMost, kMost);
  if (!said_.has_value()) {
    // Earlier values, if any, had no step and were numbered in order.
    offset_ = is_first_ || own > last_ ? 0 : last_ + 1 - own;
  } else if (BeginsAgain(*said_, mark)) {
    if (!IsNextEpoch(*said_, mark)) NoteConflict(mark);
    offset_ = own >= 1 ? last_ : last_ + 1 - own;
  }
  const bool is_same = said_.has_value() && said_->step == mark.step &&
                       said_->epoch == mark.epoch;
  const std::int64_t soonest =
      is_first_ && !said_.has_value() ? own : last_ + (is_same ? 0 : 1);
  said_ = mark;
  return std::max(soonest, own + offset_);
}

std::int64_t StepScale::Take(const StepMark& mark) {
  const bool is_of_unit =
      IsWhole(mark) && (!said_.has_value() || said_->unit == mark.unit);
  if (!is_first_ && before_.unit != mark.unit) NoteConflict(mark);
  last_ = is_of_unit ? StandOf(mark) : last_ + 1;
  last_ = std::min(last_, kMost * 2);
  is_first_ = false;
  before_ = mark;
  return last_;
}

}  // namespace vernier
