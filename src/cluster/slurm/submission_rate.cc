#include "cluster/slurm/submission_rate.h"

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace vernier {
namespace {

constexpr double kLeast = 1.0 / 60;  // One in a minute.
constexpr double kGrowth = 1.05;

}  // namespace

void SubmissionRate::NoteAnswered(SteadyTime now) {
  rate_ = std::min(most_, rate_ * kGrowth);
  Pause(now);
}

void SubmissionRate::NoteTrouble(SteadyTime now) {
  rate_ = std::max(std::min(most_, kLeast), rate_ / 2);
  Pause(now);
}

void SubmissionRate::Pause(SteadyTime now) {
  // After a rest of a second or more, a burst at the full rate has no gaps.
  const auto gap =
      std::chrono::microseconds(static_cast<std::int64_t>(1'000'000 / rate_));
  next_ = std::max(next_, now + std::chrono::seconds(-1)) + gap;
}

}  // namespace vernier
