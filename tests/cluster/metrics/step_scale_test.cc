#include "cluster/metrics/step_scale.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace vernier {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr StepMark kNone{StepUnit::kNone, 0, std::nullopt};

StepMark Step(std::int64_t step) {
  return {StepUnit::kStep, step, std::nullopt};
}
StepMark Epoch(std::int64_t epoch) {
  return {StepUnit::kEpoch, epoch, std::nullopt};
}
StepMark Fraction(double epoch) {
  return {StepUnit::kEpoch, static_cast<std::int64_t>(epoch), epoch};
}
StepMark Batch(double epoch, std::int64_t batch) {
  return {StepUnit::kBatch, batch, epoch};
}

struct ScaleCase {
  std::vector<StepMark> marks;
  std::vector<std::int64_t> stands;
  const char* conflict = "";
};

TEST(StepScaleTest, PutsEveryCurveOnOneScale) {
  const ScaleCase kCases[] = {
      // What counts one way stands where it says.
      {{Step(1000), Step(2000), Step(5000)}, {1000, 2000, 5000}},
      {{Step(7)}, {7}},
      {{Step(0), Step(1)}, {0, 1}},
      {{Step(-3), Step(0), Step(4)}, {-3, 0, 4}},
      {{Epoch(1), Epoch(2), Epoch(3)}, {1, 2, 3}},
      // Of one step the later value counts.
      {{Step(1), Step(2), Step(2), Step(3)}, {1, 2, 2, 3}},
      {{Batch(1, 10), Batch(1, 10), Batch(1, 20)}, {10, 10, 20}},
      // What has no steps goes by order.
      {{kNone, kNone, kNone}, {1, 2, 3}},
      {{Fraction(0.4), Fraction(0.8), Fraction(1.2)}, {1, 2, 3}},
      {{Fraction(0.5), Epoch(1), Fraction(1.5), Epoch(2)}, {1, 2, 3, 4}},
      {{Epoch(1), Fraction(1.5), Epoch(2)}, {1, 2, 3}},
      // Batches of an epoch are counted on.
      {{Batch(1, 10), Batch(1, 20), Batch(2, 10), Batch(2, 20), Batch(3, 10)},
       {10, 20, 30, 40, 50}},
      {{Batch(1, 90), Batch(2, 90), Batch(3, 90)}, {90, 180, 270}},
      {{Batch(0, 0), Batch(0, 5), Batch(1, 0), Batch(1, 5)}, {0, 5, 6, 11}},
      {{Batch(1, 10), Batch(1, 20), Batch(2, 30)}, {10, 20, 30}},
      // Two scales.
      {{Step(1000), Step(5000), kNone},
       {1000, 5000, 5001},
       "step 5000, then none"},
      {{Step(1000), kNone, Step(2000), kNone},
       {1000, 1001, 2000, 2001},
       "step 1000, then none"},
      {{kNone, kNone, Step(1), Step(2)}, {1, 2, 3, 4}, "none, then step 1"},
      {{kNone, Step(50), kNone}, {1, 50, 51}, "none, then step 50"},
      {{Epoch(1), Step(500), Epoch(2)}, {1, 2, 3}, "epoch 1, then step 500"},
      {{Step(1), kNone, Step(2), Step(2)}, {1, 2, 3, 3}, "step 1, then none"},
      // Steps that fall are counted on: the latest is the last.
      {{Step(1), Step(2), Step(1), Step(2)},
       {1, 2, 3, 4},
       "step 2, then step 1"},
      {{Batch(2, 9), Batch(1, 3)},
       {9, 12},
       "epoch 2, batch 9, then epoch 1, batch 3"},
      {{Step(kMost), Step(kMost), kNone},
       {kMost / 8, kMost / 8, kMost / 8 + 1},
       "step 9223372036854775807, then none"},
  };
  for (const ScaleCase& test : kCases) {
    StepScale scale;
    std::vector<std::int64_t> stands;
    std::string marks;
    for (const StepMark& mark : test.marks) {
      stands.push_back(scale.Take(mark));
      marks += ToText(mark) + "; ";
    }
    EXPECT_EQ(stands, test.stands) << marks;
    EXPECT_EQ(scale.conflict(), test.conflict) << marks;
  }
}

TEST(StepScaleTest, GoesOnBehindWhatWasBefore) {
  StepScale scale(7);
  EXPECT_EQ(scale.Take(kNone), 8);
  EXPECT_EQ(scale.Take(kNone), 9);
}

// Whatever a program says, its last value is the last of the curve.
TEST(StepScaleTest, NeverGoesBack) {
  for (const std::int64_t a : {kMost, std::int64_t{3}, -kMost}) {
    for (const std::int64_t b : {kMost, std::int64_t{0}, -kMost}) {
      StepScale scale;
      std::int64_t last = std::numeric_limits<std::int64_t>::min();
      for (const StepMark& mark :
           {Step(a), Step(b), kNone, Batch(1, a), Batch(2, b), Step(a)}) {
        const std::int64_t stand = scale.Take(mark);
        EXPECT_GE(stand, last) << a << " " << b;
        last = stand;
      }
    }
  }
}

}  // namespace
}  // namespace vernier
