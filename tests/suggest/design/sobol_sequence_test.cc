#include "suggest/design/sobol_sequence.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "base/rng.h"

namespace vernier {
namespace {

Eigen::MatrixXd Points(int dimension, std::uint64_t seed, std::int64_t first,
                       int count) {
  std::mt19937_64 rng = MakeRng(seed, 0);
  return ScrambledSobol(dimension, rng).Points(first, count);
}

int CommonDigits(std::uint32_t a, std::uint32_t b) {
  return std::countl_zero(a ^ b);
}

std::uint32_t Bits(double unit) {
  return static_cast<std::uint32_t>(unit * 0x1p32);
}

// Scrambling keeps the number of leading digits that two points share, and
// that is all it keeps: so these are the known values of the sequence.
TEST(SobolSequenceTest, SharesDigitsAsJoeAndKuosPointsDo) {
  const double known[8][3] = {{0, 0, 0},
                              {0.5, 0.5, 0.5},
                              {0.75, 0.25, 0.25},
                              {0.25, 0.75, 0.75},
                              {0.375, 0.375, 0.625},
                              {0.875, 0.875, 0.125},
                              {0.625, 0.125, 0.875},
                              {0.125, 0.625, 0.375}};
  const Eigen::MatrixXd points = Points(3, 7, 0, 8);
  for (int j = 0; j < 3; ++j) {
    for (int a = 0; a < 8; ++a) {
      for (int b = 0; b < a; ++b) {
        EXPECT_EQ(CommonDigits(Bits(points(a, j)), Bits(points(b, j))),
                  CommonDigits(Bits(known[a][j]), Bits(known[b][j])))
            << "points " << a << ", " << b << " coordinate " << j;
      }
    }
  }
}

TEST(SobolSequenceTest, ScramblesDigitsByTheDigitsAboveOnly) {
  std::mt19937_64 rng = MakeRng(3, 0);
  for (int i = 0; i < 2000; ++i) {
    const auto seed = static_cast<std::uint32_t>(rng());
    const auto a = static_cast<std::uint32_t>(rng());
    const auto digit = static_cast<unsigned>(UniformInt(rng, 32));
    const std::uint32_t b = a ^ (0x80000000u >> digit);
    EXPECT_EQ(CommonDigits(NestedUniformScramble(a, seed),
                           NestedUniformScramble(b, seed)),
              static_cast<int>(digit));
  }
}

// In each coordinate, and in each pair of the first coordinates that has t = 0,
// every elementary interval of volume 2^-m holds exactly one of 2^m points.
TEST(SobolSequenceTest, StaysANetAfterScrambling) {
  constexpr int kLog = 7;
  constexpr int kCount = 1 << kLog;
  for (const std::int64_t first : {0, kCount, 5 * kCount}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const Eigen::MatrixXd points = Points(12, seed, first, kCount);
      for (int j = 0; j < 12; ++j) {
        std::set<int> cells;
        for (int i = 0; i < kCount; ++i) {
          cells.insert(static_cast<int>(points(i, j) * kCount));
        }
        EXPECT_EQ(cells.size(), static_cast<std::size_t>(kCount));
      }
      for (int split = 0; split <= kLog; ++split) {
        std::set<std::pair<int, int>> cells;
        for (int i = 0; i < kCount; ++i) {
          cells.insert({static_cast<int>(points(i, 0) * (1 << split)),
                        static_cast<int>(points(i, 1) * (kCount >> split))});
        }
        EXPECT_EQ(cells.size(), static_cast<std::size_t>(kCount));
      }
    }
  }
}

TEST(SobolSequenceTest, SinglePointsAreThoseOfTheWhole) {
  const Eigen::MatrixXd whole = Points(4, 9, 0, 20);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(Points(4, 9, i, 1).row(0), whole.row(i));
  }
}

TEST(SobolSequenceTest, SeedsGiveDifferentPoints) {
  EXPECT_NE(Points(2, 1, 0, 1), Points(2, 2, 0, 1));
}

TEST(SobolSequenceTest, IsUniformPointByPoint) {
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    sum += Points(1, seed, 0, 1)(0, 0);
  }
  EXPECT_NEAR(sum / 400, 0.5, 4 * 0.2887 / 20);
}

TEST(SobolSequenceTest, HasPointsBeyondTheTableAndThePeriod) {
  const Eigen::MatrixXd wide = Points(4000, 1, 5, 3);
  EXPECT_GT(wide.minCoeff(), 0);
  EXPECT_LT(wide.maxCoeff(), 1);
  EXPECT_NE(wide(0, 3999), wide(1, 3999));
  const std::int64_t period = 4294967295;
  EXPECT_EQ(Points(3, 1, period - 1, 3).row(1), Points(3, 1, 0, 1).row(0));
  EXPECT_EQ(Points(0, 1, 0, 3).cols(), 0);
}

}  // namespace
}  // namespace vernier
