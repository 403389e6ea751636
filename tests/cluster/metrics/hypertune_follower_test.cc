#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <functional>
#include <set>
#include <thread>

#include "cluster/metrics/trial_metric_source.h"
#include "tests/support/no_descriptors.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;

std::string Line(int step, double value, const std::string& tag = "loss") {
  return "{\"checkpoint_path\": \"\", \"global_step\": \"" +
         std::to_string(step) + "\", \"" + tag + "\": \"" +
         std::to_string(value) +
         "\", \"timestamp\": " + std::to_string(1500000000 + step) +
         ", \"trial\": \"1\"}\n";
}

class HypertuneFollowerTest : public testing::Test {
 protected:
  HypertuneFollowerTest() {
    std::filesystem::create_directories(run_ / "metrics");
  }

  // A source that looks every time.
  TrialMetricSource MakeSource() const {
    return TrialMetricSource({milliseconds(0), false, 0, {}}, clock_);
  }
  LiveAttempt Attempt() const {
    return {{StudyId{1}, TrialId{1}, 1}, "n", run_.path()};
  }
  std::vector<std::int64_t> Steps(TrialMetricSource& source, bool final,
                                  bool is_loss_of_step = false) {
    std::vector<std::int64_t> steps;
    for (const Measurement& m :
         source.Read(Attempt(), JobSpec(), final).measurements) {
      if (is_loss_of_step) {
        EXPECT_EQ(m.value, 1.0 / static_cast<double>(m.step + 1))
            << "two records were mixed at step " << m.step;
      }
      steps.push_back(m.step);
    }
    return steps;
  }

  using StepList = std::vector<std::int64_t>;
  const SystemClock clock_{};
  const ScratchFolder run_;
  const std::string master_ = run_ / "metrics/master-replica-0.metrics";
};

TEST_F(HypertuneFollowerTest, ReturnsEachReportOnce) {
  TrialMetricSource source = MakeSource();
  EXPECT_EQ(Steps(source, false), StepList{});
  WriteText(master_, Line(1, 0.1) + Line(2, 0.2));
  EXPECT_EQ(Steps(source, false), (StepList{1, 2}));
  EXPECT_EQ(Steps(source, false), StepList{});
  WriteText(master_, Line(2, 0.2) + Line(3, 0.3));
  EXPECT_EQ(Steps(source, false), (StepList{3}));
  EXPECT_EQ(Steps(source, true), StepList{});
}

TEST_F(HypertuneFollowerTest, SaysThatItCouldNotReadEverything) {
  TrialMetricSource source = MakeSource();
  WriteText(master_, Line(1, 0.1));
  for (const int left : {0, 1}) {
    const NoDescriptors few(left);
    const MetricReading reading =
        source.Read(Attempt(), JobSpec(), /*final=*/true);
    EXPECT_TRUE(reading.is_partial) << left;
    EXPECT_TRUE(reading.measurements.empty()) << left;
  }
  EXPECT_EQ(Steps(source, true), StepList{1});
}

TEST_F(HypertuneFollowerTest, SurvivesTruncationAndANewWriter) {
  TrialMetricSource source = MakeSource();
  WriteText(master_, Line(1, 0.1) + Line(2, 0.2));
  EXPECT_EQ(Steps(source, false), (StepList{1, 2}));
  WriteText(master_, "");
  EXPECT_EQ(Steps(source, false), StepList{});
  WriteText(master_, Line(1, 0.1));  // The library is in the middle.
  EXPECT_EQ(Steps(source, false), StepList{});
  WriteText(master_, Line(3, 0.3));  // A new object: one line only.
  EXPECT_EQ(Steps(source, false), (StepList{3}));
}

TEST_F(HypertuneFollowerTest, ALineThatIsNotFinishedWaits) {
  TrialMetricSource source = MakeSource();
  const std::string line = Line(2, 0.2);
  WriteText(master_, Line(1, 0.1) + line.substr(0, line.size() - 1));
  EXPECT_EQ(Steps(source, false), (StepList{1}));
  EXPECT_EQ(Steps(source, true), (StepList{2}));
}

TEST_F(HypertuneFollowerTest, EqualStepsAreTwoReports) {
  // The library prints a missing step as 0, so the time tells them apart.
  TrialMetricSource source = MakeSource();
  WriteText(master_,
            "{\"global_step\":\"0\",\"m\":\"1\",\"timestamp\":1.5}\n"
            "{\"global_step\":\"0\",\"m\":\"1\",\"timestamp\":2.5}\n"
            "{\"global_step\":\"0\",\"m\":\"1\",\"timestamp\":2.5}\n");
  EXPECT_EQ(Steps(source, false).size(), 2u);
}

