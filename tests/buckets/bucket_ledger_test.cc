#include "buckets/bucket_ledger.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "buckets/bucket_store.h"
#include "buckets/http_status_payload.h"
#include "buckets/object_copy.h"
#include "tests/fakes/manual_clock.h"
#include "tests/support/scratch_folder.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// Two buckets of p1 and one of p2, with quotas that a test sets.
class BucketQuotaTest : public ::testing::Test {
 protected:
  BucketQuotaTest() {
    Reopen();
    for (const char* name : {"one", "two"}) {
      EXPECT_TRUE(store_->Create(name, "p1").ok());
    }
    EXPECT_TRUE(store_->Create("other", "p2").ok());
  }

  void Reopen() {
    store_.reset();
    auto store = BucketStore::Open(
        {dir_ / "buckets",
         {},
         [this] { return NextId(); },
         [this](const std::string& project) { return quotas_[project]; }},
        clock_);
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
  }
  std::string NextId() {
    char id[33];
    std::snprintf(id, sizeof(id), "%032x", ++next_);
    return id;
  }
  BucketStore::BucketPtr Open(const std::string& name) {
    return store_->Find(name, BucketUser::Administrator(), BucketRight::kWrite)
        .value();
  }
  absl::Status Put(const std::string& bucket, const std::string& name,
                   std::size_t size) {
    const auto opened = Open(bucket);
    auto file = opened->Stage();
    if (!file.ok()) return file.status();
    const absl::Status appended = file->Append(std::string(size, 'x'));
    if (!appended.ok()) return appended;
    ObjectWrite write;
    write.name = name;
    return opened->Publish(*file, write).status();
  }
  std::string PathOf(const std::string& name) const {
    return dir_ / "buckets/" + name;
  }
  BucketUse Use(const std::string& project = "p1") {
    const auto use = store_->UseOf(project);
    EXPECT_TRUE(use.ok()) << use.status();
    return use.value_or(BucketUse{});
  }
  void ExpectRefused(const absl::Status& status, const std::string& words) {
    EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(words));
    EXPECT_EQ(GivenHttpStatus(status), 413);
  }

  const ScratchFolder dir_;
  ManualClock clock_;
  std::map<std::string, BucketQuota> quotas_;
  int next_ = 0;
  std::unique_ptr<BucketStore> store_;
};

TEST_F(BucketQuotaTest, AllBucketsOfAProjectCountTogether) {
  quotas_["p1"].max_bytes = 100;
  EXPECT_TRUE(Put("one", "a", 60).ok());
  ExpectRefused(Put("two", "b", 41),
                "project p1 has 60 of 100 bytes in its buckets, and there is "
                "no room for 41 more");
  EXPECT_TRUE(Put("two", "b", 40).ok());
  ExpectRefused(Put("one", "c", 1), "no room for 1 more");
  EXPECT_TRUE(Put("one", "empty", 0).ok());
  EXPECT_TRUE(Put("other", "a", 1000).ok());
  EXPECT_EQ(Use(), (BucketUse{100, 3}));
  // Nothing is left of what was refused.
  EXPECT_FALSE(fs::exists(PathOf("one/c")));
  EXPECT_TRUE(fs::is_empty(PathOf("one/.vernier/staging")));
}

TEST_F(BucketQuotaTest, WhatGoesAwayMakesRoom) {
  quotas_["p1"].max_bytes = 100;
  ASSERT_TRUE(Put("one", "a", 60).ok());
  // Both are there until the new one has taken the place of the old.
  ExpectRefused(Put("one", "a", 50), "no room for 50");
  ASSERT_TRUE(Put("one", "a", 40).ok());
  EXPECT_EQ(Use(), (BucketUse{40, 1}));
  ASSERT_TRUE(Open("one")->Remove("a", {}).ok());
  EXPECT_EQ(Use(), (BucketUse{0, 0}));
  EXPECT_TRUE(Put("two", "b", 100).ok());
}

TEST_F(BucketQuotaTest, ObjectsAreCounted) {
  quotas_["p1"].max_objects = 2;
  EXPECT_TRUE(Put("one", "a", 1).ok());
  EXPECT_TRUE(Put("two", "b", 1).ok());
  ExpectRefused(Put("two", "c", 1), "project p1 has 2 of 2 objects");
  EXPECT_TRUE(Put("two", "b", 7).ok());
  EXPECT_EQ(Use(), (BucketUse{8, 2}));
}

