// One evaluation of what a fit minimises, with its gradient, against the
// factorizations that it cannot do without. Compiled for x86-64-v3 throughout,
// as the engine that runs on nearly every processor is.

#include <benchmark/benchmark.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <chrono>
#include <vector>

#include "base/rng.h"
#include "suggest/gp/gaussian_process.h"
#include "suggest/gp/map_objective.h"

namespace vernier {
namespace {

using Clock = std::chrono::steady_clock;

RegressionData MakeData(Eigen::Index n, Eigen::Index d) {
  RegressionData data;
  data.inputs.resize(n, d);
  std::mt19937_64 rng = MakeRng(7, 1);
  for (double& input : data.inputs.reshaped()) input = UniformDouble(rng);
  data.targets = (5 * data.inputs.array()).sin().rowwise().mean();
  data.targets.array() -= data.targets.mean();
  data.noise_scale = Eigen::VectorXd::Ones(n);
  for (Eigen::Index j = 0; j < d; ++j) {
    data.groups.group_of_column.push_back(j);
    data.groups.is_categorical.push_back(false);
  }
  data.groups.num_active = d;
  return data;
}

double Seconds(Clock::time_point begin, Clock::time_point end) {
  return std::chrono::duration<double>(end - begin).count();
}

double Median(std::vector<double> values) {
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Both by turns, so that what slows the machine slows both.
void BM_LikelihoodAgainstFourCholesky(benchmark::State& state) {
  const RegressionData data = MakeData(state.range(0), state.range(1));
  const HyperparameterPrior prior = MakeHyperparameterPrior(data.groups);
  const LogHyperparameters theta = StartingPoints(prior).front();
  FactorizedCovariance factorized;
  if (!Factorize(data, theta, &factorized).ok()) {
    state.SkipWithError("the covariance is indefinite");
    return;
  }
  Eigen::MatrixXd covariance = factorized.kernel.value;  // LLT reads it below.
  MapObjective objective(data, prior);
  covariance.diagonal().array() += NoiseVariance(theta);
  std::vector<double> likelihood;
  std::vector<double> cholesky;
  Eigen::VectorXd gradient;
  for (auto _ : state) {
    const auto begin = Clock::now();
    benchmark::DoNotOptimize(objective.Evaluate(theta, &gradient));
    const auto middle = Clock::now();
    for (int i = 0; i < 4; ++i) {
      const Eigen::LLT<Eigen::MatrixXd> llt(covariance);
      benchmark::DoNotOptimize(llt.info());
    }
    likelihood.push_back(Seconds(begin, middle));
    cholesky.push_back(Seconds(middle, Clock::now()));
  }
  state.counters["likelihood_ms"] = 1e3 * Median(likelihood);
  state.counters["four_cholesky_ms"] = 1e3 * Median(cholesky);
  state.counters["ratio"] = Median(likelihood) / Median(cholesky);
}
BENCHMARK(BM_LikelihoodAgainstFourCholesky)
    ->ArgNames({"n", "d"})
    ->Args({100, 10})
    ->Args({300, 10})
    ->Args({500, 10})
    ->Args({500, 20})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vernier

BENCHMARK_MAIN();