// Whenever the file is read, the later line of a step is the later report.
TEST_F(HypertuneFollowerTest, LinesOfOneTimeOrOfNoneKeepTheirOrder) {
  const struct {
    const char* time;
    std::int64_t first;
  } kCases[] = {{"", 0}, {",\"timestamp\":1700000000.5", 1700000000500000}};
  for (const auto& test : kCases) {
    std::string whole;
    for (const char* report :
         {"\"m\":3,\"global_step\":1", "\"m\":2,\"global_step\":1",
          "\"m\":3,\"global_step\":1", "\"m\":1,\"global_step\":0"}) {
      whole += std::string("{") + report + test.time + "}\n";
    }
    for (std::size_t first = 0; first <= whole.size(); ++first) {
      TrialMetricSource source = MakeSource();
      std::vector<std::pair<double, std::int64_t>> found;
      for (const std::string& now : {whole.substr(0, first), whole, whole}) {
        WriteText(master_, now);
        const MetricReading reading =
            source.Read(Attempt(), JobSpec(), /*final=*/false);
        for (const Measurement& one : reading.measurements) {
          found.emplace_back(one.value,
                             one.reported_at.time_since_epoch().count());
        }
      }
      const std::int64_t t = test.first;
      EXPECT_EQ(found, (std::vector<std::pair<double, std::int64_t>>{
                           {3, t}, {2, t + 1}, {3, t + 2}, {1, t + 3}}));
    }
  }
}

// Also if it says an earlier time, or none.
TEST_F(HypertuneFollowerTest, WhatStandsLaterInTheFileIsLater) {
  const std::string timed = "{\"m\":3,\"global_step\":1,\"timestamp\":5}\n";
  const std::string earlier = "{\"m\":2,\"global_step\":2,\"timestamp\":1}\n";
  const std::string untimed = "{\"m\":1,\"global_step\":1}\n";
  const std::string files[] = {
      timed + untimed, timed + earlier, untimed + timed + untimed,
      timed + earlier + untimed + timed, untimed + earlier + timed};
  for (const std::string& whole : files) {
    std::vector<std::int64_t> of_whole;
    for (std::size_t first = 0; first <= whole.size(); ++first) {
      TrialMetricSource source = MakeSource();
      std::vector<std::int64_t> times;
      for (const std::string& now : {whole.substr(0, first), whole, whole}) {
        WriteText(master_, now);
        const MetricReading reading =
            source.Read(Attempt(), JobSpec(), /*final=*/false);
        for (const Measurement& one : reading.measurements) {
          times.push_back(one.reported_at.time_since_epoch().count());
        }
      }
      if (first == 0) of_whole = times;
      EXPECT_EQ(times, of_whole) << whole;
      EXPECT_EQ(static_cast<std::ptrdiff_t>(times.size()),
                std::count(whole.begin(), whole.end(), '\n'));
      EXPECT_TRUE(std::adjacent_find(times.begin(), times.end(),
                                     std::greater_equal<>()) == times.end())
          << whole;
    }
  }
}

TEST_F(HypertuneFollowerTest, AFileThatHoldsTheLastReportAloneIsFollowed) {
  TrialMetricSource source = MakeSource();
  std::vector<std::int64_t> times;
  for (const char* report :
       {"{\"m\":3,\"global_step\":1}\n", "{\"m\":2,\"global_step\":1}\n",
        "{\"m\":2,\"global_step\":1}\n", "{\"m\":1,\"global_step\":2}\n"}) {
    WriteText(master_, report);
    const MetricReading reading =
        source.Read(Attempt(), JobSpec(), /*final=*/false);
    for (const Measurement& one : reading.measurements) {
      times.push_back(one.reported_at.time_since_epoch().count());
    }
  }
  EXPECT_EQ(times, (std::vector<std::int64_t>{0, 1, 2}));
}

TEST_F(HypertuneFollowerTest, ReadsTheEvaluatorTooAndNobodyElse) {
  TrialMetricSource source = MakeSource();
  WriteText(run_ / "metrics/evaluator-replica-0.metrics", Line(1, 0.1));
  WriteText(run_ / "metrics/worker-replica-0.metrics", Line(2, 0.1));
  WriteText(master_, Line(3, 0.1));
  EXPECT_EQ(Steps(source, false), (StepList{3, 1}));
}

TEST_F(HypertuneFollowerTest, TellsAllAgainAfterForget) {
  TrialMetricSource source = MakeSource();
  WriteText(master_, Line(1, 0.1));
  EXPECT_EQ(Steps(source, true), (StepList{1}));
  source.Forget(Attempt().attempt);
  source.Forget(Attempt().attempt);
  EXPECT_EQ(Steps(source, true), (StepList{1}));
}

TEST_F(HypertuneFollowerTest, RefusesWhatIsNoPlainFile) {
  TrialMetricSource source = MakeSource();
  ASSERT_EQ(::mkfifo(master_.c_str(), 0600), 0);
  EXPECT_EQ(
      source.Read(Attempt(), JobSpec(), false).problems,  // And does not block.
      std::vector<std::string>{"the metric file is no regular file"});
  std::filesystem::remove(master_);
  WriteText(run_ / "secret", Line(1, 0.1));
  std::filesystem::create_symlink(run_ / "secret", master_);
  const MetricReading linked = source.Read(Attempt(), JobSpec(), true);
  EXPECT_TRUE(linked.measurements.empty());
  EXPECT_EQ(linked.problems,
            std::vector<std::string>{"the metric file is a symbolic link, "
                                     "which is not followed"});
  std::filesystem::remove(master_);
  std::filesystem::create_directory(master_);
  EXPECT_EQ(Steps(source, true), StepList{});
}

