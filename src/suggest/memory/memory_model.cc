#include "suggest/memory/memory_model.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/status_macros.h"
#include "suggest/gp/descending_order.h"
#include "suggest/gp/hyperparameter_fit.h"
#include "suggest/gp/imputed_targets.h"
#include "suggest/gp/leave_one_out.h"
#include "suggest/gp/map_objective.h"
#include "suggest/gp/matern_kernel.h"
#include "suggest/gp/result_digest.h"
#include "suggest/memory/prior_rows.h"
#include "suggest/memory/target_scale.h"

namespace vernier {
namespace {

using Eigen::Index;

constexpr std::size_t kMostStudies = 16;
constexpr Index kModelRows = 400;  // Of all earlier studies together,
constexpr Index kFitRows = 160;    // and for fits of hyperparameters.
constexpr Index kFewestRows = 12;  // Of one of them.
constexpr Index kOwnFitRows = 160;

// Trials of an earlier study that are read at all, and the numbers that the
// rows of all of them may take.
constexpr std::size_t kMostTrials = 2000;
constexpr std::size_t kMostNumbers = 4'000'000;

// The distance between studies has the prior ln l ~ N(0, 1). At l = 1 the
// correlation at the same place is 0.52.
constexpr double kDistanceMean = 0;
constexpr double kDistanceDeviation = 1;
// With a longer one, studies that agree with each other would be taken for this
// one, although the warps of their targets differ.
constexpr double kLongestDistance = 1.5;
constexpr double kUnrelated = -1.6;  // ln l at which nothing is shared.
constexpr double kLeastTrust = 0.3;

constexpr int kFirstEvaluations = 40;
constexpr int kEvaluations = 15;
constexpr int kRounds = 2;
constexpr double kMinGain = 1e-2;
constexpr std::size_t kNumCentres = 8;

// Rows of several studies, with a column for each.
struct JointRows {
  Eigen::MatrixXd inputs;
  Eigen::VectorXd targets;
  Eigen::VectorXd noise_scale;
};

JointRows Join(const std::vector<RegressionData>& studies, Index total) {
  const auto num_studies = static_cast<Index>(studies.size());
  const Index each = std::max(kFewestRows, total / num_studies);
  std::vector<RegressionData> parts;
  parts.reserve(studies.size());
  Index n = 0;
  for (const RegressionData& study : studies) {
    parts.push_back(TakeRows(study, ChooseSubset(study, each)));
    n += parts.back().inputs.rows();
  }
  const Index width = studies.front().inputs.cols();
  JointRows rows;
  rows.inputs = Eigen::MatrixXd::Zero(n, width + num_studies);
  rows.targets.resize(n);
  rows.noise_scale.resize(n);
  Index first = 0;
  for (Index i = 0; i < num_studies; ++i) {
    const RegressionData& part = parts[static_cast<std::size_t>(i)];
    const Index count = part.inputs.rows();
    rows.inputs.block(first, 0, count, width) = part.inputs;
    rows.inputs.col(width + i).segment(first, count).setOnes();
    rows.targets.segment(first, count) = part.targets;
    rows.noise_scale.segment(first, count) = part.noise_scale;
    first += count;
  }
  return rows;
}

// The prior of the encoding's hyperparameters, with a distance for each study.
HyperparameterPrior WithDistances(const HyperparameterPrior& base,
                                  Index num_studies) {
  const Index p = base.mean.size() - 2;
  const auto extended = [&](const Eigen::VectorXd& values, double fill) {
    Eigen::VectorXd all(values.size() + num_studies);
    all << values.head(p), Eigen::VectorXd::Constant(num_studies, fill),
        values.tail(2);
    return all;
  };
  HyperparameterPrior prior = base;
  prior.mean = extended(base.mean, kDistanceMean);
  prior.deviation = extended(base.deviation, kDistanceDeviation);
  prior.lower = extended(base.lower, std::log(0.1));
  prior.upper = extended(base.upper, std::log(kLongestDistance));
  return prior;
}

LengthScaleGroups WithStudies(LengthScaleGroups groups, Index num_studies) {
  groups.num_active = groups.num_active > 0 ? groups.num_active : groups.size();
  for (Index i = 0; i < num_studies; ++i) {
    groups.group_of_column.push_back(groups.size());
    groups.is_categorical.push_back(false);
  }
  return groups;
}

// Returns the own rows in the units that `scale` gives them.
RegressionData Scaled(const RegressionData& own, const TargetScale& scale) {
  RegressionData scaled = own;
  scaled.targets = (scale.factor * own.targets).array() + scale.offset;
  scaled.known_noise = scale.factor * scale.factor * own.known_noise;
  return scaled;
}

// The joint rows with this study's own behind them.
RegressionData WithOwn(const JointRows& foreign, const RegressionData& own,
                       const LengthScaleGroups& groups) {
  const Index f = foreign.inputs.rows();
  const Index n = own.inputs.rows();
  RegressionData all;
  all.groups = groups;
  all.num_foreign = f;
  all.inputs = Eigen::MatrixXd::Zero(f + n, foreign.inputs.cols());
  all.inputs.topRows(f) = foreign.inputs;
  all.targets.resize(f + n);
  all.targets.head(f) = foreign.targets;
  all.noise_scale.resize(f + n);
  all.noise_scale.head(f) = foreign.noise_scale;
  all.known_noise = Eigen::VectorXd::Zero(f + n);
  if (n == 0) return all;
  all.inputs.bottomLeftCorner(n, own.inputs.cols()) = own.inputs;
  all.targets.tail(n) = own.targets;
  all.noise_scale.tail(n) = own.noise_scale;
  all.known_noise.tail(n) = own.known_noise;
  return all;
}

// This study's results, ready for a joint model.
struct OwnResults {
  TrainingData data;
  RegressionData rows;  // Those that are not censored.
};

// Returns the first `num_results` results. The joint model takes every error
// for the result's own.
OwnResults FirstResults(const StudyView& view,
                        const SearchSpaceEncoding& encoding,
                        std::int64_t num_results) {
  OwnResults own;
  if (num_results == 0) {
    own.data.regression.inputs.resize(0, encoding.num_columns());
    return own;
  }
  own.data =
      MakeTrainingData(view, encoding, static_cast<std::size_t>(num_results));
  RegressionData& all = own.data.regression;
  if (all.shared_noise.size() > 0) {
    all.known_noise += all.shared_noise.rowwise().squaredNorm();
    all.shared_noise.resize(0, 0);
  }
  all.repeat_squares = 0;
  all.repeat_degrees = 0;
  own.rows = TakeRows(all, UncensoredRows(own.data));
  return own;
}

// Own results up to which the hyperparameters are fitted after each one; then
// at every fifth of growth.
constexpr std::int64_t kFitEach = 6;

// Returns the last fit at or before `num_results`.
std::int64_t LastJointFit(std::int64_t num_results) {
  std::int64_t last = std::min(num_results, kFitEach);
  while (last + std::max<std::int64_t>(1, last / 5) <= num_results) {
    last += std::max<std::int64_t>(1, last / 5);
  }
  return last;
}

struct JointFit {
  LogHyperparameters theta;
  double value = std::numeric_limits<double>::infinity();
};

}  // namespace

std::vector<std::string> MemoryModel::Followed() const {
  // Before the first result there is nothing else to follow.
  if (densities.size() == 0) return names;
  std::vector<std::string> followed;
  for (std::size_t i = 0; i < trust.size(); ++i) {
    if (trust[i] >= kLeastTrust) followed.push_back(names[i]);
  }
  return followed;
}

Eigen::VectorXd OwnDensities(const GaussianProcess& gp,
                             const Eigen::VectorXd& targets,
                             const std::vector<Index>& rows, double factor) {
  const auto n = static_cast<Index>(rows.size());
  if (n == 0) return {};
  const LeaveOneOut predicted = LeaveOutEach(gp, targets);
  Eigen::VectorXd densities(n);
  for (Index k = 0; k < n; ++k) {
    const Index i = rows[static_cast<std::size_t>(k)];
    const double error = targets[i] - predicted.mean[i];
    const double variance = predicted.variance[i];
    densities[k] = std::log(factor) -
                   0.5 * std::log(2 * std::numbers::pi * variance) -
                   0.5 * error * error / variance;
  }
  return densities;
}

// The earlier studies, made ready for joint models. Owns what follows from them
// alone.
class MemoryCache::Priors {
 public:
  Priors(const StudyView& view, const SearchSpaceEncoding& encoding)
      : source_(view.priors), space_(view.space) {
    const std::vector<RegressionData> studies = LargestUseful(encoding);
    if (studies.empty()) return;
    const auto count = static_cast<Index>(studies.size());
    model_rows_ = Join(studies, kModelRows);
    fit_rows_ = Join(studies, kFitRows);
    const LengthScaleGroups base = MakeLengthScaleGroups(encoding);
    prior_ = WithDistances(MakeHyperparameterPrior(base), count);
    groups_ = WithStudies(base, count);
  }

