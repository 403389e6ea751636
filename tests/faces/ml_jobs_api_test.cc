#include "faces/ml/ml_jobs_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "store/study_names.h"
#include "tests/faces/rest_bed.h"
#include "tests/fakes/manual_clock.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

constexpr char kJobsPath[] = "/v1/projects/p1/jobs";

class MlJobsApiTest : public RestBed {};

TEST_F(MlJobsApiTest, AJobIsAnsweredAsTheServiceOfOldDid) {
  const HttpResponse created = Call("POST", kJobsPath, JobJson("j1"));
  ASSERT_EQ(created.status, 200) << created.text();
  const Json job = Parse(created);
  EXPECT_EQ(job["jobId"], "j1");
  EXPECT_EQ(job["state"], "QUEUED");
  EXPECT_TRUE(job["createTime"].is_string());
  EXPECT_EQ(job["trainingOutput"]["isHyperparameterTuningJob"], true);
  EXPECT_EQ(Parse(Call("GET", std::string(kJobsPath) + "/j1")), job);
}

TEST_F(MlJobsApiTest, IntegersOf64BitsAreTexts) {
  const StudyId study = Create("j1");
  Complete(Launch(study, 1, 0.5), 0.25);
  const Json job = Parse(Call("GET", std::string(kJobsPath) + "/j1"));
  EXPECT_EQ(job["trainingOutput"]["completedTrialCount"], "1");
  const Json& trial = job["trainingOutput"]["trials"][0];
  EXPECT_EQ(trial["trialId"], "1");
  EXPECT_EQ(trial["finalMetric"]["trainingStep"], "3");
  EXPECT_EQ(trial["finalMetric"]["objectiveValue"], 0.25);
}

TEST_F(MlJobsApiTest, AnAnswerFollowsTheJob) {
  const StudyId study = Create("j1");
  const std::string before{Call("GET", std::string(kJobsPath) + "/j1").text()};
  Complete(Launch(study, 1, 0.5), 0.25);
  const std::string after{Call("GET", std::string(kJobsPath) + "/j1").text()};
  EXPECT_NE(before, after);
  EXPECT_EQ(after, Call("GET", std::string(kJobsPath) + "/j1").text());
}

TEST_F(MlJobsApiTest, AJobThatWasReadCanBeSentAgainUnderAnotherName) {
  Create("j1");
  Json job = Parse(Call("GET", std::string(kJobsPath) + "/j1"));
  job["jobId"] = "j2";
  const HttpResponse created = Call("POST", kJobsPath, DumpJson(job));
  EXPECT_EQ(created.status, 200) << created.text();
}

TEST_F(MlJobsApiTest, AHyphenInANameIsReadHereAndMadeElsewhere) {
  const HttpResponse refused = Call("POST", kJobsPath, JobJson("my-job"));
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(std::string(refused.text()), HasSubstr("letters, digits or '_'"));

  Create("my-job");  // As our own API does.
  const std::string one = std::string(kJobsPath) + "/my-job";
  EXPECT_EQ(Parse(Call("GET", one))["jobId"], "my-job");
  const Json list =
      Parse(Call("GET", std::string(kJobsPath) + "?filter=jobId%3Amy-%2A"));
  ASSERT_EQ(list["jobs"].size(), 1u);
  EXPECT_EQ(list["jobs"][0]["jobId"], "my-job");
  EXPECT_EQ(Call("PATCH", one + "?updateMask=labels", R"({"labels":{"a":"b"}})")
                .status,
            200);
  EXPECT_EQ(Call("POST", one + ":cancel", "{}").status, 200);
  Json job = Parse(Call("GET", one));
  EXPECT_EQ(Call("POST", kJobsPath, DumpJson(job)).status, 400);
}

TEST_F(MlJobsApiTest, MistakesAreToldFieldByField) {
  const HttpResponse response =
      Call("POST", kJobsPath,
           R"({"jobId":"j1","trainingInput":{"scaleTier":"BASIX","args":7}})");
  EXPECT_EQ(response.status, 400);
  const Json error = Parse(response)["error"];
  EXPECT_EQ(error["code"], 400);
  EXPECT_EQ(error["status"], "INVALID_ARGUMENT");
  ASSERT_EQ(error["details"].size(), 1u);
  EXPECT_EQ(error["details"][0]["@type"],
            "type.googleapis.com/google.rpc.BadRequest");
  std::set<std::string> fields;
  for (const Json& violation : error["details"][0]["fieldViolations"]) {
    fields.insert(violation["field"].get<std::string>());
    EXPECT_FALSE(violation["description"].get<std::string>().empty());
  }
  EXPECT_TRUE(fields.count("trainingInput.scaleTier"));
  EXPECT_TRUE(fields.count("trainingInput.args"));
}

