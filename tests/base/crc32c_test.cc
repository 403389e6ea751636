#include "base/crc32c.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

// RFC 3720, B.4.
TEST(Crc32cTest, GivesThePublishedValues) {
  EXPECT_EQ(ExtendCrc32c(0, ""), 0u);
  EXPECT_EQ(ExtendCrc32c(0, "123456789"), 0xe3069283u);
  EXPECT_EQ(ExtendCrc32c(0, std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(ExtendCrc32c(0, std::string(32, '\xff')), 0x62a8ab43u);
}

TEST(Crc32cTest, GoesOnAnywhere) {
  const std::string text = "The quick brown fox jumps over the lazy dog";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::uint32_t first = ExtendCrc32c(0, text.substr(0, cut));
    EXPECT_EQ(ExtendCrc32c(first, text.substr(cut)), ExtendCrc32c(0, text));
  }
}

}  // namespace
}  // namespace vernier
