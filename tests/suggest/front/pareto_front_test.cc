#include "suggest/front/pareto_front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "suggest/front/free_boxes.h"

namespace vernier {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::RowVectorXd;
using testing::ElementsAre;
using testing::IsEmpty;

MatrixXd RandomMerits(Index rows, Index metrics, unsigned seed) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  return MatrixXd::NullaryExpr(rows, metrics,
                               [&](Index, Index) { return uniform(rng); });
}

TEST(ParetoFrontTest, KeepsWhatNothingDominates) {
  MatrixXd merits(6, 2);
  merits << 1, 5,  //
      2, 4,        //
      2, 3,        // Dominated by the second,
      0, 5,        // and this by the first.
      3, 1,        //
      2, 4;        // Equal to the second.
  EXPECT_THAT(NondominatedRows(merits), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(NondominatedRows(MatrixXd(0, 3)), IsEmpty());
}

TEST(ParetoFrontTest, OneMetricHasItsBest) {
  MatrixXd merits(4, 1);
  merits << 1, 3, 2, 3;
  EXPECT_THAT(NondominatedRows(merits), ElementsAre(1, 3));
}

TEST(ParetoFrontTest, MeasuresVolumes) {
  MatrixXd merits(3, 2);
  merits << 1, 3, 2, 2, 3, 1;
  const RowVectorXd origin = RowVectorXd::Zero(2);
  EXPECT_DOUBLE_EQ(Hypervolume(merits, origin), 6);
  EXPECT_DOUBLE_EQ(Hypervolume(merits.topRows(1), origin), 3);
  EXPECT_DOUBLE_EQ(Hypervolume(MatrixXd(0, 2), origin), 0);
  // One that does not reach the reference adds nothing.
  EXPECT_DOUBLE_EQ(Hypervolume(merits, RowVectorXd::Constant(2, 1.5)), 0.25);
  MatrixXd cubes(2, 3);
  cubes << 2, 1, 1, 1, 2, 2;
  EXPECT_DOUBLE_EQ(Hypervolume(cubes, RowVectorXd::Zero(3)), 5);
}

// Exactly, this would take longer than anybody waits for a test.
TEST(ParetoFrontTest, FrontsOfManyMetricsAreMeasured) {
  const MatrixXd merits = RandomMerits(300, 12, 9);
  const double volume = Hypervolume(merits, RowVectorXd::Zero(12));
  EXPECT_GT(volume, Hypervolume(merits.topRows(100), RowVectorXd::Zero(12)));
  EXPECT_EQ(volume, Hypervolume(merits, RowVectorXd::Zero(12)));
}

// A second opinion: the share of random places that some row dominates.
TEST(ParetoFrontTest, MeasuresWhatSamplesMeasure) {
  for (const Index metrics : {2, 3, 4, 5, 8}) {
    const MatrixXd merits = RandomMerits(30, metrics, 7);
    const RowVectorXd reference = RowVectorXd::Constant(metrics, 0.2);
    constexpr Index kSamples = 200000;
    const MatrixXd places = RandomMerits(kSamples, metrics, 8);
    Index inside = 0;
    for (Index i = 0; i < kSamples; ++i) {
      if ((places.row(i).array() < 0.2).any()) continue;
      for (Index row = 0; row < merits.rows(); ++row) {
        if ((merits.row(row).array() >= places.row(i).array()).all()) {
          ++inside;
          break;
        }
      }
    }
    const double share = static_cast<double>(inside) / kSamples;
    EXPECT_NEAR(Hypervolume(merits, reference), share, 0.005) << metrics;
  }
}

TEST(ParetoFrontTest, InfersAReferenceBelowTheFront) {
  using Rows = std::vector<std::vector<double>>;
  const Rows front = {{0, 3}, {2, 1}};
  const std::vector<double> reference = InferReference(front, front);
  EXPECT_DOUBLE_EQ(reference[0], -0.2);
  EXPECT_DOUBLE_EQ(reference[1], 0.8);
}

// The metrics of a user may be of any size.
TEST(ParetoFrontTest, AReferenceBelowOnePointIsInItsUnits) {
  using Rows = std::vector<std::vector<double>>;
  const auto reference_of = [](double value, const Rows& all) {
    return InferReference(Rows{{value}}, all).front();
  };
  EXPECT_DOUBLE_EQ(reference_of(3e-9, {{3e-9}, {1e-9}}), 2.8e-9);
  EXPECT_DOUBLE_EQ(reference_of(3e9, {{3e9}, {1e9}}), 2.8e9);
  EXPECT_DOUBLE_EQ(reference_of(-3e9, {{-3e9}}), -3.3e9);
  EXPECT_DOUBLE_EQ(reference_of(0, {{0}}), -0.1);
  EXPECT_TRUE(std::isfinite(reference_of(1.7e308, {{1.7e308}, {-1.7e308}})));
}

bool IsInside(const FreeBoxes& boxes, std::size_t box,
              const RowVectorXd& place) {
  const std::size_t m = boxes.num_metrics();
  const std::size_t* const lower = &boxes.bounds[box * 2 * m];
  for (std::size_t k = 0; k < m; ++k) {
    const double value = place[static_cast<Index>(k)];
    if (value < boxes.levels[k][lower[k]]) return false;
    const std::size_t upper = lower[m + k];
    if (upper < boxes.levels[k].size() && value >= boxes.levels[k][upper]) {
      return false;
    }
  }
  return true;
}

// Each place above the reference is in one box, or dominated and in none.
TEST(FreeBoxesTest, CoverWhatIsFreeOnce) {
  for (const Index metrics : {1, 2, 3, 4}) {
    for (const Index rows : {0, 1, 5, 25}) {
      const MatrixXd merits = RandomMerits(rows, metrics, 11);
      const RowVectorXd reference = RowVectorXd::Constant(metrics, 0.15);
      const FreeBoxes boxes = DecomposeFree(merits, reference);
      const MatrixXd places = 1.2 * RandomMerits(2000, metrics, 12);
      for (Index i = 0; i < places.rows(); ++i) {
        const RowVectorXd place = places.row(i);
        bool is_free = (place.array() >= 0.15).all();
        for (Index row = 0; row < rows && is_free; ++row) {
          is_free = (merits.row(row).array() <= 0.15).any() ||
                    (merits.row(row).array() < place.array()).any();
        }
        int inside = 0;
        for (std::size_t box = 0; box < boxes.num_boxes(); ++box) {
          inside += IsInside(boxes, box, place);
        }
        ASSERT_EQ(inside, is_free ? 1 : 0) << metrics << " " << rows;
      }
    }
  }
}

TEST(FreeBoxesTest, TwoMetricsHaveOneBoxMoreThanTheFront) {
  MatrixXd merits(4, 2);
  merits << 1, 3, 2, 2, 3, 1, 1, 1;
  EXPECT_EQ(DecomposeFree(merits, RowVectorXd::Zero(2)).num_boxes(), 4u);
}

// Where a slice's rows are all hidden by those above, its boxes are one.
TEST(FreeBoxesTest, JoinsSlicesThatAreAlike) {
  MatrixXd merits(2, 3);
  merits << 2, 2, 3,  //
      1, 2.5, 2;
  const FreeBoxes boxes = DecomposeFree(merits, RowVectorXd::Zero(3));
  merits(1, 1) = 2;  // It is hidden in the first two metrics,
  merits(1, 2) = 2;  // and dominated.
  EXPECT_LT(DecomposeFree(merits, RowVectorXd::Zero(3)).num_boxes(),
            boxes.num_boxes());
}

}  // namespace
}  // namespace vernier
