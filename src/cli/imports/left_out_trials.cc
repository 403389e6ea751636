#include "cli/imports/left_out_trials.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

constexpr std::size_t kMostNamed = 5;
// A hostile file could have a reason of its own for every trial.
constexpr std::size_t kMostReasons = 50;
constexpr char kMore[] = "for other reasons";

}  // namespace

void LeftOutTrials::Add(const std::string& reason, const std::string& trial) {
  const bool is_new = found_.count(reason) == 0;
  const std::string& key =
      is_new && order_.size() >= kMostReasons ? kMore : reason;
  Found& found = found_[key];
  if (found.count == 0) order_.push_back(key);
  ++found.count;
  if (found.first.size() < kMostNamed) {
    found.first.push_back(ShowText(trial, 40));
  }
}

std::vector<std::string> LeftOutTrials::Lines() const {
  std::vector<std::string> lines;
  for (const std::string& reason : order_) {
    const Found& found = found_.at(reason);
    lines.push_back(absl::StrCat(
        found.count, found.count == 1 ? " trial (" : " trials (",
        absl::StrJoin(found.first, ", "),
        found.count > found.first.size() ? ", ..." : "", "): ", reason));
  }
  return lines;
}

}  // namespace vernier
