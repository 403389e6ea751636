#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/json.h"
#include "faces/native/project_handlers.h"
#include "tests/faces/service_bed.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

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
    JobClient client(endpoint_, {"", "", "", "", project});
    return client.CreateJob(JobJson(name), "").status();
  }

  int wakes_ = 0;
  ProjectHandlers project_handlers_{
      {*quotas_, *tokens_, store_, [this] { ++wakes_; }}};
};

TEST_F(ProjectMethodsTest, AQuotaIsGivenChangedAndTakenAway) {
  Json project = Parse(client_->SetQuota({"p1", 4, 2, std::nullopt, {}, {}}));
  EXPECT_EQ(project["projectId"], "p1");
  EXPECT_EQ(project["quota"], (Json{{"maxParallelTrials", 4}, {"maxGpus", 2}}));
  EXPECT_EQ(wakes_, 1);
  project = Parse(client_->SetQuota({"p1", -1, std::nullopt, 7, {}, {}}));
  EXPECT_EQ(project["quota"], (Json{{"maxGpus", 2}, {"maxStudies", 7}}));
  EXPECT_EQ(Parse(client_->GetProject("p1")), project);
  EXPECT_TRUE(absl::IsInvalidArgument(
      client_->SetQuota({"p1", -2, {}, {}, {}, {}}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      client_->SetQuota({"", 1, {}, {}, {}, {}}).status()));
}

TEST_F(ProjectMethodsTest, ListsWhatThereIsOfProjects) {
  Launch(Create("a", "p1"), 1, 0.5);
  Create("b", "p1");
  Create("c");
  Parse(client_->SetQuota({"p3", 0, {}, {}, {}, {}}));
  const Json list = Parse(client_->ListProjects());
  std::vector<std::string> ids;
  for (const Json& each : list["projects"]) ids.push_back(each["projectId"]);
  EXPECT_EQ(ids, (std::vector<std::string>{"default", "p1", "p3"}));
  EXPECT_EQ(list["projects"][1]["use"],
            (Json{{"parallelTrials", 1}, {"studies", 2}}));
}

TEST_F(ProjectMethodsTest, ASubmissionBeyondTheQuotaIsRefused) {
  Parse(client_->SetQuota({"p1", {}, {}, 2, {}, {}}));
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
  hindrances_.Replace({{study, "room in the quota of project p1: full"}});
  const Json job = Parse(client_->GetJob("a@p1"));
  EXPECT_EQ(job["vernier"]["waitingFor"],
            "room in the quota of project p1: full");
  EXPECT_THAT(*client_->Explain("a@p1", 0),
              HasSubstr("It waits for room in the quota"));
  const Json list = Parse(client_->ListJobs("", 0, ""));
  EXPECT_EQ(list["jobs"][0]["vernier"]["waitingFor"],
            "room in the quota of project p1: full");
}

}  // namespace
}  // namespace vernier
