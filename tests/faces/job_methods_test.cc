#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/str_cat.h"
#include "store/study_names.h"
#include "tests/faces/service_bed.h"

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
    v1::ListJobsRequest request;
    request.set_filter(filter);
    request.set_page_size(page_size);
    request.set_page_token(token);
    const json page = Parse(client_->CallForJson(&Jobs::ListJobs, request));
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
  const json job = Parse(client_->Ask(
      &Jobs::CreateJob, R"({"validateOnly":true,"job":)" + JobJson("a") + "}"));
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

TEST_F(JobMethodsTest, CallsChangeTheJob) {
  Create("a");
  EXPECT_EQ(Parse(client_->AskFor("a", &Jobs::PauseJob))["vernier"]["wanted"],
            "PAUSE");
  EXPECT_EQ(Parse(client_->AskFor("a", &Jobs::ResumeJob))["vernier"]["wanted"],
            "RUN");
  EXPECT_EQ(Parse(client_->Ask(
                &Jobs::ExtendJob,
                R"({"jobId":"a","maxTrials":50})"))["vernier"]["maxTrials"],
            50);
  const json cancelled = Parse(client_->AskFor("a", &Jobs::CancelJob));
  EXPECT_EQ(cancelled["vernier"]["wanted"], "STOP");
  EXPECT_EQ(cancelled["state"], "CANCELLING");
  EXPECT_EQ(Parse(client_->AskFor("a", &Jobs::GetJob))["state"], "CANCELLING");
}

