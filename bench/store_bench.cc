// Measures how fast the store is: durable commits of one row, from many callers
// and from one, and opening a database with many finished trials.
//
//   store_bench [FOLDER [SECONDS]]
//
// FOLDER must be on the disk to be measured: a memory file system syncs for
// nothing.

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "store/sqlite/sqlite_store.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

using SteadyClock = std::chrono::steady_clock;

double Seconds(SteadyClock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

template <typename Result>
Result Must(absl::StatusOr<Result> result) {
  if (!result.ok()) {
    std::fprintf(stderr, "%s\n", result.status().ToString().c_str());
    std::exit(1);
  }
  return *std::move(result);
}

void Must(const absl::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::exit(1);
}

// Returns the processor time of this process so far, user and system.
double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) +
           1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Timestamp At(std::int64_t micros) {
  return Timestamp(std::chrono::microseconds(micros));
}

StudyId AddJob(Store& store, const std::string& name, int trials,
               int parallel) {
  const std::string text = absl::StrCat(
      R"({"jobId":")", name,
      R"(","trainingInput":{"region":"local","pythonModule":"m.task",)",
      R"("packageUris":["p.tar.gz"],"hyperparameters":{"goal":"MAXIMIZE",)",
      R"("hyperparameterMetricTag":"loss","maxTrials":)", trials,
      R"(,"maxParallelTrials":)", parallel,
      R"(,"params":[{"parameterName":"rate","type":"DOUBLE","minValue":0,)",
      R"("maxValue":1}]}}})");
  ParsedJob parsed = Must(ParseJob(text, {}));
  NewJob job;
  job.spec = std::make_shared<const JobSpec>(std::move(parsed.spec));
  job.spec_json = std::move(parsed.json);
  job.run_root = "/runs";
  return Must(store.CreateJob(job, At(1)));
}

NewTrial MakeTrial(int number) {
  Parameters parameters;
  for (int i = 0; i < 10; ++i) {
    parameters.push_back(
        {absl::StrCat("parameter_", i), 1.0 / (number + i + 2)});
  }
  return {parameters, {"GAUSSIAN_PROCESS", EventSequence{1}}};
}

struct CommitRate {
  double per_second = 0;
  double p50_ms = 0;
  double p99_ms = 0;
  // Per commit; on a busy machine it shows more than the others.
  double cpu_us = 0;
};

// Each caller commits one measurement of its own trial after the other.
CommitRate MeasureCommits(Store& store, StudyId study, int callers,
                          double seconds, std::int64_t first_step) {
  std::atomic<bool> stop = false;
  std::vector<std::vector<double>> waits(static_cast<std::size_t>(callers));
  std::vector<std::thread> threads;
  const double cpu_before = CpuSeconds();
  const SteadyClock::time_point start = SteadyClock::now();
  for (int i = 0; i < callers; ++i) {
    threads.emplace_back([&, i] {
      std::vector<double>& own = waits[static_cast<std::size_t>(i)];
      for (std::int64_t step = first_step; !stop; ++step) {
        const SteadyClock::time_point asked = SteadyClock::now();
        Must(store.Commit({AddMeasurements{{study, TrialId{i + 1}, 1},
                                           {{"loss", step, At(step), 0.5}}}},
                          At(step)));
        own.push_back(1e3 * Seconds(SteadyClock::now() - asked));
      }
    });
  }
  usleep(static_cast<useconds_t>(seconds * 1e6));
  stop = true;
  for (std::thread& thread : threads) thread.join();
  const double lasted = Seconds(SteadyClock::now() - start);
  std::vector<double> all;
  for (const auto& own : waits) all.insert(all.end(), own.begin(), own.end());
  std::sort(all.begin(), all.end());
  return {static_cast<double>(all.size()) / lasted, all[all.size() / 2],
          all[all.size() * 99 / 100],
          1e6 * (CpuSeconds() - cpu_before) / static_cast<double>(all.size())};
}

void BenchCommits(const std::string& path, double seconds) {
  const auto store = Must(SqliteStore::Open(path));
  const StudyId study = AddJob(*store, "commits", 64, 64);
  std::vector<Change> start;
  for (int i = 1; i <= 64; ++i) {
    start.push_back(CreateTrials{study, {MakeTrial(i)}});
    start.push_back(
        IntendLaunch{{study, TrialId{i}, 1}, absl::StrCat("nonce-", i), {}});
  }
  Must(store->Commit(start, At(1)));
  std::int64_t first_step = 0;
  for (const int callers : {1, 16, 64}) {
    const CommitRate rate =
        MeasureCommits(*store, study, callers, seconds, first_step);
    first_step += 100000000;
    std::printf(
        "durable one-row commits, %2d callers: %8.0f /s   p50 %6.2f ms   "
        "p99 %6.2f ms   CPU %5.1f us each\n",
        callers, rate.per_second, rate.p50_ms, rate.p99_ms, rate.cpu_us);
  }
}