TEST_F(MlJobsApiTest, ErrorsHaveTheCodesThatClientsKnow) {
  Create("j1");
  EXPECT_EQ(Call("POST", kJobsPath, JobJson("j1")).status, 409);
  EXPECT_EQ(Call("GET", std::string(kJobsPath) + "/j2").status, 404);
  EXPECT_EQ(Call("POST", std::string(kJobsPath) + "/j2:cancel", "{}").status,
            404);
  EXPECT_EQ(Call("POST", kJobsPath, "{").status, 400);
  EXPECT_EQ(Call("POST", kJobsPath, "[]").status, 400);
  EXPECT_EQ(
      Call("POST", kJobsPath, "{jobId: j3, vernier: {command: [x]}}").status,
      400);
  EXPECT_EQ(Call("POST", kJobsPath, "").status, 400);
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs?pageSize=x").status, 400);
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs?pageSize=-1").status, 400);
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs?pageToken=x").status, 400);
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs?filter=%28").status, 400);
  EXPECT_EQ(Call("PUT", kJobsPath, "{}").status, 405);
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs/j1:frob").status, 404);
  EXPECT_EQ(Call("GET", "/v1/nothing").status, 404);
}

TEST_F(MlJobsApiTest, CancelAnswersAnEmptyObjectAndAFinalJobIsRefused) {
  const StudyId study = Create("j1");
  const HttpResponse first =
      Call("POST", std::string(kJobsPath) + "/j1:cancel");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(first.text(), "{}");
  Commit({MoveJob{study, JobEvent::kConfirmCancel, ""}});
  EXPECT_EQ(Call("POST", std::string(kJobsPath) + "/j1:cancel").status, 400);
}

// It would leave the logs before their last lines.
TEST_F(MlJobsApiTest, GcloudLearnsOfAnEndOnceItMustHaveSeenTheLogs) {
  const StudyId study = Create("j1");
  Commit({MoveJob{study, JobEvent::kRequestCancel, ""},
          MoveJob{study, JobEvent::kConfirmCancel, ""}});
  const auto ended = JobRunOf(*FindJob(*store_.Snapshot(), "j1@p1")).ended_at;
  ManualClock clock;
  MlJobsApi api({jobs_, store_, hindrances_, clock});
  HttpGateway front({authenticator_, attempts_, activity_, limiter_, load_},
                    {});
  api.AddRoutes(&front.router());
  front.Open();
  const auto has_end = [&](const std::string& agent) {
    HttpRequest request = Request("GET", "/v1/projects/p1/jobs/j1");
    request.headers.emplace_back("user-agent", agent);
    const Json job = Parse(front.Begin(request)->Finish());
    EXPECT_EQ(job.value("state", ""), "CANCELLED");
    return job.contains("endTime");
  };
  const std::string gcloud = "google-cloud-sdk gcloud/458.0.1 command/x";
  clock.Advance(*ended - clock.Now() + std::chrono::seconds(14));
  EXPECT_FALSE(has_end(gcloud));
  EXPECT_TRUE(has_end("google-api-python-client/2.1 (gzip)"));
  clock.Advance(std::chrono::seconds(1));
  EXPECT_TRUE(has_end(gcloud));
}

TEST_F(MlJobsApiTest, ListsByPagesTheNewestFirst) {
  EXPECT_EQ(Call("GET", kJobsPath).text(), "{}");
  for (const char* name : {"a1", "a2", "b1"}) Create(name);
  const Json first = Parse(Call("GET", "/v1/projects/p1/jobs?pageSize=2"));
  ASSERT_EQ(first["jobs"].size(), 2u);
  EXPECT_EQ(first["jobs"][0]["jobId"], "b1");
  const Json second =
      Parse(Call("GET", "/v1/projects/p1/jobs?pageSize=2&pageToken=" +
                            first["nextPageToken"].get<std::string>()));
  ASSERT_EQ(second["jobs"].size(), 1u);
  EXPECT_EQ(second["jobs"][0]["jobId"], "a1");
  EXPECT_FALSE(second.contains("nextPageToken"));
  const Json some =
      Parse(Call("GET", "/v1/projects/p1/jobs?filter=jobId%3Aa*"));
  EXPECT_EQ(some["jobs"].size(), 2u);
}

