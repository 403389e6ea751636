#include "suggest/gaussian_process_suggester.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <utility>

#include "study/status_macros.h"
#include "suggest/acquisition_function.h"
#include "suggest/acquisition_optimizer.h"
#include "suggest/gaussian_process.h"
#include "suggest/initial_design.h"
#include "suggest/map_fit.h"
#include "suggest/suggestion_loop.h"
#include "suggest/training_data.h"

namespace vernier {
namespace {

using Eigen::Index;

constexpr Index kMaxFitPoints = 300;
constexpr Index kMaxModelPoints = 2000;
constexpr std::size_t kMaxHallucinated = 256;  // The most recent.
constexpr Index kNumSprayCentres = 5;

// With nothing feasible there is nothing to fit, only places to keep away from.
absl::StatusOr<LogHyperparameters> ChooseHyperparameters(
    const TrainingData& data) {
  if (data.is_constant) {
    return StartingPoints(MakeHyperparameterPrior(data.regression.groups))
        .front();
  }
  return FitHyperparameters(
      TakeRows(data.regression, ChooseSubset(data.regression, kMaxFitPoints)),
      MapFitOptions{});
}

// The completed trials' posterior, and the pending ones' effect on it.
class StudyModel {
 public:
  static absl::StatusOr<StudyModel> Create(const TrainingData& data) {
    VERNIER_ASSIGN_OR_RETURN(const LogHyperparameters theta,
                             ChooseHyperparameters(data));
    const RegressionData rows = TakeRows(
        data.regression, ChooseSubset(data.regression, kMaxModelPoints));
    VERNIER_ASSIGN_OR_RETURN(GaussianProcess gp,
                             GaussianProcess::Create(rows, theta));
    return StudyModel(std::move(gp), rows.inputs);
  }

  // Maximises the acquisition function given what is pending now.
  std::optional<Eigen::RowVectorXd> Propose(
      const SearchSpaceEncoding& encoding,
      const std::vector<Eigen::RowVectorXd>& pending, bool has_feasible,
      const TriedPoints& tried, std::mt19937_64& rng) {
    Condition(pending);
    const AcquisitionBudget budget = BudgetFor(conditioned_.size());
    // Without a feasible trial there is no value to improve on, and the
    // confidence bound is the distance to everything known.
    if (pending.empty() && has_feasible) {
      return MaximizeAcquisition(encoding, LogEiAcquisition(conditioned_),
                                 spray_centres_, tried, budget, rng);
    }
    return MaximizeAcquisition(encoding, UpperConfidenceBound(conditioned_),
                               spray_centres_, tried, budget, rng);
  }

 private:
  StudyModel(GaussianProcess gp, const Eigen::MatrixXd& inputs)
      : completed_(std::move(gp)), conditioned_(completed_) {
    const Eigen::VectorXd& means = completed_.fitted_means();
    std::vector<Index> order(static_cast<std::size_t>(means.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return means[a] > means[b]; });
    order.resize(
        std::min(order.size(), static_cast<std::size_t>(kNumSprayCentres)));
    spray_centres_ = inputs(order, Eigen::all);
  }

  // Brings conditioned_ up to the last kMaxHallucinated of `pending`, which
  // only ever grows. Points go in one by one, in order: a batch of them and
  // single calls must round alike.
  void Condition(const std::vector<Eigen::RowVectorXd>& pending) {
    std::size_t first = num_conditioned_;
    if (pending.size() > kMaxHallucinated) {
      conditioned_ = completed_;
      first = pending.size() - kMaxHallucinated;
    }
    for (std::size_t i = first; i < pending.size(); ++i) {
      conditioned_.Hallucinate(pending[i]);
    }
    num_conditioned_ = pending.size();
  }

  GaussianProcess completed_;
  GaussianProcess conditioned_;
  std::size_t num_conditioned_ = 0;
  Eigen::MatrixXd spray_centres_;
};

// One call of Suggest: what has been worked out so far.
class SuggestionSession {
 public:
  SuggestionSession(const StudyView& view, const SearchSpaceEncoding& encoding)
      : view_(view), encoding_(encoding) {
    for (const Parameters& parameters : view.pending) {
      pending_.push_back(encoding.Encode(parameters));
    }
  }

  absl::StatusOr<Parameters> Choose(std::int64_t trial,
                                    const TriedPoints& tried,
                                    std::mt19937_64& rng) {
    VERNIER_ASSIGN_OR_RETURN(Parameters parameters,
                             ChooseUnrecorded(trial, tried, rng));
    pending_.push_back(encoding_.Encode(parameters));
    return parameters;
  }

 private:
  absl::StatusOr<Parameters> ChooseUnrecorded(std::int64_t trial,
                                              const TriedPoints& tried,
                                              std::mt19937_64& rng) {
    if (encoding_.num_columns() == 0 ||
        BelongsToInitialDesign(encoding_, view_.completed.size(),
                               pending_.size())) {
      return Design(trial, tried, rng);
    }
    if (!data_.has_value()) data_ = MakeTrainingData(view_, encoding_);
    // All equal: there is nothing to prefer and nowhere to go but everywhere.
    if (data_->is_constant && data_->has_feasible) {
      return Design(trial, tried, rng);
    }
    if (!model_.has_value()) {
      VERNIER_ASSIGN_OR_RETURN(model_, StudyModel::Create(*data_));
    }
    const std::optional<Eigen::RowVectorXd> row =
        model_->Propose(encoding_, pending_, data_->has_feasible, tried, rng);
    if (!row.has_value()) return Design(trial, tried, rng);
    return encoding_.Decode(*row);
  }

  Parameters Design(std::int64_t trial, const TriedPoints& tried,
                    std::mt19937_64& rng) const {
    const bool is_first = trial == 1 && view_.completed.empty();
    return tried.Resolve(
        is_first ? encoding_.Centre() : SobolRow(encoding_, view_.seed, trial),
        rng);
  }

  const StudyView& view_;
  const SearchSpaceEncoding& encoding_;
  std::vector<Eigen::RowVectorXd> pending_;  // With the points just chosen.
  std::optional<TrainingData> data_;         // Worked out when first needed,
  std::optional<StudyModel> model_;          // and so is this.
};

}  // namespace

absl::StatusOr<std::vector<Parameters>> GaussianProcessSuggester::Suggest(
    const StudyView& view, int count) const {
  VERNIER_RETURN_IF_ERROR(CheckSuggestArguments(view, count));
  const SearchSpaceEncoding encoding(view.space);
  SuggestionSession session(view, encoding);
  return SuggestOneByOne(
      view, encoding, count,
      [&](std::int64_t trial, const TriedPoints& tried, std::mt19937_64& rng) {
        return session.Choose(trial, tried, rng);
      });
}

}  // namespace vernier
