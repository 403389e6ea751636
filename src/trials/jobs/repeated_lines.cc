#include "trials/jobs/repeated_lines.h"

#include <chrono>
#include <cstddef>

#include "absl/strings/str_cat.h"

namespace vernier {

std::optional<std::string> RepeatedLines::Pass(const std::string& line,
                                               SteadyTime now) {
  constexpr std::chrono::seconds kQuiet{60};
  constexpr std::size_t kMost = 1000;
  if (const auto found = written_.find(line); found != written_.end()) {
    Written& before = found->second;
    if (now - before.at < kQuiet) {
      ++before.left_out;
      return std::nullopt;
    }
    const int left_out = before.left_out;
    before = {now, 0};
    if (left_out == 0) return line;
    return absl::StrCat(line, " (and ", left_out, " times more since it was ",
                        "last said)");
  }
  if (written_.size() >= kMost) {
    std::erase_if(written_, [&](const auto& each) {
      return now - each.second.at >= kQuiet;
    });
  }
  if (written_.size() < kMost) written_[line] = {now, 0};
  return line;
}

}  // namespace vernier