TEST_F(MlJobsApiTest, PatchReplacesLabelsUnderAnEtag) {
  Create("j1");
  const std::string one = std::string(kJobsPath) + "/j1";
  const Json job = Parse(Call("GET", one));
  const HttpResponse changed =
      Call("PATCH", one + "?updateMask=labels", R"({"labels":{"a":"b"}})");
  ASSERT_EQ(changed.status, 200) << changed.text();
  EXPECT_EQ(Parse(changed)["labels"], Json({{"a", "b"}}));
  // The first one's etag is old by now.
  Json update = {{"labels", {{"c", "d"}}}, {"etag", job["etag"]}};
  EXPECT_EQ(
      Call("PATCH", one + "?updateMask=labels,etag", DumpJson(update)).status,
      409);
  update["etag"] = Parse(changed)["etag"];
  EXPECT_EQ(
      Call("PATCH", one + "?updateMask=labels,etag", DumpJson(update)).status,
      200);
  // Without the mask naming it, an etag does not count.
  update["etag"] = job["etag"];
  EXPECT_EQ(Call("PATCH", one + "?updateMask=labels", DumpJson(update)).status,
            200);
  EXPECT_EQ(Call("PATCH", one, "{}").status, 400);
  EXPECT_EQ(Call("PATCH", one + "?updateMask=state", "{}").status, 400);
  EXPECT_EQ(Call("PATCH", one + "?updateMask=etag", "{}").status, 409);
  EXPECT_EQ(
      Call("PATCH", one + "?updateMask=labels", R"({"labels":[]})").status,
      400);
}

TEST_F(MlJobsApiTest, ARegionalPathIsTheSame) {
  Create("j1");
  EXPECT_EQ(Call("GET", "/v1/projects/p1/locations/us-central1/jobs/j1").text(),
            Call("GET", std::string(kJobsPath) + "/j1").text());
}

TEST_F(MlJobsApiTest, DescribesItselfToOldClients) {
  EXPECT_EQ(Call("GET", "/v1/projects/p1:getConfig").status, 200);
  const Json list = Parse(Call("GET", "/v1/projects/p1/locations"));
  EXPECT_EQ(list["locations"][0]["name"], "projects/p1/locations/local");
  EXPECT_EQ(Parse(Call("GET", "/v1/projects/p1/locations/eu"))["name"],
            "projects/p1/locations/eu");
  Create("j1");
  const std::string one = std::string(kJobsPath) + "/j1";
  EXPECT_EQ(Call("GET", one + ":getIamPolicy").status, 200);
  EXPECT_EQ(Call("POST", one + ":setIamPolicy", "{}").status, 400);
  token_ = NewToken("project-read", "p1");
  EXPECT_EQ(Parse(Call("POST", one + ":testIamPermissions",
                       R"({"permissions":["ml.jobs.get","ml.jobs.cancel"]})")),
            Json({{"permissions", {"ml.jobs.get"}}}));
}

TEST_F(MlJobsApiTest, ARequestIdMakesASecondCallTheSameCall) {
  const std::string target = "/v1/projects/p1/jobs?requestId=r1";
  ASSERT_EQ(Call("POST", target, JobJson("j1")).status, 200);
  EXPECT_EQ(Call("POST", target, JobJson("j1")).status, 200);
  EXPECT_EQ(Call("POST", target, JobJson("j2")).status, 400);
}

TEST_F(MlJobsApiTest, AJobIsItsProjectsAlone) {
  const std::string other = "/v1/projects/p2/jobs";
  ASSERT_EQ(Call("POST", kJobsPath, JobJson("j1", 6)).status, 200);
  EXPECT_EQ(Call("GET", other + "/j1").status, 404);
  EXPECT_EQ(Parse(Call("GET", other)), Json::object());
  ASSERT_EQ(Call("POST", other, JobJson("j1", 7)).status, 200);
  EXPECT_EQ(Call("POST", other, JobJson("j1", 7)).status, 409);
  const Json theirs = Parse(Call("GET", other + "/j1"));
  EXPECT_EQ(theirs["jobId"], "j1");
  EXPECT_EQ(theirs["trainingInput"]["hyperparameters"]["maxTrials"], 7);
  const Json list = Parse(Call("GET", other + "?filter=jobId%3Dj1"));
  ASSERT_EQ(list["jobs"].size(), 1u);
  EXPECT_EQ(list["jobs"][0]["jobId"], "j1");
  EXPECT_EQ(Call("POST", other + "/j1:cancel").status, 200);
  const auto snapshot = store_.Snapshot();
  EXPECT_EQ(JobRunOf(*FindJob(*snapshot, "j1@p2")).wanted, JobWanted::kStop);
  EXPECT_EQ(JobRunOf(*FindJob(*snapshot, "j1@p1")).wanted, JobWanted::kRun);
}

