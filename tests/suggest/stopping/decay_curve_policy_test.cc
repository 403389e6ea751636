#include "suggest/stopping/decay_curve_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>

#include "base/rng.h"
#include "suggest/curves/curve_model.h"
#include "suggest/gp/student_distribution.h"
#include "tests/suggest/curves/curve_examples.h"

namespace vernier {
namespace {

using testing::HasSubstr;

constexpr auto kRule = StoppingRule::kDecayCurve;

// Falling curves that drift, each place by its own luck, from where they would
// have been.
CurveFunction LuckyCurve(unsigned seed, double deviation) {
  return [=](double place, std::int64_t step) {
    std::mt19937 rng(seed + static_cast<unsigned>(std::lround(place * 1e6)));
    const double luck = std::normal_distribution<double>(0, deviation)(rng);
    return FallingCurve(place, step) +
           luck * static_cast<double>(step) / kLastStep;
  };
}

TEST(DecayCurvePolicyTest, StopsAHopelessTrialSoonAndSaysWhy) {
  CurveStudy study = CompleteStudy(FallingCurve, 6);
  const std::int64_t step = StoppedAt(kRule, study, FallingCurve, 0.05);
  EXPECT_GE(step, kLastStep / 20);
  EXPECT_LE(step, kLastStep / 3);
  AddRunning(FallingCurve, 0.05, step, &study);
  const auto verdict = VerdictOfLast(kRule, study);
  ASSERT_TRUE(verdict.has_value());
  EXPECT_EQ(verdict->advice, TrialAdvice::kStop);
  EXPECT_THAT(verdict->reason, HasSubstr("of 40: it is expected to end at 0."));
  EXPECT_THAT(verdict->reason, HasSubstr(" not beat the best, 0."));
  EXPECT_THAT(
      verdict->reason,
      HasSubstr(" %), so its steps are better spent on another trial."));
}

// Where all trials lie near the best and luck decides between them, a trial is
// given up on no better grounds than its chance to win.
TEST(DecayCurvePolicyTest, SeldomStopsAWinnerWhereLuckDecides) {
  int stopped = 0;
  int won = 0;
  for (unsigned study_number = 0; study_number < 60; ++study_number) {
    const CurveFunction lucky = LuckyCurve(study_number * 7919, 0.02);
    CurveStudy study = CompleteStudy(lucky, 6);
    for (int i = 0; i < 10; ++i) {
      AddComplete(lucky, 0.695 + 0.001 * i, &study);
    }
    const double end = lucky(0.6935, kLastStep);
    if (StoppedAt(kRule, study, lucky, 0.6935) == 0) continue;
    ++stopped;
    won += std::all_of(
        study.trials.begin(), study.trials.end(),
        [&](const TrialCurve& trial) { return end < *trial.final_value; });
  }
  EXPECT_GT(stopped, 20);
  EXPECT_LE(won, stopped / 20);
}

// Where the end follows from the place and the curve so far, as it does without
// noise, little of a trial that loses by a hair is needed.
TEST(DecayCurvePolicyTest, StopsSoonWhereTheEndIsKnownAlready) {
  CurveStudy study = CompleteStudy(FallingCurve, 6);
  for (int i = 0; i < 10; ++i) {
    AddComplete(FallingCurve, 0.695 + 0.001 * i, &study);
  }
  const std::int64_t step = StoppedAt(kRule, study, FallingCurve, 0.6935);
  EXPECT_GT(step, 0);
  EXPECT_LE(step, kLastStep / 4);
}

// Where the rule is sure of a mistake, the search proposes the winners there
// again and again, each is stopped, and nothing is ever learnt. In the end one
// must go on, whatever those that were stopped were like.
TEST(DecayCurvePolicyTest, PutsItsBeliefToTheTestAfterManyStops) {
  const CurveFunction lucky = LuckyCurve(0, 0.08);
  const CurveStudy study = CompleteStudy(lucky, 7);
  const auto is_stopped_after = [&](int stops) {
    CurveStudy now = study;
    for (int i = 0; i < stops; ++i) {
      AddRunning(lucky, 0.05 + 0.0001 * i, 3, &now);
      now.trials.back().state = CurveState::kStoppedEarly;
    }
    AddRunning(FallingCurve, 0.6, 20, &now);
    return VerdictOfLast(kRule, now).has_value();
  };
  EXPECT_TRUE(is_stopped_after(0));
  EXPECT_TRUE(is_stopped_after(19));
  EXPECT_FALSE(is_stopped_after(20));
}

// Beside many workers a slow trial ends long after those that were suggested
// after it, and puts no belief to the test that they were given up for.
TEST(DecayCurvePolicyTest, OnlyATrainingThatWasSuggestedLaterIsATest) {
  const CurveFunction lucky = LuckyCurve(0, 0.08);
  CurveStudy study = CompleteStudy(lucky, 6);
  AddRunning(lucky, std::fmod(0.618 * 7, 1.0), 30, &study);
  for (int i = 0; i < 20; ++i) {
    AddRunning(lucky, 0.05 + 0.0001 * i, 3, &study);
    study.trials.back().state = CurveState::kStoppedEarly;
  }
  CurveStudy slow_one_ended = study;
  TrialCurve& slow = slow_one_ended.trials[6];
  slow.reports = CurveOf(lucky, std::fmod(0.618 * 7, 1.0), kLastStep);
  slow.state = CurveState::kCompleted;
  slow.final_value = slow.reports.back().value;
  AddRunning(FallingCurve, 0.6, 20, &slow_one_ended);
  EXPECT_FALSE(VerdictOfLast(kRule, slow_one_ended).has_value());
  AddComplete(lucky, std::fmod(0.618 * 7, 1.0), &study);
  AddRunning(FallingCurve, 0.6, 20, &study);
  EXPECT_TRUE(VerdictOfLast(kRule, study).has_value());
}

// The probability that the last trial beats the best, by the model's outlook.
// What a verdict says of it is rounded for people.
double WinProbabilityOfLast(const CurveStudy& study) {
  std::optional<CurveModel> model = CurveModel::Create(study, {});
  const auto outlook = model.value().Judge(study.trials.back());
  const NormalValue& best = model->best_without_luck();
  const PredictedFinal& end = outlook.value().final;
  return StudentCumulative((end.mean - best.mean) /
                           std::sqrt(end.variance + best.variance));
}

// Of how many of 40 trials the rule stops if what it asks for at the beginning
// of a training, less what is due to the part that each has behind it, is so
// many times the probability that it wins.
int StoppedBelow(double factor, const CurveFunction& value,
                 const CurveStudy& study) {
  int stopped = 0;
  for (int i = 0; i < 40; ++i) {
    const int step = 5 + i % 30;
    CurveStudy now = study;
    AddRunning(value, 0.6 + 0.005 * i, step, &now);
    if (!VerdictOfLast(kRule, now).has_value()) continue;
    const double rest = 1 - static_cast<double>(step) / kLastStep;
    EarlyStoppingOptions options;
    options.min_win_probability =
        factor * WinProbabilityOfLast(now) / (rest * rest);
    stopped += VerdictOfLast(kRule, now, options).has_value();
  }
  return stopped;
}

TEST(DecayCurvePolicyTest, AsksForLessTheNearerTheEnd) {
  const CurveFunction lucky = LuckyCurve(0, 0.08);
  const CurveStudy study = CompleteStudy(lucky, 7);
  EXPECT_EQ(StoppedBelow(0.95, lucky, study), 0);
  EXPECT_GT(StoppedBelow(1.05, lucky, study), 10);
}

// Of a trial among 56 it takes an eighth of the probability that is asked for.
TEST(DecayCurvePolicyTest, AsksForLessWhereWinnersAreRare) {
  const CurveFunction lucky = LuckyCurve(0, 0.08);
  const CurveStudy study = CompleteStudy(lucky, 56);
  EXPECT_EQ(StoppedBelow(7.5, lucky, study), 0);
  EXPECT_GT(StoppedBelow(8.5, lucky, study), 10);
}

TEST(DecayCurvePolicyTest, AsksForHalfAfterTenStops) {
  const CurveFunction lucky = LuckyCurve(0, 0.08);
  CurveStudy study = CompleteStudy(lucky, 7);
  for (int i = 0; i < 10; ++i) {
    AddRunning(lucky, 0.05 + 0.0001 * i, 3, &study);
    study.trials.back().state = CurveState::kStoppedEarly;
  }
  EXPECT_EQ(StoppedBelow(1.9, lucky, study), 0);
  EXPECT_GT(StoppedBelow(2.1, lucky, study), 10);
}

// Both paused trials may win; the one that is nearer to its end is cheaper.
TEST(DecayCurvePolicyTest, ResumesFirstWhoseStepsAreWorthTheMost) {
  CurveStudy study = CompleteStudy(FallingCurve, 6);
  study.can_resume = true;
  for (const std::int64_t step : {10, 36}) {
    AddRunning(FallingCurve, 0.7, step, &study);
    study.trials.back().state = CurveState::kPaused;
  }
  const auto verdicts = MakeStoppingPolicy(kRule, {})->Judge(study, 1);
  ASSERT_EQ(verdicts.size(), 1u);
  EXPECT_EQ(verdicts[0].advice, TrialAdvice::kResume);
  EXPECT_EQ(verdicts[0].trial, 8);
  EXPECT_EQ(MakeStoppingPolicy(kRule, {})->Judge(study, 2).size(), 2u);
}

TEST(DecayCurvePolicyTest, NeverStopsTheBest) {
  const CurveStudy study = CompleteStudy(FallingCurve, 6);
  EXPECT_EQ(StoppedAt(kRule, study, FallingCurve, 0.7), 0);
}

TEST(DecayCurvePolicyTest, SaysNothingBeforeATrainingEnded) {
  CurveStudy study = CompleteStudy(FallingCurve, 0);
  AddRunning(FallingCurve, 0.7, 39, &study);
  AddRunning(FallingCurve, 0.05, 20, &study);
  EXPECT_FALSE(VerdictOfLast(kRule, study).has_value());
  CurveStudy nothing;
  EXPECT_TRUE(MakeStoppingPolicy(kRule, {})->Judge(nothing, 1).empty());
}

// One training shows how curves go on, so that the second trial of a study need
// not be a whole one; but for long no more than that.
TEST(DecayCurvePolicyTest, OneTrainingIsEnoughToStopWhatIsFarBehind) {
  const CurveStudy study = CompleteStudy(FallingCurve, 1);
  const std::int64_t step = StoppedAt(kRule, study, FallingCurve, 0.05);
  EXPECT_GE(step, kLastStep / 8);
  EXPECT_LE(step, kLastStep * 3 / 4);
  EXPECT_EQ(StoppedAt(kRule, study, FallingCurve, 0.7), 0);
}

TEST(DecayCurvePolicyTest, StopsATrialThatStaysWhereAllOthersFell) {
  const auto alike = [](double place, std::int64_t step) {
    return place < 0 ? 1.0 : FallingCurve(0.7, step);
  };
  const CurveStudy study = CompleteStudy(alike, 5);
  const std::int64_t step = StoppedAt(
      kRule, study, [&](double, auto at) { return alike(-1, at); }, 0.3);
  EXPECT_GT(step, 0);
  EXPECT_LE(step, kLastStep / 2);
  EXPECT_EQ(StoppedAt(kRule, study, alike, 0.3), 0);
}

TEST(DecayCurvePolicyTest, KeepsToTheOptions) {
  CurveStudy study = CompleteStudy(FallingCurve, 6);
  AddRunning(FallingCurve, 0.05, 15, &study);
  ASSERT_TRUE(VerdictOfLast(kRule, study).has_value());
  EarlyStoppingOptions later;
  later.min_steps = 16;
  EXPECT_FALSE(VerdictOfLast(kRule, study, later).has_value());
}

TEST(DecayCurvePolicyTest, ASmallerProbabilityStopsFewer) {
  EarlyStoppingOptions patient;
  patient.min_win_probability = 1e-6;
  EarlyStoppingOptions eager;
  eager.min_win_probability = 0.4;
  int differences = 0;
  for (int i = 0; i <= 50; ++i) {
    CurveStudy study = CompleteStudy(FallingCurve, 6);
    AddRunning(FallingCurve, 0.02 * i, 6, &study);
    const bool stops_eagerly = VerdictOfLast(kRule, study, eager).has_value();
    const bool stops = VerdictOfLast(kRule, study, patient).has_value();
    EXPECT_LE(stops, stops_eagerly);
    differences += stops != stops_eagerly;
  }
  EXPECT_GT(differences, 0);
}

TEST(DecayCurvePolicyTest, MirroredMetricsGetTheSameVerdicts) {
  CurveStudy study = CompleteStudy(FallingCurve, 6);
  AddRunning(FallingCurve, 0.05, 12, &study);
  CurveStudy mirrored = study;
  mirrored.goal = Goal::kMaximize;
  for (TrialCurve& trial : mirrored.trials) {
    for (CurvePoint& point : trial.reports) point.value = -point.value;
    if (trial.final_value.has_value()) *trial.final_value *= -1;
  }
  const auto verdict = VerdictOfLast(kRule, study);
  const auto other = VerdictOfLast(kRule, mirrored);
  ASSERT_TRUE(verdict.has_value());
  ASSERT_TRUE(other.has_value());
  EXPECT_EQ(verdict->advice, other->advice);
  EXPECT_NEAR(WinProbabilityOfLast(study), WinProbabilityOfLast(mirrored),
              1e-9);
}

// Good trials do nothing for the first quarter; bad ones fall at once.
double LateBloomer(double place, std::int64_t step) {
  const double start = place > 0.5 ? 10 : 0;
  const double gone = std::max(0.0, static_cast<double>(step) - start);
  const double end = place > 0.5 ? 0.1 + std::abs(place - 0.7) : 0.6;
  return end + (1.5 - end) * std::exp(-gone / 6);
}

TEST(CurvePitfallTest, LetsALateBloomerBloom) {
  const CurveStudy study = CompleteStudy(LateBloomer, 8);
  EXPECT_EQ(StoppedAt(kRule, study, LateBloomer, 0.705), 0);
  EXPECT_GT(StoppedAt(kRule, study, LateBloomer, 0.2), 0);
}

double WithDip(double place, std::int64_t step) {
  const double from = (static_cast<double>(step) - 5) / 2;
  return FallingCurve(place, step) +
         (place > 0.5 ? 1.0 : 0.0) * std::exp(-from * from);
}

TEST(CurvePitfallTest, SurvivesAWarmUpDip) {
  const CurveStudy study = CompleteStudy(WithDip, 8);
  EXPECT_EQ(StoppedAt(kRule, study, WithDip, 0.702), 0);
  EXPECT_GT(StoppedAt(kRule, study, WithDip, 0.05), 0);
}

// The better the end, the slower it is reached: every pair of curves crosses.
double Crossing(double place, std::int64_t step) {
  const double end = 0.1 + std::abs(place - 0.7);
  return end + (1.5 - end) *
                   std::exp(-static_cast<double>(step) * (0.06 + 0.2 * end));
}

TEST(CurvePitfallTest, KeepsTheBestOfCrossingCurves) {
  int runs = 0;
  int kept = 0;
  std::mt19937_64 rng = MakeRng(1, 1);
  for (; runs < 20; ++runs) {
    CurveStudy study = CompleteStudy(Crossing, 8);
    kept += StoppedAt(kRule, study, Crossing,
                      0.68 + 0.04 * UniformDouble(rng)) == 0;
  }
  EXPECT_GE(kept, 19) << "of " << runs;
  EXPECT_GT(StoppedAt(kRule, CompleteStudy(Crossing, 8), Crossing, 0.05), 0);
}

TEST(CurvePitfallTest, IsNotMisledByNoise) {
  int kept = 0;
  int stopped = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto noisy = [seed](double place, std::int64_t step) {
      std::mt19937_64 rng =
          MakeRng(seed, static_cast<std::uint64_t>(step) * 1000 +
                            static_cast<std::uint64_t>(place * 997));
      // The best of the complete trainings lies beside the best place.
      return FallingCurve(place + 0.15, step) + 0.02 * Normal(rng);
    };
    const CurveStudy study = CompleteStudy(noisy, 8);
    kept += StoppedAt(kRule, study, noisy, 0.55) == 0;
    stopped += StoppedAt(kRule, study, noisy, 0.02) > 0;
  }
  EXPECT_GE(kept, 19);
  EXPECT_GE(stopped, 19);
}

// Twenty epochs, each report with noise: the end, too.
CurveFunction ShortCurve(std::uint64_t seed, double deviation) {
  return [=](double place, std::int64_t step) {
    std::mt19937_64 rng =
        MakeRng(seed, static_cast<std::uint64_t>(step) * 1000 +
                          static_cast<std::uint64_t>(place * 997));
    return 0.1 + std::abs(place - 0.7) +
           0.8 * std::exp(-static_cast<double>(step) / 4) +
           deviation * Normal(rng);
  };
}

// Of trials as good as the best one and without noise a bit better, and of
// hopeless ones, how many of 40 are stopped, and how many at the first report.
struct ShortStops {
  int best = 0;
  int hopeless = 0;
  int at_first = 0;
};

ShortStops StopsOfShortTrainings(double deviation) {
  constexpr std::int64_t kShort = 20;
  ShortStops stops;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const CurveFunction noisy = ShortCurve(seed, deviation);
    const CurveStudy study = CompleteStudy(noisy, 8, kShort);
    const auto best = StoppedAt(kRule, study, noisy, 0.701, kShort);
    const auto hopeless = StoppedAt(kRule, study, noisy, 0.01, kShort);
    stops.best += best > 0;
    stops.hopeless += hopeless > 0;
    stops.at_first += (best == 1) + (hopeless == 1);
  }
  return stops;
}

