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
    const auto buckets = store_->List();
    EXPECT_TRUE(buckets.ok()) << buckets.status();
    for (const auto& bucket : *buckets) names.push_back(bucket->name());
    return names;
  }
};

TEST_F(BucketStoreTest, MakesFindsAndDeletesBuckets) {
  EXPECT_TRUE(absl::IsNotFound(store_->Find("data").status()));
  ASSERT_TRUE(store_->Create("data").ok());
  EXPECT_TRUE(absl::IsAlreadyExists(store_->Create("data").status()));
  EXPECT_THAT(Names(), ElementsAre("data", "models"));
  Reopen();
  EXPECT_TRUE(store_->Find("data").ok());
  EXPECT_TRUE(store_->Remove("data").ok());
  EXPECT_THAT(Names(), ElementsAre("models"));
}

TEST_F(BucketStoreTest, ABucketWithObjectsIsNotDeleted) {
  WriteDirectly("a/b/c", "1");
  EXPECT_TRUE(absl::IsFailedPrecondition(store_->Remove("models")));
  EXPECT_EQ(BytesOf("a/b/c"), "1");
  // Empty folders are no objects.
  ASSERT_TRUE(bucket_->Remove("a/b/c", {}).ok());
  EXPECT_TRUE(store_->Remove("models").ok());
  EXPECT_TRUE(absl::IsNotFound(Put("late", "1").status()));
}

TEST_F(BucketStoreTest, NamesOfOtherThingsAreNoBuckets) {
  for (const char* name : {"..", "../x", ".vernier", "Models", "models/a"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(store_->Find(name).status())) << name;
    EXPECT_TRUE(absl::IsInvalidArgument(store_->Create(name).status())) << name;
  }
}

TEST_F(BucketStoreTest, AnAdministratorsFolderIsABucket) {
  const std::string folder = dir_ + "/datasets";
  std::filesystem::create_directories(folder + "/mnist");
  std::ofstream(folder + "/mnist/train") << "123";
  auto store = BucketStore::Open(
      {dir_ + "/other", {{"public-data", folder}}, &NextId}, clock_);
  ASSERT_TRUE(store.ok()) << store.status();
  const auto bucket = (*store)->Find("public-data");
  ASSERT_TRUE(bucket.ok());
  EXPECT_EQ((*bucket)->Stat("mnist/train")->size, 3);
  EXPECT_EQ(*(*store)->LocalPath("gs://public-data/mnist/train"),
            folder + "/mnist/train");
  EXPECT_TRUE(absl::IsFailedPrecondition((*store)->Remove("public-data")));
  EXPECT_TRUE(absl::IsAlreadyExists((*store)->Create("public-data").status()));
}

TEST_F(BucketStoreTest, AMappedFolderMustBeThere) {
  const auto store = BucketStore::Open(
      {dir_ + "/other", {{"gone", dir_ + "/gone"}}, &NextId}, clock_);
  EXPECT_TRUE(absl::IsInvalidArgument(store.status()));
  EXPECT_THAT(std::string(store.status().message()), HasSubstr("/gone"));
}

TEST_F(BucketStoreTest, LocalPathsNeedABucketOnly) {
  EXPECT_EQ(*store_->LocalPath("gs://models/a/b"), PathOf("a/b"));
  EXPECT_EQ(*store_->LocalPath("gs://models"), bucket_->folder());
  EXPECT_TRUE(absl::IsNotFound(store_->LocalPath("gs://nobody/x").status()));
  EXPECT_TRUE(
      absl::IsInvalidArgument(store_->LocalPath("gs://models/../x").status()));
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
