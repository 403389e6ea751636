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
                         const SearchSpaceEncoding& encoding)
    : encoding_(encoding),
      constraints_(view.parameter_constraints),
      region_(view.space, view.parameter_constraints, encoding),
      untried_(UntriedConfigurations::Create(view.space)) {
  if (untried_.has_value() && !region_.is_whole()) {
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
    rows_.push_back(encoding_.Encode(parameters));
  }
}

bool TriedPoints::Contains(const Eigen::RowVectorXd& row) const {
  const Parameters parameters = encoding_.Decode(row);
  if (untried_.has_value()) return untried_->IsTried(parameters);
  // A narrow range may hold so few doubles that many rows decode to the same
  // point.
  const Eigen::RowVectorXd valid = encoding_.Encode(parameters);
  return std::any_of(rows_.begin(), rows_.end(), [&](const auto& tried) {
    return (tried - valid).template lpNorm<Eigen::Infinity>() < kTolerance;
  });
}

absl::Status TriedPoints::Exhaustion() const {
  if (allows_none_) return NothingAllowed(constraints_);
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
  suggestion.record.method = SuggestionMethod::kUntried;
  if (untried_.has_value()) {
    suggestion.parameters = untried_->Draw(rng);
    return suggestion;
  }
  if (!region_.is_whole()) return DrawAllowed(rng);
  Eigen::RowVectorXd other = row;
  for (int i = 0; i < kMaxDraws; ++i) {
    other = encoding_.FromUnitCube(DrawUnitPoint(encoding_, rng));
    if (!Contains(other)) break;
  }
  suggestion.parameters = encoding_.Decode(other);
  return suggestion;
}

absl::StatusOr<Suggestion> TriedPoints::DrawAllowed(
    std::mt19937_64& rng) const {
  Suggestion suggestion;
  suggestion.record.method = SuggestionMethod::kUntried;
  std::optional<Eigen::RowVectorXd> row;
  for (int i = 0; i < kMaxAllowedDraws; ++i) {
    std::optional<Eigen::RowVectorXd> other = region_.Draw(rng);
    if (!other.has_value()) break;
    row = std::move(other);
    if (!Contains(*row)) break;
  }
  if (!row.has_value()) return NothingAllowed(constraints_);
  suggestion.parameters = encoding_.Decode(*row);
  return suggestion;
}

Eigen::RowVectorXd DrawUnitPoint(const SearchSpaceEncoding& encoding,
                                 std::mt19937_64& rng) {
  Eigen::RowVectorXd unit(
      static_cast<Eigen::Index>(encoding.coordinates().size()));
  for (double& u : unit) u = UniformDouble(rng);
  return unit;
}

}  // namespace vernier
