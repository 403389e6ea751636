#include "study/job_id.h"

#include <gtest/gtest.h>

#include <string>

#include "study/job_name_rule.h"

namespace vernier {
namespace {

TEST(JobIdTest, IsThePlainNameInTheDefaultProjectOnly) {
  EXPECT_EQ(JobIdIn("default", "digits"), "digits");
  EXPECT_EQ(JobIdIn("p1", "digits"), "digits@p1");
  EXPECT_EQ(JobIdIn("example.com:p1", "digits"), "digits@example.com:p1");
}

TEST(JobIdTest, NoNameReachesIntoAnotherProject) {
  for (const char* name : {"digits@p2", "a@", "@p2", "", "a/b", "9", "a b"}) {
    EXPECT_EQ(JobIdIn("default", name), "") << name;
    EXPECT_EQ(JobIdIn("p1", name), "") << name;
  }
}

TEST(JobIdTest, NamesMayHaveHyphens) {
  for (const char* name : {"my-job", "a-", "a--b", "resnet50-v2_x"}) {
    EXPECT_TRUE(IsJobName(name)) << name;
    EXPECT_FALSE(IsAiPlatformJobName(name)) << name;
    EXPECT_EQ(JobIdIn("default", name), name);
    EXPECT_EQ(SplitJobId(JobIdIn("p-1", name)).name, name);
    EXPECT_EQ(SplitJobId(JobIdIn("p-1", name)).project, "p-1");
  }
  // A name that begins with '-' would be a flag.
  for (const char* name : {"-a", "--help", "my.job", "my job", "1-a"}) {
    EXPECT_FALSE(IsJobName(name)) << name;
    EXPECT_FALSE(IsAiPlatformJobName(name)) << name;
  }
  EXPECT_TRUE(IsAiPlatformJobName("my_job_2"));
}

TEST(JobIdTest, IsTakenApartAsItWasMade) {
  for (const char* project : {"default", "p1", "example.com:p1"}) {
    const JobIdParts parts = SplitJobId(JobIdIn(project, "digits"));
    EXPECT_EQ(parts.name, "digits");
    EXPECT_EQ(parts.project, project);
  }
  EXPECT_EQ(SplitJobId("a@b@p").name, "a@b");
  EXPECT_EQ(SplitJobId("a@b@p").project, "p");
}

TEST(JobIdTest, EachNameSaysWhoseItIs) {
  EXPECT_EQ(ProjectOfName("digits"), "default");
  EXPECT_EQ(ProjectOfName("digits@p1"), "p1");
  EXPECT_EQ(ProjectOfName("owners/p1/studies/s"), "p1");
  EXPECT_EQ(ProjectOfName("owners/p1/studies/s@p2"), "p1");
  EXPECT_EQ(ProjectOfName("projects/p1/locations/l/studies/s"), "p1");
  EXPECT_EQ(ProjectOfName("owners/p1"), "");
  EXPECT_EQ(ProjectOfName("tenants/p1/studies/s"), "");
  EXPECT_EQ(ProjectOfName("/p1/"), "");
}

TEST(JobIdTest, ProjectsHaveGooglesIds) {
  for (const std::string& id :
       {std::string("p"), std::string("default"), std::string("my-project-1"),
        std::string("123456789"), std::string("example.com:tuning"),
        std::string(63, 'a')}) {
    EXPECT_TRUE(CheckProjectId(id).ok()) << id;
  }
  for (const std::string& id :
       {std::string(), std::string("P1"), std::string("-p"), std::string("p-"),
        std::string("p_1"), std::string("a@b"), std::string("a/b"),
        std::string("a b"), std::string(":p"), std::string("a:"),
        std::string("a.b"), std::string("a:b:c"), std::string(".a:b"),
        std::string(64, 'a'), std::string("\xc3\xa4")}) {
    const absl::Status status = CheckProjectId(id);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << id;
    EXPECT_NE(status.message().find("lower-case letters"), std::string::npos);
  }
}

}  // namespace
}  // namespace vernier
