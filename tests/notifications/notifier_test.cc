#include "notifications/notifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "store/events/event_follower.h"
#include "tests/fakes/manual_clock.h"
#include "tests/fakes/memory_store.h"
#include "tests/store/job_fixture.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// What a receiver in a test has got, and what it answers; shared with the
/// test, which looks at it while the deliverer owns the receiver.
struct Inbox {
  std::vector<JobEndNotice> notices;
  std::vector<Receiver::Answer> answers;  ///< The next first; then kTaken.
};

class FakeReceiver final : public Receiver {
 public:
  FakeReceiver(std::string key, std::shared_ptr<Inbox> inbox)
      : key_(std::move(key)), inbox_(std::move(inbox)) {}
  Answer Deliver(const JobEndNotice& notice) override {
    inbox_->notices.push_back(notice);
    if (inbox_->answers.empty()) return {Result::kTaken};
    const Answer answer = inbox_->answers.front();
    inbox_->answers.erase(inbox_->answers.begin());
    return answer;
  }
  void Stop() override {}
  std::string name() const override { return "webhook http://" + key_; }
  std::string kind() const override { return "webhook"; }
  std::string key() const override { return key_; }
  int most_attempts() const override { return 3; }

 private:
  const std::string key_;
  // Shared with the test.
  const std::shared_ptr<Inbox> inbox_;
};

/// A notifier that can be "killed" and opened anew on the same folder.
class NotifierTest : public testing::Test {
 protected:
  void Open(const std::vector<std::string>& keys = {"a"}) {
    Kill();
    std::vector<std::unique_ptr<Receiver>> receivers;
    for (const std::string& key : keys) {
      receivers.push_back(std::make_unique<FakeReceiver>(key, inbox_));
    }
    auto notifier = Notifier::Open(
        folder_ / "notices", store_.LastEvent(), std::move(receivers), clock_,
        [this](bool, const std::string& message, const auto& fields) {
          log_.push_back(message);
          for (const auto& [key, value] : fields) log_.back() += " " + value;
        });
    ASSERT_TRUE(notifier.ok()) << notifier.status();
    notifier_ = *std::move(notifier);
    follower_.emplace(store_, notifier_->begin());
  }
  void Kill() {
    follower_.reset();
    notifier_.reset();
  }

  absl::Status Follow() {
    return follower_
        ->Step([this](const Event& event, const StudySnapshot* study) {
          return notifier_->Visit(event, study).status();
        })
        .status();
  }
  Deliverer& deliverer(std::size_t i = 0) {
    return *notifier_->deliverers().at(i);
  }
  /// Until nothing is due.
  void Deliver() {
    int steps = 0;
    while (deliverer().Step() == milliseconds(0)) {
      ASSERT_LT(++steps, 10'000) << "something is always due";
    }
  }

  void EndJob(const std::string& name, JobEvent event = JobEvent::kSucceed) {
    JobOptions options;
    options.job_id = name;
    const StudyId study = *store_.CreateJob(MakeJob(options), At(10));
    const AttemptKey key{study, TrialId{1}, 1};
    ASSERT_TRUE(
        store_
            .Commit({MoveJob{study, JobEvent::kPrepare, ""},
                     MoveJob{study, JobEvent::kRun, ""},
                     CreateTrials{study, {MakeTrial(0.5)}}, Launch(key),
                     Exit(key), Complete(study, TrialId{1}, 0.25),
                     MoveJob{study, event,
                             event == JobEvent::kFail ? "it broke" : ""}},
                    At(20))
            .ok());
  }

  const ScratchFolder folder_{ScratchFolder::Place::kMemory};
  MemoryStore store_;
  ManualClock clock_;
  // Shared with the receivers.
  std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  std::vector<std::string> log_;
  std::unique_ptr<Notifier> notifier_;
  std::optional<EventFollower> follower_;
};

TEST_F(NotifierTest, ANoticeSaysHowTheJobEndedAndWhatWasBest) {
  Open();
  EndJob("job", JobEvent::kFail);
  ASSERT_TRUE(Follow().ok());
  Deliver();
  ASSERT_THAT(inbox_->notices, SizeIs(1));
  const auto json = ParseJson(inbox_->notices[0].body);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->at("type"), "job.ended");
  EXPECT_EQ(json->at("id"), inbox_->notices[0].id);
  EXPECT_EQ(DumpJson(json->at("data")),
            R"({"job":"job","project":"default","state":"FAILED",)"
            R"("reason":"it broke","createTime":"1970-01-01T00:00:10.000000Z",)"
            R"("startTime":"1970-01-01T00:00:20.000000Z",)"
            R"("endTime":"1970-01-01T00:00:20.000000Z",)"
            R"("trials":{"ended":1,"max":8,"causes":{"success":1}},)"
            R"("bestTrial":{"trial":1,"metric":"loss","goal":"MAXIMIZE",)"
            R"("value":0.25,"step":10,"parameters":)"
            R"({"rate":0.5,"units":64,"act":"relu"}}})");
  EXPECT_EQ(deliverer().counts().delivered, 1u);
  Deliver();
  EXPECT_THAT(inbox_->notices, SizeIs(1));
}

