#include "base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace vernier {
namespace {

// The expected draws come from an independent implementation of SplitMix64 and
// MT19937-64, the normal ones from Python's statistics.NormalDist.
struct KnownStream {
  std::uint64_t seed;
  std::uint64_t stream;
  std::uint64_t raw[3];
  double uniform;
  double normal;
};

constexpr KnownStream kKnownStreams[] = {
    {0,
     0,
     {0x7b6903c09fc7cabe, 0x18fe9f314b16a249, 0x7ab63c20b35b75f8},
     0.48207114651429983,
     -0.04495610959361997},
    {0,
     1,
     {0xb3de4885cc9f610f, 0x8840555bf3b8b20f, 0xf89785029cfa3b58},
     0.7026105238588776,
     0.5319235406604917},
    {1,
     0,
     {0x7105992f33f32d46, 0x54122c1b88032cf2, 0xbe93b4dc82cf99b6},
     0.4414916744462515,
     -0.14718835875058528},
    {42,
     7,
     {0xbd93d0cd312a72d2, 0x9416660ac7276b41, 0xb794d54e68d3dd73},
     0.7405367375332987,
     0.6450010196547017},
};

TEST(RngTest, DrawsKnownNumbers) {
  for (const KnownStream& known : kKnownStreams) {
    std::mt19937_64 rng = MakeRng(known.seed, known.stream);
    for (const std::uint64_t raw : known.raw) EXPECT_EQ(rng(), raw);
    rng = MakeRng(known.seed, known.stream);
    EXPECT_EQ(UniformDouble(rng), known.uniform);
    rng = MakeRng(known.seed, known.stream);
    EXPECT_NEAR(Normal(rng), known.normal, 1e-15);
  }
}

// A generator whose next number is 0, the smallest draw there is.
std::mt19937_64 RngWithZeroState() {
  std::string text;
  for (int i = 0; i < 312; ++i) text += "0 ";
  std::istringstream state(text + "312");
  std::mt19937_64 rng;
  state >> rng;
  return rng;
}

TEST(RngTest, SmallestDrawIsFiniteAndExact) {
  std::mt19937_64 rng = RngWithZeroState();
  EXPECT_EQ(UniformDouble(rng), 0.0);
  // Solved from 0.5 erfc(-z / sqrt(2)) = 2^-53; the far tail of the formula.
  EXPECT_NEAR(Normal(rng), -8.209536151601387, 1e-14);
  EXPECT_EQ(UniformInt(rng, 1), 0u);
}

TEST(RngTest, NormalInvertsTheDistributionFunction) {
  std::mt19937_64 rng = MakeRng(3, 1);
  for (int i = 0; i < 20000; ++i) {
    std::mt19937_64 copy = rng;
    const double p = (static_cast<double>(copy() >> 12) + 0.5) * 0x1p-52;
    const double z = Normal(rng);
    EXPECT_NEAR(0.5 * std::erfc(-z / std::sqrt(2.0)), p, 4e-16 + 2e-15 * p);
  }
}

TEST(RngTest, NormalHasMomentsOfTheStandardNormal) {
  std::mt19937_64 rng = MakeRng(4, 1);
  constexpr int kDraws = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double z = Normal(rng);
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / kDraws, 0, 5 / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, 1, 5 * std::sqrt(2.0 / kDraws));
}

TEST(RngTest, UniformIntIsUnbiasedAndInRange) {
  std::mt19937_64 rng = MakeRng(5, 1);
  constexpr int kDraws = 60000;
  std::vector<int> counts(6);
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t draw = UniformInt(rng, 6);
    ASSERT_LT(draw, 6u);
    ++counts[draw];
  }
  double chi_square = 0;
  for (const int count : counts) {
    chi_square +=
        (count - kDraws / 6.0) * (count - kDraws / 6.0) / (kDraws / 6.0);
  }
  EXPECT_LT(chi_square, 20.5);  // 5 degrees of freedom, p = 0.001.
}

TEST(RngTest, UniformIntRedrawsTheSurplus) {
  // With n = 3 * 2^62 a quarter of the draws is surplus; were it kept, the low
  // third would come up half of the time.
  std::mt19937_64 rng = MakeRng(6, 1);
  const std::uint64_t n = std::uint64_t{3} << 62;
  int low = 0;
  constexpr int kDraws = 30000;
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t draw = UniformInt(rng, n);
    ASSERT_LT(draw, n);
    if (draw < n / 3) ++low;
  }
  EXPECT_NEAR(low / double{kDraws}, 1 / 3.0, 0.015);
}

TEST(RngTest, NeighbouringStreamsAreUnrelated) {
  int equal_bits = 0;
  for (std::uint64_t stream = 0; stream < 1000; ++stream) {
    std::mt19937_64 a = MakeRng(9, stream), b = MakeRng(9, stream + 1);
    equal_bits += __builtin_popcountll(~(a() ^ b()));
  }
  EXPECT_NEAR(equal_bits / 64000.0, 0.5, 0.01);
}

}  // namespace
}  // namespace vernier
