#include "access/token_text.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(TokenTextTest, HashesAsTheStandardsSay) {
  // FIPS 180-2, appendix B.1.
  EXPECT_EQ(HashToken("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  // RFC 4231, test case 2.
  EXPECT_EQ(KeyedHash("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST(TokenTextTest, DrawsLongTokensThatDiffer) {
  const std::string token = DrawToken();
  EXPECT_EQ(token.size(), std::string("vernier_").size() + 64);
  EXPECT_NE(token, DrawToken());
}

TEST(TokenTextTest, ReadsTheBearerScheme) {
  EXPECT_EQ(BearerToken("Bearer abc"), "abc");
  EXPECT_EQ(BearerToken("BEARER   abc "), "abc");
  for (const char* text : {"", "Bearer", "Bearer ", "Basic abc", "Bearerabc"}) {
    EXPECT_EQ(BearerToken(text), "") << text;
  }
}

TEST(TokenTextTest, ComparesWhole) {
  EXPECT_TRUE(EqualsInConstantTime("abc", "abc"));
  EXPECT_FALSE(EqualsInConstantTime("abc", "abd"));
  EXPECT_FALSE(EqualsInConstantTime("abc", "ab"));
}

}  // namespace
}  // namespace vernier
