#include "suggest/algorithms/failure_caution.h"

#include <algorithm>
#include <cstddef>

#include "suggest/acquisition/weighted_gain.h"
#include "suggest/design/initial_design.h"

namespace vernier {
namespace {

constexpr std::size_t kWindow = 30;  // Results; the design's do not count.
constexpr double kFreeFailures = 1;
constexpr double kCautionPerFailure = 6;

}  // namespace

double FailureCaution(const StudyView& view,
                      const SearchSpaceEncoding& encoding) {
  const std::size_t n = view.completed.size();
  const std::size_t first =
      std::max(static_cast<std::size_t>(DesignFor(view, encoding).size),
               n - std::min(n, kWindow));
  double failures = 0;
  for (std::size_t i = first; i < n; ++i) {
    failures += view.completed[i].objective.has_value() ? 0 : 1;
  }
  return kUsualCaution +
         kCautionPerFailure * std::max(0.0, failures - kFreeFailures);
}

}  // namespace vernier
