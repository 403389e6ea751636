// Measures the time of the engine's parts and of whole suggestions on one
// thread.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/rng.h"
#include "suggest/acquisition/acquisition_function.h"
#include "suggest/algorithms/random_search_suggester.h"
#include "suggest/algorithms/suggester.h"
#include "suggest/curves/curve_sample.h"
#include "suggest/gp/gaussian_process.h"
#include "suggest/gp/hyperparameter_fit.h"
#include "suggest/gp/map_objective.h"
#include "suggest/gp/training_data.h"
#include "suggest/stopping/stopping_policy.h"
#include "suggest/stopping/stopping_policy_factory.h"
#include "suggest/suggester_factory.h"
#include "trials/ask_tell_study.h"

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
  MapObjective objective(data.regression, prior);
  Eigen::VectorXd gradient;
  for (auto _ : state) {
    benchmark::DoNotOptimize(objective.Evaluate(theta, &gradient));
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
    benchmark::DoNotOptimize(FitHyperparameters(data.regression, prior,
                                                StartingPoints(prior),
                                                HyperparameterFitOptions{}));
  }
}
BENCHMARK(BM_Fit)->ArgName("n")->Arg(50)->Arg(100)->Arg(300)->Unit(
    benchmark::kMillisecond);

// The value and the gradient at 64 points.
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

using Clock = std::chrono::steady_clock;

double MillisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin)
      .count();
}

// Reports the median and the 99th percentile. With few iterations the latter is
// the worst.
void ReportPercentiles(std::vector<double> milliseconds,
                       benchmark::State& state) {
  if (milliseconds.empty()) return;
  std::sort(milliseconds.begin(), milliseconds.end());
  const auto at = [&](double share) {
    const auto last = static_cast<double>(milliseconds.size() - 1);
    return milliseconds[static_cast<std::size_t>(std::ceil(share * last))];
  };
  state.counters["p50_ms"] = at(0.5);
  state.counters["p99_ms"] = at(0.99);
}

// A search that only refines explores at every fifth trial, with a model of its
// own, so both models are there after this many trials.
constexpr int kTrialsOfBothViews = 5;

// Times one call after the other, each for another trial.
void TimeEach(const Suggester& suggester, StudyView view, int count,
              benchmark::State& state) {
  std::vector<double> times;
  for (auto _ : state) {
    const auto begin = Clock::now();
    const auto points = suggester.Suggest(view, count);
    times.push_back(MillisecondsSince(begin));
    if (!points.ok()) {
      state.SkipWithError(std::string(points.status().message()).c_str());
      break;
    }
    ++view.trials_created;  // Draws other random numbers.
  }
  ReportPercentiles(std::move(times), state);
}

// Times one suggestion of a suggester that was used before, whose models know
// all results.
void BM_SuggestModelCurrent(benchmark::State& state) {
  const StudyView view = MakeStudy(static_cast<int>(state.range(0)),
                                   static_cast<int>(state.range(1)));
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  const int count = static_cast<int>(state.range(2));
  StudyView next = view;
  for (int i = 0; i < kTrialsOfBothViews; ++i, ++next.trials_created) {
    (void)suggester->Suggest(next, count);
  }
  TimeEach(*suggester, std::move(next), count, state);
}
BENCHMARK(BM_SuggestModelCurrent)
    ->ArgNames({"n", "d", "count"})
    ->Args({100, 10, 1})
    ->Args({100, 20, 1})
    ->Args({100, 10, 8})
    ->Args({500, 10, 1})
    ->Args({1000, 10, 1})
    ->Unit(benchmark::kMillisecond);

// Makes a study of several metrics, each the objective moved along the
// parameters.
StudyView MakeFrontStudy(int n, int d, int num_metrics) {
  StudyView view = MakeStudy(n, d);
  view.metrics.assign(static_cast<std::size_t>(num_metrics), {view.goal});
  for (std::size_t i = 0; i < view.completed.size(); ++i) {
    Observation& observation = view.completed[i];
    observation.values = {observation.objective};
    for (int k = 1; k < num_metrics; ++k) {
      const double x = std::get<double>(
          observation.parameters[static_cast<std::size_t>(k)].value);
      observation.values.push_back(std::sin(3 * x + k) -
                                   0.3 * *observation.objective);
    }
  }
  return view;
}