  bool IsOf(const StudyView& view) const {
    return view.priors == source_ && view.space == space_;
  }
  bool IsEmpty() const { return names_.empty(); }

  absl::StatusOr<MemoryModel> Model(const StudyView& view,
                                    const SearchSpaceEncoding& encoding) {
    const auto num_results = std::ssize(view.completed);
    VERNIER_ASSIGN_OR_RETURN(const LogHyperparameters theta,
                             Fit(view, encoding, LastJointFit(num_results)));
    OwnResults own = FirstResults(view, encoding, num_results);
    VERNIER_ASSIGN_OR_RETURN(const TargetScale scale,
                             ScaleAt(theta, model_rows_, own));
    TrainingData& data = own.data;
    data.regression = Scaled(data.regression, scale);
    for (auto& [objective, target] : data.warp.knots) {
      target = scale.factor * target + scale.offset;
    }
    data.is_constant = false;
    if (!data.censored.empty()) {
      VERNIER_ASSIGN_OR_RETURN(
          const GaussianProcess others,
          GaussianProcess::Create(
              WithOwn(model_rows_, Scaled(own.rows, scale), groups_), theta));
      ImputeCensored(others, &data);
    }
    const RegressionData all = WithOwn(model_rows_, data.regression, groups_);
    VERNIER_ASSIGN_OR_RETURN(GaussianProcess gp,
                             GaussianProcess::Create(all, theta));
    std::vector<Index> own_rows = UncensoredRows(data);
    for (Index& row : own_rows) row += model_rows_.inputs.rows();
    Eigen::VectorXd densities =
        OwnDensities(gp, all.targets, own_rows, scale.factor);
    Eigen::MatrixXd centres =
        Centres(gp, data.regression, encoding.num_columns());
    return MemoryModel{
        {std::move(data), std::move(gp), LastJointFit(num_results)},
        Trust(theta),
        names_,
        std::move(densities),
        std::move(centres)};
  }

