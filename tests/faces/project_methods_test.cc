#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vernier/v1/project_service.grpc.pb.h>

#include <string>

#include "base/json.h"
#include "faces/native/project_handlers.h"
#include "tests/faces/service_bed.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;
using Projects = v1::ProjectService::Stub;

class ProjectMethodsTest : public ServiceBed {
 protected:
  GrpcMethods Methods() override {
    GrpcMethods methods = ServiceBed::Methods();
    AddProjectMethods(project_handlers_, calls_, &methods);
    return methods;
  }
  static Json Parse(const absl::StatusOr<std::string>& answer) {
    EXPECT_TRUE(answer.ok()) << answer.status();
    return *ParseJson(answer.value_or("{}"));
  }
  absl::Status Submit(const std::string& name, const std::string& project) {
    ServiceClient client(endpoint_, {"", "", "", "", project});
    return client.CreateJob(JobJson(name), "").status();
  }

  absl::StatusOr<std::string> SetQuota(const std::string& project,
                                       const std::string& quota) {
    return client_->Ask(&Projects::SetQuota, R"({"project":")" + project +
                                                 R"(","quota":)" + quota + "}");
  }

  int wakes_ = 0;
  ProjectHandlers project_handlers_{
      {*quotas_, *tokens_, store_, [this] { ++wakes_; }}};
};

TEST_F(ProjectMethodsTest, AQuotaIsGivenChangedAndTakenAway) {
  Json project =
      Parse(SetQuota("p1", R"({"maxParallelTrials":4,"maxGpus":2})"));
  EXPECT_EQ(project["projectId"], "p1");
  EXPECT_EQ(project["quota"], (Json{{"maxParallelTrials", 4}, {"maxGpus", 2}}));
  EXPECT_EQ(wakes_, 1);
  project = Parse(SetQuota("p1", R"({"maxParallelTrials":-1,"maxStudies":7})"));
  EXPECT_EQ(project["quota"], (Json{{"maxGpus", 2}, {"maxStudies", 7}}));
  EXPECT_EQ(Parse(client_->Ask(&Projects::GetProject, R"({"project":"p1"})")),
            project);
  EXPECT_TRUE(absl::IsInvalidArgument(
      SetQuota("p1", R"({"maxParallelTrials":-2})").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      SetQuota("", R"({"maxParallelTrials":1})").status()));
}

TEST_F(ProjectMethodsTest, ListsWhatThereIsOfProjects) {
  Launch(Create("a", "p1"), 1, 0.5);
  Create("b", "p1");
  Create("c");
  Parse(SetQuota("p3", R"({"maxParallelTrials":0})"));
  const Json list = Parse(client_->Ask(&Projects::ListProjects));
  std::vector<std::string> ids;
  for (const Json& each : list["projects"]) ids.push_back(each["projectId"]);
  EXPECT_EQ(ids, (std::vector<std::string>{"default", "p1", "p3"}));
  EXPECT_EQ(list["projects"][1]["use"],
            (Json{{"parallelTrials", 1}, {"studies", 2}}));
}

TEST_F(ProjectMethodsTest, ASubmissionBeyondTheQuotaIsRefused) {
  Parse(SetQuota("p1", R"({"maxStudies":2})"));
  EXPECT_TRUE(Submit("a", "p1").ok());
  EXPECT_TRUE(Submit("b", "p1").ok());
  const absl::Status status = Submit("c", "p1");
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("project p1 has 2 of 2 studies"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("max_studies"));
  EXPECT_TRUE(Submit("c", "p2").ok());
  EXPECT_TRUE(absl::IsAlreadyExists(Submit("a", "p1")));
}

TEST_F(ProjectMethodsTest, AJobSaysThatItWaitsForItsQuota) {
  const StudyId study = Create("a", "p1");
  hindrances_.Replace(
      {{study, {"room in the quota of project p1: full", "", ""}}});
  const Json job = Parse(client_->AskFor("a@p1", &Jobs::GetJob));
  EXPECT_EQ(job["vernier"]["waitingFor"],
            "room in the quota of project p1: full");
  EXPECT_THAT(*client_->Ask(&Jobs::Explain, R"({"jobId":"a@p1","trialId":0})"),
              HasSubstr("It waits for room in the quota"));
  const Json list = Parse(client_->Ask(&Jobs::ListJobs));
  EXPECT_EQ(list["jobs"][0]["vernier"]["waitingFor"],
            "room in the quota of project p1: full");
}

}  // namespace
}  // namespace vernier
