#include "suggest/gp/noise_evidence.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/suggest/regression_examples.h"

namespace vernier {
namespace {

NoiseEvidence EvidenceIn(const RegressionData& data) {
  const auto found = FindNoise(data);
  EXPECT_TRUE(found.ok()) << found.status();
  return found.value_or(NoiseEvidence::kNone);
}

TEST(NoiseEvidenceTest, TellsNoiseFromAFunction) {
  const RegressionData noisy = RandomRegression(100, 2, 3);
  EXPECT_EQ(EvidenceIn(noisy), NoiseEvidence::kStrong);
  RegressionData exact = noisy;
  for (Eigen::Index i = 0; i < exact.targets.size(); ++i) {
    exact.targets[i] = std::sin(3 * exact.inputs(i, 0)) - exact.inputs(i, 1);
  }
  EXPECT_EQ(EvidenceIn(exact), NoiseEvidence::kNone);
}

TEST(NoiseEvidenceTest, OfFewResultsIsNone) {
  EXPECT_EQ(EvidenceIn(RandomRegression(5, 2, 3)), NoiseEvidence::kNone);
}

TEST(NoiseEvidenceTest, NoiseThatIsKnownIsNoEvidenceOfMore) {
  RegressionData data = RandomRegression(100, 2, 3);
  data.noise_scale.setZero();
  data.known_noise = Eigen::VectorXd::Constant(100, 0.05 * 0.05);
  EXPECT_EQ(EvidenceIn(data), NoiseEvidence::kNone);
}

TEST(NoiseEvidenceTest, RepeatsSayMoreThanTheFunction) {
  RegressionData data = RandomRegression(5, 2, 3);
  data.repeat_degrees = 10;
  data.repeat_squares = 10 * 0.1;
  EXPECT_EQ(EvidenceIn(data), NoiseEvidence::kStrong);
  data.repeat_squares = 0;  // They gave the very same values.
  EXPECT_EQ(EvidenceIn(data), NoiseEvidence::kNone);
}

}  // namespace
}  // namespace vernier