 private:
  // Returns the rows of the studies with most trials that have anything to
  // teach, in the order of all studies, and sets their names.
  std::vector<RegressionData> LargestUseful(
      const SearchSpaceEncoding& encoding) {
    const auto num_columns = static_cast<std::size_t>(encoding.num_columns());
    const std::size_t most_trials = std::clamp<std::size_t>(
        kMostNumbers / kMostStudies / num_columns,
        static_cast<std::size_t>(kFewestRows), kMostTrials);
    std::vector<std::size_t> order(source_->size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(
        order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
          return (*source_)[a].trials.size() > (*source_)[b].trials.size();
        });
    std::map<std::size_t, RegressionData> useful;
    for (const std::size_t i : order) {
      if (useful.size() == kMostStudies) break;
      RegressionData rows = MakePriorRows((*source_)[i], encoding, most_trials);
      if (rows.inputs.rows() > 0) useful.emplace(i, std::move(rows));
    }
    std::vector<RegressionData> studies;
    studies.reserve(useful.size());
    for (auto& [i, rows] : useful) {
      studies.push_back(std::move(rows));
      names_.push_back((*source_)[i].name);
    }
    return studies;
  }

  Index num_studies() const { return std::ssize(names_); }

  // Returns the hyperparameters for the first `num_results` results.
  absl::StatusOr<LogHyperparameters> Fit(const StudyView& view,
                                         const SearchSpaceEncoding& encoding,
                                         std::int64_t num_results) {
    if (!first_.has_value()) {
      VERNIER_ASSIGN_OR_RETURN(first_, FitAlone());
    }
    if (num_results == 0) return *first_;
    OwnResults own = FirstResults(view, encoding, num_results);
    if (own.rows.inputs.rows() == 0) return *first_;
    own.rows = TakeRows(own.rows, ChooseSubset(own.rows, kOwnFitRows));
    JointFit best;
    const Index first_distance = first_->size() - 2 - num_studies();
    LogHyperparameters unrelated = *first_;
    unrelated.segment(first_distance, num_studies()).setConstant(kUnrelated);
    for (const LogHyperparameters& start : {*first_, unrelated}) {
      VERNIER_ASSIGN_OR_RETURN(const JointFit fit, FitFrom(start, own));
      if (fit.value < best.value) best = fit;
    }
    return best.theta;
  }

