#include "suggest/space/tried_points.h"

#include <algorithm>

#include "base/check.h"
#include "base/rng.h"

namespace vernier {
namespace {

constexpr int kMaxDraws = 100;

}  // namespace

TriedPoints::TriedPoints(const StudyView& view,
                         const SearchSpaceEncoding& encoding)
    : encoding_(encoding), untried_(UntriedConfigurations::Create(view.space)) {
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

Suggestion TriedPoints::Resolve(const Eigen::RowVectorXd& row,
                                SuggestionMethod method,
                                std::mt19937_64& rng) const {
  VERNIER_CHECK(!IsExhausted());
  Suggestion suggestion;
  if (!Contains(row)) {
    suggestion.record.method = method;
    suggestion.parameters = encoding_.Decode(row);
    return suggestion;
  }
  suggestion.record.method = SuggestionMethod::kUntried;
  if (untried_.has_value()) {
    suggestion.parameters = untried_->Draw(rng);
    return suggestion;
  }
  Eigen::RowVectorXd other = row;
  for (int i = 0; i < kMaxDraws; ++i) {
    other = encoding_.FromUnitCube(DrawUnitPoint(encoding_, rng));
    if (!Contains(other)) break;
  }
  suggestion.parameters = encoding_.Decode(other);
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