void BM_SuggestForFront(benchmark::State& state) {
  StudyView view = MakeFrontStudy(static_cast<int>(state.range(0)),
                                  static_cast<int>(state.range(1)),
                                  static_cast<int>(state.range(2)));
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  (void)suggester->Suggest(view, 1);
  TimeEach(*suggester, std::move(view), 1, state);
}
BENCHMARK(BM_SuggestForFront)
    ->ArgNames({"n", "d", "metrics"})
    ->Args({100, 10, 2})
    ->Args({200, 10, 2})
    ->Args({200, 10, 3})
    ->Args({200, 10, 4})
    ->Unit(benchmark::kMillisecond);

// Times the same with one result that the model did not know: a warm fit or,
// between fits, one more row.
void BM_SuggestAfterResult(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const StudyView view = MakeStudy(n, static_cast<int>(state.range(1)));
  StudyView before = view;
  before.completed.pop_back();
  std::vector<double> times;
  for (auto _ : state) {
    state.PauseTiming();
    const auto suggester = MakeSuggester(Algorithm::kDefault);
    (void)suggester->Suggest(before, 1);
    state.ResumeTiming();
    const auto begin = Clock::now();
    benchmark::DoNotOptimize(suggester->Suggest(view, 1));
    times.push_back(MillisecondsSince(begin));
  }
  ReportPercentiles(std::move(times), state);
}
BENCHMARK(BM_SuggestAfterResult)
    ->ArgNames({"n", "d"})
    ->Args({100, 10})
    ->Args({200, 10})
    ->Args({500, 10})  // A warm fit,
    ->Args({501, 10})  // and one more row.
    ->Args({1000, 10})
    ->Unit(benchmark::kMillisecond);

// Times the first suggestion of the exploration model of a study with this many
// results.
void BM_SuggestFirstExploration(benchmark::State& state) {
  StudyView view = MakeStudy(static_cast<int>(state.range(0)),
                             static_cast<int>(state.range(1)));
  StudyView fifth = view;
  fifth.trials_created += kTrialsOfBothViews - 1;
  for (auto _ : state) {
    state.PauseTiming();
    const auto suggester = MakeSuggester(Algorithm::kDefault);
    (void)suggester->Suggest(view, 1);
    state.ResumeTiming();
    const auto points = suggester->Suggest(fifth, 1);
    if (points->front().record.method != SuggestionMethod::kExploration) {
      state.SkipWithError("the study does not explore");
    }
  }
}
BENCHMARK(BM_SuggestFirstExploration)
    ->ArgNames({"n", "d"})
    ->Args({100, 10})
    ->Args({200, 10})
    ->Args({500, 10})
    ->Args({1000, 10})
    ->Unit(benchmark::kMillisecond);

// Times a suggestion from nothing, as after a restart.
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

// Times what `vernier insights` computes, with a model that is fitted already.
void BM_ExamineModelCurrent(benchmark::State& state) {
  const StudyView view = MakeStudy(static_cast<int>(state.range(0)),
                                   static_cast<int>(state.range(1)));
  const auto suggester = MakeSuggester(Algorithm::kDefault);
  (void)suggester->Suggest(view, 1);
  std::vector<double> times;
  for (auto _ : state) {
    const auto begin = Clock::now();
    const auto insights = suggester->Examine(view, {});
    times.push_back(MillisecondsSince(begin));
    if (!insights.ok() || !insights->reason.empty()) {
      state.SkipWithError("there are no insights");
    }
  }
  ReportPercentiles(std::move(times), state);
}
BENCHMARK(BM_ExamineModelCurrent)
    ->ArgNames({"n", "d"})
    ->Args({100, 10})
    ->Args({500, 10})
    ->Args({1000, 10})
    ->Args({1000, 20})
    ->Args({2000, 10})
    ->Args({5000, 10})
    ->Unit(benchmark::kMillisecond);

