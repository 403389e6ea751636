#include "access/request_names.h"

#include <gmock/gmock.h>
#include <google/protobuf/descriptor.h>
#include <gtest/gtest.h>
#include <vernier/v1/access_service.pb.h>
#include <vernier/v1/job_service.pb.h>
#include <vernier/v1/project_service.pb.h>
#include <vernier/v1/study_service.pb.h>

#include <string>

namespace vernier {
namespace {

using ::testing::HasSubstr;

Principal Reader(const std::string& project) {
  return {Principal::Role::kProjectRead, project, false, "t"};
}

/// What a caller's plain or whole name of a job is for the handler; or "-".
std::string Job(const Principal& caller, const std::string& name) {
  v1::GetJobRequest request;
  request.set_job_id(name);
  return NameInFull(caller, &request).ok() ? request.job_id() : "-";
}

std::string Study(const Principal& caller, const std::string& name) {
  v1::GetStudyRequest request;
  request.set_study(name);
  return NameInFull(caller, &request).ok() ? request.study() : "-";
}

std::string Project(const Principal& caller, const std::string& name) {
  v1::ListJobsRequest request;
  request.set_project(name);
  return NameInFull(caller, &request).ok() ? request.project() : "-";
}

TEST(RequestNamesTest, APlainNameIsTheCallersOwn) {
  EXPECT_EQ(Job(Reader("p1"), "digits"), "digits@p1");
  EXPECT_EQ(Job(Reader("default"), "digits"), "digits");
  EXPECT_EQ(Study(Reader("p1"), "digits"), "digits@p1");
  EXPECT_EQ(Study(Reader("default"), "digits"), "digits@default");
  EXPECT_EQ(Study(Reader("p1"), "17"), "17@p1");
  EXPECT_EQ(Project(Reader("p1"), ""), "p1");
}

TEST(RequestNamesTest, AnAdministratorNamesWhatThereIs) {
  const Principal admin = SocketPrincipal();
  EXPECT_EQ(Job(admin, "digits"), "digits");
  EXPECT_EQ(Job(admin, "digits@default"), "digits");
  EXPECT_EQ(Job(admin, "digits@p1"), "digits@p1");
  EXPECT_EQ(Study(admin, "digits"), "digits");
  EXPECT_EQ(Study(admin, "owners/me/studies/s"), "owners/me/studies/s");
  EXPECT_EQ(Project(admin, ""), "");
  EXPECT_EQ(Project(admin, "p1"), "p1");
}

TEST(RequestNamesTest, WhatIsAnothersIsNotThere) {
  const Principal caller = Reader("p1");
  EXPECT_EQ(Job(caller, "digits@p1"), "digits@p1");
  EXPECT_EQ(Job(caller, "digits@p2"), "-");
  EXPECT_EQ(Job(caller, "digits@default"), "-");
  EXPECT_EQ(Study(caller, "owners/p1/studies/s"), "owners/p1/studies/s");
  EXPECT_EQ(Study(caller, "owners/p2/studies/s"), "-");
  EXPECT_EQ(Study(caller, "owners/p2/studies/s@p1"), "-");
  EXPECT_EQ(Study(caller, "projects/p2/locations/p1/studies/s"), "-");
  EXPECT_EQ(Study(caller, "s@p2"), "-");
  EXPECT_EQ(Project(caller, "p2"), "-");
  v1::GetJobRequest request;
  request.set_job_id("digits@p2");
  const absl::Status status = NameInFull(caller, &request);
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("there is no job"));
}

TEST(RequestNamesTest, NamesThatAreNoneStayWhatTheyAre) {
  EXPECT_EQ(Job(SocketPrincipal(), "a b"), "a b");
  EXPECT_EQ(Job(SocketPrincipal(), ""), "");
  EXPECT_EQ(Study(Reader("p1"), ""), "");
  // And are nobody else's.
  EXPECT_EQ(Job(Reader("p1"), "owners/p1"), "-");
}

TEST(RequestNamesTest, ARequestThatNamesNothingIsNoProjects) {
  v1::ListTokensRequest request;
  EXPECT_TRUE(NameInFull(SocketPrincipal(), &request).ok());
  EXPECT_TRUE(absl::IsPermissionDenied(NameInFull(Reader("p1"), &request)));
}

TEST(RequestNamesTest, CompletingTwiceChangesNothing) {
  v1::GetStudyRequest request;
  request.set_study("digits");
  CompleteNames("p1", &request);
  CompleteNames("p2", &request);
  EXPECT_EQ(request.study(), "digits@p1");
}

// A method that a project's token may call says whose things it is about.
TEST(RequestNamesTest, EveryMethodForProjectsNamesSomething) {
  int methods = 0;
  for (const char* name :
       {"vernier.v1.JobService", "vernier.v1.ProjectService",
        "vernier.v1.BucketService", "vernier.v1.StudyService"}) {
    const auto* service =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(
            name);
    ASSERT_NE(service, nullptr) << name;
    for (int i = 0; i < service->method_count(); ++i, ++methods) {
      const auto* request = service->method(i)->input_type();
      int names = 0;
      for (int j = 0; j < request->field_count(); ++j) {
        const auto* field = request->field(j);
        const bool sounds_so = field->name() == "job_id" ||
                               field->name() == "study" ||
                               field->name() == "project";
        const bool says_so =
            field->options().GetExtension(v1::names) != v1::NOTHING;
        EXPECT_EQ(sounds_so, says_so) << field->full_name();
        names += says_so;
      }
      const bool is_for_projects = service->method(i)->options().GetExtension(
                                       v1::permission) != v1::ADMINISTER;
      if (is_for_projects) {
        EXPECT_GT(names, 0) << service->method(i)->full_name();
      }
    }
  }
  EXPECT_GE(methods, 21);
}

TEST(RequestNamesTest, TellsWhatAMessageIsAbout) {
  v1::GetTrialRequest trial;
  trial.set_job_id("digits@p1");
  trial.set_trial_id(7);
  EXPECT_EQ(SubjectOf(trial).job, "digits@p1");
  EXPECT_EQ(SubjectOf(trial).trial, 7);
  v1::GetStudyRequest study;
  study.set_study("owners/me/studies/s");
  EXPECT_EQ(SubjectOf(study).job, "owners/me/studies/s");
  // An answer has no marked names.
  v1::Job job;
  job.set_job_id("digits");
  EXPECT_EQ(SubjectOf(job).job, "digits");
  v1::ListJobsRequest jobs;
  jobs.set_project("p1");
  EXPECT_EQ(SubjectOf(jobs).job, "");
  EXPECT_EQ(SubjectOf(jobs).trial, 0);
}

}  // namespace
}  // namespace vernier