TEST_F(NotifierTest, WhatEndedBeforeTheFirstStartIsNotTold) {
  EndJob("old");
  Open();
  ASSERT_TRUE(Follow().ok());
  Deliver();
  EXPECT_THAT(inbox_->notices, IsEmpty());
}

TEST_F(NotifierTest, AnEndBeforeAKillIsToldByTheNextService) {
  Open();
  Kill();
  EndJob("job");  // Committed, and nobody has read the event.
  Open();
  ASSERT_TRUE(Follow().ok());
  Kill();  // Queued, and not delivered.
  Open();
  ASSERT_TRUE(Follow().ok());
  Deliver();
  ASSERT_THAT(inbox_->notices, SizeIs(1));
  Open();
  ASSERT_TRUE(Follow().ok());
  Deliver();
  EXPECT_THAT(inbox_->notices, SizeIs(1));
}

TEST_F(NotifierTest, ANoticeThatIsToldTwiceHasOneId) {
  Open();
  EndJob("job");
  ASSERT_TRUE(Follow().ok());
  Deliver();
  // As if the process had died between the delivery and the place.
  WriteText(folder_ / "notices/place", "0");
  Open();
  ASSERT_TRUE(Follow().ok());
  Deliver();
  ASSERT_THAT(inbox_->notices, SizeIs(2));
  EXPECT_EQ(inbox_->notices[0].id, inbox_->notices[1].id);
  EXPECT_EQ(inbox_->notices[0].body, inbox_->notices[1].body);
}

TEST_F(NotifierTest, AFailureIsTriedAgainLaterAndGivenUpInTheEnd) {
  Open();
  EndJob("job");
  ASSERT_TRUE(Follow().ok());
  inbox_->answers.assign(3, {Receiver::Result::kFailed, "down"});
  Deliver();
  EXPECT_THAT(inbox_->notices, SizeIs(1));
  EXPECT_EQ(deliverer().Step(), milliseconds(1000));
  clock_.Advance(milliseconds(1000));
  Deliver();
  EXPECT_EQ(deliverer().Step(), milliseconds(2000));
  // The count survives a restart, but not the wait.
  Open();
  Deliver();
  EXPECT_THAT(inbox_->notices, SizeIs(3));
  EXPECT_EQ(deliverer().queue().size(), 0u);
  EXPECT_EQ(deliverer().counts().given_up, 1u);
  EXPECT_THAT(log_.back(), testing::HasSubstr("given up"));
}

TEST_F(NotifierTest, AReceiverMayRefuseAndMayAskForMoreTime) {
  Open();
  EndJob("a");
  ASSERT_TRUE(Follow().ok());
  inbox_->answers = {
      {Receiver::Result::kFailed, "busy", std::chrono::minutes(1)},
      {Receiver::Result::kRefused, "gone"}};
  Deliver();
  EXPECT_EQ(deliverer().Step(), milliseconds(60000));
  clock_.Advance(std::chrono::minutes(1));
  Deliver();
  EXPECT_EQ(deliverer().queue().size(), 0u);
}

TEST_F(NotifierTest, AStopSaysNothingAboutTheNotice) {
  Open();
  EndJob("job");
  ASSERT_TRUE(Follow().ok());
  inbox_->answers = {{Receiver::Result::kStopped}};
  EXPECT_GT(deliverer().Step(), milliseconds(0));
  EXPECT_EQ(deliverer().counts().failed, 0u);
  Open();
  Deliver();
  EXPECT_EQ(deliverer().counts().delivered, 1u);
}

TEST_F(NotifierTest, EachReceiverHasAQueueOfItsOwn) {
  Open({"a", "b"});
  EndJob("job");
  ASSERT_TRUE(Follow().ok());
  deliverer(0).Step();
  EXPECT_EQ(deliverer(0).queue().size(), 0u);
  EXPECT_EQ(deliverer(1).queue().size(), 1u);
  Open({"b"});
  Deliver();
  EXPECT_THAT(inbox_->notices, SizeIs(2));
}