// A report of noise is no evidence, and the best of many final values is one
// that noise has made better: not what a trial has to beat.
TEST(CurvePitfallTest, StopsOnNoLessThanNoiseGives) {
  for (const double deviation : {0.01, 0.03, 0.06}) {
    const ShortStops stops = StopsOfShortTrainings(deviation);
    EXPECT_LE(stops.best, 2) << "noise of " << deviation;
    EXPECT_EQ(stops.at_first, 0) << "noise of " << deviation;
    EXPECT_GE(stops.hopeless, 30) << "noise of " << deviation;
  }
}

// After a restart a program reports only from its checkpoint on.
TEST(CurvePitfallTest, JudgesACurveThatBeginsInTheMiddle) {
  CurveStudy study = CompleteStudy(FallingCurve, 8);
  AddRunning(FallingCurve, 0.7, 25, &study);
  study.trials.back().reports.erase(study.trials.back().reports.begin(),
                                    study.trials.back().reports.begin() + 18);
  EXPECT_FALSE(VerdictOfLast(kRule, study).has_value());
  AddRunning(FallingCurve, 0.02, 25, &study);
  study.trials.back().reports.erase(study.trials.back().reports.begin(),
                                    study.trials.back().reports.begin() + 18);
  EXPECT_TRUE(VerdictOfLast(kRule, study).has_value());
}