TEST_F(MlJobsApiTest, APathNamesNoJobOfAnotherProject) {
  Create("j1", "p2");
  Create("j2", "default");
  for (const char* path :
       {"/v1/projects/default/jobs/j1@p2", "/v1/projects/p2/jobs/j1@p2",
        "/v1/projects/p1/jobs/j1@p2", "/v1/projects/p1/jobs/j2",
        "/v1/projects/p1/locations/p2/jobs/j1"}) {
    EXPECT_EQ(Call("GET", path).status, 404) << path;
    EXPECT_EQ(Call("POST", std::string(path) + ":cancel").status, 404) << path;
  }
  EXPECT_EQ(Call("GET", "/v1/projects/default/jobs/j2").status, 200);
}

TEST_F(MlJobsApiTest, ARequestIdIsItsProjectsAlone) {
  const std::string target = "/v1/projects/p1/jobs?requestId=r1";
  ASSERT_EQ(Call("POST", target, JobJson("j1")).status, 200);
  ASSERT_EQ(Call("POST", target, JobJson("j1")).status, 200);
  ASSERT_EQ(
      Call("POST", "/v1/projects/p2/jobs?requestId=r1", JobJson("j1")).status,
      200);
  EXPECT_EQ(store_.Snapshot()->size(), 2u);
  // Not even by a guess of how it is kept.
  EXPECT_EQ(
      Call("POST", "/v1/projects/default/jobs?requestId=p1/r1", JobJson("j1"))
          .status,
      400);
}

TEST_F(MlJobsApiTest, AProjectsIdIsCheckedBeforeItHasJobs) {
  const HttpResponse response =
      Call("POST", "/v1/projects/No_Project/jobs", JobJson("j1"));
  EXPECT_EQ(response.status, 400);
  EXPECT_THAT(std::string(response.text()), HasSubstr("lower-case letters"));
  EXPECT_EQ(
      Call("POST", "/v1/projects/d.org:tuning/jobs", JobJson("j1")).status,
      200);
  EXPECT_EQ(Call("GET", "/v1/projects/d.org:tuning/jobs/j1").status, 200);
}

TEST_F(MlJobsApiTest, ASubmissionBeyondTheQuotaIsRefused) {
  ASSERT_TRUE(quotas_->Set("p1", {{}, {}, 1}).ok());
  const std::string repeated = "/v1/projects/p1/jobs?requestId=r1";
  ASSERT_EQ(Call("POST", repeated, JobJson("j1")).status, 200);
  const HttpResponse refused = Call("POST", kJobsPath, JobJson("j2"));
  EXPECT_EQ(refused.status, 429);
  const Json error = Parse(refused)["error"];
  EXPECT_EQ(error["status"], "RESOURCE_EXHAUSTED");
  EXPECT_THAT(error["message"].get<std::string>(),
              HasSubstr("project p1 has 1 of 1 studies"));
  // What was answered is answered again; other projects are not meant.
  EXPECT_EQ(Call("POST", repeated, JobJson("j1")).status, 200);
  EXPECT_EQ(Call("POST", "/v1/projects/p2/jobs", JobJson("j2")).status, 200);
}

TEST_F(MlJobsApiTest, AnAnswerFollowsTheQuota) {
  const StudyId study = Create("j1");
  const auto waiting_for = [&] {
    return Parse(Call("GET", std::string(kJobsPath) + "/j1"))["vernier"].value(
        "waitingFor", "");
  };
  const std::string before = waiting_for();
  hindrances_.Replace({{study, {"room in a quota", "", ""}}});
  EXPECT_EQ(waiting_for(), "room in a quota");
  hindrances_.Replace({});
  EXPECT_EQ(waiting_for(), before);
}

}  // namespace
}  // namespace vernier