// One object may lie below hundreds of folders, each an entry of the disk.
TEST_F(BucketQuotaTest, FoldersAreCountedAsTheyAreMade) {
  quotas_["p1"].max_objects = 5;
  ASSERT_TRUE(Put("one", "a/b/c", 1).ok());
  EXPECT_EQ(Use(), (BucketUse{1, 3}));
  ASSERT_TRUE(Put("one", "a/b/d", 1).ok());
  EXPECT_EQ(Use(), (BucketUse{2, 4}));
  ExpectRefused(Put("one", "e/f", 1), "no room for 2 more");
  EXPECT_FALSE(fs::exists(PathOf("one/e")));
  ASSERT_TRUE(Put("two", "g/", 0).ok());
  EXPECT_EQ(Use(), (BucketUse{2, 5}));
  ExpectRefused(Open("two")->MakeFolder("h"), "no room for 1 more");
  ASSERT_TRUE(Open("two")->Remove("g/", {}).ok());
  EXPECT_EQ(Use(), (BucketUse{2, 4}));
  EXPECT_TRUE(Open("two")->MakeFolder("h").ok());
  // What a walk counts is the same.
  const BucketUse use = Use();
  Reopen();
  EXPECT_EQ(Use(), use);
}

TEST_F(BucketQuotaTest, NoRoadLeadsAroundIt) {
  ASSERT_TRUE(Put("other", "big", 90).ok());
  ASSERT_TRUE(Put("one", "a", 20).ok());
  quotas_["p1"].max_bytes = 100;
  const auto one = Open("one");
  ObjectWrite write;
  write.name = "copy";
  ObjectSource source;
  source.name = "big";
  ExpectRefused(CopyObject(*Open("other"), source, *one, write, false).status(),
                "no room for 90");
  // By its bytes, where the checksums are not known.
  std::ofstream(PathOf("other/raw")) << std::string(90, 'x');
  source.name = "raw";
  ExpectRefused(CopyObject(*Open("other"), source, *one, write, false).status(),
                "no room for 90");
  source.name = "a";
  ExpectRefused(
      ComposeObjects(*one, {source, source, source, source, source}, write)
          .status(),
      "no room for 20");
  ExpectRefused(one->Stage(81).status(), "no room for 81");
  ExpectRefused(one->CheckRoom(81), "no room for 81");
  EXPECT_EQ(Use(), (BucketUse{20, 1}));
  const auto id = one->uploads().Begin(write);
  ASSERT_TRUE(id.ok()) << id.status();
  auto upload = one->uploads().Take(*id);
  ASSERT_TRUE(upload.ok());
  EXPECT_TRUE((*upload)->file.Append(std::string(80, 'x')).ok());
  ExpectRefused((*upload)->file.Append("x"), "no room for 1");
  // Parked it still counts, and after a restart, too.
  ASSERT_TRUE(one->uploads().Park(*std::move(upload)).ok());
  ExpectRefused(Put("two", "b", 1), "no room for 1");
  EXPECT_EQ(Use(), (BucketUse{100, 1}));
}

TEST_F(BucketQuotaTest, AnUploadCountsUntilItIsDropped) {
  quotas_["p1"].max_bytes = 100;
  ObjectWrite write;
  write.name = "r";
  const auto id = Open("one")->uploads().Begin(write);
  ASSERT_TRUE(id.ok());
  auto upload = Open("one")->uploads().Take(*id);
  ASSERT_TRUE((*upload)->file.Append(std::string(70, 'x')).ok());
  ASSERT_TRUE(Open("one")->uploads().Park(*std::move(upload)).ok());
  Reopen();
  ExpectRefused(Put("two", "b", 31), "no room for 31");
  upload = Open("one")->uploads().Take(*id);
  ASSERT_TRUE(upload.ok()) << upload.status();
  Open("one")->uploads().Drop(*std::move(upload));
  EXPECT_EQ(Use(), (BucketUse{0, 0}));
  EXPECT_TRUE(Put("two", "b", 100).ok());
}

TEST_F(BucketQuotaTest, WhatProgramsWriteIsNoticed) {
  quotas_["p1"].max_bytes = 100;
  ASSERT_TRUE(Put("one", "a", 10).ok());
  fs::create_directories(PathOf("two/deep/er"));
  std::ofstream(PathOf("two/deep/er/x")) << std::string(85, 'x');
  EXPECT_EQ(Use(), (BucketUse{10, 1}));
  clock_.Advance(std::chrono::minutes(11));
  EXPECT_EQ(Use(), (BucketUse{95, 4}));
  ExpectRefused(Put("one", "b", 6), "no room for 6");
  // And what they remove, before anybody is refused again.
  fs::remove_all(PathOf("two/deep"));
  clock_.Advance(std::chrono::seconds(11));
  EXPECT_TRUE(Put("one", "b", 90).ok());
}

