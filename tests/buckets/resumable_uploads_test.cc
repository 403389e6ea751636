#include "buckets/resumable_uploads.h"

#include <gtest/gtest.h>

#include <chrono>

#include "buckets/http_status_payload.h"
#include "tests/buckets/bucket_bed.h"

namespace vernier {
namespace {

using ResumableUploadsTest = BucketBed;

ObjectWrite Unconditional(const std::string& name) {
  ObjectWrite write;
  write.name = name;
  return write;
}

TEST_F(ResumableUploadsTest, GoesOnAfterARestart) {
  ObjectWrite begun;
  begun.name = "x";
  begun.attributes.content_type = "text/plain";
  begun.preconditions.generation_match = 0;
  begun.expected.md5 = "XrY7u+Ae7tCTyyK7j1rNww==";
  const auto id = bucket_->uploads().Begin(begun);
  ASSERT_TRUE(id.ok()) << id.status();
  {
    auto upload = bucket_->uploads().Take(*id);
    ASSERT_TRUE(upload.ok());
    ASSERT_TRUE((*upload)->file.Append("hello ").ok());
    ASSERT_TRUE(bucket_->uploads().Park(*std::move(upload)).ok());
  }
  Reopen();
  auto upload = bucket_->uploads().Take(*id);
  ASSERT_TRUE(upload.ok()) << upload.status();
  EXPECT_EQ((*upload)->file.size(), 6);
  EXPECT_EQ((*upload)->write.attributes, begun.attributes);
  EXPECT_EQ((*upload)->write.preconditions.generation_match, 0);
  EXPECT_EQ((*upload)->write.expected, begun.expected);
  ASSERT_TRUE((*upload)->file.Append("world").ok());
  const auto put = bucket_->Publish((*upload)->file, (*upload)->write);
  ASSERT_TRUE(put.ok());
  EXPECT_EQ(put->hashes->md5, "XrY7u+Ae7tCTyyK7j1rNww==");
  bucket_->uploads().Drop(*std::move(upload));
  EXPECT_EQ(BytesOf("x"), "hello world");
  EXPECT_EQ(CountReserved("uploads"), 0);
}

TEST_F(ResumableUploadsTest, WhatWasNotParkedIsCutOffByARestart) {
  const auto id = bucket_->uploads().Begin(Unconditional("x"));
  ASSERT_TRUE(id.ok());
  WriteDirectly(".vernier/uploads/" + *id + ".data", "never acknowledged");
  Reopen();
  const auto upload = bucket_->uploads().Take(*id);
  ASSERT_TRUE(upload.ok());
  EXPECT_EQ((*upload)->file.size(), 0);
}

TEST_F(ResumableUploadsTest, AnAbandonedRequestCountsForNothing) {
  const auto id = bucket_->uploads().Begin(Unconditional("x"));
  ASSERT_TRUE(id.ok());
  auto upload = bucket_->uploads().Take(*id);
  ASSERT_TRUE(upload.ok());
  ASSERT_TRUE((*upload)->file.Append("half of a ch").ok());
  bucket_->uploads().Abandon(*std::move(upload));
  EXPECT_EQ((*bucket_->uploads().Take(*id))->file.size(), 0);
}

TEST_F(ResumableUploadsTest, OneRequestAtATimeHoldsIt) {
  const auto id = bucket_->uploads().Begin(Unconditional("x"));
  ASSERT_TRUE(id.ok());
  auto upload = bucket_->uploads().Take(*id);
  ASSERT_TRUE(upload.ok());
  EXPECT_TRUE(absl::IsUnavailable(bucket_->uploads().Take(*id).status()));
  ASSERT_TRUE(bucket_->uploads().Park(*std::move(upload)).ok());
  EXPECT_TRUE(bucket_->uploads().Take(*id).ok());
}

TEST_F(ResumableUploadsTest, ADroppedOneIsGone) {
  const auto id = bucket_->uploads().Begin(Unconditional("x"));
  ASSERT_TRUE(id.ok());
  bucket_->uploads().Drop(*bucket_->uploads().Take(*id));
  EXPECT_TRUE(absl::IsNotFound(bucket_->uploads().Take(*id).status()));
  EXPECT_EQ(CountReserved("uploads"), 0);
}

TEST_F(ResumableUploadsTest, StrangeIdsAreNotFound) {
  for (const char* id : {"", "../../../etc/passwd", "00", "g",
                         "0000000000000000000000000000000/"}) {
    EXPECT_TRUE(absl::IsNotFound(bucket_->uploads().Take(id).status())) << id;
  }
}

class OldUploadsTest : public BucketBed {
 protected:
  void MakeOld(const std::string& id) {
    for (const char* end : {".json", ".data"}) {
      const std::string path = PathOf(".vernier/uploads/" + id + end);
      std::filesystem::last_write_time(
          path,
          std::filesystem::last_write_time(path) - std::chrono::hours(24 * 8));
    }
  }
};

TEST_F(OldUploadsTest, AWeekWithoutARequestEndsIt) {
  const auto id = bucket_->uploads().Begin(Unconditional("x"));
  ASSERT_TRUE(id.ok());
  MakeOld(*id);
  Reopen();
  EXPECT_TRUE(absl::IsNotFound(bucket_->uploads().Take(*id).status()));
}

// A service that runs for months must not wait for its end.
TEST_F(OldUploadsTest, AWeekEndsItWhileTheServiceRuns) {
  const auto old = bucket_->uploads().Begin(Unconditional("x"));
  const auto held = bucket_->uploads().Begin(Unconditional("y"));
  const auto young = bucket_->uploads().Begin(Unconditional("z"));
  ASSERT_TRUE(old.ok() && held.ok() && young.ok());
  auto at_work = bucket_->uploads().Take(*held);
  ASSERT_TRUE(at_work.ok());
  MakeOld(*old);
  MakeOld(*held);
  store_->Sweep();
  EXPECT_TRUE(absl::IsNotFound(bucket_->uploads().Take(*old).status()));
  EXPECT_EQ(CountReserved("uploads"), 4);
  EXPECT_TRUE(bucket_->uploads().Park(*std::move(at_work)).ok());
  EXPECT_TRUE(bucket_->uploads().Take(*young).ok());
}

TEST_F(OldUploadsTest, WhatACrashLeftGoesWhileTheServiceRuns) {
  auto staged = bucket_->Stage();
  ASSERT_TRUE(staged.ok());
  WriteDirectly(".vernier/staging/left", "1");
  store_->Sweep();
  EXPECT_EQ(CountReserved("staging"), 1);
}

TEST_F(ResumableUploadsTest, ThereIsAnEndToTheirNumber) {
  ASSERT_TRUE(bucket_->uploads().Begin(Unconditional("x")).ok());
  for (int i = 1; i < kMostUploads; ++i) {
    WriteDirectly(".vernier/uploads/" + std::to_string(i) + ".data", "");
  }
  const absl::Status refused =
      bucket_->uploads().Begin(Unconditional("x")).status();
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  EXPECT_EQ(GivenHttpStatus(refused), 429);
  std::filesystem::remove(PathOf(".vernier/uploads/1.data"));
  EXPECT_TRUE(bucket_->uploads().Begin(Unconditional("x")).ok());
}

}  // namespace
}  // namespace vernier
