#include "trials/engine/suggestion_executor.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <functional>
#include <future>
#include <iterator>
#include <mutex>
#include <utility>

#include "tests/fakes/manual_clock.h"

namespace vernier {
namespace {

SuggestionExecutor::Request MakeRequest(int study, int count,
                                        std::size_t created = 0) {
  SuggestionExecutor::Request request;
  request.study = StudyId{study};
  request.count = count;
  request.progress = {created, 0};
  request.seen_events = EventSequence{41};
  ParameterSpec spec;
  spec.name = "x";
  spec.max_value = 1;
  request.view.space = {spec};
  request.view.trials_created = static_cast<std::int64_t>(created);
  return request;
}

// Counts what is ready, and lets a test wait for it.
class ReadyCount {
 public:
  std::function<void(StudyId)> Callback() {
    return [this](StudyId) {
      const std::lock_guard lock(mu_);
      ++count_;
      changed_.notify_all();
    };
  }
  void WaitFor(int count) {
    std::unique_lock lock(mu_);
    changed_.wait(lock, [&] { return count_ >= count; });
  }

 private:
  std::mutex mu_;
  std::condition_variable changed_;
  int count_ = 0;
};

TEST(SuggestionExecutorTest, WithoutThreadsTheResultIsThereAtOnce) {
  const ManualClock clock;
  int ready = 0;
  SuggestionExecutor executor(clock, nullptr, [&](StudyId) { ++ready; });
  EXPECT_FALSE(executor.Take(StudyId{1}).has_value());
  executor.Submit(MakeRequest(1, 3));
  EXPECT_EQ(ready, 1);
  const auto result = executor.Take(StudyId{1});
  ASSERT_TRUE(result.has_value());
  ASSERT_TRUE(result->suggestions.ok());
  EXPECT_EQ(result->suggestions->size(), 3u);
  EXPECT_EQ(result->progress.trials_created, 0u);
  EXPECT_EQ(result->progress.trials_ended, 0u);
  EXPECT_EQ(result->seen_events, EventSequence{41});
  EXPECT_TRUE(result->suggestions->front().record.milliseconds.has_value());
  EXPECT_FALSE(executor.Take(StudyId{1}).has_value()) << "taken twice";
}

TEST(SuggestionExecutorTest, EachStudyGetsItsOwn) {
  const ManualClock clock;
  ReadyCount ready;
  ThreadPool pool(2);
  SuggestionExecutor executor(clock, &pool, ready.Callback());
  for (int study = 1; study <= 20; ++study) {
    executor.Submit(MakeRequest(study, study));
  }
  ready.WaitFor(20);
  for (int study = 1; study <= 20; ++study) {
    const auto result = executor.Take(StudyId{study});
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(std::ssize(*result->suggestions), study);
  }
}

TEST(SuggestionExecutorTest, ThreadsDoNotChangeWhatAStateGives) {
  const ManualClock clock;
  SuggestionExecutor inline_executor(clock, nullptr, [](StudyId) {});
  inline_executor.Submit(MakeRequest(1, 4));
  const auto expected = inline_executor.Take(StudyId{1});
  ReadyCount ready;
  ThreadPool pool(3);
  SuggestionExecutor executor(clock, &pool, ready.Callback());
  executor.Submit(MakeRequest(1, 4));
  ready.WaitFor(1);
  EXPECT_EQ(*executor.Take(StudyId{1})->suggestions, *expected->suggestions);
}

TEST(SuggestionExecutorTest, ALaterRequestReplacesAWaitingOne) {
  const ManualClock clock;
  ReadyCount ready;
  std::promise<void> gate;
  std::shared_future<void> opened = gate.get_future().share();
  ThreadPool pool(1);
  // The only thread is held after its first computation.
  SuggestionExecutor executor(clock, &pool, [&](StudyId study) {
    ready.Callback()(study);
    opened.wait();
  });
  executor.Submit(MakeRequest(1, 1));
  ready.WaitFor(1);
  executor.Submit(MakeRequest(2, 1));
  executor.Submit(MakeRequest(2, 5, 7));
  EXPECT_FALSE(executor.IsWorking(StudyId{2}, {0, 0}, 1));
  EXPECT_TRUE(executor.IsWorking(StudyId{2}, {7, 0}, 5));
  EXPECT_FALSE(executor.IsWorking(StudyId{2}, {7, 0}, 6));
  gate.set_value();
  ready.WaitFor(2);
  const auto result = executor.Take(StudyId{2});
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->progress.trials_created, 7u);
  EXPECT_EQ(result->progress.trials_ended, 0u);
}

TEST(SuggestionExecutorTest, AnExhaustedSpaceIsReported) {
  const ManualClock clock;
  SuggestionExecutor executor(clock, nullptr, [](StudyId) {});
  SuggestionExecutor::Request request = MakeRequest(1, 1);
  request.view.space[0].max_value = 0;
  request.view.pending = {{{"x", 0.0}}};
  executor.Submit(std::move(request));
  const auto result = executor.Take(StudyId{1});
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->suggestions.status().code(),
            absl::StatusCode::kResourceExhausted);
}

TEST(SuggestionExecutorTest, ForgetsWhatIsDone) {
  const ManualClock clock;
  SuggestionExecutor executor(clock, nullptr, [](StudyId) {});
  executor.Submit(MakeRequest(1, 1));
  executor.Submit(MakeRequest(2, 1));
  executor.Forget([](StudyId id) { return id == StudyId{1}; });
  EXPECT_FALSE(executor.Take(StudyId{1}).has_value());
  EXPECT_TRUE(executor.Take(StudyId{2}).has_value());
}

}  // namespace
}  // namespace vernier
