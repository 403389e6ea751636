#include "buckets/bucket_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/buckets/bucket_bed.h"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(BucketPolicyTest, TheOwnerAndWhoItIsLentToHaveRights) {
  const BucketPolicy policy{
      "p1", {{"p2", BucketRight::kRead}, {"p3", BucketRight::kWrite}}};
  const auto right = [&](const std::string& project) {
    return RightOf(policy, BucketUser::Of(project));
  };
  EXPECT_EQ(right("p1"), BucketRight::kOwn);
  EXPECT_EQ(right("p2"), BucketRight::kRead);
  EXPECT_EQ(right("p3"), BucketRight::kWrite);
  for (const char* other : {"p4", "default", "", "*", "P1", "p1 "}) {
    EXPECT_EQ(right(other), BucketRight::kNone) << other;
  }
  EXPECT_EQ(RightOf(policy, BucketUser::Administrator()), BucketRight::kOwn);
}

TEST(BucketPolicyTest, WhatAllMayDoTakesNothingFromOne) {
  const BucketPolicy policy{
      "p1", {{"*", BucketRight::kRead}, {"p3", BucketRight::kWrite}}};
  EXPECT_EQ(RightOf(policy, BucketUser::Of("p2")), BucketRight::kRead);
  EXPECT_EQ(RightOf(policy, BucketUser::Of("p3")), BucketRight::kWrite);
  EXPECT_EQ(RightOf(policy, BucketUser::Of("")), BucketRight::kNone);
}

TEST(BucketPolicyTest, IsReadAsItWasWritten) {
  const BucketPolicy policy{
      "example.com:p1",
      {{"*", BucketRight::kRead}, {"p3", BucketRight::kWrite}}};
  const auto read = ParseBucketPolicy(FormatBucketPolicy(policy));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(*read, policy);
}

TEST(BucketPolicyTest, ADamagedOneIsNobodys) {
  for (const char* text :
       {"", "{", "[]", "{}", R"({"project":"p1"})", R"({"shares":{}})",
        R"({"project":"","shares":{}})", R"({"project":"*","shares":{}})",
        R"({"project":1,"shares":{}})",
        R"({"project":"p1","shares":{"p2":"own"}})",
        R"({"project":"p1","shares":{"p2":2}})",
        R"({"project":"p1","shares":{"..":"read"}})"}) {
    EXPECT_TRUE(absl::IsDataLoss(ParseBucketPolicy(text).status())) << text;
  }
}

class BucketSharingTest : public BucketBed {
 protected:
  BucketSharingTest() { EXPECT_TRUE(store_->Create("theirs", "p1").ok()); }
  static BucketUser P(const std::string& project) {
    return BucketUser::Of(project);
  }
  std::string PolicyFile() const {
    return dir_ / "buckets/.vernier/policies/theirs.json";
  }
  std::vector<std::string> NamesFor(const BucketUser& user) {
    std::vector<std::string> names;
    const auto buckets = store_->List(user);
    EXPECT_TRUE(buckets.ok()) << buckets.status();
    for (const auto& each : *buckets) names.push_back(each.bucket->name());
    return names;
  }
};

TEST_F(BucketSharingTest, ABucketOfAnotherProjectIsNotThere) {
  EXPECT_TRUE(Find("theirs", P("p1"), BucketRight::kOwn).ok());
  const absl::Status hidden = Find("theirs", P("p2"));
  EXPECT_TRUE(absl::IsNotFound(hidden));
  // In the very words for one that is not there.
  EXPECT_EQ(std::string(hidden.message()),
            "The specified bucket does not exist: theirs");
  EXPECT_EQ(Find("absent", P("p2")).message(),
            "The specified bucket does not exist: absent");
  EXPECT_THAT(NamesFor(P("p1")), ElementsAre("theirs"));
  EXPECT_THAT(NamesFor(P("p2")), ElementsAre());
  EXPECT_THAT(NamesFor(Admin()), ElementsAre("models", "theirs"));
  EXPECT_TRUE(absl::IsNotFound(store_->Remove("theirs", P("p2"))));
  EXPECT_TRUE(absl::IsAlreadyExists(store_->Create("theirs", "p2").status()));
  EXPECT_TRUE(
      absl::IsPermissionDenied(store_->FindOrCreate("theirs", "p2").status()));
  EXPECT_TRUE(absl::IsPermissionDenied(store_->CheckUsable("theirs", "p2")));
  EXPECT_TRUE(store_->CheckUsable("absent", "p2").ok());
}

TEST_F(BucketSharingTest, WhatAFolderIsThatSomebodyMadeIsTheDefaultProjects) {
  std::filesystem::create_directories(dir_ / "buckets/by-hand");
  EXPECT_TRUE(Find("by-hand", P("default"), BucketRight::kOwn).ok());
  EXPECT_TRUE(absl::IsNotFound(Find("by-hand", P("p1"))));
}

