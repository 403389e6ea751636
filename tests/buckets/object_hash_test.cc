#include "buckets/object_hash.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

TEST(ObjectHasherTest, GivesWhatCloudStorageGives) {
  ObjectHasher hasher;
  hasher.Update("hello ");
  hasher.Update("world");
  EXPECT_EQ(hasher.Value().md5, "XrY7u+Ae7tCTyyK7j1rNww==");
  EXPECT_EQ(hasher.Value().crc32c, "yZRlqg==");
}

TEST(ObjectHasherTest, GoesOnAfterItsValueWasTaken) {
  ObjectHasher hasher;
  EXPECT_EQ(hasher.Value().md5, "1B2M2Y8AsgTpgAmY7PhCfg==");
  EXPECT_EQ(hasher.Value().crc32c, "AAAAAA==");
  hasher.Update("hello world");
  EXPECT_EQ(hasher.Value().md5, "XrY7u+Ae7tCTyyK7j1rNww==");
}

TEST(Md5HexTest, GivesThePublishedValue) {
  EXPECT_EQ(Md5Hex("abc"), "900150983cd24fb0d6963f7d28e17f72");
}

}  // namespace
}  // namespace vernier
