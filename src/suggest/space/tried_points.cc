#include "suggest/space/tried_points.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/check.h"
#include "base/rng.h"

namespace vernier {
namespace {

constexpr int kMaxDraws = 100;
constexpr int kMaxAllowedDraws = 20;  // Each may be long.

absl::Status NothingAllowed(
    const std::vector<ParameterConstraint>& constraints) {
  return absl::FailedPreconditionError(absl::StrCat(
      "no configuration was found that meets the constraints between "
      "parameters: ",
      QuotedTexts(constraints)));
}

}  // namespace

TriedPoints::TriedPoints(const StudyView& view,
                         const SearchSpaceEncoding& encoding, double tolerance)
    : view_(view),
      encoding_(encoding),
      tolerance_(tolerance),
      region_(view.space, view.parameter_constraints, encoding),
      untried_(UntriedConfigurations::Create(view.space)) {
  if (!untried_.has_value()) return;
  if (!region_.is_whole()) {
    untried_->MarkTriedIf([&](const Parameters& parameters) {
      return FirstViolated(view.parameter_constraints, parameters) != nullptr;
    });
    allows_none_ = untried_->empty();
  }
  for (const Observation& observation : view.completed) {
    Add(observation.parameters);
  }
  for (const Parameters& parameters : view.pending) Add(parameters);
  for (const Parameters& parameters : view.given_up) Add(parameters);
}

void TriedPoints::Add(const Parameters& parameters) {
  if (untried_.has_value()) {
    untried_->MarkTried(parameters);
  } else {
    added_.push_back(parameters);
  }
}

bool TriedPoints::Contains(const Eigen::RowVectorXd& row) const {
  if (untried_.has_value()) return untried_->IsTried(encoding_.Decode(row));
  const PointIdentity point(encoding_, row, tolerance_);
  const auto has = [&](const std::vector<Parameters>& points) {
    return std::any_of(points.begin(), points.end(),
                       [&](const auto& tried) { return point.IsSame(tried); });
  };
  return has(added_) || has(view_.pending) || has(view_.given_up) ||
         std::any_of(view_.completed.begin(), view_.completed.end(),
                     [&](const Observation& result) {
                       return point.IsSame(result.parameters);
                     });
}

absl::Status TriedPoints::Exhaustion() const {
  if (allows_none_) return NothingAllowed(view_.parameter_constraints);
  return absl::ResourceExhaustedError(
      region_.is_whole()
          ? "every configuration of the search space has been tried"
          : "every configuration of the search space that meets its "
            "constraints has been tried");
}

absl::StatusOr<Suggestion> TriedPoints::Resolve(const Eigen::RowVectorXd& row,
                                                SuggestionMethod method,
                                                std::mt19937_64& rng) const {
  VERNIER_CHECK(!IsExhausted());
  Suggestion suggestion;
  if (!Contains(row) && (untried_.has_value() || region_.Contains(row))) {
    suggestion.record.method = method;
    suggestion.parameters = encoding_.Decode(row);
    return suggestion;
  }
  if (untried_.has_value()) {
    suggestion.record.method = SuggestionMethod::kUntried;
    suggestion.parameters = untried_->Draw(rng);
    return suggestion;
  }
  if (!region_.is_whole()) return DrawAllowed(rng);
  Eigen::RowVectorXd other = row;
  bool is_untried = false;
  for (int i = 0; i < kMaxDraws && !is_untried; ++i) {
    other = encoding_.FromUnitCube(DrawUnitPoint(encoding_, rng));
    is_untried = !Contains(other);
  }
  return Drawn(other, is_untried);
}

Suggestion TriedPoints::Drawn(const Eigen::RowVectorXd& row,
                              bool is_untried) const {
  Suggestion suggestion{encoding_.Decode(row), {}};
  suggestion.record.method =
      is_untried ? SuggestionMethod::kUntried : SuggestionMethod::kRandom;
  return suggestion;
}

absl::StatusOr<Suggestion> TriedPoints::DrawAllowed(
    std::mt19937_64& rng) const {
  std::optional<Eigen::RowVectorXd> row;
  bool is_untried = false;
  for (int i = 0; i < kMaxAllowedDraws && !is_untried; ++i) {
    std::optional<Eigen::RowVectorXd> other = region_.Draw(rng);
    if (!other.has_value()) break;
    row = std::move(other);
    is_untried = !Contains(*row);
  }
  if (!row.has_value()) return NothingAllowed(view_.parameter_constraints);
  return Drawn(*row, is_untried);
}

Eigen::RowVectorXd DrawUnitPoint(const SearchSpaceEncoding& encoding,
                                 std::mt19937_64& rng) {
  Eigen::RowVectorXd unit(
      static_cast<Eigen::Index>(encoding.coordinates().size()));
  for (double& u : unit) u = UniformDouble(rng);
  return unit;
}

}  // namespace vernier