  // Returns the hyperparameters that the earlier studies have among themselves.
  absl::StatusOr<LogHyperparameters> FitAlone() const {
    std::vector<LogHyperparameters> starts;
    starts.reserve(2);
    for (const double distance : {0.5, -0.7}) {
      LogHyperparameters start = prior_.mean;
      start.segment(start.size() - 2 - num_studies(), num_studies())
          .setConstant(distance);
      starts.push_back(start);
    }
    const HyperparameterFitOptions options{kFirstEvaluations, kMinGain};
    return FitHyperparameters(WithOwn(fit_rows_, {}, groups_), prior_, starts,
                              options);
  }

  // Fits hyperparameters and the targets' scale in turn.
  absl::StatusOr<JointFit> FitFrom(const LogHyperparameters& start,
                                   const OwnResults& own) const {
    JointFit fit;
    fit.theta = start;
    const HyperparameterFitOptions options{kEvaluations, kMinGain};
    for (int round = 0; round < kRounds; ++round) {
      VERNIER_ASSIGN_OR_RETURN(const TargetScale scale,
                               ScaleAt(fit.theta, fit_rows_, own));
      VERNIER_ASSIGN_OR_RETURN(
          fit.theta, FitHyperparameters(
                         WithOwn(fit_rows_, Scaled(own.rows, scale), groups_),
                         prior_, {fit.theta}, options));
    }
    VERNIER_ASSIGN_OR_RETURN(const TargetScale scale,
                             ScaleAt(fit.theta, fit_rows_, own));
    const RegressionData all =
        WithOwn(fit_rows_, Scaled(own.rows, scale), groups_);
    MapObjective objective(all, prior_);
    VERNIER_ASSIGN_OR_RETURN(fit.value, objective.Evaluate(fit.theta, nullptr));
    fit.value += scale.penalty;
    return fit;
  }

