#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <vernier/v1/job_service.grpc.pb.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/json.h"
#include "cluster/replica_log.h"
#include "edge/grpc/grpc_status.h"
#include "tests/faces/service_bed.h"
#include "trials/jobs/orchestrator.h"

namespace vernier {
namespace {

using nlohmann::json;

class StreamTest : public ServiceBed {
 protected:
  std::vector<std::int64_t> Sequences(const v1::WatchEventsRequest& query) {
    std::vector<std::int64_t> sequences;
    const absl::Status status = client_->StreamForJson(
        &Jobs::WatchEvents, query, [&](const std::string& event) {
          sequences.push_back(
              std::stoll(json::parse(event)["sequence"].get<std::string>()));
          return true;
        });
    EXPECT_TRUE(status.ok()) << status;
    return sequences;
  }

  std::unique_ptr<v1::JobService::Stub> MakeStub() {
    return v1::JobService::NewStub(grpc::CreateChannel(
        endpoint_.ToString(), grpc::InsecureChannelCredentials()));
  }

  /// Writes a replica's log where the service looks for it.
  void WriteLog(const AttemptKey& key, const std::string& replica,
                const std::string& text) {
    const auto job = store_.Snapshot()->at(key.study);
    const std::string logs = LogDirectory(AttemptDir(JobOf(*job), key));
    std::filesystem::create_directories(logs);
    auto writer = ReplicaLogWriter::Create(logs, replica, 1 << 20);
    ASSERT_TRUE(writer.ok()) << writer.status();
    writer->Append(text.data(), text.size());
  }

  std::string ReadAll(const v1::ReadLogRequest& query) {
    std::string text;
    const absl::Status status =
        client_->Stream(&Jobs::ReadLog, query, [&](const v1::LogChunk& piece) {
          text += "[" + std::to_string(piece.trial_id()) + "." +
                  std::to_string(piece.attempt()) + " " + piece.replica() +
                  "]" + piece.data();
          return true;
        });
    EXPECT_TRUE(status.ok()) << status;
    return text;
  }
};

TEST_F(StreamTest, EventsAreDenseAndCanBeTakenUpAnywhere) {
  const StudyId study = Create("a");
  Complete(Launch(study, 1, 0.5), 1);
  v1::WatchEventsRequest query;
  query.set_until_now(true);
  const std::vector<std::int64_t> all = Sequences(query);
  ASSERT_GT(all.size(), 4u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i], static_cast<std::int64_t>(i) + 1);
  }
  query.set_after_sequence(all[2]);
  const std::vector<std::int64_t> rest = Sequences(query);
  EXPECT_EQ(rest, std::vector<std::int64_t>(all.begin() + 3, all.end()));
}

TEST_F(StreamTest, AnEventIsToldInWords) {
  const StudyId study = Create("a");
  Complete(Launch(study, 1, 0.5), 1);
  v1::WatchEventsRequest query;
  query.set_until_now(true);
  std::string text;
  const absl::Status status = client_->StreamForJson(
      &Jobs::WatchEvents, query, [&](const std::string& event) {
        text += json::parse(event)["text"].get<std::string>() + "\n";
        return true;
      });
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_THAT(text, testing::HasSubstr("The job was submitted"));
  EXPECT_THAT(text, testing::HasSubstr("Trial 1 "));
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("user_error")));
}

TEST_F(StreamTest, AJobsEventsAreItsOwn) {
  Create("a");
  Create("b");
  v1::WatchEventsRequest query;
  query.set_job_id("b");
  query.set_until_now(true);
  EXPECT_EQ(Sequences(query), std::vector<std::int64_t>({2}));
}

