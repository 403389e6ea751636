#include "buckets/bucket_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

using ::testing::HasSubstr;

TEST(BucketNameTest, TakesTheNamesThatCloudStorageTakes) {
  for (const char* name :
       {"abc", "my-bucket", "a.b.c", "b_1", "0-9", "project.appspot.com"}) {
    EXPECT_TRUE(CheckBucketName(name).ok()) << name;
  }
}

TEST(BucketNameTest, RefusesAllThatCouldLeadElsewhere) {
  const std::string long_name(64, 'a');
  for (const std::string& name :
       {std::string(), std::string("ab"), std::string("Abc"),
        std::string("../x"), std::string(".abc"), std::string("abc."),
        std::string("a..b"), std::string("a/b"), std::string("a\0b", 3),
        std::string("-ab"), std::string("a b c"), std::string(".."),
        std::string(".vernier"), long_name, std::string("caf\xc3\xa9")}) {
    EXPECT_TRUE(absl::IsInvalidArgument(CheckBucketName(name))) << name;
  }
}

TEST(ObjectNameTest, TakesNamesThatAreFiles) {
  for (const char* name :
       {"a", "a/b/c.txt", "job/1/", ".hidden", "a/.vernier", "..a", "a..",
        "...", "caf\xc3\xa9/\xe2\x82\xac", "a b+c%2F?#[1]*", "-rf", "~"}) {
    EXPECT_TRUE(CheckObjectName(name).ok()) << name;
  }
}

TEST(ObjectNameTest, RefusesHostileNames) {
  struct Case {
    std::string name;
    std::string why;
  };
  const Case cases[] = {
      {"", "empty"},
      {"/etc/passwd", "begin with '/'"},
      {"..", "'..'"},
      {"../x", "'..'"},
      {"a/../../x", "'..'"},
      {"a/..", "'..'"},
      {"a/./b", "'.'"},
      {".", "'.'"},
      {"a//b", "'//'"},
      {"a//", "'//'"},
      {"/", "'/'"},
      {"../", "'..'"},
      {".vernier", ".vernier"},
      {".vernier/", ".vernier"},
      {".vernier/staging/x", ".vernier"},
      {std::string("a\0b", 3), "control"},
      {"a\nb", "control"},
      {"a\x7f", "control"},
      {"a\xff", "UTF-8"},
      {"a\xc0\xaf..", "UTF-8"},
      {std::string(256, 'a'), "255"},
      {std::string(1025, 'a'), "1024"},
  };
  for (const Case& each : cases) {
    const absl::Status status = CheckObjectName(each.name);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << each.name;
    EXPECT_THAT(std::string(status.message()), HasSubstr(each.why))
        << each.name;
  }
}

TEST(ObjectUriTest, TakesBucketAndObjectApart) {
  const auto whole = ParseObjectUri("gs://my-bucket/a/b/");
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole->bucket, "my-bucket");
  EXPECT_EQ(whole->object, "a/b/");
  const auto bucket = ParseObjectUri("gs://my-bucket");
  ASSERT_TRUE(bucket.ok());
  EXPECT_EQ(bucket->object, "");
}

TEST(ObjectUriTest, RefusesWhatIsNone) {
  for (const char* uri :
       {"s3://b/x", "gs:/bucket/x", "gs://", "gs:///x", "gs://Bucket/x",
        "gs://bucket/../x", "gs://bucket//x", "/local"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseObjectUri(uri).status())) << uri;
  }
}

}  // namespace
}  // namespace vernier
