#include "trials/suggestion_service.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "tests/trials/study_bed.h"

namespace vernier {
namespace {

using testing::HasSubstr;

using SuggestionServiceTest = StudyBed;

TEST_F(SuggestionServiceTest, GivesNewTrialsThatAreActiveForTheirClient) {
  Make();
  EXPECT_EQ(Get("a", 2), "1 2");
  EXPECT_EQ(Trial(1).state, TrialState::kActive);
  EXPECT_EQ(Trial(2).client_id, "a");
  EXPECT_EQ(Trial(2).origin.suggester, "RANDOM_SEARCH");
  EXPECT_NE(Trial(1).parameters, Trial(2).parameters);
}

TEST_F(SuggestionServiceTest, AClientGetsItsTrialsAgainUntilTheyEnd) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Get("b"), "2");
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Get("a", 2), "1 3");
  Complete(1, 0.5);
  EXPECT_EQ(Get("a"), "3");
}

TEST_F(SuggestionServiceTest, AStoppingTrialIsNotGivenAgain) {
  Make();
  EXPECT_EQ(Get("a"), "1");
  ASSERT_TRUE(studies_.StopTrial(kName, TrialId{1}).ok());
  EXPECT_EQ(Get("a"), "2");
}

TEST_F(SuggestionServiceTest, ARequestedTrialComesBeforeANewOne) {
  Make();
  TrialRequest request;
  request.parameters = {{"x", 0.25}};
  ASSERT_TRUE(studies_.CreateTrial(kName, request).ok());
  EXPECT_EQ(Get("a", 2), "1 2");
  EXPECT_EQ(Trial(1).parameters, (Parameters{{"x", 0.25}}));
}

