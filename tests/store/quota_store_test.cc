#include "store/access/quota_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "store/sqlite/private_database.h"
#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

class QuotaStoreTest : public testing::Test {
 protected:
  void SetUp() override { Open(); }

  void Open() {
    store_.reset();
    auto store = QuotaStore::Open(Path());
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
  }
  std::string Path() const { return folder_.path() + "/quotas.db"; }

  TemporaryFolder folder_;
  std::unique_ptr<QuotaStore> store_;
};

TEST_F(QuotaStoreTest, WhatWasGivenIsThereAfterwards) {
  EXPECT_EQ(store_->Of("p1"), ProjectQuota{});
  const ProjectQuota quota{4, 0, std::nullopt};
  ASSERT_TRUE(store_->Set("p1", quota).ok());
  ASSERT_TRUE(store_->Set("p2", {std::nullopt, std::nullopt, 7}).ok());
  EXPECT_EQ(store_->Of("p1"), quota);
  Open();
  EXPECT_EQ(store_->Of("p1"), quota);
  EXPECT_EQ(store_->Of("p2").max_studies, 7);
  EXPECT_EQ(store_->All().size(), 2u);
}

TEST_F(QuotaStoreTest, ALimitIsReplacedAndTakenAway) {
  ASSERT_TRUE(store_->Set("p1", {4, 2, 9}).ok());
  ASSERT_TRUE(store_->Set("p1", {5, std::nullopt, 9}).ok());
  EXPECT_EQ(store_->Of("p1"), (ProjectQuota{5, std::nullopt, 9}));
  ASSERT_TRUE(store_->Set("p1", {}).ok());
  EXPECT_TRUE(store_->All().empty());
  Open();
  EXPECT_TRUE(store_->All().empty());
}

TEST_F(QuotaStoreTest, BucketsHaveLimitsBeyond32Bits) {
  ProjectQuota quota;
  quota.max_bucket_bytes = std::int64_t{5} << 40;
  quota.max_bucket_objects = 0;
  ASSERT_TRUE(store_->Set("p1", quota).ok());
  Open();
  EXPECT_EQ(store_->Of("p1"), quota);
  quota.max_bucket_bytes = -1;
  EXPECT_TRUE(absl::IsInvalidArgument(store_->Set("p1", quota)));
}

TEST_F(QuotaStoreTest, RefusesWhatCannotBe) {
  EXPECT_TRUE(absl::IsInvalidArgument(store_->Set("p1", {-1, 0, 0})));
  EXPECT_TRUE(absl::IsInvalidArgument(store_->Set("p1", {0, -1, 0})));
  EXPECT_TRUE(absl::IsInvalidArgument(store_->Set("p1", {0, 0, -1})));
  EXPECT_TRUE(absl::IsInvalidArgument(store_->Set("", {1, 1, 1})));
  EXPECT_TRUE(store_->All().empty());
}

TEST_F(QuotaStoreTest, IsReadableByItsUserOnly) {
  struct stat status {};
  ASSERT_EQ(stat(Path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

}  // namespace
}  // namespace vernier