TEST_F(HypertuneFollowerTest, NamesWhatItCannotUnderstandOnce) {
  TrialMetricSource source = MakeSource();
  WriteText(master_, Line(1, 0.1) + "accuracy=0.9\n");
  const MetricReading first = source.Read(Attempt(), JobSpec(), false);
  EXPECT_EQ(first.measurements.size(), 1u);
  EXPECT_EQ(first.problems,
            std::vector<std::string>{"a line of the metric file is not a JSON "
                                     "object: accuracy=0.9"});
  WriteText(master_, "accuracy=0.9\n" + Line(2, 0.2));
  EXPECT_TRUE(source.Read(Attempt(), JobSpec(), true).problems.empty());
}

TEST_F(HypertuneFollowerTest, ReadsOnlyTheEndOfAHugeFile) {
  TrialMetricSource source = MakeSource();
  WriteText(master_, "");
  std::filesystem::resize_file(master_, 1ull << 40);  // Sparse.
  std::ofstream(master_, std::ios::app) << "\n" << Line(1, 0.1);
  EXPECT_EQ(Steps(source, true), (StepList{1}));
}

TEST_F(HypertuneFollowerTest, CostsNothingUntilSomethingChanges) {
  TrialMetricSource source({std::chrono::hours(1), true, 0, {}}, clock_);
  ASSERT_GE(source.wake_fds()[0], 0);
  const auto is_awake = [&] {
    pollfd fd{source.wake_fds()[0], POLLIN, 0};
    return ::poll(&fd, 1, 0) > 0;
  };
  EXPECT_EQ(Steps(source, false), StepList{});
  EXPECT_FALSE(is_awake());
  WriteText(master_, Line(1, 0.1));
  EXPECT_TRUE(is_awake());
  EXPECT_EQ(Steps(source, false), (StepList{1}));
  EXPECT_FALSE(is_awake());
  source.Forget(Attempt().attempt);
  WriteText(master_, Line(2, 0.2));
  EXPECT_EQ(Steps(source, true), (StepList{2}));
}

class WriterLoopTest : public HypertuneFollowerTest {
 protected:
  // Reads while the real thing writes, as the orchestrator would, and returns
  // every step that came, repeats included.
  std::vector<std::int64_t> ReadAlong(const char* reports,
                                      const char* per_writer,
                                      const char* pause) {
    TrialMetricSource source({milliseconds(1), true, 0, {}}, clock_);
    const std::string script =
        VERNIER_TESTDATA_DIR "/cluster/metrics/hypertune_writer.py";
    const char* argv[] = {"python3",  script.c_str(), master_.c_str(), reports,
                          per_writer, pause,          nullptr};
    pid_t writer = 0;
    EXPECT_EQ(::posix_spawn(&writer, "/usr/bin/python3", nullptr, nullptr,
                            const_cast<char**>(argv), environ),
              0);
    std::vector<std::int64_t> steps;
    int status = 0;
    while (::waitpid(writer, &status, WNOHANG) == 0) {
      pollfd fd{source.wake_fds()[0], POLLIN, 0};
      ::poll(&fd, 1, 1);
      for (const std::int64_t step : Steps(source, false, true)) {
        steps.push_back(step);
      }
    }
    EXPECT_EQ(status, 0);
    for (const std::int64_t step : Steps(source, true, true)) {
      steps.push_back(step);
    }
    return steps;
  }
};

TEST_F(WriterLoopTest, LosesNothingOfATightLoopsLastHundred) {
  const std::vector<std::int64_t> steps = ReadAlong("3000", "3000", "0");
  const std::set<std::int64_t> distinct(steps.begin(), steps.end());
  EXPECT_EQ(distinct.size(), steps.size()) << "a report came twice";
  for (std::int64_t step = 2900; step < 3000; ++step) {
    EXPECT_EQ(distinct.count(step), 1u) << step;
  }
  // Whether more could be had depends on the machine's load; that every step
  // is one that was reported does not.
  EXPECT_LT(*distinct.rbegin(), 3000);
  EXPECT_GE(*distinct.begin(), 0);
}

TEST_F(WriterLoopTest, AccumulatesOverWritersThatForget) {
  // One writer object per epoch of 10 reports: the file never holds more.
  const std::vector<std::int64_t> steps = ReadAlong("200", "10", "0.01");
  const std::set<std::int64_t> distinct(steps.begin(), steps.end());
  EXPECT_EQ(distinct.size(), steps.size()) << "a report came twice";
  for (std::int64_t step = 190; step < 200; ++step) {
    EXPECT_EQ(distinct.count(step), 1u) << step;
  }
  EXPECT_GE(distinct.size(), 20u) << "nothing was read along the way";
}

}  // namespace
}  // namespace vernier