// Times the same from nothing, as in the first call after a restart.
void BM_ExamineFromNothing(benchmark::State& state) {
  const StudyView view = MakeStudy(static_cast<int>(state.range(0)),
                                   static_cast<int>(state.range(1)));
  for (auto _ : state) {
    const auto suggester = MakeSuggester(Algorithm::kDefault);
    benchmark::DoNotOptimize(suggester->Examine(view, {}));
  }
}
BENCHMARK(BM_ExamineFromNothing)
    ->ArgNames({"n", "d"})
    ->Args({100, 10})
    ->Args({1000, 10})
    ->Args({5000, 10})
    ->Unit(benchmark::kMillisecond);

std::unique_ptr<AskTellStudy> MakeAskTellStudy(const StudyView& view) {
  StudySpec spec;
  spec.metrics = {{"value", view.goal}};
  spec.parameters = view.space;
  auto study = std::make_unique<AskTellStudy>(spec, view.seed);
  for (const Observation& result : view.completed) {
    (void)study->Add(result.parameters, {result.objective, {}});
  }
  return study;
}

// Times an ask whose answer was chosen while the caller trained.
void BM_AskPrepared(benchmark::State& state) {
  const auto study =
      MakeAskTellStudy(MakeStudy(static_cast<int>(state.range(0)), 10));
  std::vector<double> times;
  std::optional<TrialId> last;
  for (auto _ : state) {
    state.PauseTiming();
    if (last.has_value()) (void)study->Abandon(*last);
    study->Prepare();
    state.ResumeTiming();
    const auto begin = Clock::now();
    const auto trials = study->Ask(1);
    times.push_back(MillisecondsSince(begin));
    last = trials->front()->id;
  }
  ReportPercentiles(std::move(times), state);
}
BENCHMARK(BM_AskPrepared)
    ->ArgName("n")
    ->Arg(100)
    ->Arg(500)
    ->Iterations(200)
    ->Unit(benchmark::kMillisecond);

// Times studies of 200 results, each of which gets a result and is asked for a
// point by turns, on two threads.
void BM_FiftyStudies(benchmark::State& state) {
  constexpr int kStudies = 50;
  constexpr int kThreads = 2;
  constexpr int kTurns = 10;
  const StudyView view = MakeStudy(200, 10);
  const auto take_turns = [](AskTellStudy& study, std::int64_t first, int count,
                             double value) {
    for (std::int64_t trial = first; trial < first + count; ++trial) {
      (void)study.Tell(TrialId{trial}, {value, {}});
      (void)study.Ask(1);
    }
  };
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<std::unique_ptr<AskTellStudy>> studies;
    for (int i = 0; i < kStudies; ++i) {
      studies.push_back(MakeAskTellStudy(view));
      // Makes the models of the earlier results.
      (void)studies.back()->Ask(1);
      take_turns(*studies.back(), 201, kTrialsOfBothViews, 0.01 * i);
    }
    state.ResumeTiming();
    std::vector<std::jthread> threads;
    for (int k = 0; k < kThreads; ++k) {
      threads.emplace_back([&studies, &take_turns, k] {
        for (std::size_t i = static_cast<std::size_t>(k); i < kStudies;
             i += kThreads) {
          take_turns(*studies[i], 201 + kTrialsOfBothViews, kTurns,
                     0.01 * static_cast<double>(i));
        }
      });
    }
    threads.clear();
  }
  state.counters["suggestions"] = benchmark::Counter(
      1.0 * kTurns * kStudies, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(BM_FiftyStudies)->UseRealTime()->Unit(benchmark::kMillisecond);

// Makes a study of n trainings of 100 steps, of which every fourth came to its
// end and the rest were stopped after 10 to 60 steps; the last one runs.
CurveStudy MakeCurveStudy(int n) {
  const StudyView view = MakeStudy(n, 6);
  CurveStudy study;
  study.space = view.space;
  for (int i = 0; i < n; ++i) {
    TrialCurve trial;
    trial.trial = i + 1;
    const Observation& end = view.completed[static_cast<std::size_t>(i)];
    trial.parameters = end.parameters;
    const bool is_complete = i % 4 == 0;
    const int steps = is_complete ? 100 : 10 + i % 51;
    CurveSample sample(study.goal);
    for (int step = 1; step <= steps; ++step) {
      sample.Add({step, *end.objective - 5.0 / (1 + 0.1 * step)});
    }
    trial.reports = sample.Points();
    trial.state = i + 1 == n    ? CurveState::kRunning
                  : is_complete ? CurveState::kCompleted
                                : CurveState::kStoppedEarly;
    if (trial.state == CurveState::kCompleted) {
      trial.final_value = trial.reports.back().value;
    }
    study.trials.push_back(std::move(trial));
  }
  return study;
}

// Times the decay curve rule for a report while no trial has ended since the
// last one.
void BM_JudgeReport(benchmark::State& state) {
  CurveStudy study = MakeCurveStudy(static_cast<int>(state.range(0)));
  const auto policy = MakeStoppingPolicy(StoppingRule::kDecayCurve, {});
  (void)policy->Judge(study, 0);
  double value = 0;
  for (auto _ : state) {
    study.trials.back().reports.back().value = value;
    value += 1e-6;
    benchmark::DoNotOptimize(policy->Judge(study, 0));
  }
}
BENCHMARK(BM_JudgeReport)
    ->ArgName("n")
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);

