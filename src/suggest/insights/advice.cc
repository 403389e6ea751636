#include "suggest/insights/advice.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/percent_text.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::RowVectorXd;

// A best value this near to a bound, as a fraction of the scale, counts as at
// it.
constexpr double kNearBound = 0.02;
// This far inside, the model must expect clearly less: targets have a range of
// 1.
constexpr double kInside = 0.1;
constexpr double kClearlyLess = 0.01;
// A range is suggested to grow by this fraction of its scale.
constexpr double kWidening = 0.25;

// If a parameter explains less than this, by itself and with any other, its
// bounds are not worth moving.
constexpr double kNotableShare = 0.05;

// With fewer results than this, nothing is said about parameters that do not
// matter.
constexpr Index kFewestResults = 20;

// A parameter hardly matters if the upper end of its share, and all its
// interactions, stay below this.
constexpr double kUnimportantShare = 0.03;

// Good trials: the best tenth, at least kFewestGood.
constexpr double kGoodPart = 0.1;
constexpr std::size_t kFewestGood = 5;
constexpr double kNarrowWidth = 0.3;  // As a fraction of the scale.
constexpr double kNarrowMargin = 0.05;

// Results are mostly noise if noise is this share of the targets' variance.
constexpr double kNoisyShare = 0.5;

std::string Text(const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return absl::StrCat(*whole);
  }
  return absl::StrFormat("%.4g", std::get<double>(value));
}

bool IsNumber(const Coordinate& coordinate) {
  return coordinate.kind != CoordinateKind::kCategorical;
}

std::string ValueAt(const ExaminedStudy& study, std::size_t coordinate,
                    double unit) {
  RowVectorXd row = RowVectorXd::Zero(study.encoding.num_columns());
  row[study.encoding.coordinates()[coordinate].first_column] = unit;
  return Text(study.encoding.Value(coordinate, row));
}

double MeanAt(const ExaminedStudy& study, const RowVectorXd& row) {
  return study.model.gp.PredictMean(row, false).mean[0];
}

// Returns ", for example to 0.3" with the bound that adds a quarter of the
// scale; empty if that would leave the values that such a range probably
// allows.
std::string WiderBound(const ParameterSpec& spec, bool is_upper) {
  const double low = spec.min_value;
  const double high = spec.max_value;
  double wider = 0;
  if (spec.scale == ScaleType::kLog && low > 0) {
    const double factor = std::pow(high / low, kWidening);
    wider = is_upper ? high * factor : low / factor;
  } else {
    const double step = kWidening * (high - low);
    wider = is_upper ? high + step : low - step;
    // Values within [0, 1] are often shares, and values >= 0 often counts, for
    // which no other values make sense.
    if (low >= 0 && (wider < 0 || (high <= 1 && wider > 1))) return "";
  }
  if (spec.type == ParameterType::kInteger) {
    wider = is_upper ? std::ceil(wider) : std::floor(wider);
    if (wider == (is_upper ? high : low) || (low > 0 && wider < 1)) return "";
  }
  return absl::StrFormat(", for example to %.4g", wider);
}

// Returns `best` moved a tenth of the scale inside the bound, or to the next
// value.
RowVectorXd MovedInside(const ExaminedStudy& study, const RowVectorXd& best,
                        std::size_t coordinate, bool is_upper) {
  const Coordinate& place = study.encoding.coordinates()[coordinate];
  RowVectorXd inside = best;
  inside[place.first_column] = is_upper ? 1 - kInside : kInside;
  if (place.kind != CoordinateKind::kStepped) return inside;
  const std::int64_t at_bound = study.encoding.Level(coordinate, best);
  std::int64_t level = study.encoding.Level(coordinate, inside);
  if (level == at_bound) level += is_upper ? -1 : 1;
  study.encoding.SetLevel(
      coordinate, std::clamp<std::int64_t>(level, 0, place.num_levels - 1),
      &inside);
  return inside;
}

std::optional<Advice> AdviseOnBound(const ExaminedStudy& study,
                                    const RowVectorXd& best,
                                    std::size_t coordinate) {
  const Coordinate& place = study.encoding.coordinates()[coordinate];
  if (!IsNumber(place) || study.encoding.HasChildren(coordinate)) {
    return std::nullopt;
  }
  const double unit = best[place.first_column];
  const bool is_upper = unit >= 1 - kNearBound;
  if (!is_upper && unit > kNearBound) return std::nullopt;
  const RowVectorXd inside = MovedInside(study, best, coordinate, is_upper);
  if (MeanAt(study, best) - MeanAt(study, inside) < kClearlyLess) {
    return std::nullopt;
  }
  const ParameterSpec& spec = study.encoding.SpecOf(coordinate);
  const std::string bound = ValueAt(study, coordinate, is_upper ? 1 : 0);
  std::string text = absl::StrCat(
      "The predicted best lies at the ", is_upper ? "upper" : "lower",
      " bound of ", spec.name, ", ", bound, "; if ",
      is_upper ? "larger" : "smaller", " values make sense, ");
  if (spec.type == ParameterType::kDiscrete) {
    absl::StrAppend(&text, "add one to its list.");
  } else {
    absl::StrAppend(&text, "widen its range", WiderBound(spec, is_upper), ".");
  }
  return Advice{
      spec.name,
      is_upper ? AdviceKind::kAtUpperBound : AdviceKind::kAtLowerBound,
      std::move(text)};
}

// Returns the largest share that this and any other coordinate have together.
double StrongestInteraction(const CoordinateShares& shares,
                            std::size_t coordinate) {
  double strongest = 0;
  for (const CoordinateShares::Pair& pair : shares.pairs) {
    if (pair.first == coordinate || pair.second == coordinate) {
      strongest = std::max(strongest, pair.share);
    }
  }
  return strongest;
}

