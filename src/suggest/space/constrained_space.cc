#include "suggest/space/constrained_space.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/rng.h"
#include "base/shown_text.h"
#include "suggest/space/feasible_region.h"
#include "suggest/space/finite_space.h"
#include "suggest/space/search_space_encoding.h"

namespace vernier {
namespace {

// A stream of random generators; trials have 1, 2, ...
constexpr std::uint64_t kEmptyStream = std::uint64_t{6} << 60;

bool HasConfiguration(const std::vector<ParameterSpec>& space,
                      const std::vector<ParameterConstraint>& constraints,
                      const SearchSpaceEncoding& encoding) {
  if (constraints.empty()) return true;
  const auto finite = FiniteSpace::Create(space);
  if (finite.has_value() && finite->size() <= kMaxEnumeratedConfigurations) {
    for (std::int64_t i = 0; i < finite->size(); ++i) {
      if (FirstViolated(constraints, finite->At(i)) == nullptr) return true;
    }
    return false;
  }
  std::mt19937_64 rng = MakeRng(0, kEmptyStream);
  return FeasibleRegion(space, constraints, encoding).Draw(rng).has_value();
}

}  // namespace

SearchSpaceEncoding EncodingWithin(
    const std::vector<ParameterSpec>& space,
    const std::vector<ParameterConstraint>& constraints) {
  SearchSpaceEncoding whole(space);
  if (constraints.empty()) return whole;
  return SearchSpaceEncoding(
      space, FeasibleRegion(space, constraints, whole).RangesLeft());
}

absl::Status CheckNotEmpty(
    const std::vector<ParameterSpec>& space,
    const std::vector<ParameterConstraint>& constraints) {
  if (constraints.empty()) return absl::OkStatus();
  const SearchSpaceEncoding encoding(space);
  if (HasConfiguration(space, constraints, encoding)) return absl::OkStatus();
  // A constraint is no part of the reason if the rest alone allows nothing.
  std::vector<ParameterConstraint> reason = constraints;
  for (std::size_t i = reason.size(); i-- > 0;) {
    std::vector<ParameterConstraint> fewer = reason;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (fewer.empty() || HasConfiguration(space, fewer, encoding)) continue;
    reason = std::move(fewer);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "no configuration of the search space ",
      reason.size() == 1 ? "meets the constraint " : "meets together ",
      QuotedTexts(reason), "; widen the parameters' bounds, or drop one"));
}

absl::Status CheckMeetsConstraints(
    const std::vector<ParameterConstraint>& constraints,
    const Parameters& parameters) {
  const ParameterConstraint* const violated =
      FirstViolated(constraints, parameters);
  if (violated == nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the point does not meet the constraint \"",
                   ShowText(violated->text), "\""));
}

}  // namespace vernier
