#include "suggest/insights/make_insights.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "suggest/gp/user_units.h"
#include "suggest/insights/advice.h"
#include "suggest/insights/calibration.h"
#include "suggest/insights/importance.h"
#include "suggest/insights/predicted_best.h"
#include "suggest/insights/response_curves.h"

namespace vernier {
namespace {

using CoordinatePair = std::pair<std::size_t, std::size_t>;

// A smaller share is not worth a line.
constexpr double kNotableInteraction = 0.005;
constexpr std::size_t kMostInteractions = 20;

absl::StatusOr<std::size_t> FindCoordinate(const SearchSpaceEncoding& encoding,
                                           const std::string& name) {
  for (std::size_t c = 0; c < encoding.coordinates().size(); ++c) {
    if (encoding.SpecOf(c).name == name) return c;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "a contour is of two parameters that can vary: \"", name, "\""));
}

absl::StatusOr<std::vector<CoordinatePair>> FindContours(
    const SearchSpaceEncoding& encoding, const InsightsRequest& request) {
  if (request.contours.size() > kMostContours) {
    return absl::InvalidArgumentError(
        absl::StrCat("at most ", kMostContours,
                     " contours can be asked for: ", request.contours.size()));
  }
  std::vector<CoordinatePair> pairs;
  for (const auto& [first, second] : request.contours) {
    VERNIER_ASSIGN_OR_RETURN(const std::size_t x,
                             FindCoordinate(encoding, first));
    VERNIER_ASSIGN_OR_RETURN(const std::size_t y,
                             FindCoordinate(encoding, second));
    if (x == y) {
      return absl::InvalidArgumentError(absl::StrCat(
          "a contour is of two different parameters: \"", first, "\""));
    }
    pairs.emplace_back(x, y);
  }
  return pairs;
}

void AddShares(const SearchSpaceEncoding& encoding,
               const CoordinateShares& shares, Insights* insights) {
  for (const CoordinateShares::Main& main : shares.main) {
    insights->importance.push_back({encoding.SpecOf(main.coordinate).name,
                                    main.share, main.low, main.high});
  }
  for (const CoordinateShares::Pair& pair : shares.pairs) {
    if (pair.share < kNotableInteraction ||
        insights->interactions.size() == kMostInteractions) {
      break;
    }
    insights->interactions.push_back({encoding.SpecOf(pair.first).name,
                                      encoding.SpecOf(pair.second).name,
                                      pair.share});
  }
}

// Returns the two most important coordinates that some result has together.
std::vector<CoordinatePair> DefaultContours(const ExaminedStudy& study,
                                            const CoordinateShares& shares,
                                            const Eigen::RowVectorXd& best) {
  for (std::size_t i = 1; i < shares.main.size(); ++i) {
    const CoordinatePair pair{shares.main[0].coordinate,
                              shares.main[i].coordinate};
    if (RowThrough(study, best, {pair.first, pair.second}).has_value()) {
      return {pair};
    }
  }
  return {};
}

void AddCurves(const ExaminedStudy& study, const CoordinateShares& shares,
               const Eigen::RowVectorXd& best,
               const std::vector<CoordinatePair>& contours,
               Insights* insights) {
  const std::size_t count = std::min(shares.main.size(), kMostSlices);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t coordinate = shares.main[i].coordinate;
    const auto row = RowThrough(study, best, {coordinate});
    if (!row.has_value()) continue;
    insights->slices.push_back(MakeSlice(study, *row, coordinate));
  }
  for (const auto& [first, second] : contours) {
    const auto row = RowThrough(study, best, {first, second});
    if (!row.has_value()) continue;
    insights->contours.push_back(MakeContour(study, *row, first, second));
  }
}

}  // namespace

absl::Status CheckContours(const SearchSpaceEncoding& encoding,
                           const InsightsRequest& request) {
  return FindContours(encoding, request).status();
}

absl::StatusOr<Insights> MakeInsights(const ExaminedStudy& study,
                                      const InsightsRequest& request) {
  VERNIER_ASSIGN_OR_RETURN(std::vector<CoordinatePair> contours,
                           FindContours(study.encoding, request));
  Insights insights;
  insights.num_observations =
      std::count_if(study.view.completed.begin(), study.view.completed.end(),
                    [&](const Observation& result) {
                      return FullObjective(result, study.view.goal).has_value();
                    });
  const CoordinateShares shares = EstimateImportance(study);
  AddShares(study.encoding, shares, &insights);
  const Eigen::RowVectorXd best = FindPredictedBest(study);
  if (contours.empty()) contours = DefaultContours(study, shares, best);
  AddCurves(study, shares, best, contours, &insights);
  insights.calibration = Calibrate(study);
  insights.best = study.encoding.Decode(best);
  const Posterior posterior = study.model.gp.Predict(best, false);
  insights.best_prediction =
      InUserUnits(study.model.data.warp, study.view.goal, posterior.mean[0],
                  posterior.variance[0]);
  const NextGain next = FindNextGain(study);
  insights.expected_gain = next.expected_gain;
  insights.improvement_probability = next.improvement_probability;
  insights.advice = GiveAdvice(study, shares, best);
  return insights;
}

}  // namespace vernier
