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

TEST(Base64Test, RoundTripsEveryLength) {
  for (const auto& [bytes, text] : {std::pair<std::string, std::string>{"", ""},
                                    {"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg=="},
                                    {"\xfb\xff", "+/8="}}) {
    EXPECT_EQ(Base64Encode(bytes), text);
    EXPECT_EQ(Base64Decode(text), bytes);
  }
  EXPECT_EQ(Base64Decode("-_8"), "\xfb\xff");
  EXPECT_EQ(Base64Decode("Zm9v!"), std::nullopt);
  EXPECT_EQ(Base64Decode("A"), std::nullopt);
}

TEST(Md5HexTest, GivesThePublishedValue) {
  EXPECT_EQ(Md5Hex("abc"), "900150983cd24fb0d6963f7d28e17f72");
}

}  // namespace
}  // namespace vernier
