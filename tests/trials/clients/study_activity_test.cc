#include "trials/clients/study_activity.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>

namespace vernier {
namespace {

using std::chrono::minutes;

constexpr char kHere[] = "python/tower/b1/4026531836/4711-99/";

Timestamp At(int minute) { return Timestamp{} + minutes(minute); }

class StudyActivityTest : public testing::Test {
 protected:
  void Add(const std::string& client, int asked_at, TrialState state) {
    auto trial = std::make_shared<TrialRecord>();
    trial->id = TrialId{static_cast<std::int64_t>(study_.trials.size()) + 1};
    trial->client_id = client;
    trial->state = state;
    trial->created_at = At(asked_at);
    if (state != TrialState::kRequested) trial->started_at = At(asked_at);
    if (state == TrialState::kCompleted) {
      trial->ended_at = At(asked_at + 1);
    } else {
      study_.open.push_back(trial->id);
    }
    study_.trials.Put(std::move(trial));
  }

  StudyActivity Look(int minute, ClientPresence presence) {
    return ActivityOf(
        ClientStudyOf(study_), At(minute), [&](const ClientProcess& process) {
          ++looks_;
          EXPECT_EQ(process,
                    (ClientProcess{"tower", "b1", "4026531836", 4711, 99}));
          return presence;
        });
  }

  StudySnapshot study_;
  int looks_ = 0;
};

TEST(ClientProcessTest, OnlyThePackagesNamesTellAProcess) {
  EXPECT_TRUE(ProcessOfClient("python/h/b/1/2-3/4").has_value());
  for (const char* name :
       {"", "worker-1", "python/h/b/1/2/4", "python/h/b/1/x-3/4",
        "python/h/b/1/2-3", "python/h/b/1/2-3x/4", "ruby/h/b/1/2-3/4",
        "python/h/b/1/2-99999999999999999999/4"}) {
    EXPECT_FALSE(ProcessOfClient(name).has_value()) << name;
  }
}

TEST_F(StudyActivityTest, TheTrialsOfOneProcessAreOneWorkers) {
  for (int i = 1; i <= 3; ++i) {
    Add(kHere + std::to_string(i), i, TrialState::kActive);
  }
  Add(std::string(kHere) + "1", 0, TrialState::kCompleted);
  const StudyActivity activity = Look(10, ClientPresence::kRuns);
  ASSERT_EQ(activity.workers.size(), 1u);
  EXPECT_EQ(activity.workers[0].name, "process 4711 on tower");
  EXPECT_EQ(activity.workers[0].open_trials, 3);
  EXPECT_EQ(activity.workers[0].last_seen, At(3));
  EXPECT_EQ(activity.running, 3);
  EXPECT_EQ(activity.last_activity, At(3));
  EXPECT_EQ(WorkOn(ClientStudyOf(study_), At(10), nullptr).running, 3)
      << "heard of just now";
  EXPECT_EQ(looks_, 1);
}

TEST_F(StudyActivityTest, NothingOfAProcessThatHasEndedRuns) {
  for (int i = 0; i < 24; ++i) {
    Add(kHere + std::to_string(i), 1, TrialState::kActive);
  }
  EXPECT_EQ(Look(2, ClientPresence::kGone).running, 0);
  EXPECT_EQ(Look(2, ClientPresence::kGone).workers[0].open_trials, 24);
}

TEST_F(StudyActivityTest, AStudyIsWorkedOnUntilNobodyWasHeardOfForAnHour) {
  Add("worker-1", 0, TrialState::kCompleted);
  const auto is_worked_on = [this](int minute, ClientPresence presence) {
    return IsWorkedOn(Look(minute, presence), At(minute));
  };
  EXPECT_TRUE(is_worked_on(60, ClientPresence::kGone));
  EXPECT_FALSE(is_worked_on(61, ClientPresence::kGone));
  Add(std::string(kHere) + "1", 5, TrialState::kActive);
  EXPECT_FALSE(is_worked_on(65, ClientPresence::kGone));
  EXPECT_TRUE(is_worked_on(600, ClientPresence::kRuns)) << "a long training";
}

TEST_F(StudyActivityTest,
       AnOpenStudyIsIdleOnceNoTrialRunsAndNobodyIsBetweenTwo) {
  const auto idle_since = [this](int minute, ClientPresence presence) {
    return WorkOn(ClientStudyOf(study_), At(minute),
                  [&](const ClientProcess&) { return presence; })
        .idle_since;
  };
  Add(std::string(kHere) + "1", 0, TrialState::kCompleted);  // Ends at 1.
  EXPECT_EQ(idle_since(1, ClientPresence::kRuns), std::nullopt);
  EXPECT_EQ(idle_since(2, ClientPresence::kRuns), At(1));
  Add(std::string(kHere) + "1", 5, TrialState::kActive);
  EXPECT_EQ(idle_since(600, ClientPresence::kRuns), std::nullopt)
      << "a long training";
  EXPECT_EQ(idle_since(5, ClientPresence::kGone), At(5))
      << "what a killed program left open";
  for (const StudyState closed :
       {StudyState::kCompleted, StudyState::kInactive}) {
    ClientRunOf(study_).state = closed;
    EXPECT_EQ(WorkOn(ClientStudyOf(study_), At(600), nullptr), StudyWork{});
    EXPECT_EQ(Look(6, ClientPresence::kRuns).running, 0)
        << "nothing of a closed study runs";
  }
}

TEST_F(StudyActivityTest, AClientElsewhereWorksAsLongAsItIsHeardOf) {
  Add("worker-1", 0, TrialState::kStopping);
  Add("", 0, TrialState::kActive);
  Add("worker-2", 0, TrialState::kRequested);  // Waits for somebody.
  EXPECT_EQ(Look(59, ClientPresence::kGone).running, 2);
  EXPECT_EQ(Look(60, ClientPresence::kGone).running, 0);
  EXPECT_EQ(Look(60, ClientPresence::kGone).workers.size(), 2u);
  EXPECT_EQ(Look(60, ClientPresence::kGone).workers[0].name,
            "a client without a name");
  auto trial = std::make_shared<TrialRecord>(study_.trials.Get(TrialId{1}));
  trial->objective.last_reported_at = At(50);
  study_.trials.Put(std::move(trial));
  const StudyActivity heard = Look(100, ClientPresence::kGone);
  EXPECT_EQ(heard.running, 1);
  EXPECT_EQ(heard.last_activity, At(50));
  EXPECT_EQ(looks_, 0);
}

}  // namespace
}  // namespace vernier