TEST_F(JobMethodsTest, ARevisionIsTheJobsNextVersion) {
  const StudyId study = Create("a");
  Complete(Launch(study, 1, 0.25), 9);
  EXPECT_FALSE(Parse(client_->AskFor("a", &Jobs::GetJob))["vernier"].contains(
      "versions"));
  v1::ReviseJobRequest request;
  request.set_job_id("a");
  json job = json::parse(JobJson("a"));
  job["vernier"]["command"] = json::array({"/bin/false"});
  ASSERT_TRUE(ReadMessage("job", job.dump(), request.mutable_job()).ok());
  request.set_validate_only(true);
  EXPECT_EQ(Parse(client_->CallForJson(&Jobs::ReviseJob, request))["changes"],
            json::array({"command changed"}));
  EXPECT_EQ(JobRunOf(*store_.Snapshot()->at(study)).code_version, 1);
  request.set_validate_only(false);
  request.set_request_id("r");
  const json revised = Parse(client_->CallForJson(&Jobs::ReviseJob, request));
  EXPECT_EQ(revised["codeVersion"], 2);
  EXPECT_EQ(revised["job"]["vernier"]["command"], json::array({"/bin/false"}));
  const json versions = revised["job"]["vernier"]["versions"];
  ASSERT_EQ(versions.size(), 2u);
  EXPECT_EQ(versions[1]["changes"], "command changed");
  EXPECT_EQ(
      Parse(client_->CallForJson(&Jobs::ReviseJob, request))["codeVersion"], 2)
      << "repeated";
  EXPECT_EQ(Parse(client_->Ask(
                &Jobs::GetTrial,
                R"({"jobId":"a","trialId":1})"))["attempts"][0]["codeVersion"],
            1);
  request.set_job_id("x");
  EXPECT_EQ(client_->CallForJson(&Jobs::ReviseJob, request).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(JobMethodsTest, AddedPointsWaitInTheJob) {
  Create("a");
  const auto add = [&](const std::string& name, const std::string& points,
                       const std::string& request_id = "") {
    return client_->Ask(&Jobs::AddTrials, json{{"jobId", name},
                                               {"points", json::parse(points)},
                                               {"requestId", request_id}}
                                              .dump());
  };
  const std::string points = R"([{"x":0.25},{"x":"5e-1"}])";
  const json job = Parse(add("a", points, "r"));
  EXPECT_EQ(job["vernier"]["queuedPoints"],
            json::parse(R"([{"x":0.25},{"x":0.5}])"));
  const json again = Parse(add("a", points, "r"));
  EXPECT_EQ(again["vernier"]["queuedPoints"].size(), 2u) << "queued again";
  EXPECT_EQ(add("a", R"([{"x":2}])").status().message(),
            R"(parameter "x" must be in [0, 1]: 2)");
  EXPECT_EQ(add("b", points).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(add("a", "[1]").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_F(JobMethodsTest, AFinalJobCanBeDeleted) {
  const StudyId study = Create("a");
  EXPECT_EQ(client_->AskFor("a", &Jobs::DeleteJob).status().code(),
            absl::StatusCode::kFailedPrecondition);
  Commit({MoveJob{study, JobEvent::kSucceed, ""}});
  EXPECT_TRUE(client_->AskFor("a", &Jobs::DeleteJob).status().ok());
  EXPECT_EQ(client_->AskFor("a", &Jobs::GetJob).status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(JobMethodsTest, LabelsAreReplacedUnlessTheJobHasChanged) {
  Create("a");
  const std::string etag = Parse(client_->AskFor("a", &Jobs::GetJob))["etag"];
  const auto update = [&](const std::string& name, const json& labels,
                          const std::string& seen) {
    return client_->Ask(
        &Jobs::UpdateJob,
        json{{"jobId", name}, {"labels", labels}, {"etag", seen}}.dump());
  };
  const json updated = Parse(update("a", {{"k", "v"}}, etag));
  EXPECT_EQ(updated["labels"], json({{"k", "v"}}));
  EXPECT_EQ(update("a", json::object(), etag).status().code(),
            absl::StatusCode::kAborted);
  EXPECT_FALSE(Parse(update("a", json::object(), "")).contains("labels"));
}

TEST_F(JobMethodsTest, ShowsTrialsBestFirst) {
  const StudyId study = Create("a");
  Complete(Launch(study, 1, 0.25), 9);
  Complete(Launch(study, 2, 0.5), 4);
  Launch(study, 3, 0.75);
  const json trials =
      Parse(client_->AskFor("a", &Jobs::GetJob))["trainingOutput"]["trials"];
  ASSERT_EQ(trials.size(), 3u);
  EXPECT_EQ(trials[0]["trialId"], "2");
  EXPECT_EQ(trials[0]["finalMetric"]["objectiveValue"], 4);
  EXPECT_EQ(trials[2]["state"], "RUNNING");
  EXPECT_FALSE(Parse(client_->Ask(
      &Jobs::GetJob, R"({"jobId":"a","withoutTrials":true})"))["trainingOutput"]
                   .contains("trials"));

  const json trial =
      Parse(client_->Ask(&Jobs::GetTrial, R"({"jobId":"a","trialId":2})"));
  EXPECT_EQ(trial["state"], "COMPLETED");
  EXPECT_EQ(trial["parameters"][0]["value"], "0.5");
  EXPECT_EQ(trial["attempts"][0]["exitCode"], 0);
  EXPECT_EQ(trial["attempts"][0]["runDir"], folder_ / "runs/1/2/1");

  v1::ListTrialsRequest query;
  query.set_job_id("a");
  query.set_filter("objective:*");
  query.set_sort("best");
  query.set_limit(1);
  const json best =
      Parse(client_->CallForJson(&Jobs::ListTrials, query))["trials"];
  ASSERT_EQ(best.size(), 1u);
  EXPECT_EQ(best[0]["trialId"], "2");
}

TEST_F(JobMethodsTest, ATrialOfARepeatedPointHasItsMean) {
  std::string repeated = JobJson("a");
  repeated.insert(repeated.find(R"("command")"), R"("repeats":2,)");
  ASSERT_TRUE(client_->CreateJob(repeated, "").ok());
  const StudyId study =
      FindJob(*store_.Snapshot(), JobIdIn("default", "a"))->id;
  const auto point = [&](int trial) {
    const json found =
        Parse(client_->Ask(&Jobs::GetTrial, R"({"jobId":"a","trialId":)" +
                                                std::to_string(trial) + "}"));
    return found.value("point", json());
  };
  Complete(Launch(study, 1, 0.5), 1);
  EXPECT_EQ(point(1), json({{"trialId", "1"}, {"count", 1}, {"mean", 1.0}}))
      << "no interval without a second result";
  Complete(Launch(study, 2, 0.5), 3);
  Launch(study, 3, 0.75);
  for (const int trial : {1, 2}) {
    EXPECT_EQ(point(trial)["trialId"], "1");
    EXPECT_EQ(point(trial)["count"], 2);
    EXPECT_EQ(point(trial)["mean"], 2.0);
    EXPECT_NEAR(point(trial)["low"].get<double>(), 2 - 12.706, 0.01);
    EXPECT_NEAR(point(trial)["high"].get<double>(), 2 + 12.706, 0.01);
  }
  EXPECT_TRUE(point(3).is_null()) << "no result there yet";
  v1::ListTrialsRequest list;
  list.set_job_id("a");
  EXPECT_FALSE(Parse(client_->CallForJson(&Jobs::ListTrials, list))["trials"][0]
                   .contains("point"))
      << "a mean for each trial would cost a pass over all";
}

// One by one, and the same as the list.
TEST_F(JobMethodsTest, StreamsTheTrialsThatItLists) {
  const StudyId study = Create("a");
  Complete(Launch(study, 1, 0.25), 9);
  Complete(Launch(study, 2, 0.5), 4);
  v1::ListTrialsRequest query;
  query.set_job_id("a");
  query.set_sort("best");
  json streamed = json::array();
  const auto keep = [&](const std::string& trial) {
    streamed.push_back(json::parse(trial));
    return true;
  };
  ASSERT_TRUE(client_->StreamForJson(&Jobs::StreamTrials, query, keep).ok());
  EXPECT_EQ(streamed,
            Parse(client_->CallForJson(&Jobs::ListTrials, query))["trials"]);
  ASSERT_EQ(streamed.size(), 2u);
  EXPECT_EQ(streamed[0]["trialId"], "2");

  query.set_job_id("none");
  EXPECT_TRUE(absl::IsNotFound(
      client_->StreamForJson(&Jobs::StreamTrials, query, keep)));
  query.set_job_id("a");
  query.set_filter("no such key = 1");
  EXPECT_TRUE(absl::IsInvalidArgument(
      client_->StreamForJson(&Jobs::StreamTrials, query, keep)));
  // Whoever has enough says so.
  query.set_filter("");
  int count = 0;
  const auto stop = [&](const std::string&) {
    ++count;
    return false;
  };
  EXPECT_TRUE(client_->StreamForJson(&Jobs::StreamTrials, query, stop).ok());
  EXPECT_EQ(count, 1);
}

// The pump looks at some thousands of trials at a time, and has other streams.
TEST_F(JobMethodsTest, StreamsWhatLiesBehindManyOthers) {
  const StudyId study = Create("a");
  std::vector<NewTrial> trials(9000, NewTrial{{{"x", 0.5}}, {}});
  Commit({ExtendJob{study, 10'000}});
  Commit({CreateTrials{study, trials}});
  v1::ListTrialsRequest query;
  query.set_job_id("a");
  query.set_filter("trial=2 OR trial>8998");
  std::vector<std::string> found;
  const auto keep = [&](const std::string& trial) {
    found.push_back(json::parse(trial)["trialId"]);
    return true;
  };
  ASSERT_TRUE(client_->StreamForJson(&Jobs::StreamTrials, query, keep).ok());
  EXPECT_EQ(found, (std::vector<std::string>{"2", "8999", "9000"}));
}

TEST_F(JobMethodsTest, RecommendsATrialWithAValue) {
  const StudyId study = Create("a");
  EXPECT_EQ(client_->AskFor("a", &Jobs::RecommendTrial).status().code(),
            absl::StatusCode::kNotFound);
  Complete(Launch(study, 1, 0.25), 9);
  Complete(Launch(study, 2, 0.5), 4);
  EXPECT_EQ(Parse(client_->AskFor("a", &Jobs::RecommendTrial))["trialId"], "2");
}

TEST_F(JobMethodsTest, MeasurementsKeepNaN) {
  const AttemptKey key = Launch(Create("a"), 1, 0.5);
  Commit({AddMeasurements{
      key, {{"loss", 1, clock_.Now(), 0.5}, {"loss", 2, clock_.Now(), NAN}}}});
  const json rows = Parse(client_->Ask(
      &Jobs::ListMeasurements, R"({"jobId":"a","trialId":1})"))["measurements"];
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["value"], 0.5);
  EXPECT_EQ(rows[1]["value"], "NaN");
}

TEST_F(JobMethodsTest, MeasurementsOfAMisspeltMetricAreAnError) {
  Launch(Create("a"), 1, 0.5);
  const auto ask = [&](const char* metric) {
    return client_->Ask(
        &Jobs::ListMeasurements,
        absl::StrCat(R"({"jobId":"a","trialId":1,"metric":")", metric, "\"}"));
  };
  // It may yet be reported.
  EXPECT_EQ(Parse(ask("loss")).size(), 0u);
  const absl::Status refused = ask("los").status();
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(refused.message(),
            "trial 1 has no metric \"los\", but \"loss\"; did you mean loss?");
}

TEST_F(JobMethodsTest, ExplainsAndTellsAboutItself) {
  Create("a");
  const auto text =
      client_->Ask(&Jobs::Explain, R"({"jobId":"a","trialId":0})");
  ASSERT_TRUE(text.ok());
  EXPECT_NE(text->find("Job a"), std::string::npos) << *text;
  const json info = Parse(client_->Ask(&Jobs::GetServiceInfo));
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
      {"get", Code::kNotFound,
       [&] { return client_->AskFor("x", &Jobs::GetJob).status(); }},
      {"cancel", Code::kNotFound,
       [&] { return client_->AskFor("x", &Jobs::CancelJob).status(); }},
      {"pause", Code::kNotFound,
       [&] { return client_->AskFor("x", &Jobs::PauseJob).status(); }},
      {"resume", Code::kNotFound,
       [&] { return client_->AskFor("x", &Jobs::ResumeJob).status(); }},
      {"extend", Code::kNotFound,
       [&] {
         return client_->Ask(&Jobs::ExtendJob, R"({"jobId":"x","maxTrials":9})")
             .status();
       }},
      {"extend down", Code::kInvalidArgument,
       [&] {
         return client_->Ask(&Jobs::ExtendJob, R"({"jobId":"a","maxTrials":1})")
             .status();
       }},
      {"delete", Code::kNotFound,
       [&] { return client_->AskFor("x", &Jobs::DeleteJob).status(); }},
      {"update", Code::kNotFound,
       [&] { return client_->AskFor("x", &Jobs::UpdateJob).status(); }},
      {"etag", Code::kInvalidArgument,
       [&] {
         return client_->Ask(&Jobs::UpdateJob, R"({"jobId":"a","etag":"eHl6"})")
             .status();
       }},
      {"filter", Code::kInvalidArgument,
       [&] {
         return client_->Ask(&Jobs::ListJobs, R"({"filter":"x=1"})").status();
       }},
      {"page size", Code::kInvalidArgument,
       [&] {
         return client_->Ask(&Jobs::ListJobs, R"({"pageSize":-1})").status();
       }},
      {"page token", Code::kInvalidArgument,
       [&] {
         return client_->Ask(&Jobs::ListJobs, R"({"pageToken":"abc"})")
             .status();
       }},
  });
}

TEST_F(JobFailuresTest, CallsAboutTrialsAndStreamsHaveTheirCodes) {
  v1::ListTrialsRequest bad_filter;
  bad_filter.set_job_id("a");
  bad_filter.set_filter("lr<1");
  ExpectFailures({
      {"trial", Code::kNotFound,
       [&] {
         return client_->Ask(&Jobs::GetTrial, R"({"jobId":"a","trialId":1})")
             .status();
       }},
      {"trial 0", Code::kNotFound,
       [&] {
         return client_->Ask(&Jobs::GetTrial, R"({"jobId":"a","trialId":0})")
             .status();
       }},
      {"trials", Code::kInvalidArgument,
       [&] {
         return client_->CallForJson(&Jobs::ListTrials, bad_filter).status();
       }},
      {"measurements", Code::kInvalidArgument,
       [&] {
         return client_
             ->Ask(&Jobs::ListMeasurements,
                   R"({"jobId":"a","trialId":1,"limit":-1})")
             .status();
       }},
      {"explain", Code::kNotFound,
       [&] {
         return client_->Ask(&Jobs::Explain, R"({"jobId":"a","trialId":7})")
             .status();
       }},
      {"events", Code::kNotFound,
       [&] {
         v1::WatchEventsRequest query;
         query.set_job_id("x");
         return client_->StreamForJson(&Jobs::WatchEvents, query,
                                       [](const auto&) { return true; });
       }},
      {"log replica", Code::kNotFound,
       [&] {
         v1::ReadLogRequest query;
         query.set_job_id("a");
         query.set_replica("worker-replica-9");
         return client_->Stream(&Jobs::ReadLog, query,
                                [](const auto&) { return true; });
       }},
      {"log trial", Code::kNotFound,
       [&] {
         v1::ReadLogRequest query;
         query.set_job_id("a");
         query.set_trial_id(7);
         return client_->Stream(&Jobs::ReadLog, query,
                                [](const auto&) { return true; });
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
  EXPECT_TRUE(client_->Ask(&Jobs::ListJobs).ok()) << "reads go on";
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
  EXPECT_TRUE(client_->Ask(&Jobs::GetServiceInfo).ok());
}

TEST_F(JobMethodsTest, AStoppedServiceIsUnavailableAndItsSocketGone) {
  Stop();
  EXPECT_EQ(client_->Ask(&Jobs::GetServiceInfo).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_FALSE(SomebodyListens(endpoint_.socket_path));
}

TEST_F(JobMethodsTest, ALargeJobFitsIntoOneAnswer) {
  auto created = client_->CreateJob(JobJson("a", 10000), "");
  ASSERT_TRUE(created.ok()) << created.status();
  const StudyId study = FindJob(*store_.Snapshot(), "a")->id;
  std::vector<NewTrial> trials(10000, NewTrial{{{"x", 0.123456789}}, {}});
  Commit({CreateTrials{study, trials}});
  const json job = Parse(client_->AskFor("a", &Jobs::GetJob));
  EXPECT_EQ(job["trainingOutput"]["trials"].size(), 10000u);
}

}  // namespace
}  // namespace vernier