// Times the same for the first report after another trial has ended, which
// needs a new model.
void BM_JudgeAfterEnd(benchmark::State& state) {
  const CurveStudy study = MakeCurveStudy(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const auto policy = MakeStoppingPolicy(StoppingRule::kDecayCurve, {});
    benchmark::DoNotOptimize(policy->Judge(study, 0));
  }
}
BENCHMARK(BM_JudgeAfterEnd)
    ->ArgName("n")
    ->Arg(100)
    ->Arg(1000)
    ->Unit(benchmark::kMillisecond);

// Times a whole report to `vernier suggest`, with the bookkeeping of everything
// that was reported before: by n trials, and of each the given number of steps.
void BM_Report(benchmark::State& state) {
  StudySpec spec;
  spec.metrics = {{"value", Goal::kMaximize}};
  spec.parameters = MakeStudy(1, 6).space;
  spec.algorithm = Algorithm::kRandomSearch;
  spec.stopping_rule = StoppingRule::kDecayCurve;
  AskTellStudy study(spec, 1);
  const auto steps = static_cast<std::int64_t>(state.range(1));
  TrialId last{};
  for (std::int64_t trial = 1; trial <= state.range(0); ++trial) {
    last = study.Ask(1)->front()->id;
    const double end = 0.01 * static_cast<double>(trial * 7 % 11);
    if (trial == state.range(0)) break;
    for (std::int64_t step = 1; step <= steps; ++step) {
      const double part =
          static_cast<double>(step) / static_cast<double>(steps);
      (void)study.Report(last, step, end - 1 / (1 + 20 * part));
    }
    (void)study.Tell(last, {end, {}});
  }
  std::int64_t step = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(study.Report(last, ++step, 0.1));
  }
}
BENCHMARK(BM_Report)
    ->ArgNames({"n", "steps"})
    ->Args({100, 100})
    ->Args({20, 2000})
    ->Iterations(2000)
    ->Unit(benchmark::kMillisecond);

// Returns a memory size of this process in MiB, such as the present one or the
// largest since the peak was reset.
double ResidentMiB(const char* key) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.rfind(key, 0) == 0) {
      return std::stod(line.substr(std::strlen(key))) / 1024;
    }
  }
  return 0;
}

// Measures the memory that one study with a current model keeps, and the peak
// while that model and a suggestion are made.
void BM_MemoryOfOneStudy(benchmark::State& state) {
  const StudyView view = MakeStudy(static_cast<int>(state.range(0)),
                                   static_cast<int>(state.range(1)));
  double kept = 0;
  double peak = 0;
  for (auto _ : state) {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // Resets the peak.
    const double before = ResidentMiB("VmRSS:");
    const auto study = MakeAskTellStudy(view);
    (void)study->Ask(1);
    peak = ResidentMiB("VmHWM:") - before;
    malloc_trim(0);
    kept = ResidentMiB("VmRSS:") - before;
  }
  state.counters["kept_MiB"] = kept;
  state.counters["peak_MiB"] = peak;
}
BENCHMARK(BM_MemoryOfOneStudy)
    ->ArgNames({"n", "d"})
    ->Args({1000, 20})
    ->Iterations(2)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vernier

BENCHMARK_MAIN();