TEST_F(BucketQuotaTest, AMovedBucketCountsForItsNewProject) {
  quotas_["p1"].max_bytes = 100;
  ASSERT_TRUE(Put("other", "a", 70).ok());
  ASSERT_TRUE(Put("one", "a", 20).ok());
  ASSERT_TRUE(store_->Move("other", "p1").ok());
  EXPECT_EQ(Use(), (BucketUse{90, 2}));
  ExpectRefused(Put("one", "b", 11), "no room for 11");
  ASSERT_TRUE(store_->Create("new", "p1").ok());
  ExpectRefused(Put("new", "b", 11), "no room for 11");
  ASSERT_TRUE(store_->Move("other", "p2").ok());
  EXPECT_TRUE(Put("new", "b", 11).ok());
}

TEST_F(BucketQuotaTest, WithoutAQuotaNothingIsRefused) {
  EXPECT_TRUE(Put("one", "a", 1000).ok());
  EXPECT_EQ(Use(), (BucketUse{1000, 1}));
  quotas_["p1"].max_bytes = 10;
  ExpectRefused(Put("one", "b", 1), "has 1000 of 10 bytes");
  // A limit below what there is takes nothing away.
  EXPECT_TRUE(Open("one")->Stat("a").ok());
  EXPECT_TRUE(Open("one")->Remove("a", {}).ok());
}

TEST_F(BucketQuotaTest, AFolderElsewhereDoesNotCount) {
  fs::create_directories(dir_ / "data");
  std::ofstream(dir_ / "data/x") << std::string(1000, 'x');
  quotas_["default"].max_bytes = 10;
  auto store = BucketStore::Open(
      {dir_ / "more",
       {{"mapped", dir_ / "data"}},
       [this] { return NextId(); },
       [this](const std::string& project) { return quotas_[project]; }},
      clock_);
  ASSERT_TRUE(store.ok()) << store.status();
  EXPECT_EQ(*(*store)->UseOf("default"), BucketUse{});
}

TEST(MeasureBucketTest, LooksAtFilesAndPassesNoLink) {
  const ScratchFolder temporary;
  const std::string& dir = temporary.path();
  fs::create_directories(dir + "/a/b");
  fs::create_directories(dir + "/.vernier/uploads");
  fs::create_directories(dir + "/.vernier/objects/00");
  std::ofstream(dir + "/a/b/c") << "123";
  std::ofstream(dir + "/.vernier/uploads/u.data") << "12345";
  std::ofstream(dir + "/.vernier/uploads/u.json") << "123456";
  std::ofstream(dir + "/.vernier/objects/00/n.json") << "1234567";
  fs::create_symlink("/", dir + "/root");
  EXPECT_EQ(*MeasureBucket(dir), (BucketUse{8, 4}));
  fs::remove_all(dir);
  EXPECT_EQ(*MeasureBucket(dir), BucketUse{});
}

// However deep folders lie, other callers need descriptors, too.
TEST(MeasureBucketTest, HoldsFewDescriptors) {
  const ScratchFolder temporary;
  const std::string& dir = temporary.path();
  std::string deep = dir;
  for (int i = 0; i < 200; ++i) deep += "/d";
  fs::create_directories(deep);
  std::ofstream(deep + "/c") << "123";
  rlimit usual{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &usual), 0);
  const rlimit few{64, usual.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  const absl::StatusOr<BucketUse> use = MeasureBucket(dir);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &usual), 0);
  ASSERT_TRUE(use.ok()) << use.status();
  EXPECT_EQ(*use, (BucketUse{3, 201}));
  fs::remove_all(dir);
}

TEST(BucketRoomTest, ADiskThatDoesNotCountIsNotFull) {
  const BucketRoom room(nullptr, "b");
  const int folder = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  EXPECT_TRUE(room.Take(folder, {1, 0}).ok());
  ::close(folder);
}

TEST(BucketRoomTest, ADiskIsNotFilledToTheLastByte) {
  const BucketRoom room(nullptr, "b");
  const int folder = ::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  EXPECT_TRUE(room.Take(folder, {0, 1}).ok());
  const absl::Status refused = room.Take(folder, {std::int64_t{1} << 62, 0});
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()),
              HasSubstr("are kept for the service itself"));
  EXPECT_EQ(GivenHttpStatus(refused), std::nullopt);
  ::close(folder);
}

}  // namespace
}  // namespace vernier
