#include "suggest/curves/report_noise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>

#include "base/rng.h"
#include "tests/suggest/curves/curve_examples.h"

namespace vernier {
namespace {

CurveFunction WithNoise(const CurveFunction& value, double deviation) {
  return [=](double place, std::int64_t step) {
    std::mt19937_64 rng =
        MakeRng(static_cast<std::uint64_t>(step),
                static_cast<std::uint64_t>(std::lround(place * 1e6)));
    return value(place, step) + deviation * Normal(rng);
  };
}

TEST(ReportNoiseTest, FindsTheDeviationOfAReport) {
  for (const double deviation : {0.003, 0.01, 0.1}) {
    const CurveStudy study =
        CompleteStudy(WithNoise(FallingCurve, deviation), 8);
    EXPECT_NEAR(NoiseOfReports(study), deviation, deviation / 4);
  }
}

TEST(ReportNoiseTest, ASmoothCurveHasNone) {
  EXPECT_LT(NoiseOfReports(CompleteStudy(FallingCurve, 8)), 1e-4);
}

// Steps need not be evenly spread: a cubic is no noise wherever it is reported.
TEST(ReportNoiseTest, UnevenStepsAreNoNoise) {
  const auto cubic = [](double place, std::int64_t step) {
    const auto t = static_cast<double>(step) / kLastStep;
    return place - t + 2 * t * t * t;
  };
  CurveStudy study = CompleteStudy(cubic, 4);
  for (TrialCurve& trial : study.trials) {
    Curve some;
    for (const CurvePoint& report : trial.reports) {
      if (report.step % 7 != 3 && report.step % 5 != 1) some.push_back(report);
    }
    trial.reports = some;
  }
  EXPECT_LT(NoiseOfReports(study), 1e-12);
}

TEST(ReportNoiseTest, OneWildReportIsNotTheNoise) {
  CurveStudy study = CompleteStudy(WithNoise(FallingCurve, 0.01), 2);
  study.trials[0].reports[30].value = 1e9;
  EXPECT_LT(NoiseOfReports(study), 0.02);
}

TEST(ReportNoiseTest, TooFewReportsSayNothing) {
  CurveStudy study = CompleteStudy(WithNoise(FallingCurve, 0.01), 8);
  for (TrialCurve& trial : study.trials) trial.reports.resize(4);
  EXPECT_EQ(NoiseOfReports(study), 0);
  EXPECT_EQ(NoiseOfReports({}), 0);
}

// What runs or was stopped has not come to where it is decided.
TEST(ReportNoiseTest, OnlyCompleteTrainingsCount) {
  CurveStudy study = CompleteStudy(FallingCurve, 2);
  AddRunning(WithNoise(FallingCurve, 1), 0.3, kLastStep, &study);
  AddRunning(WithNoise(FallingCurve, 1), 0.4, kLastStep, &study);
  study.trials.back().state = CurveState::kStoppedEarly;
  EXPECT_LT(NoiseOfReports(study), 1e-4);
}

}  // namespace
}  // namespace vernier
