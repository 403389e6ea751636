#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/faces/service_bed.h"
#include "trials/study_names.h"

namespace vernier {
namespace {

using nlohmann::json;

class JobMethodsTest : public ServiceBed {
 protected:
  static json Parse(const absl::StatusOr<std::string>& answer) {
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? json::parse(*answer) : json();
  }
  std::string Listed(const std::string& filter = "", int page_size = 0,
                     const std::string& token = "") {
    const json page = Parse(client_->ListJobs(filter, page_size, token));
    std::string text;
    for (const json& job : page.value("jobs", json::array())) {
      text += job["jobId"].get<std::string>() + " ";
    }
    return text + page.value("nextPageToken", "");
  }
};

TEST_F(JobMethodsTest, ANewJobIsQueuedWithAiPlatformsFields) {
  const json job = Parse(client_->CreateJob(JobJson("a"), "r1"));
  EXPECT_EQ(job["state"], "QUEUED");
  EXPECT_EQ(job["trainingOutput"]["isHyperparameterTuningJob"], true);
  EXPECT_EQ(job["vernier"]["seed"], "5");
  EXPECT_TRUE(job.contains("createTime"));
  EXPECT_TRUE(job.contains("etag"));
  // The same request again is the same answer; the same name is not.
  EXPECT_EQ(Parse(client_->CreateJob(JobJson("a"), "r1")), job);
  EXPECT_EQ(client_->CreateJob(JobJson("a"), "r2").status().code(),
            absl::StatusCode::kAlreadyExists);
}

TEST_F(JobMethodsTest, ValidateStoresNothing) {
  const json job = Parse(client_->ValidateJob(JobJson("a")));
  EXPECT_EQ(job["jobId"], "a");
  EXPECT_TRUE(store_.Snapshot()->empty());
}

TEST_F(JobMethodsTest, ListsTheNewestFirstInPages) {
  for (const char* name : {"a", "b", "c"}) Create(name);
  EXPECT_EQ(Listed(), "c b a ");
  EXPECT_EQ(Listed("jobId=b"), "b ");
  EXPECT_EQ(Listed("jobId=none"), "");
  EXPECT_EQ(Listed("", 2), "c b 2");
  EXPECT_EQ(Listed("", 2, "2"), "a ");
}

TEST_F(JobMethodsTest, WishesChangeTheJob) {
  Create("a");
  EXPECT_EQ(Parse(client_->PauseJob("a"))["vernier"]["wanted"], "PAUSE");
  EXPECT_EQ(Parse(client_->ResumeJob("a"))["vernier"]["wanted"], "RUN");
  EXPECT_EQ(Parse(client_->ExtendJob("a", 50))["vernier"]["maxTrials"], 50);
  const json cancelled = Parse(client_->CancelJob("a"));
  EXPECT_EQ(cancelled["vernier"]["wanted"], "STOP");
  EXPECT_EQ(cancelled["state"], "CANCELLING");
  EXPECT_EQ(Parse(client_->GetJob("a"))["state"], "CANCELLING");
}

TEST_F(JobMethodsTest, ARevisionIsTheJobsNextVersion) {
  const StudyId study = Create("a");
  Complete(Launch(study, 1, 0.25), 9);
  EXPECT_FALSE(Parse(client_->GetJob("a"))["vernier"].contains("versions"));
  RevisionOrder order;
  order.job_id = "a";
  json job = json::parse(JobJson("a"));
  job["vernier"]["command"] = json::array({"/bin/false"});
  order.job_json = job.dump();
  order.validate_only = true;
  EXPECT_EQ(Parse(client_->ReviseJob(order))["changes"],
            json::array({"command changed"}));
  EXPECT_EQ(store_.Snapshot()->at(study)->run->code_version, 1);
  order.validate_only = false;
  order.request_id = "r";
  const json revised = Parse(client_->ReviseJob(order));
  EXPECT_EQ(revised["codeVersion"], 2);
  EXPECT_EQ(revised["job"]["vernier"]["command"], json::array({"/bin/false"}));
  const json versions = revised["job"]["vernier"]["versions"];
  ASSERT_EQ(versions.size(), 2u);
  EXPECT_EQ(versions[1]["changes"], "command changed");
  EXPECT_EQ(Parse(client_->ReviseJob(order))["codeVersion"], 2) << "repeated";
  EXPECT_EQ(Parse(client_->GetTrial("a", 1))["attempts"][0]["codeVersion"], 1);
  order.job_id = "x";
  EXPECT_EQ(client_->ReviseJob(order).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(JobMethodsTest, AddedPointsWaitInTheJob) {
  Create("a");
  const std::string points = R"([{"x":0.25},{"x":"5e-1"}])";
  const json job = Parse(client_->AddTrials("a", points, "r"));
  EXPECT_EQ(job["vernier"]["queuedPoints"],
            json::parse(R"([{"x":0.25},{"x":0.5}])"));
  const json again = Parse(client_->AddTrials("a", points, "r"));
  EXPECT_EQ(again["vernier"]["queuedPoints"].size(), 2u) << "queued again";
  EXPECT_EQ(client_->AddTrials("a", R"([{"x":2}])", "").status().message(),
            R"(parameter "x" must be in [0, 1]: 2)");
  EXPECT_EQ(client_->AddTrials("b", points, "").status().code(),
            absl::StatusCode::kNotFound);
  EXPECT_EQ(client_->AddTrials("a", "[1]", "").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(JobMethodsTest, AFinalJobCanBeDeleted) {
  const StudyId study = Create("a");
  EXPECT_EQ(client_->DeleteJob("a").code(),
            absl::StatusCode::kFailedPrecondition);
  Commit({MoveJob{study, JobEvent::kSucceed, ""}});
  EXPECT_TRUE(client_->DeleteJob("a").ok());
  EXPECT_EQ(client_->GetJob("a").status().code(), absl::StatusCode::kNotFound);
}

TEST_F(JobMethodsTest, LabelsAreReplacedUnlessTheJobHasChanged) {
  Create("a");
  const std::string etag = Parse(client_->GetJob("a"))["etag"];
  const json updated = Parse(client_->UpdateJob("a", {{"k", "v"}}, etag));
  EXPECT_EQ(updated["labels"], json({{"k", "v"}}));
  EXPECT_EQ(client_->UpdateJob("a", {}, etag).status().code(),
            absl::StatusCode::kAborted);
  EXPECT_FALSE(Parse(client_->UpdateJob("a", {}, "")).contains("labels"));
}

TEST_F(JobMethodsTest, ShowsTrialsBestFirst) {
  const StudyId study = Create("a");
  Complete(Launch(study, 1, 0.25), 9);
  Complete(Launch(study, 2, 0.5), 4);
  Launch(study, 3, 0.75);
  const json trials = Parse(client_->GetJob("a"))["trainingOutput"]["trials"];
  ASSERT_EQ(trials.size(), 3u);
  EXPECT_EQ(trials[0]["trialId"], "2");
  EXPECT_EQ(trials[0]["finalMetric"]["objectiveValue"], 4);
  EXPECT_EQ(trials[2]["state"], "RUNNING");
  EXPECT_FALSE(
      Parse(client_->GetJobWithoutTrials("a"))["trainingOutput"].contains(
          "trials"));

  const json trial = Parse(client_->GetTrial("a", 2));
  EXPECT_EQ(trial["state"], "COMPLETED");
  EXPECT_EQ(trial["parameters"][0]["value"], "0.5");
  EXPECT_EQ(trial["attempts"][0]["exitCode"], 0);
  EXPECT_EQ(trial["attempts"][0]["runDir"], folder_ / "runs/1/2/1");

  TrialListQuery query;
  query.job_id = "a";
  query.filter = "objective:*";
  query.sort = "best";
  query.limit = 1;
  const json best = Parse(client_->ListTrials(query))["trials"];
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0]["trialId"], "2");
}

// One by one, and the same as the list.
TEST_F(JobMethodsTest, StreamsTheTrialsThatItLists) {
  const StudyId study = Create("a");
  Complete(Launch(study, 1, 0.25), 9);
  Complete(Launch(study, 2, 0.5), 4);
  TrialListQuery query;
  query.job_id = "a";
  query.sort = "best";
  json streamed = json::array();
  const auto keep = [&](const std::string& trial) {
    streamed.push_back(json::parse(trial));
    return true;
  };
  ASSERT_TRUE(client_->StreamTrials(query, keep).ok());
  EXPECT_EQ(streamed, Parse(client_->ListTrials(query))["trials"]);
  ASSERT_EQ(streamed.size(), 2u);
  EXPECT_EQ(streamed[0]["trialId"], "2");

  query.job_id = "none";
  EXPECT_TRUE(absl::IsNotFound(client_->StreamTrials(query, keep)));
  query.job_id = "a";
  query.filter = "no such key = 1";
  EXPECT_TRUE(absl::IsInvalidArgument(client_->StreamTrials(query, keep)));
  // Whoever has enough says so.
  query.filter = "";
  int count = 0;
  const auto stop = [&](const std::string&) {
    ++count;
    return false;
  };
  EXPECT_TRUE(client_->StreamTrials(query, stop).ok());
  EXPECT_EQ(count, 1);
}

TEST_F(JobMethodsTest, RecommendsATrialWithAValue) {
  const StudyId study = Create("a");
  EXPECT_EQ(client_->RecommendTrial("a").status().code(),
            absl::StatusCode::kNotFound);
  Complete(Launch(study, 1, 0.25), 9);
  Complete(Launch(study, 2, 0.5), 4);
  EXPECT_EQ(Parse(client_->RecommendTrial("a"))["trialId"], "2");
}

TEST_F(JobMethodsTest, MeasurementsKeepNaN) {
  const AttemptKey key = Launch(Create("a"), 1, 0.5);
  Commit({AddMeasurements{
      key, {{"loss", 1, clock_.Now(), 0.5}, {"loss", 2, clock_.Now(), NAN}}}});
  const json rows =
      Parse(client_->ListMeasurements("a", 1, "", 0))["measurements"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["value"], 0.5);
  EXPECT_EQ(rows[1]["value"], "NaN");
  EXPECT_EQ(Parse(client_->ListMeasurements("a", 1, "other", 0)).size(), 0u);
}

TEST_F(JobMethodsTest, ExplainsAndTellsAboutItself) {
  Create("a");
  const auto text = client_->Explain("a", 0);
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("Job a"), std::string::npos) << *text;
  const json info = Parse(client_->GetServiceInfo());
  EXPECT_EQ(info["dataDir"], "/data");
  EXPECT_EQ(info["openJobs"], 1);
  EXPECT_EQ(info["devices"][0]["id"], "GPU-1");
}

/// Calls that must fail.
class JobFailuresTest : public ServiceBed {
 protected:
  using Code = absl::StatusCode;
  struct Case {
    const char* what;
    Code code;
    std::function<absl::Status()> call;
  };

  void SetUp() override {
    ServiceBed::SetUp();
    Create("a");
  }
  static void ExpectFailures(const std::vector<Case>& cases) {
    for (const Case& each : cases) {
      const absl::Status status = each.call();
      EXPECT_EQ(status.code(), each.code) << each.what << ": " << status;
      EXPECT_FALSE(status.message().empty()) << each.what;
    }
  }
};

TEST_F(JobFailuresTest, CallsAboutJobsHaveTheirCodes) {
  ExpectFailures({
      {"bad job", Code::kInvalidArgument,
       [&] { return client_->CreateJob(R"({"jobId":"-"})", "").status(); }},
      {"long request id", Code::kInvalidArgument,
       [&] {
         return client_->CreateJob(JobJson("b"), std::string(129, 'r'))
             .status();
       }},
      {"get", Code::kNotFound, [&] { return client_->GetJob("x").status(); }},
      {"cancel", Code::kNotFound,
       [&] { return client_->CancelJob("x").status(); }},
      {"pause", Code::kNotFound,
       [&] { return client_->PauseJob("x").status(); }},
      {"resume", Code::kNotFound,
       [&] { return client_->ResumeJob("x").status(); }},
      {"extend", Code::kNotFound,
       [&] { return client_->ExtendJob("x", 9).status(); }},
      {"extend down", Code::kInvalidArgument,
       [&] { return client_->ExtendJob("a", 1).status(); }},
      {"delete", Code::kNotFound, [&] { return client_->DeleteJob("x"); }},
      {"update", Code::kNotFound,
       [&] { return client_->UpdateJob("x", {}, "").status(); }},
      {"etag", Code::kInvalidArgument,
       [&] { return client_->UpdateJob("a", {}, "eHl6").status(); }},
      {"filter", Code::kInvalidArgument,
       [&] { return client_->ListJobs("x=1", 0, "").status(); }},
      {"page size", Code::kInvalidArgument,
       [&] { return client_->ListJobs("", -1, "").status(); }},
      {"page token", Code::kInvalidArgument,
       [&] { return client_->ListJobs("", 0, "abc").status(); }},
  });
}

TEST_F(JobFailuresTest, CallsAboutTrialsAndStreamsHaveTheirCodes) {
  TrialListQuery bad_filter;
  bad_filter.job_id = "a";
  bad_filter.filter = "lr<1";
  ExpectFailures({
      {"trial", Code::kNotFound,
       [&] { return client_->GetTrial("a", 1).status(); }},
      {"trial 0", Code::kNotFound,
       [&] { return client_->GetTrial("a", 0).status(); }},
      {"trials", Code::kInvalidArgument,
       [&] { return client_->ListTrials(bad_filter).status(); }},
      {"measurements", Code::kInvalidArgument,
       [&] { return client_->ListMeasurements("a", 1, "", -1).status(); }},
      {"explain", Code::kNotFound,
       [&] { return client_->Explain("a", 7).status(); }},
      {"events", Code::kNotFound,
       [&] {
         EventQuery query;
         query.job_id = "x";
         return client_->WatchEvents(query, [](const auto&) { return true; });
       }},
      {"log replica", Code::kNotFound,
       [&] {
         LogQuery query;
         query.job_id = "a";
         query.replica = "worker-replica-9";
         return client_->ReadLog(query, [](const auto&) { return true; });
       }},
      {"log trial", Code::kNotFound,
       [&] {
         LogQuery query;
         query.job_id = "a";
         query.trial = 7;
         return client_->ReadLog(query, [](const auto&) { return true; });
       }},
  });
}

TEST_F(JobMethodsTest, StoreFailuresReachTheCaller) {
  store_.FailNextWrite(absl::ResourceExhaustedError("disk full"));
  EXPECT_EQ(client_->CreateJob(JobJson("a"), "").status().code(),
            absl::StatusCode::kResourceExhausted);
  store_.Break("i/o error");
  EXPECT_EQ(client_->CreateJob(JobJson("a"), "").status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_TRUE(client_->ListJobs("", 0, "").ok()) << "reads go on";
}

TEST_F(JobMethodsTest, TheSocketIsTheUsersAlone) {
  struct stat status {};
  ASSERT_EQ(stat(endpoint_.socket_path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 077, 0u);
  EXPECT_TRUE(SomebodyListens(endpoint_.socket_path));
}

TEST_F(JobMethodsTest, AnOccupiedSocketIsLeftAlone) {
  Endpoint same = endpoint_;
  EXPECT_EQ(GrpcListener::Listen({&same}, Methods()).status().code(),
            absl::StatusCode::kAlreadyExists);
  EXPECT_TRUE(client_->GetServiceInfo().ok());
}

TEST_F(JobMethodsTest, AStoppedServiceIsUnavailableAndItsSocketGone) {
  Stop();
  EXPECT_EQ(client_->GetServiceInfo().status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_FALSE(SomebodyListens(endpoint_.socket_path));
}

TEST_F(JobMethodsTest, ALargeJobFitsIntoOneAnswer) {
  auto created = client_->CreateJob(JobJson("a", 10000), "");
  ASSERT_TRUE(created.ok()) << created.status();
  const StudyId study = FindJob(*store_.Snapshot(), "a")->id;
  std::vector<NewTrial> trials(10000, NewTrial{{{"x", 0.123456789}}, {}});
  Commit({CreateTrials{study, trials}});
  const json job = Parse(client_->GetJob("a"));
  EXPECT_EQ(job["trainingOutput"]["trials"].size(), 10000u);
}

}  // namespace
}  // namespace vernier
