// Measures the cost of following the files of many attempts. One poll of all of
// them is due a second, so its processor time is the share of a core.

#include <benchmark/benchmark.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "cluster/metrics/trial_metric_source.h"
#include "tests/cluster/metrics/tensorboard/event_builder.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

std::string Event(int step) {
  return Framed(DoubleField(1, 1700000000.0 + step) +
                VarintField(2, static_cast<std::uint64_t>(step)) +
                BytesField(5, BytesField(1, SimpleValue("loss", 0.5F))));
}

void Append(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

// Attempts that each write to all sources of metrics: cloudml-hypertune's file,
// lines of JSON, an event file and a log.
class Followed {
 public:
  explicit Followed(int count) {
    spec_.training_input.job_dir = folder_ / "out";
    spec_.training_input.hyperparameters.emplace();
    spec_.training_input.hyperparameters->metric_tag = "loss";
    for (int i = 1; i <= count; ++i) {
      LiveAttempt attempt;
      attempt.attempt = {StudyId{1}, TrialId{i}, 1};
      attempt.run_dir = folder_ / std::to_string(i);
      WriteText(attempt.run_dir + "/metrics/master-replica-0.metrics", "");
      WriteText(attempt.run_dir + "/metrics/master-replica-0.jsonl", "");
      WriteText(LogOf(attempt), "");
      WriteText(EventsOf(attempt), "");
      attempts_.push_back(std::move(attempt));
    }
  }

  void Grow() {
    ++step_;
    for (const LiveAttempt& attempt : attempts_) {
      Append(EventsOf(attempt), Event(step_));
    }
  }
  // Polls all attempts once, and returns how many measurements are new.
  std::size_t Read() {
    std::size_t count = 0;
    for (const LiveAttempt& attempt : attempts_) {
      count += source_.Read(attempt, spec_, false).measurements.size();
    }
    return count;
  }

 private:
  static std::string LogOf(const LiveAttempt& attempt) {
    return attempt.run_dir + "/logs/master-replica-0.log";
  }
  std::string EventsOf(const LiveAttempt& attempt) const {
    return folder_ / ("out/" + std::to_string(ToInt(attempt.attempt.trial)) +
                      "/logs/train/events.out.tfevents.1.host");
  }

  const ScratchFolder folder_;
  const SystemClock clock_;
  JobSpec spec_;
  std::vector<LiveAttempt> attempts_;
  // Every call reads the files, whatever the clock says.
  TrialMetricSource source_{{std::chrono::milliseconds(0), true, 0, {}},
                            clock_};
  int step_ = 0;
};

void BM_FollowIdle(benchmark::State& state) {
  Followed followed(static_cast<int>(state.range(0)));
  followed.Read();
  // After this wait no change can hide in the folders' time stamps.
  std::this_thread::sleep_for(std::chrono::seconds(3));
  followed.Read();
  for (auto _ : state) {
    if (followed.Read() != 0) state.SkipWithError("something was read");
  }
}
BENCHMARK(BM_FollowIdle)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);

void BM_FollowGrowing(benchmark::State& state) {
  Followed followed(static_cast<int>(state.range(0)));
  followed.Read();
  std::this_thread::sleep_for(std::chrono::seconds(3));
  followed.Read();
  for (auto _ : state) {
    state.PauseTiming();
    followed.Grow();
    state.ResumeTiming();
    if (followed.Read() != static_cast<std::size_t>(state.range(0))) {
      state.SkipWithError("a measurement is missing");
    }
  }
}
BENCHMARK(BM_FollowGrowing)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vernier

BENCHMARK_MAIN();
