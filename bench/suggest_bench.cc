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
  const auto suggestions = RandomSearchSuggester().Suggest(view, n);
  for (const Suggestion& suggestion : *suggestions) {
    const Parameters& point = suggestion.parameters;
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
  const HyperparameterPrior prior =
      MakeHyperparameterPrior(data.regression.groups);
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

// One suggestion of a suggester that was used before, with all results known
// to its model.
void BM_SuggestModelCurrent(benchmark::State& state) {
  const StudyView view = MakeStudy(static_cast<int>(state.range(0)),
                                   static_cast<int>(state.range(1)));
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const int count = static_cast<int>(state.range(2));
  (void)suggester->Suggest(view, count);
  StudyView next = view;
  for (auto _ : state) {
    const auto points = suggester->Suggest(next, count);
    if (!points.ok()) {
      state.SkipWithError(std::string(points.status().message()).c_str());
      break;
    }
    ++next.trials_created;  // Another stream of random numbers.
  }
}
BENCHMARK(BM_SuggestModelCurrent)
    ->ArgNames({"n", "d", "count"})
    ->Args({100, 10, 1})
    ->Args({100, 20, 1})
    ->Args({100, 10, 8})
    ->Args({500, 10, 1})
    ->Args({1000, 10, 1})
    ->Unit(benchmark::kMillisecond);

// The same with one result that the model did not know: a warm fit or, between
// fits, a row more.
void BM_SuggestAfterResult(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const StudyView view = MakeStudy(n, static_cast<int>(state.range(1)));
  StudyView before = view;
  before.completed.pop_back();
  for (auto _ : state) {
    state.PauseTiming();
    const auto suggester = MakeSuggester(Algorithm::kDefault);
    (void)suggester->Suggest(before, 1);
    state.ResumeTiming();
    benchmark::DoNotOptimize(suggester->Suggest(view, 1));
  }
}
BENCHMARK(BM_SuggestAfterResult)
    ->ArgNames({"n", "d"})
    ->Args({100, 10})
    ->Args({200, 10})
    ->Args({500, 10})  // A warm fit,
    ->Args({501, 10})  // and a row more.
    ->Args({1000, 10})
    ->Unit(benchmark::kMillisecond);

// From nothing, as after a restart.
void BM_SuggestFromNothing(benchmark::State& state) {
  const StudyView view = MakeStudy(static_cast<int>(state.range(0)),
                                   static_cast<int>(state.range(1)));
  for (auto _ : state) {
    const auto suggester = MakeSuggester(Algorithm::kDefault);
    benchmark::DoNotOptimize(suggester->Suggest(view, 1));
  }
}
BENCHMARK(BM_SuggestFromNothing)
    ->ArgNames({"n", "d"})
    ->Args({20, 10})
    ->Args({50, 10})
    ->Args({100, 10})
    ->Args({200, 10})
    ->Args({500, 10})
    ->Args({1000, 10})
    ->Args({5000, 10})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vernier

BENCHMARK_MAIN();
