#include "suggest/algorithms/large_study.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <utility>

#include "base/rng.h"
#include "base/status_macros.h"
#include "suggest/algorithms/part_search.h"
#include "suggest/algorithms/reliable_result.h"
#include "suggest/algorithms/study_parts.h"
#include "suggest/algorithms/suggestion_loop.h"
#include "suggest/design/initial_design.h"
#include "suggest/gp/fit_schedule.h"
#include "suggest/gp/result_digest.h"
#include "suggest/space/finite_space.h"
#include "suggest/space/point_identity.h"
#include "suggest/space/space_membership.h"
#include "suggest/space/tried_points.h"

namespace vernier {
namespace {

constexpr std::size_t kPartSize = 100;

// One of so many trials does not look near the best result. In turn it is near
// another one, and among results at a distance from each other.
constexpr std::int64_t kElsewherePeriod = 5;
// One of so many looks anywhere.
constexpr std::int64_t kAnywherePeriod = 20;

// The decimal logarithms of the distances between results that are apart, as
// fractions of the diagonal of the space.
constexpr double kLeastApart = -2.5;
constexpr double kMostApart = -0.3;

// Brings the hyperparameters up to date: those of the part near the best of the
// results at the last cold fit of the schedule. They suit later parts, too, so
// fits are rare.
absl::Status FitParts(const StudyView& view,
                      const SearchSpaceEncoding& encoding,
                      const std::vector<double>& merits,
                      std::optional<PartFit>* fit) {
  const std::int64_t num_results = LastColdFit(std::ssize(merits));
  const std::span<const double> first =
      std::span(merits).first(static_cast<std::size_t>(num_results));
  const std::uint64_t digest = DigestMerits(view, first);
  if (fit->has_value() && (*fit)->num_results == num_results &&
      (*fit)->digest == digest) {
    return absl::OkStatus();
  }
  VERNIER_ASSIGN_OR_RETURN(const StudyParts parts,
                           StudyParts::Create(view, encoding, first));
  const StudyView part = parts.Part(parts.Near(0, kPartSize));
  VERNIER_ASSIGN_OR_RETURN(LogHyperparameters theta, FitPart(part, encoding));
  *fit = PartFit{num_results, digest, std::move(theta)};
  return absl::OkStatus();
}

// Returns the results by which the trial is chosen.
StudyParts::Ranks RanksFor(std::int64_t trial, const StudyParts& parts,
                           const SearchSpaceEncoding& encoding,
                           std::mt19937_64& rng) {
  if (trial % kElsewherePeriod != 0) return parts.Near(0, kPartSize);
  const double diagonal =
      std::sqrt(static_cast<double>(encoding.coordinates().size()));
  const double exponent =
      kLeastApart + (kMostApart - kLeastApart) * UniformDouble(rng);
  StudyParts::Ranks apart =
      parts.Apart(diagonal * std::pow(10.0, exponent), kPartSize);
  if (trial % (2 * kElsewherePeriod) == 0) return apart;
  // One of the best quarter of them.
  return parts.Near(apart[UniformInt(rng, (apart.size() + 3) / 4)], kPartSize);
}

}  // namespace

std::optional<std::vector<double>> MeritsForParts(
    const StudyView& view, const SearchSpaceEncoding& encoding) {
  if (view.completed.size() <= kMostModelled || !view.metrics.empty() ||
      IsRepeating(view.repeats) || view.cost_weight > 0 ||
      encoding.num_columns() == 0 ||
      UntriedConfigurations::Create(view.space).has_value()) {
    return std::nullopt;
  }
  // This is the only pass over the observations, which are far longer than
  // merits.
  std::vector<double> merits(view.completed.size());
  for (std::size_t i = 0; i < merits.size(); ++i) {
    if (view.completed[i].is_stopped_early) return std::nullopt;
    merits[i] = MeritOf(view.completed[i], view.goal);
  }
  return merits;
}

absl::StatusOr<std::vector<Suggestion>> SuggestFromParts(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    const std::vector<double>& merits, int count, std::optional<PartFit>* fit,
    std::string_view instruction_set) {
  VERNIER_RETURN_IF_ERROR(FitParts(view, encoding, merits, fit));
  VERNIER_ASSIGN_OR_RETURN(const StudyParts parts,
                           StudyParts::Create(view, encoding, merits));
  // The results of all parts were checked; these are in each of them.
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(parts.Part({}), count));
  // The points of all results count, since a part may lack the one that it
  // leads to.
  TriedPoints tried(view, encoding, PointIdentity::kFineTolerance);
  return SuggestForTrials(
      view, count,
      [&](std::int64_t trial, const std::vector<Suggestion>& points,
          std::mt19937_64& rng) -> absl::StatusOr<std::optional<Suggestion>> {
        StudyView part = parts.Part(RanksFor(trial, parts, encoding, rng));
        for (const Suggestion& chosen : points) {
          part.pending.push_back(chosen.parameters);
        }
        std::optional<Suggestion> suggestion;
        if (trial % kAnywherePeriod != 1) {
          VERNIER_ASSIGN_OR_RETURN(
              suggestion,
              SuggestInPart(part, encoding, (*fit)->theta, (*fit)->num_results,
                            trial, tried, rng));
        }
        if (!suggestion.has_value()) {
          VERNIER_ASSIGN_OR_RETURN(
              suggestion, DesignPoint(part, encoding, trial, tried, rng));
        }
        suggestion->record.instruction_set = instruction_set;
        tried.Add(suggestion->parameters);
        return suggestion;
      });
}

absl::StatusOr<std::optional<Recommendation>> RecommendFromPart(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    const std::vector<double>& merits, std::optional<PartFit>* fit) {
  VERNIER_RETURN_IF_ERROR(FitParts(view, encoding, merits, fit));
  VERNIER_ASSIGN_OR_RETURN(const StudyParts parts,
                           StudyParts::Create(view, encoding, merits));
  const StudyParts::Ranks near = parts.Near(0, kPartSize);
  const StudyView part = parts.Part(near);
  VERNIER_ASSIGN_OR_RETURN(
      const SurrogateModel model,
      ModelOfPart(part, encoding, (*fit)->theta, (*fit)->num_results));
  if (model.data.is_constant) return BestObserved(view);
  VERNIER_ASSIGN_OR_RETURN(const NoiseEvidence noise, FindNoiseInPart(model));
  std::optional<Recommendation> recommendation =
      ReliableResult(part, encoding, model, noise);
  if (recommendation.has_value()) {
    recommendation->completed =
        parts.Positions(near)[recommendation->completed];
  }
  return recommendation;
}

}  // namespace vernier
