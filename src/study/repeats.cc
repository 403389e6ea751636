#include "study/repeats.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"

namespace vernier {

std::optional<Repeats> RepeatsFromText(std::string_view text) {
  const std::string own(text.substr(0, 8));
  if (own.size() != text.size()) return std::nullopt;
  if (absl::EqualsIgnoreCase(own, "AUTO")) {
    return Repeats{RepeatPolicy::kAuto, kMostAutoRepeats};
  }
  // SimpleAtoi also takes signs and blanks.
  if (own.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  int trials = 0;
  if (!absl::SimpleAtoi(own, &trials) || trials < 2 || trials > kMostRepeats) {
    return std::nullopt;
  }
  return Repeats{RepeatPolicy::kFixed, trials};
}

std::string ToString(const Repeats& repeats) {
  switch (repeats.policy) {
    case RepeatPolicy::kNever:
      return "";
    case RepeatPolicy::kFixed:
      return std::to_string(repeats.trials);
    case RepeatPolicy::kAuto:
      return "AUTO";
  }
  return "";
}

}  // namespace vernier
