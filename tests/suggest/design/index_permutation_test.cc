#include "suggest/design/index_permutation.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>
#include <vector>

namespace vernier {
namespace {

std::vector<std::int64_t> Order(std::uint64_t seed, std::int64_t size) {
  const IndexPermutation permutation(seed, size);
  std::vector<std::int64_t> order;
  for (std::int64_t i = 0; i < size; ++i) order.push_back(permutation.At(i));
  return order;
}

TEST(IndexPermutationTest, HasEachIndexOnce) {
  for (const std::int64_t size : {1, 2, 3, 4, 5, 16, 17, 63, 64, 65, 1000}) {
    const std::vector<std::int64_t> order = Order(3, size);
    const std::set<std::int64_t> all(order.begin(), order.end());
    EXPECT_EQ(static_cast<std::int64_t>(all.size()), size);
    EXPECT_EQ(*all.begin(), 0);
    EXPECT_EQ(*all.rbegin(), size - 1);
  }
}

TEST(IndexPermutationTest, TheSeedDecides) {
  EXPECT_EQ(Order(3, 100), Order(3, 100));
  EXPECT_NE(Order(3, 100), Order(4, 100));
}

// Of 6 orders each comes 1000 times in 6000 seeds, with a deviation of 29.
TEST(IndexPermutationTest, SmallOrdersAreAboutEquallyLikely) {
  std::map<std::vector<std::int64_t>, int> counts;
  for (std::uint64_t seed = 0; seed < 6000; ++seed) ++counts[Order(seed, 3)];
  EXPECT_EQ(counts.size(), 6u);
  for (const auto& [order, count] : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(IndexPermutationTest, NeighboursArePartedInAVastRange) {
  const std::int64_t size = std::numeric_limits<std::int64_t>::max();
  const IndexPermutation permutation(1, size);
  std::set<std::int64_t> seen;
  for (std::int64_t i = 0; i < 100; ++i) {
    seen.insert(permutation.At(size - 1 - i) / (size / 100));
  }
  EXPECT_GT(seen.size(), 50u);  // 63 of 100 parts are expected.
}

}  // namespace
}  // namespace vernier