TEST(CurvePitfallTest, SaysNothingWhereStepsMeanDifferentThings) {
  const CurveStudy even = CompleteStudy(FallingCurve, 8);
  ASSERT_GT(StoppedAt(kRule, even, FallingCurve, 0.02), 0);
  // Every second training counts its steps in another unit.
  CurveStudy study = even;
  for (std::size_t i = 0; i < study.trials.size(); i += 2) {
    for (CurvePoint& point : study.trials[i].reports) point.step *= 2;
  }
  EXPECT_EQ(StoppedAt(kRule, study, FallingCurve, 0.02), 0);
}

TEST(CurvePitfallTest, AnyUnitOfStepsWillDo) {
  const auto in_batches = [](double place, std::int64_t step) {
    return FallingCurve(place, step / 1000);
  };
  const CurveStudy study = CompleteStudy(in_batches, 6, 40000, 500);
  EXPECT_GT(StoppedAt(kRule, study, in_batches, 0.05, 40000, 500), 0);
  EXPECT_EQ(StoppedAt(kRule, study, in_batches, 0.7, 40000, 500), 0);
}

TEST(CurvePitfallTest, LeavesAProgramAloneThatReportsOnce) {
  for (const std::int64_t step : {0, 1, 40}) {
    CurveStudy study = CompleteStudy(FallingCurve, 8);
    for (TrialCurve& trial : study.trials) {
      trial.reports = {{step, *trial.final_value}};
    }
    AddRunning(FallingCurve, 0.02, 3, &study);
    study.trials.back().reports = {{step, 5}};
    EXPECT_FALSE(VerdictOfLast(kRule, study).has_value());
  }
}

TEST(DecayCurvePolicyTest, PausesAndResumesWhereTheProgramCan) {
  CurveStudy study = CompleteStudy(FallingCurve, 6);
  study.can_resume = true;
  AddRunning(FallingCurve, 0.05, 12, &study);
  const auto pause = VerdictOfLast(kRule, study);
  ASSERT_TRUE(pause.has_value());
  EXPECT_EQ(pause->advice, TrialAdvice::kPause);
  // A hopeless trial stays paused, and one that leads is resumed.
  study.trials.back().state = CurveState::kPaused;
  EXPECT_FALSE(VerdictOfLast(kRule, study, {}, 4).has_value());
  AddRunning(FallingCurve, 0.7, 12, &study);
  study.trials.back().state = CurveState::kPaused;
  const auto resume = VerdictOfLast(kRule, study, {}, 4);
  ASSERT_TRUE(resume.has_value());
  EXPECT_EQ(resume->advice, TrialAdvice::kResume);
  EXPECT_THAT(resume->reason, HasSubstr("resumes it at step 12"));
  EXPECT_FALSE(VerdictOfLast(kRule, study, {}, 0).has_value());
}

}  // namespace
}  // namespace vernier
