#include "suggest/gp/hyperparameter_fit.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <type_traits>

#include "base/calls/call_meter.h"
#include "base/status_macros.h"
#include "suggest/gp/map_objective.h"
#include "suggest/gp/nlopt_library.h"

namespace vernier {
namespace {

constexpr unsigned kHistory = 10;

// One run of the optimizer: the callback's input and the best point it saw.
// NLopt's own answer is not used, because after a failed line search it may be
// worse.
struct FitRun {
  MapObjective objective;
  const NloptLibrary& nlopt;
  nlopt_opt optimizer;
  double best_value = std::numeric_limits<double>::infinity();
  LogHyperparameters best = {};  // Empty: nothing could be evaluated.
  absl::Status status = {};
  absl::Status call = {};  // Not OK: the call must end.
};

double Evaluate(unsigned n, const double* x, double* gradient, void* context) {
  FitRun& run = *static_cast<FitRun*>(context);
  const LogHyperparameters theta =
      Eigen::Map<const Eigen::VectorXd>(x, static_cast<Eigen::Index>(n));
  // NLopt stops only at the end of a line search.
  if (run.call.ok()) run.call = UseInCall({});
  if (!run.call.ok()) {
    run.nlopt.force_stop(run.optimizer);
    return 0;
  }
  Eigen::VectorXd slope;
  const absl::StatusOr<double> value =
      run.objective.Evaluate(theta, gradient == nullptr ? nullptr : &slope);
  if (!value.ok()) {
    run.status = value.status();
    run.nlopt.force_stop(run.optimizer);
    return 0;
  }
  if (gradient != nullptr) std::copy_n(slope.data(), n, gradient);
  if (*value < run.best_value) {
    run.best_value = *value;
    run.best = theta;
  }
  return *value;
}

}  // namespace

absl::StatusOr<LogHyperparameters> FitHyperparameters(
    const RegressionData& data, const HyperparameterPrior& prior,
    const std::vector<LogHyperparameters>& starts,
    const HyperparameterFitOptions& options) {
  VERNIER_ASSIGN_OR_RETURN(const NloptLibrary nlopt, NloptLibrary::Open());
  const auto n = static_cast<unsigned>(prior.mean.size());
  using Optimizer = std::remove_pointer_t<nlopt_opt>;
  const std::unique_ptr<Optimizer, decltype(nlopt.destroy)> optimizer(
      nlopt.create(NLOPT_LD_LBFGS, n), nlopt.destroy);
  if (optimizer == nullptr) {
    return absl::InternalError("NLopt cannot create an L-BFGS optimizer");
  }
  FitRun run{{data, prior}, nlopt, optimizer.get()};
  nlopt.set_min_objective(optimizer.get(), Evaluate, &run);
  nlopt.set_lower_bounds(optimizer.get(), prior.lower.data());
  nlopt.set_upper_bounds(optimizer.get(), prior.upper.data());
  nlopt.set_ftol_abs(optimizer.get(), options.min_gain);
  nlopt.set_maxeval(optimizer.get(), options.max_evaluations);
  nlopt.set_vector_storage(optimizer.get(), kHistory);

  for (const LogHyperparameters& start : starts) {
    LogHyperparameters theta =
        start.cwiseMax(prior.lower).cwiseMin(prior.upper);
    double value = 0;
    // The result code is ignored, even "roundoff limited": the best point is
    // kept.
    nlopt.optimize(optimizer.get(), theta.data(), &value);
    // The points found by then depend on the time, and must not be kept.
    VERNIER_RETURN_IF_ERROR(run.call);
  }
  if (run.best.size() > 0) return run.best;
  if (!run.status.ok()) return run.status;
  return absl::InternalError("NLopt did not evaluate the model at all");
}

}  // namespace vernier
