#include "base/counted_noun.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(CountedNounTest, OneHasNoPlural) {
  EXPECT_EQ(Counted(0, "trial"), "0 trials");
  EXPECT_EQ(Counted(1, "trial"), "1 trial");
  EXPECT_EQ(Counted(std::size_t{1}, "trial"), "1 trial");
  EXPECT_EQ(Counted(std::int64_t{1'000'000}, "point"), "1000000 points");
}

}  // namespace
}  // namespace vernier
