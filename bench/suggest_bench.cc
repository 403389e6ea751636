// Time of the engine's parts and of whole suggestions, one thread.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "study/rng.h"
#include "suggest/acquisition_function.h"
#include "suggest/gaussian_process.h"
#include "suggest/map_fit.h"
#include "suggest/map_objective.h"
#include "suggest/random_search_suggester.h"
#include "suggest/suggester.h"
#include "suggest/training_data.h"

namespace vernier {
namespace {

// A study of n random points in d dimensions and a smooth, bumpy objective.
StudyView MakeStudy(int n, int d) {
  StudyView view;
  view.seed = 7;
  for (int i = 0; i < d; ++i) {
    ParameterSpec spec;
    spec.name = absl::StrCat("x", i);
    spec.max_value = 1;
    view.space.push_back(spec);
  }
  const auto points = PointsOf(RandomSearchSuggester().Suggest(view, n));
  for (const Parameters& point : *points) {
    double sum = 0;
    for (const NamedValue& value : point) {
      const double x = std::get<double>(value.value);
      sum += std::sin(5 * x) - x * x;
    }
    view.completed.push_back({point, sum});
  }
  view.trials_created = n;
  return view;
}

TrainingData MakeData(int n, int d) {
  const StudyView view = MakeStudy(n, d);
  const SearchSpaceEncoding encoding(view.space);
  return MakeTrainingData(view, encoding, view.completed.size());
}

void BM_MapObjective(benchmark::State& state) {
  const TrainingData data = MakeData(static_cast<int>(state.range(0)), 10);
  const HyperparameterPrior prior =
      MakeHyperparameterPrior(data.regression.groups);
  const LogHyperparameters theta = StartingPoints(prior).front();
  Eigen::VectorXd gradient;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        EvaluateMapObjective(data.regression, prior, theta, &gradient));
  }
}
BENCHMARK(BM_MapObjective)
    ->ArgName("n")
    ->Arg(50)
    ->Arg(100)
    ->Arg(300)
    ->Unit(benchmark::kMillisecond);

void BM_Fit(benchmark::State& state) {
  const TrainingData data = MakeData(static_cast<int>(state.range(0)), 10);
  for (auto _ : state) {
    benchmark::DoNotOptimize(FitHyperparameters(
        data.regression, prior, StartingPoints(prior), MapFitOptions{}));
  }
}
BENCHMARK(BM_Fit)->ArgName("n")->Arg(50)->Arg(100)->Arg(300)->Unit(
    benchmark::kMillisecond);

// 64 points, value and gradient.
void BM_LogEiBatch(benchmark::State& state) {
  const TrainingData data = MakeData(static_cast<int>(state.range(0)), 10);
  const LogHyperparameters theta =
      StartingPoints(MakeHyperparameterPrior(data.regression.groups)).front();
  const auto gp = GaussianProcess::Create(data.regression, theta);
  const LogEiAcquisition acquisition(*gp);
  const Eigen::MatrixXd points = MakeData(64, 10).regression.inputs;
  Eigen::VectorXd values;
  Eigen::MatrixXd gradients;
  for (auto _ : state) acquisition.Evaluate(points, &values, &gradients);
}
BENCHMARK(BM_LogEiBatch)
    ->ArgName("n")
    ->Arg(50)
    ->Arg(100)
    ->Arg(500)
    ->Arg(1000)
    ->Unit(benchmark::kMicrosecond);

void BM_Suggest(benchmark::State& state) {
  const StudyView view = MakeStudy(static_cast<int>(state.range(0)),
                                   static_cast<int>(state.range(1)));
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  for (auto _ : state) {
    const auto points =
        PointsOf(suggester->Suggest(view, static_cast<int>(state.range(2))));
    if (!points.ok()) {
      state.SkipWithError(std::string(points.status().message()).c_str());
      break;
    }
  }
}
BENCHMARK(BM_Suggest)
    ->ArgNames({"n", "d", "count"})
    ->Args({20, 10, 1})
    ->Args({50, 10, 1})
    ->Args({100, 10, 1})
    ->Args({100, 20, 1})
    ->Args({100, 10, 8})
    ->Args({200, 10, 1})
    ->Args({500, 10, 1})
    ->Args({1000, 10, 1})
    ->Args({5000, 10, 1})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vernier

BENCHMARK_MAIN();