// True if a parameter explains a notable share, given the number of parameters.
bool Matters(const CoordinateShares& shares,
             const CoordinateShares::Main& main) {
  const auto d = static_cast<double>(shares.main.size());
  return std::max(main.share, StrongestInteraction(shares, main.coordinate)) >=
         std::min(kNotableShare, 0.5 / d);
}

std::optional<Advice> AdviseOnImportance(const ExaminedStudy& study,
                                         const CoordinateShares& shares,
                                         const CoordinateShares::Main& main,
                                         const RowVectorXd& best) {
  const double strongest = StrongestInteraction(shares, main.coordinate);
  // A conditional parameter has a small share of the whole, because it is often
  // inactive, but may matter where it is active; and a parent matters through
  // its children.
  const ParameterSpec& spec = study.encoding.SpecOf(main.coordinate);
  if (spec.condition.has_value() ||
      study.encoding.HasChildren(main.coordinate) ||
      std::max(main.high, strongest) >= kUnimportantShare) {
    return std::nullopt;
  }
  return Advice{
      spec.name, AdviceKind::kUnimportant,
      absl::StrCat(spec.name, " hardly matters: it explains ",
                   PercentText(main.share), " of the variation, at most ",
                   PercentText(std::max(main.high, strongest)),
                   "; it could be fixed, for example at ",
                   Text(study.encoding.Value(main.coordinate, best)), ".")};
}

// Returns the model's rows with the best targets.
std::vector<Index> GoodRows(const SurrogateModel& model) {
  const Eigen::VectorXd& targets = model.data.regression.targets;
  std::vector<Index> rows(static_cast<std::size_t>(targets.size()));
  std::iota(rows.begin(), rows.end(), Index{0});
  std::stable_sort(rows.begin(), rows.end(),
                   [&](Index a, Index b) { return targets[a] > targets[b]; });
  rows.resize(std::max(kFewestGood,
                       static_cast<std::size_t>(std::ceil(
                           kGoodPart * static_cast<double>(rows.size())))));
  return rows;
}

std::optional<Advice> AdviseOnRange(const ExaminedStudy& study,
                                    const CoordinateShares& shares,
                                    const std::vector<Index>& good,
                                    const CoordinateShares::Main& main) {
  const Coordinate& place = study.encoding.coordinates()[main.coordinate];
  const ParameterSpec& spec = study.encoding.SpecOf(main.coordinate);
  // A conditional parameter has no place where it is inactive.
  if (!IsNumber(place) || spec.condition.has_value() ||
      !Matters(shares, main) ||
      (place.num_levels > 0 && place.num_levels < 10)) {
    return std::nullopt;
  }
  const Eigen::VectorXd units =
      study.model.data.regression.inputs(good, place.first_column);
  const double low = std::max(0.0, units.minCoeff() - kNarrowMargin);
  const double high = std::min(1.0, units.maxCoeff() + kNarrowMargin);
  if (high - low > kNarrowWidth) return std::nullopt;
  return Advice{
      spec.name, AdviceKind::kNarrow,
      absl::StrCat(
          "The best ", good.size(), " of ",
          study.model.data.regression.inputs.rows(), " points have ", spec.name,
          " between ", ValueAt(study, main.coordinate, units.minCoeff()),
          " and ", ValueAt(study, main.coordinate, units.maxCoeff()),
          "; a range of ", ValueAt(study, main.coordinate, low), " to ",
          ValueAt(study, main.coordinate, high), " would be enough, ",
          PercentText(high - low), " of the present one.")};
}

std::optional<Advice> AdviseOnNoise(const ExaminedStudy& study) {
  const Eigen::VectorXd& targets = study.model.data.regression.targets;
  const double variance = (targets.array() - targets.mean()).square().mean();
  const double noise = study.model.gp.noise_variances().mean();
  const double share = std::min(1.0, noise / variance);
  if (share < kNoisyShare) return std::nullopt;
  return Advice{
      "", AdviceKind::kNoisy,
      absl::StrFormat("Results are mostly noise: the parameters explain only "
                      "about %.0f %% of their variation; longer trials, or the "
                      "mean of several, would say more.",
                      100 * (1 - share))};
}

}  // namespace

std::vector<Advice> GiveAdvice(const ExaminedStudy& study,
                               const CoordinateShares& shares,
                               const RowVectorXd& best) {
  std::vector<Advice> advice;
  const auto add = [&](std::optional<Advice> found) {
    if (found.has_value() && advice.size() < kMostAdvice) {
      advice.push_back(*std::move(found));
    }
  };
  const bool says_enough = study.model.gp.num_data() >= kFewestResults;
  if (says_enough) add(AdviseOnNoise(study));
  // All further advice would be derived from noise.
  if (!advice.empty()) return advice;
  const std::vector<bool> active = study.encoding.ActiveCoordinates(best);
  std::set<std::size_t> at_bound;
  for (const CoordinateShares::Main& main : shares.main) {
    if (!active[main.coordinate] || !Matters(shares, main)) continue;
    std::optional<Advice> found = AdviseOnBound(study, best, main.coordinate);
    if (found.has_value()) at_bound.insert(main.coordinate);
    add(std::move(found));
  }
  if (!says_enough) return advice;
  const std::vector<Index> good = GoodRows(study.model);
  for (const CoordinateShares::Main& main : shares.main) {
    if (at_bound.count(main.coordinate) > 0) continue;
    add(AdviseOnRange(study, shares, good, main));
  }
  if (shares.main.size() < 2) return advice;
  for (const CoordinateShares::Main& main : shares.main) {
    add(AdviseOnImportance(study, shares, main, best));
  }
  return advice;
}

}  // namespace vernier
