#include "store/pages/page_checksum.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/rng.h"

namespace vernier {
namespace {

constexpr std::size_t kSize = 512;

std::vector<unsigned char> SealedPage() {
  std::mt19937_64 rng = MakeRng(5, 6);
  std::vector<unsigned char> page(kSize);
  for (unsigned char& byte : page) {
    byte = static_cast<unsigned char>(UniformInt(rng, 256));
  }
  SealPage(page.data(), page.size(), 7);
  return page;
}

TEST(PageChecksumTest, MatchesThePageThatItWasMadeOf) {
  const std::vector<unsigned char> page = SealedPage();
  EXPECT_TRUE(IsSealed(page.data(), page.size(), 7));
}

TEST(PageChecksumTest, SeesAnyByteThatChanges) {
  std::vector<unsigned char> page = SealedPage();
  for (std::size_t i = 0; i < kSize; ++i) {
    for (int change = 1; change < 256; ++change) {
      page[i] ^= static_cast<unsigned char>(change);
      ASSERT_FALSE(IsSealed(page.data(), page.size(), 7)) << i;
      page[i] ^= static_cast<unsigned char>(change);
    }
  }
}

TEST(PageChecksumTest, SeesAPageInAnothersPlace) {
  const std::vector<unsigned char> page = SealedPage();
  EXPECT_FALSE(IsSealed(page.data(), page.size(), 8));
}

TEST(PageChecksumTest, SeesAPageThatWasNeverWritten) {
  const std::vector<unsigned char> zeros(kSize);
  for (int number = 1; number < 1000; ++number) {
    ASSERT_FALSE(IsSealed(zeros.data(), zeros.size(), number));
  }
}

// Stored in files: it must be the same for ever.
TEST(PageChecksumTest, IsTheSameInEachRelease) {
  EXPECT_EQ(Checksum("abcdefgh", 0), 0x5f8c0a8a'58ed2a6cu);
}

}  // namespace
}  // namespace vernier
