#include "study/unknown_metric.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

constexpr std::size_t kMostMetricsNamed = 10;

}  // namespace

absl::Status UnknownMetricError(const std::string& owner,
                                std::string_view metric,
                                const std::vector<std::string>& known) {
  std::string text =
      absl::StrCat(owner, " has no metric \"", ShowText(metric), "\"");
  for (std::size_t i = 0; i < std::min(known.size(), kMostMetricsNamed); ++i) {
    // A program may have named them.
    absl::StrAppend(&text, i == 0 ? ", but \"" : ", \"", ShowText(known[i]),
                    "\"");
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  return absl::InvalidArgumentError(text + DidYouMean(metric, names));
}

}  // namespace vernier