TEST_F(BucketSharingTest, ALentBucketIsReadOrWrittenAndNeverDeleted) {
  ASSERT_TRUE(store_->Share("theirs", "p2", BucketRight::kRead).ok());
  ASSERT_TRUE(store_->Share("theirs", "p3", BucketRight::kWrite).ok());
  EXPECT_TRUE(Find("theirs", P("p2")).ok());
  const absl::Status refused = Find("theirs", P("p2"), BucketRight::kWrite);
  EXPECT_TRUE(absl::IsPermissionDenied(refused));
  EXPECT_THAT(std::string(refused.message()), HasSubstr("for reading only"));
  EXPECT_TRUE(Find("theirs", P("p3"), BucketRight::kWrite).ok());
  EXPECT_TRUE(absl::IsPermissionDenied(store_->Remove("theirs", P("p3"))));
  EXPECT_TRUE(absl::IsNotFound(Find("theirs", P("p4"))));
  ASSERT_TRUE(store_->Share("theirs", "*", BucketRight::kRead).ok());
  EXPECT_TRUE(Find("theirs", P("p4")).ok());
  EXPECT_TRUE(Find("theirs", P("p3"), BucketRight::kWrite).ok());
}

TEST_F(BucketSharingTest, LendingOutlivesARestartAndIsTakenBack) {
  ASSERT_TRUE(store_->Share("theirs", "p2", BucketRight::kWrite).ok());
  Reopen();
  EXPECT_TRUE(Find("theirs", P("p2"), BucketRight::kWrite).ok());
  ASSERT_TRUE(store_->Share("theirs", "p2", BucketRight::kNone).ok());
  EXPECT_TRUE(absl::IsNotFound(Find("theirs", P("p2"))));
  Reopen();
  EXPECT_TRUE(absl::IsNotFound(Find("theirs", P("p2"))));
}

TEST_F(BucketSharingTest, AMovedBucketIsTheOtherProjects) {
  ASSERT_TRUE(store_->Share("theirs", "p2", BucketRight::kRead).ok());
  ASSERT_TRUE(store_->Share("theirs", "p3", BucketRight::kRead).ok());
  const auto moved = store_->Move("theirs", "p2");
  ASSERT_TRUE(moved.ok()) << moved.status();
  EXPECT_EQ(*moved, (BucketPolicy{"p2", {{"p3", BucketRight::kRead}}}));
  EXPECT_TRUE(absl::IsNotFound(Find("theirs", P("p1"))));
  Reopen();
  EXPECT_TRUE(Find("theirs", P("p2"), BucketRight::kOwn).ok());
}

TEST_F(BucketSharingTest, RefusesWhatCannotBe) {
  EXPECT_TRUE(absl::IsNotFound(
      store_->Share("absent", "p2", BucketRight::kRead).status()));
  EXPECT_TRUE(absl::IsNotFound(store_->Move("absent", "p2").status()));
  for (const char* project : {"", "..", "P2", "a/b", "p1\n", "**"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(
        store_->Share("theirs", project, BucketRight::kRead).status()))
        << project;
    EXPECT_TRUE(
        absl::IsInvalidArgument(store_->Move("theirs", project).status()))
        << project;
    EXPECT_TRUE(
        absl::IsInvalidArgument(store_->Create("new", project).status()))
        << project;
  }
  EXPECT_TRUE(absl::IsInvalidArgument(store_->Move("theirs", "*").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      store_->Share("theirs", "p1", BucketRight::kRead).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      store_->Share("theirs", "p2", BucketRight::kOwn).status()));
}

TEST_F(BucketSharingTest, ADeletedNameIsFree) {
  ASSERT_TRUE(store_->Share("theirs", "p3", BucketRight::kWrite).ok());
  ASSERT_TRUE(store_->Remove("theirs", P("p1")).ok());
  EXPECT_FALSE(std::filesystem::exists(PolicyFile()));
  ASSERT_TRUE(store_->Create("theirs", "p2").ok());
  EXPECT_TRUE(absl::IsNotFound(Find("theirs", P("p1"))));
  EXPECT_TRUE(absl::IsNotFound(Find("theirs", P("p3"))));
}

TEST_F(BucketSharingTest, ABucketThatACrashLeftUnmadeIsNobodys) {
  store_.reset();
  std::filesystem::remove_all(dir_ / "buckets/theirs");
  Reopen();
  EXPECT_FALSE(std::filesystem::exists(PolicyFile()));
  std::filesystem::create_directories(dir_ / "buckets/theirs");
  EXPECT_TRUE(absl::IsNotFound(Find("theirs", P("p1"))));
  EXPECT_TRUE(Find("theirs", P("default")).ok());
}

TEST_F(BucketSharingTest, OneWhosePolicyCannotBeReadIsTheAdministratorsOnly) {
  std::ofstream(PolicyFile()) << "{";
  Reopen();
  for (const char* project : {"p1", "default"}) {
    const absl::Status status = Find("theirs", P(project));
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(PolicyFile()));
  }
  EXPECT_TRUE(Find("theirs", Admin()).ok());
  EXPECT_TRUE(absl::IsDataLoss(store_->PolicyOf("theirs").status()));
  EXPECT_THAT(NamesFor(Admin()), ElementsAre("models", "theirs"));
  EXPECT_THAT(NamesFor(P("p1")), ElementsAre());
  ASSERT_TRUE(store_->Move("theirs", "p1").ok());
  EXPECT_TRUE(Find("theirs", P("p1"), BucketRight::kOwn).ok());
}

}  // namespace
}  // namespace vernier