TEST_F(SuggestionServiceTest, AUsedUpSpaceGivesFewerAndThenEndsTheStudy) {
  Make(MakeGridSpec());
  EXPECT_EQ(Get("a", 2), "1 2");
  EXPECT_EQ(Get("b", 5), "3");
  EXPECT_EQ(Get("c"), "");
  EXPECT_EQ(ClientRunOf(**studies_.GetStudy(kName)).state, StudyState::kActive);
  for (int trial = 1; trial <= 3; ++trial) Complete(trial, trial);
  const auto last = Ask("c");
  ASSERT_TRUE(last.ok()) << last.status();
  EXPECT_TRUE(last->trials.empty());
  EXPECT_EQ(ClientRunOf(*last->study).state, StudyState::kCompleted);
  EXPECT_EQ(Ask("c").status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(SuggestionServiceTest, AnAnswerIsRememberedAsAnOperation) {
  Make();
  EXPECT_EQ(Ask("a", 2)->operation, 1);
  EXPECT_EQ(Ask("b")->operation, 2);
  const auto found = studies_.FindOperation(kName, 1);
  ASSERT_TRUE(found.ok()) << found.status();
  EXPECT_EQ(found->trials, (std::vector<TrialId>{TrialId{1}, TrialId{2}}));
  EXPECT_EQ(studies_.FindOperation(kName, 3).status().code(),
            absl::StatusCode::kNotFound);
  ASSERT_TRUE(studies_.DeleteTrial(kName, TrialId{1}).ok());
  EXPECT_EQ(studies_.FindOperation(kName, 1)->trials,
            std::vector<TrialId>{TrialId{2}});
}

TEST_F(SuggestionServiceTest, RefusesWhatIsNoRequest) {
  Make();
  for (const int count : {0, -1, 10001}) {
    EXPECT_EQ(Ask("a", count).status().code(),
              absl::StatusCode::kInvalidArgument)
        << count;
  }
  EXPECT_EQ(Ask("").status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Ask(std::string(2000, 'a')).status().code(),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Ask("a", 1, "owners/me/studies/other").status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(SuggestionServiceTest, AnInactiveStudyGivesNothing) {
  Make();
  ASSERT_TRUE(studies_.SetState(kName, StudyState::kInactive, "later").ok());
  EXPECT_THAT(Get("a"), HasSubstr("INACTIVE"));
  ASSERT_TRUE(studies_.SetState(kName, StudyState::kActive, "").ok());
  EXPECT_EQ(Get("a"), "1");
}

TEST_F(SuggestionServiceTest, TellsWhatTheStoreRefuses) {
  Make();
  store_.FailNextWrite(absl::ResourceExhaustedError("full"));
  EXPECT_EQ(Ask("a").status().code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(Get("a"), "1");
}

TEST_F(SuggestionServiceTest, LooksAgainWhenOthersWereFaster) {
  Make();
  store_.FailNextWrite(absl::AbortedError("lost a race"));
  EXPECT_EQ(Get("a"), "1");
}

TEST_F(SuggestionServiceTest, OfAStudyThatIsDeletedMeanwhileNothingIsAnswered) {
  Make();
  store_.AfterNextCommit(
      [this] { EXPECT_TRUE(studies_.DeleteStudy(kName).ok()); });
  const auto answer = Ask("a", 3);
  EXPECT_TRUE(absl::IsNotFound(answer.status())) << answer.status();
}

TEST_F(SuggestionServiceTest, TheModelLearnsFromWhatEnded) {
  StudySpec spec = MakeStudySpec();
  spec.algorithm = Algorithm::kDefault;
  Make(spec);
  for (int trial = 1; trial <= 8; ++trial) {
    ASSERT_EQ(Get("a"), std::to_string(trial));
    const double x = std::get<double>(Trial(trial).parameters[0].value);
    Complete(trial, (x - 0.3) * (x - 0.3));
  }
  ASSERT_EQ(Get("a"), "9");
  const SuggestionRecord record = *Trial(9).origin.record;
  EXPECT_EQ(Trial(9).origin.suggester, "DEFAULT");
  EXPECT_EQ(record.num_completed, 8);
  EXPECT_GT(record.num_fitted, 0);
}

TEST_F(SuggestionServiceTest, SeveralMetricsAreSearchedByTheDefault) {
  StudySpec spec = MakeStudySpec();
  spec.algorithm = Algorithm::kDefault;
  spec.metrics.push_back({"size", Goal::kMinimize});
  Make(spec);
  EXPECT_EQ(Get("a"), "1");
  EXPECT_EQ(Trial(1).origin.suggester, "DEFAULT");
}

TEST_F(SuggestionServiceTest, AfterStopNobodyIsServed) {
  Make();
  suggestions_.Stop();
  EXPECT_EQ(Ask("a").status().code(), absl::StatusCode::kUnavailable);
}

// A model is being made, and what comes of it is not looked at.
class WaitingServiceTest : public StudyBed {
 protected:
  ThreadPool fitters_{1};
  SuggestionService waiting_suggestions_{{store_, engines_, clock_,
                                          [this](std::function<void()> work) {
                                            const std::lock_guard lock(mu_);
                                            work_.push_back(std::move(work));
                                            changed_.notify_all();
                                          },
                                          [](const std::string&) {},
                                          &fitters_}};

  void TearDown() override {
    RunAll();  // It waits for what it handed out.
  }

  std::size_t RunAll() {
    std::vector<std::function<void()>> work;
    {
      const std::lock_guard lock(mu_);
      work.swap(work_);
    }
    for (const auto& one : work) one();
    return work.size();
  }

  // False if there is not so much work within a minute.
  [[nodiscard]] bool WaitForWork(std::size_t count) {
    std::unique_lock lock(mu_);
    return changed_.wait_for(lock, std::chrono::minutes(1),
                             [&] { return work_.size() >= count; });
  }

  StudyId MakeLearningStudy(const std::string& name = "a study") {
    StudySpec spec = MakeStudySpec();
    spec.algorithm = Algorithm::kDefault;
    Make(spec, name);
    return (*studies_.GetStudy("owners/me/studies/" + name))->id;
  }

  std::mutex mu_;
  std::condition_variable changed_;
  std::vector<std::function<void()>> work_;
};

TEST_F(WaitingServiceTest, StopAnswersThoseWhoWait) {
  const StudyId study = MakeLearningStudy();
  int answers = 0;
  waiting_suggestions_.Suggest(study, 1, "a", [&](const auto&) { ++answers; });
  waiting_suggestions_.Stop();
  EXPECT_EQ(answers, 1);
  RunAll();
  EXPECT_EQ(answers, 1);
}

TEST_F(WaitingServiceTest, AForgottenModelIsMadeAgain) {
  const StudyId study = MakeLearningStudy();
  int answers = 0;
  waiting_suggestions_.Suggest(study, 1, "a", [&](const auto& answer) {
    EXPECT_TRUE(answer.ok()) << answer.status();
    ++answers;
  });
  waiting_suggestions_.Forget(study);
  while (answers == 0) {
    ASSERT_TRUE(WaitForWork(1));
    RunAll();
  }
  EXPECT_EQ(answers, 1);
}

// Those that wait get points of the search as it is now.
TEST_F(WaitingServiceTest, AnEditMeanwhileIsHeeded) {
  const StudyId study = MakeLearningStudy();
  std::vector<double> chosen;
  waiting_suggestions_.Suggest(study, 20, "a", [&](const auto& answer) {
    ASSERT_TRUE(answer.ok()) << answer.status();
    for (const TrialId id : answer->trials) {
      const TrialRecord& trial = answer->study->trials.Get(id);
      chosen.push_back(std::get<double>(trial.parameters[0].value));
    }
  });
  ASSERT_TRUE(WaitForWork(1));  // The points are chosen, and not stored yet.
  StudySpec narrow = *(*studies_.GetStudy(kName))->spec;
  narrow.parameters[0].max_value = 0.125;
  ASSERT_TRUE(studies_
                  .Revise({study, 1,
                           std::make_shared<const StudySpec>(std::move(narrow)),
                           "", ""})
                  .ok());
  while (chosen.empty()) {
    ASSERT_TRUE(WaitForWork(1));
    RunAll();
  }
  EXPECT_EQ(chosen.size(), 20u);
  for (const double x : chosen) EXPECT_LE(x, 0.125);
}

// Of many studies that wait, the others need not be looked at.
TEST_F(WaitingServiceTest, PointsThatAreReadyServeTheirStudyAlone) {
  constexpr int kStudies = 8;
  int answers = 0;
  for (int i = 1; i <= kStudies; ++i) {
    waiting_suggestions_.Suggest(MakeLearningStudy(absl::StrCat("s", i)), 1,
                                 "a", [&](const auto&) { ++answers; });
  }
  ASSERT_TRUE(WaitForWork(kStudies));
  std::size_t pieces = RunAll();
  while (answers < kStudies) {
    ASSERT_TRUE(WaitForWork(1));
    pieces += RunAll();
  }
  EXPECT_EQ(pieces, std::size_t{kStudies});
}

// Threads as the service has them.
class Threads {
 public:
  explicit Threads(int count) {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { Work(); });
  }
  ~Threads() {
    {
      const std::lock_guard lock(mu_);
      stopping_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void Run(std::function<void()> work) {
    {
      const std::lock_guard lock(mu_);
      work_.push_back(std::move(work));
    }
    changed_.notify_one();
  }

 private:
  void Work() {
    while (true) {
      std::function<void()> work;
      {
        std::unique_lock lock(mu_);
        changed_.wait(lock, [this] { return stopping_ || !work_.empty(); });
        if (work_.empty()) return;
        work = std::move(work_.front());
        work_.pop_front();
      }
      work();
    }
  }

  std::mutex mu_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

/// Clients of one study, each of which asks, completes and asks again.
class AskingClients {
 public:
  AskingClients(StudyService& studies, std::string study, Threads& threads)
      : studies_(studies), study_(std::move(study)), threads_(threads) {}

  /// Has the client complete `left` trials, or as many as it can.
  void Ask(int client, int left) {
    studies_.Suggest(
        study_, 1, absl::StrCat("c", client),
        [this, client,
         left](const absl::StatusOr<SuggestionService::Answer>& answer) {
          if (!answer.ok() || answer->trials.size() != 1) {
            return Finish(answer.status().ToString());
          }
          const TrialId trial = answer->trials[0];
          {
            const std::lock_guard lock(mu_);
            got_.insert(trial);
          }
          threads_.Run(
              [this, client, left, trial] { Complete(client, left, trial); });
        });
  }

  /// Waits until `clients` have finished, and returns what all of them got.
  std::multiset<TrialId> WaitFor(int clients) {
    std::unique_lock lock(mu_);
    changed_.wait(lock, [&] { return finished_ == clients; });
    EXPECT_TRUE(failures_.empty()) << failures_[0];
    return got_;
  }

 private:
  void Complete(int client, int left, TrialId trial) {
    const auto done =
        studies_.CompleteTrial(study_, trial, {Loss(0.5), false, ""});
    if (!done.ok()) return Finish(done.status().ToString());
    if (left > 1) return Ask(client, left - 1);
    Finish("");
  }
  void Finish(const std::string& failure) {
    const std::lock_guard lock(mu_);
    if (!failure.empty()) failures_.push_back(failure);
    ++finished_;
    changed_.notify_all();
  }

  StudyService& studies_;
  const std::string study_;
  Threads& threads_;
  std::mutex mu_;
  std::condition_variable changed_;
  std::multiset<TrialId> got_;
  int finished_ = 0;
  std::vector<std::string> failures_;
};

class ConcurrentServiceTest : public testing::TestWithParam<Algorithm> {};

TEST_P(ConcurrentServiceTest, EveryClientGetsItsOwnTrials) {
  constexpr int kClients = 16;
  constexpr int kTrials = 6;
  MemoryStore store;
  TickingClock clock;
  Threads threads(4);
  StudyEngines engines(store, [](const std::string&) {});
  ThreadPool fitters{2};
  SuggestionService suggestions(
      {store, engines, clock,
       [&](std::function<void()> work) { threads.Run(std::move(work)); },
       [](const std::string&) {}, &fitters});
  StudyService studies(
      {store, clock, engines, suggestions, [] { return std::uint64_t{7}; }});
  StudySpec spec = MakeStudySpec();
  spec.algorithm = GetParam();
  const std::string name =
      (*studies.CreateStudy({"owners/me", "s", spec, {}, {}}))->name;

  AskingClients clients(studies, name, threads);
  for (int client = 0; client < kClients; ++client) {
    clients.Ask(client, kTrials);
  }
  const std::multiset<TrialId> got = clients.WaitFor(kClients);
  EXPECT_EQ(got.size(), std::size_t{kClients * kTrials});
  EXPECT_EQ(std::set<TrialId>(got.begin(), got.end()).size(), got.size());
  const auto study = *studies.GetStudy(name);
  EXPECT_EQ(study->trials.size(), std::size_t{kClients * kTrials});
  EXPECT_TRUE(study->open.empty());
  suggestions.Stop();
}

INSTANTIATE_TEST_SUITE_P(Algorithms, ConcurrentServiceTest,
                         testing::Values(Algorithm::kRandomSearch,
                                         Algorithm::kDefault));

}  // namespace
}  // namespace vernier