  absl::StatusOr<TargetScale> ScaleAt(const LogHyperparameters& theta,
                                      const JointRows& foreign,
                                      const OwnResults& own) const {
    if (own.rows.inputs.rows() == 0) return TargetScale{};
    // If all have failed, their equal targets are the worst, not the expected.
    if (!own.data.has_feasible) {
      return TargetScale{1, foreign.targets.minCoeff(), 0};
    }
    RegressionData rows = own.rows;
    FactorizedCovariance joint;
    TargetScale scale;
    // Known noise is in the targets' units, so it is scaled by a factor that is
    // known only then.
    const int passes = own.rows.known_noise.isZero(0) ? 1 : 2;
    for (int pass = 0; pass < passes; ++pass) {
      rows.known_noise = scale.factor * scale.factor * own.rows.known_noise;
      VERNIER_RETURN_IF_ERROR(
          Factorize(WithOwn(foreign, rows, groups_), theta, &joint));
      scale = FitTargetScale(
          joint.inverse_factor, foreign.targets, own.rows.targets,
          ForeignMean(joint.inverse_factor, foreign.targets));
    }
    return scale;
  }

  // Returns the mean that a process of the foreign rows alone would have. They
  // are the first, so their block of L^-1 is that of their own covariance.
  static double ForeignMean(const Eigen::MatrixXd& inverse_factor,
                            const Eigen::VectorXd& foreign) {
    const Index f = foreign.size();
    const auto block =
        inverse_factor.topLeftCorner(f, f).triangularView<Eigen::Lower>();
    const Eigen::VectorXd ones = block * Eigen::VectorXd::Ones(f);
    const Eigen::VectorXd values = block * foreign;
    return ones.dot(values) / (ones.squaredNorm() + 1 / kMeanPriorVariance);
  }

  std::vector<double> Trust(const LogHyperparameters& theta) const {
    std::vector<double> trust;
    trust.reserve(names_.size());
    const Index first = theta.size() - 2 - num_studies();
    for (Index i = 0; i < num_studies(); ++i) {
      const Eigen::MatrixXd here = Eigen::MatrixXd::Zero(1, 1);
      const Eigen::MatrixXd there =
          Eigen::MatrixXd::Constant(1, 1, std::exp(-theta[first + i]));
      trust.push_back(ComputeMatern52(here, there, 1).value(0, 0));
    }
    return trust;
  }

  // Returns the places of all rows with the highest means in this study.
  Eigen::MatrixXd Centres(const GaussianProcess& gp, const RegressionData& own,
                          Index num_columns) const {
    const Index f = model_rows_.inputs.rows();
    Eigen::MatrixXd places(f + own.inputs.rows(), num_columns);
    places.topRows(f) = model_rows_.inputs.leftCols(num_columns);
    if (own.inputs.rows() > 0)
      places.bottomRows(own.inputs.rows()) = own.inputs;
    places = places.cwiseMax(0).cwiseMin(1);
    const Eigen::VectorXd means = gp.PredictMean(places, false).mean;
    return places(DescendingOrder(means, kNumCentres), Eigen::all);
  }

  const std::shared_ptr<const std::vector<PriorStudy>> source_;
  const std::vector<ParameterSpec> space_;  // Of the study that learns.
  std::vector<std::string> names_;          // Of the studies that are used.
  JointRows model_rows_;
  JointRows fit_rows_;
  HyperparameterPrior prior_;
  LengthScaleGroups groups_;
  std::optional<LogHyperparameters> first_;  // Without own results.
};

MemoryCache::MemoryCache() = default;
MemoryCache::~MemoryCache() = default;

absl::StatusOr<MemoryModel*> MemoryCache::Get(
    const StudyView& view, const SearchSpaceEncoding& encoding) {
  if (priors_ == nullptr || !priors_->IsOf(view)) {
    priors_ = std::make_unique<Priors>(view, encoding);
    model_.reset();
  }
  if (priors_->IsEmpty()) return nullptr;
  const std::uint64_t digest = DigestResults(view).back();
  if (!model_.has_value() || digest_ != digest) {
    VERNIER_ASSIGN_OR_RETURN(model_, priors_->Model(view, encoding));
    digest_ = digest;
  }
  return &*model_;
}

}  // namespace vernier