TEST_F(StreamTest, AWatcherSeesEventsAsTheyComeAndTheEnd) {
  const StudyId study = Create("a");
  v1::WatchEventsRequest query;
  query.set_job_id("a");
  query.set_stop_at_end(true);
  std::vector<std::string> kinds;
  const absl::Status status = client_->StreamForJson(
      &Jobs::WatchEvents, query, [&](const std::string& event) {
        kinds.push_back(json::parse(event)["kind"]);
        // The next thing happens only after this one was seen.
        if (kinds.back() == "job.created") {
          Commit({MoveJob{study, JobEvent::kRun, ""}});
        } else if (kinds.back() == "job.running") {
          Commit({MoveJob{study, JobEvent::kSucceed, ""}});
        }
        return true;
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(kinds, std::vector<std::string>(
                       {"job.created", "job.running", "job.succeeded"}));
}

TEST_F(StreamTest, AClientMayStopListening) {
  Create("a");
  v1::WatchEventsRequest query;
  int seen = 0;
  EXPECT_TRUE(client_
                  ->StreamForJson(&Jobs::WatchEvents, query,
                                  [&](const std::string&) {
                                    ++seen;
                                    return false;
                                  })
                  .ok());
  EXPECT_EQ(seen, 1);
}

TEST_F(StreamTest, AWatcherWhoDoesNotReadHoldsUpNobody) {
  const StudyId study = Create("a");
  const auto stub = MakeStub();
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts;
  std::vector<std::unique_ptr<grpc::ClientReader<v1::Event>>> readers;
  for (int i = 0; i < 20; ++i) {
    contexts.push_back(std::make_unique<grpc::ClientContext>());
    readers.push_back(stub->WatchEvents(contexts.back().get(), {}));
  }
  const std::map<std::string, std::string> labels = {
      {"filler", std::string(64, 'f')}};
  for (int i = 0; i < 3000; ++i) {
    Commit({UpdateLabels{study, labels, std::nullopt}});
  }
  EXPECT_TRUE(client_->AskFor("a", &Jobs::GetJob).ok());
  v1::WatchEventsRequest query;
  query.set_until_now(true);
  EXPECT_EQ(Sequences(query).size(), 3001u);
  for (auto& context : contexts) context->TryCancel();
  for (auto& reader : readers) reader->Finish();
}

// Each event comes while the one before is just sent: by the writer that has
// done so, or by the pump, but by one of them only.
TEST_F(StreamTest, EachEventIsSentOnceHoweverFastTheyCome) {
  constexpr int kEvents = 3000;
  const StudyId study = Create("a");
  const auto stub = MakeStub();
  std::vector<std::int64_t> in_order(3, 0);
  std::vector<std::thread> watchers;
  for (std::int64_t& seen : in_order) {
    watchers.emplace_back([&stub, &seen] {
      grpc::ClientContext context;
      const auto reader = stub->WatchEvents(&context, {});
      v1::Event event;
      while (seen <= kEvents && reader->Read(&event)) {
        if (event.sequence() != seen + 1) break;
        ++seen;
      }
      context.TryCancel();
      reader->Finish();
    });
  }
  for (int i = 0; i < kEvents; ++i) {
    Commit({UpdateLabels{study, {{"i", std::to_string(i)}}, std::nullopt}});
  }
  for (std::thread& watcher : watchers) watcher.join();
  EXPECT_THAT(in_order, testing::Each(kEvents + 1));
}

TEST_F(StreamTest, AProjectsEventsAreItsOwn) {
  Create("a", "p1");
  const StudyId theirs = Create("a", "p2");
  // More than one batch of another's, after which own ones still come.
  for (int i = 0; i < 250; ++i) {
    Commit({UpdateLabels{theirs, {{"i", std::to_string(i)}}, std::nullopt}});
  }
  const StudyId last = Create("b", "p1");
  ServiceClient client(endpoint_, {"", "", "", "", "p1"});
  std::vector<std::string> seen;
  v1::WatchEventsRequest query;
  query.set_until_now(true);
  const auto watch = [&] {
    seen.clear();
    const absl::Status status = client.StreamForJson(
        &Jobs::WatchEvents, query, [&](const std::string& text) {
          const auto event = ParseJson(text);
          seen.push_back(event->value("jobId", "") + " " +
                         event->value("kind", ""));
          return true;
        });
    EXPECT_TRUE(status.ok()) << status;
  };
  watch();
  EXPECT_EQ(seen,
            (std::vector<std::string>{"a@p1 job.created", "b@p1 job.created"}));
  // Nobody can say any more whose a job was that is gone.
  Commit({MoveJob{last, JobEvent::kFail, ""}, DeleteJob{last}});
  Commit({MoveJob{theirs, JobEvent::kFail, ""}, DeleteJob{theirs}});
  watch();
  EXPECT_EQ(seen, std::vector<std::string>{"a@p1 job.created"});
}

TEST_F(StreamTest, AStoppingServiceEndsStreamsWithUnavailable) {
  Create("a");
  v1::WatchEventsRequest query;
  absl::Status status;
  std::thread watcher([&] {
    status = client_->StreamForJson(
        &Jobs::WatchEvents, query, [&](const std::string&) {
          pump_.Stop();  // The service begins to stop while this one watches.
          return true;
        });
  });
  watcher.join();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << status;
}

TEST_F(StreamTest, ReadsTheLogsOfAllTrials) {
  const StudyId study = Create("a");
  const AttemptKey first = Launch(study, 1, 0.5);
  const AttemptKey second = Launch(study, 2, 0.6);
  WriteLog(first, "master-replica-0", "one\ntwo\n");
  WriteLog(second, "master-replica-0", "three");
  v1::ReadLogRequest query;
  query.set_job_id("a");
  EXPECT_EQ(ReadAll(query),
            "[1.1 master-replica-0]one\ntwo\n[2.1 master-replica-0]three");
  query.set_trial_id(1);
  query.set_tail_lines(1);
  EXPECT_EQ(ReadAll(query), "[1.1 master-replica-0]two\n");
}

TEST_F(StreamTest, FollowsUntilTheTrialHasEndedAndSendsTheLastLine) {
  const AttemptKey key = Launch(Create("a"), 1, 0.5);
  WriteLog(key, "master-replica-0", "one\ntw");
  v1::ReadLogRequest query;
  query.set_job_id("a");
  query.set_trial_id(1);
  query.set_follow(true);
  std::string text;
  const absl::Status status =
      client_->Stream(&Jobs::ReadLog, query, [&](const v1::LogChunk& piece) {
        // The half line stays back until the program goes on or ends.
        if (text.empty()) {
          EXPECT_EQ(piece.data(), "one\n");
          WriteLog(key, "master-replica-0", "one\ntwo\nend");
          Complete(key, 1);
        }
        text += piece.data();
        return true;
      });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(text, "one\ntwo\nend");
}

}  // namespace
}  // namespace vernier