void AddFinishedTrials(Store& store, StudyId study, int count) {
  for (int first = 1; first <= count; first += 100) {
    std::vector<Change> changes;
    for (int i = first; i < first + 100; ++i) {
      const AttemptKey key{study, TrialId{i}, 1};
      changes.push_back(CreateTrials{study, {MakeTrial(i)}});
      changes.push_back(IntendLaunch{key, absl::StrCat("nonce-", i), {}});
      changes.push_back(ObserveAttempt{key, AttemptEvent::kRun});
      changes.push_back(AddMeasurements{
          key, {{"loss", 1, At(i), 0.5}, {"loss", 2, At(i), 0.25}}});
      EndAttempt end;
      end.attempt = key;
      end.event = AttemptEvent::kExit;
      end.cause = TrialEndCause::kSuccess;
      end.exit_code = 0;
      changes.push_back(end);
      changes.push_back(
          MoveTrial{key.study, key.trial, TrialEvent::kReportFinal,
                    TrialEndCause::kSuccess, "", FinalMeasurement{2, 0.25}});
    }
    Must(store.Commit(changes, At(first)));
  }
}

// Reads all trials of the newest study, which have ended.
void BenchReads(const Store& store) {
  const auto snapshot = store.Snapshot();
  const TrialList& trials = snapshot->rbegin()->second->trials;
  const auto measure = [&](const char* what, const auto& read) {
    constexpr int kRounds = 20;
    const double cpu_before = CpuSeconds();
    for (int round = 0; round < kRounds; ++round) {
      for (std::size_t n = 1; n <= trials.size(); ++n) {
        read(TrialId{static_cast<std::int64_t>(n)});
      }
    }
    std::printf("%s: CPU %.0f ns\n", what,
                1e9 * (CpuSeconds() - cpu_before) / kRounds /
                    static_cast<double>(trials.size()));
  };
  double sum = 0;  // So that nothing is optimized away.
  measure("the brief of a trial that has ended", [&](TrialId id) {
    sum += trials.Brief(id).final_measurement->value;
  });
  measure("one of its parameters", [&](TrialId id) {
    sum += std::get<double>(*trials.FindParameter(id, "parameter_0"));
  });
  measure("the whole of it", [&](TrialId id) {
    sum += trials.Share(id)->final_measurement->value;
  });
  std::size_t bytes = 0;
  auto names = std::make_shared<const NameTable>();
  for (std::size_t n = 1; n <= trials.size(); ++n) {
    std::string packed;
    PackTrial(*trials.Share(TrialId{static_cast<std::int64_t>(n)}), &names,
              &packed);
    bytes += packed.size();
  }
  std::printf("it takes %zu bytes in memory (sum of values %g)\n",
              bytes / trials.size(), sum);
}

void BenchOpen(const std::string& path) {
  constexpr int kTrials = 10000;
  {
    const auto store = Must(SqliteStore::Open(path));
    const StudyId study = AddJob(*store, "finished", kTrials, 8);
    const double cpu_before = CpuSeconds();
    const SteadyClock::time_point start = SteadyClock::now();
    AddFinishedTrials(*store, study, kTrials);
    std::printf(
        "whole lives of trials, 100 a commit: %8.0f trials/s   CPU %.0f us "
        "each\n",
        kTrials / Seconds(SteadyClock::now() - start),
        1e6 * (CpuSeconds() - cpu_before) / kTrials);
  }
  double best = 1e9;
  double best_cpu = 1e9;
  for (int i = 0; i < 5; ++i) {
    const double cpu_before = CpuSeconds();
    const SteadyClock::time_point start = SteadyClock::now();
    const auto store = Must(SqliteStore::Open(path));
    best = std::min(best, Seconds(SteadyClock::now() - start));
    best_cpu = std::min(best_cpu, CpuSeconds() - cpu_before);
  }
  std::printf(
      "open with %d finished trials: %.3f s, CPU %.1f us a trial (best of 5)\n",
      kTrials, best, 1e6 * best_cpu / kTrials);
  BenchReads(*Must(SqliteStore::Open(path)));
}

int Main(int argc, char** argv) {
  const std::string parent = argc > 1 ? argv[1] : ".";
  const double seconds = argc > 2 ? std::atof(argv[2]) : 3;
  std::string folder = parent + "/vernier_store_bench_XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) {
    std::perror(parent.c_str());
    return 1;
  }
  BenchCommits(folder + "/vernier.db", seconds);
  BenchOpen(folder + "/vernier.db");
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace vernier

int main(int argc, char** argv) { return vernier::Main(argc, argv); }