TEST_F(NotifierTest, AnEndThatCannotBeWrittenIsVisitedAgain) {
  Open();
  EndJob("job");
  const auto aside = folder_ / "aside";
  std::filesystem::rename(folder_ / "notices", aside);
  EXPECT_EQ(Follow().code(), absl::StatusCode::kUnavailable);
  std::filesystem::rename(aside, folder_ / "notices");
  ASSERT_TRUE(Follow().ok());
  Deliver();
  EXPECT_THAT(inbox_->notices, SizeIs(1));
}

TEST_F(NotifierTest, AnOlderDatabaseThatCameBackTellsNothingTwice) {
  EndJob("old");
  Open();
  WriteText(folder_ / "notices/place", "999999");
  Open();
  EXPECT_EQ(notifier_->begin(), store_.LastEvent());
  ASSERT_TRUE(Follow().ok());
  Deliver();
  EXPECT_THAT(inbox_->notices, IsEmpty());
}

TEST_F(NotifierTest, AFileThatCannotBeReadIsRemovedAndNamed) {
  Open();
  WriteText(folder_ / "notices/00000000000000000001-a.json", "{\"id\": 3}");
  Open();
  EXPECT_EQ(deliverer().queue().size(), 0u);
  ASSERT_FALSE(log_.empty());
  EXPECT_THAT(log_.back(), testing::HasSubstr("00000000000000000001-a.json"));
  EXPECT_FALSE(
      std::filesystem::exists(folder_ / "notices/00000000000000000001-a.json"));
}

TEST_F(NotifierTest, AFullQueueGivesUpWhatIsNew) {
  Open();
  JobEndNotice notice;
  notice.body = "{}";
  for (std::size_t i = 1; i <= DeliveryQueue::kMostPending; ++i) {
    notice.event = EventSequence(static_cast<std::int64_t>(i + 100000));
    ASSERT_TRUE(deliverer().queue().Add(notice).ok());
  }
  EndJob("job");
  ASSERT_TRUE(Follow().ok());
  EXPECT_EQ(deliverer().queue().size(), DeliveryQueue::kMostPending);
  EXPECT_EQ(deliverer().counts().given_up, 1u);
}

TEST_F(NotifierTest, WithoutReceiversNothingIsKept) {
  Open();
  EndJob("job");
  ASSERT_TRUE(Follow().ok());
  Kill();
  Notifier::Forget(folder_ / "notices");
  Open();
  ASSERT_TRUE(Follow().ok());
  Deliver();
  EXPECT_THAT(inbox_->notices, IsEmpty());
}

TEST(RetryWaitTest, DoublesUpToAnHour) {
  EXPECT_EQ(RetryWait(1), milliseconds(1000));
  EXPECT_EQ(RetryWait(2), milliseconds(2000));
  EXPECT_EQ(RetryWait(5), milliseconds(16000));
  EXPECT_EQ(RetryWait(1000), std::chrono::hours(1));
}

TEST(JobEndNoticeTest, ALongNoticeGoesWithoutParameters) {
  MemoryStore store;
  NewJob job = MakeJob({});
  const StudyId study = *store.CreateJob(job, At(1));
  const AttemptKey key{study, TrialId{1}, 1};
  NewTrial trial = MakeTrial(0.5);
  for (auto& [name, value] : trial.parameters) {
    if (name == "act") value = std::string(kMaxNoticeBytes, 'a');
  }
  ASSERT_TRUE(store
                  .Commit({MoveJob{study, JobEvent::kPrepare, ""},
                           MoveJob{study, JobEvent::kRun, ""},
                           CreateTrials{study, {trial}}, Launch(key), Exit(key),
                           Complete(study, TrialId{1}, 0.25),
                           MoveJob{study, JobEvent::kFail,
                                   std::string(100000, 'x') + "the cause"}},
                          At(20))
                  .ok());
  Event event;
  event.kind = "job.failed";
  event.sequence = store.LastEvent();
  const JobEndNotice notice =
      NoticeOf(event, JobOf(*store.Snapshot()->at(study)));
  EXPECT_LE(notice.body.size(), kMaxNoticeBytes);
  const auto json = ParseJson(notice.body);
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->at("data").at("bestTrial").at("value"), 0.25);
  EXPECT_FALSE(json->at("data").at("bestTrial").contains("parameters"));
  const std::string reason = json->at("data").at("reason");
  EXPECT_THAT(reason, testing::EndsWith("the cause"));
}

}  // namespace
}  // namespace vernier
