#include "buckets/bucket_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/buckets/bucket_bed.h"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class BucketStoreTest : public BucketBed {
 protected:
  std::vector<std::string> Names() {
    std::vector<std::string> names;
    const auto buckets = store_->List(Admin());
    EXPECT_TRUE(buckets.ok()) << buckets.status();
    for (const auto& bucket : *buckets) {
      names.push_back(bucket.bucket->name());
    }
    return names;
  }
};

TEST_F(BucketStoreTest, MakesFindsAndDeletesBuckets) {
  EXPECT_TRUE(absl::IsNotFound(Find("data")));
  ASSERT_TRUE(store_->Create("data", "p1").ok());
  EXPECT_TRUE(absl::IsAlreadyExists(store_->Create("data", "p1").status()));
  EXPECT_THAT(Names(), ElementsAre("data", "models"));
  Reopen();
  EXPECT_TRUE(Find("data").ok());
  EXPECT_TRUE(store_->Remove("data", Admin()).ok());
  EXPECT_THAT(Names(), ElementsAre("models"));
}

TEST_F(BucketStoreTest, ABucketWithObjectsIsNotDeleted) {
  WriteDirectly("a/b/c", "1");
  EXPECT_TRUE(absl::IsFailedPrecondition(store_->Remove("models", Admin())));
  EXPECT_EQ(BytesOf("a/b/c"), "1");
  // Empty folders are no objects.
  ASSERT_TRUE(bucket_->Remove("a/b/c", {}).ok());
  EXPECT_TRUE(store_->Remove("models", Admin()).ok());
  EXPECT_TRUE(absl::IsNotFound(Put("late", "1").status()));
}

TEST_F(BucketStoreTest, NamesOfOtherThingsAreNoBuckets) {
  for (const char* name : {"..", "../x", ".vernier", "Models", "models/a"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(Find(name))) << name;
    EXPECT_TRUE(absl::IsInvalidArgument(store_->Create(name, "p1").status()))
        << name;
  }
}

TEST_F(BucketStoreTest, AnAdministratorsFolderIsABucket) {
  const std::string folder = dir_ / "datasets";
  std::filesystem::create_directories(folder + "/mnist");
  std::ofstream(folder + "/mnist/train") << "123";
  auto store = BucketStore::Open(
      {dir_ / "other", {{"public-data", folder}}, &NextId}, clock_);
  ASSERT_TRUE(store.ok()) << store.status();
  const auto bucket =
      (*store)->Find("public-data", Admin(), BucketRight::kRead);
  ASSERT_TRUE(bucket.ok());
  EXPECT_EQ((*bucket)->Stat("mnist/train")->size, 3);
  EXPECT_EQ(*(*store)->LocalPath("gs://public-data/mnist/train", Admin(),
                                 BucketRight::kRead),
            folder + "/mnist/train");
  EXPECT_TRUE(
      absl::IsFailedPrecondition((*store)->Remove("public-data", Admin())));
  EXPECT_TRUE(absl::IsAlreadyExists(
      (*store)->Create("public-data", "default").status()));
}

TEST_F(BucketStoreTest, AMappedFolderMustBeThere) {
  const auto store = BucketStore::Open(
      {dir_ / "other", {{"gone", dir_ / "gone"}}, &NextId}, clock_);
  EXPECT_TRUE(absl::IsInvalidArgument(store.status()));
  EXPECT_THAT(std::string(store.status().message()), HasSubstr("/gone"));
}

TEST_F(BucketStoreTest, LocalPathsNeedABucketOnly) {
  const auto path = [&](const char* uri, const BucketUser& user) {
    return store_->LocalPath(uri, user, BucketRight::kRead);
  };
  EXPECT_EQ(*path("gs://models/a/b", Admin()), PathOf("a/b"));
  EXPECT_EQ(*path("gs://models", Admin()), bucket_->folder());
  EXPECT_TRUE(absl::IsNotFound(path("gs://nobody/x", Admin()).status()));
  EXPECT_TRUE(
      absl::IsNotFound(path("gs://models/a/b", BucketUser::Of("p2")).status()));
  EXPECT_TRUE(
      absl::IsInvalidArgument(path("gs://models/../x", Admin()).status()));
}

TEST(BucketMappingTest, IsANameAndAnAbsolutePath) {
  const auto mapping = ParseBucketMapping("data=/srv/data//");
  ASSERT_TRUE(mapping.ok());
  EXPECT_EQ(mapping->first, "data");
  EXPECT_EQ(mapping->second, "/srv/data");
  for (const char* text : {"data", "data=", "data=srv", "D=/srv", "=/srv"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseBucketMapping(text).status()))
        << text;
  }
}

}  // namespace
}  // namespace vernier
