#include "suggest/gp/surrogate_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "base/status_macros.h"
#include "suggest/gp/descending_order.h"
#include "suggest/gp/fit_schedule.h"
#include "suggest/gp/hyperparameter_fit.h"
#include "suggest/gp/imputed_targets.h"
#include "suggest/gp/result_digest.h"

namespace vernier {
namespace {

using Eigen::Index;

constexpr Index kMaxFitPoints = 300;
constexpr auto kMaxModelPoints = static_cast<Index>(kMostModelled);

// Cold fits begin at the prior's starting points and at this many random ones.
constexpr int kRandomStarts = 2;
constexpr double kStartSpread = 0.7;       // Of ln length scales,
constexpr double kNoiseStartSpread = 1.5;  // and of the ln noise variance.

constexpr int kColdEvaluations = 60;
constexpr int kWarmEvaluations = 20;
constexpr double kMinGain = 1e-3;

// Streams of the study's random generator; trials have 1, 2, ...
constexpr std::uint64_t kFitStream = std::uint64_t{3} << 61;

// With fewer measured values than this, hyperparameters are fitted to
// estimates, too, because a few values near the best say too little about the
// rest of the space.
constexpr std::size_t kFewestMeasured = 10;

// Returns the rows that hyperparameters are fitted to. Estimates inform the
// model but not its hyperparameters: their errors resemble signals of a short
// length scale, and where they outnumber the measured values the search loses
// its way near the best (bench/duel/RESULTS.md).
RegressionData FitRows(const TrainingData& data) {
  std::vector<Index> rows = MeasuredRows(data);
  if (rows.size() < kFewestMeasured) rows = UncensoredRows(data);
  const RegressionData full = TakeRows(data.regression, rows);
  return TakeRows(full, ChooseSubset(full, kMaxFitPoints));
}

std::vector<LogHyperparameters> ColdStarts(const HyperparameterPrior& prior,
                                           std::uint64_t seed,
                                           std::int64_t num_results) {
  std::vector<LogHyperparameters> starts = StartingPoints(prior);
  std::mt19937_64 rng =
      MakeRng(seed, kFitStream + static_cast<std::uint64_t>(num_results));
  for (int i = 0; i < kRandomStarts; ++i) {
    LogHyperparameters start = starts.front();
    for (Index k = 0; k + 2 < start.size(); ++k) {
      start[k] += kStartSpread * Normal(rng);
    }
    start[start.size() - 1] += kNoiseStartSpread * Normal(rng);
    starts.push_back(std::move(start));
  }
  return starts;
}

ExpectedNoise NoiseAfter(WarpReference reference) {
  return reference == WarpReference::kUseful ||
                 reference == WarpReference::kSlack
             ? ExpectedNoise::kLittle
             : ExpectedNoise::kUsual;
}

absl::StatusOr<LogHyperparameters> FitOnce(const TrainingData& data,
                                           ExpectedNoise noise,
                                           const LogHyperparameters* warm,
                                           std::uint64_t seed,
                                           std::int64_t num_results) {
  const HyperparameterPrior prior =
      MakeHyperparameterPrior(data.regression.groups, noise);
  // Without a feasible result there is nothing to fit; the model only keeps
  // points away from the failures.
  if (data.is_constant) return StartingPoints(prior).front();
  HyperparameterFitOptions options;
  options.min_gain = kMinGain;
  if (warm != nullptr && warm->size() == prior.mean.size()) {
    options.max_evaluations = kWarmEvaluations;
    return FitHyperparameters(FitRows(data), prior, {*warm}, options);
  }
  options.max_evaluations = kColdEvaluations;
  return FitHyperparameters(FitRows(data), prior,
                            ColdStarts(prior, seed, num_results), options);
}

// Rows are in order of first appearance.
Index RowsOfFirst(const TrainingData& data, std::int64_t num_results) {
  const auto& rows = data.row_of_result;
  return 1 + *std::max_element(rows.begin(), rows.begin() + num_results);
}

// True if the results since the fit only added rows. A repetition changes an
// earlier row. So does any result if noise is known or imputed, because its
// size in targets changes with the warp of all results.
bool OnlyAppends(const TrainingData& data, std::int64_t num_fitted) {
  const RegressionData& all = data.regression;
  const Index rows = all.inputs.rows();
  return data.censored.empty() && (all.known_noise.array() == 0).all() &&
         all.shared_noise.size() == 0 && rows <= kMaxModelPoints &&
         rows - RowsOfFirst(data, num_fitted) ==
             std::ssize(data.row_of_result) - num_fitted;
}

}  // namespace

Eigen::MatrixXd SprayCentres(const SurrogateModel& model) {
  constexpr std::size_t kNumSprayCentres = 5;
  return model.data.regression.inputs(
      DescendingOrder(model.gp.fitted_means(), kNumSprayCentres), Eigen::all);
}

absl::StatusOr<const SurrogateCache::Fit*> SurrogateCache::FitAt(
    const StudyView& view, const SearchSpaceEncoding& encoding,
    const std::vector<std::uint64_t>& digests, std::int64_t num_results) {
  const std::int64_t last = LastFit(num_results);
  std::int64_t next = LastColdFit(num_results);
  // Continue from the last fit made, if it belongs to this chain.
  const bool is_ours =
      fit_.has_value() && fit_->num_results >= next &&
      fit_->num_results <= last &&
      digests[static_cast<std::size_t>(fit_->num_results)] == fit_->digest;
  if (is_ours) next = fit_->num_results + 1;
  for (; next <= last; ++next) {
    if (LastFit(next) != next) continue;
    const bool is_cold = LastColdFit(next) == next;
    const TrainingData data = MakeTrainingData(
        view, encoding, static_cast<std::size_t>(next), reference_);
    // A fit that fails leaves the one before, from which the next call
    // continues.
    VERNIER_ASSIGN_OR_RETURN(
        LogHyperparameters theta,
        FitOnce(data, NoiseAfter(reference_), is_cold ? nullptr : &fit_->theta,
                view.seed, next));
    fit_ = Fit{next, digests[static_cast<std::size_t>(next)], std::move(theta)};
  }
  return &*fit_;
}

bool SurrogateCache::IsBeginning(const std::vector<std::uint64_t>& digests,
                                 std::int64_t num_fitted) const {
  return model_.has_value() && is_grown_ && model_->num_fitted == num_fitted &&
         model_results_ < std::ssize(digests) &&
         digests[static_cast<std::size_t>(model_results_)] == model_digest_;
}

absl::StatusOr<GaussianProcess> SurrogateCache::Grow(
    const TrainingData& data, const Fit& fit,
    const std::vector<std::uint64_t>& digests) {
  const RegressionData& all = data.regression;
  std::optional<GaussianProcess> gp;
  if (IsBeginning(digests, fit.num_results)) {
    gp = std::move(model_->gp);
    model_.reset();
    gp->ForgetHallucinated();
  } else {
    std::vector<Index> rows(
        static_cast<std::size_t>(RowsOfFirst(data, fit.num_results)));
    std::iota(rows.begin(), rows.end(), Index{0});
    // The factor does not depend on the targets, which are replaced below.
    VERNIER_ASSIGN_OR_RETURN(
        gp, GaussianProcess::Create(TakeRows(all, rows), fit.theta));
  }
  for (Index row = gp->num_data(); row < all.inputs.rows(); ++row) {
    gp->Append(all.inputs.row(row), all.noise_scale[row], 0);
  }
  gp->SetTargets(all.targets);
  return *std::move(gp);
}

absl::StatusOr<SurrogateModel*> SurrogateCache::Get(
    const StudyView& view, const SearchSpaceEncoding& encoding) {
  const std::vector<std::uint64_t> digests = DigestResults(view);
  const std::int64_t num_results = std::ssize(view.completed);
  if (model_.has_value() && model_results_ == num_results &&
      model_digest_ == digests.back()) {
    return &*model_;
  }
  VERNIER_ASSIGN_OR_RETURN(const Fit* const fit,
                           FitAt(view, encoding, digests, num_results));
  TrainingData data = MakeTrainingData(
      view, encoding, static_cast<std::size_t>(num_results), reference_);
  const bool is_grown = OnlyAppends(data, fit->num_results);
  std::optional<GaussianProcess> gp;
  if (is_grown) {
    VERNIER_ASSIGN_OR_RETURN(gp, Grow(data, *fit, digests));
  } else {
    if (!data.censored.empty()) {
      VERNIER_ASSIGN_OR_RETURN(
          const GaussianProcess others,
          GaussianProcess::Create(
              TakeRows(data.regression, UncensoredRows(data)), fit->theta));
      ImputeCensored(others, &data);
    }
    data.regression = TakeRows(data.regression,
                               ChooseSubset(data.regression, kMaxModelPoints));
    VERNIER_ASSIGN_OR_RETURN(
        gp, GaussianProcess::Create(data.regression, fit->theta));
  }
  model_ = SurrogateModel{std::move(data), *std::move(gp), fit->num_results};
  is_grown_ = is_grown;
  model_results_ = num_results;
  model_digest_ = digests.back();
  return &*model_;
}

}  // namespace vernier
