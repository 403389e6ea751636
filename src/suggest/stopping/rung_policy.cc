#include "suggest/stopping/rung_policy.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/rng.h"
#include "suggest/curves/training_length.h"

namespace vernier {
namespace {

using Climber = RungPolicy::Climber;
using Standing = RungPolicy::Standing;

// By default the first rung lies at 1 / eta^3 of a training.
constexpr int kDefaultHalvings = 3;

// A limit, since a factor near 1 would make a rung of each of millions of
// steps.
constexpr std::size_t kMostRungs = 200;
// The bound of EarlyStoppingOptions::brackets, also for studies without that
// option.
constexpr int kMostBrackets = 10;

// Streams of the study's random generator; trials have 1, 2, ...
constexpr std::uint64_t kBracketStream = std::uint64_t{7} << 60;

// Values at each rung, of all trials of a bracket that have reached it.
using Ladder = std::vector<std::vector<double>>;

std::size_t BracketOf(const std::vector<Bracket>& brackets, std::uint64_t seed,
                      std::int64_t trial) {
  double total = 0;
  for (const Bracket& bracket : brackets) total += bracket.weight;
  std::mt19937_64 rng =
      MakeRng(seed, kBracketStream + static_cast<std::uint64_t>(trial));
  double left = UniformDouble(rng) * total;
  for (std::size_t i = 0; i + 1 < brackets.size(); ++i) {
    left -= brackets[i].weight;
    if (left < 0) return i;
  }
  return brackets.size() - 1;
}

// Adds the trial's values to the ladder.
std::optional<Climber> Climb(const TrialCurve& trial, const Bracket& bracket,
                             Ladder* ladder) {
  std::optional<Climber> climber;
  for (std::size_t k = 0; k < bracket.rungs.size(); ++k) {
    const std::optional<double> value = ValueAt(
        trial.reports, static_cast<std::int64_t>(std::ceil(bracket.rungs[k])));
    if (!value.has_value()) continue;
    (*ladder)[k].push_back(*value);
    climber = Climber{&trial, 0, k, *value};
  }
  return climber;
}

// Sorts from the best value down.
void Sort(Goal goal, Ladder* ladder) {
  for (std::vector<double>& values : *ladder) {
    std::sort(values.begin(), values.end(),
              [&](double a, double b) { return IsWorse(b, a, goal); });
  }
}

Standing StandingOf(const Climber& climber, const Ladder& ladder, Goal goal) {
  const std::vector<double>& values = ladder[climber.rung];
  const auto first_not_better = std::lower_bound(
      values.begin(), values.end(), climber.value,
      [&](double value, double own) { return IsWorse(own, value, goal); });
  return {static_cast<std::size_t>(first_not_better - values.begin()),
          values.size()};
}

std::string Say(const char* rule, const char* verb, const Climber& climber,
                double rung, const Standing& standing, std::size_t places) {
  const std::string rest =
      places == 0   ? "none goes on until there are more"
      : places == 1 ? "only the best one goes on"
                    : absl::StrCat("only the best ", places, " go on");
  return absl::StrFormat(
      "%s %s it at step %d: of the %d trials compared at step %.0f it is "
      "number "
      "%d, with %.4g, and %s.",
      rule, verb, climber.trial->reports.back().step, standing.reached,
      std::ceil(rung), standing.better + 1, climber.value, rest);
}

}  // namespace

std::vector<Bracket> MakeBrackets(double first_step, double last_step,
                                  double reduction_factor, int num_brackets) {
  std::vector<double> rungs;
  for (double step = first_step; step < last_step && rungs.size() < kMostRungs;
       step = std::max(step + 1, step * reduction_factor)) {
    rungs.push_back(step);
  }
  const std::size_t most = rungs.size() + 1;
  const std::size_t count =
      std::min(most, static_cast<std::size_t>(std::max(1, num_brackets)));
  std::vector<Bracket> brackets;
  for (std::size_t i = 0; i < count; ++i) {
    const auto halvings = static_cast<double>(rungs.size() - i);
    brackets.push_back(
        {{rungs.begin() + static_cast<std::ptrdiff_t>(i), rungs.end()},
         std::ceil(static_cast<double>(most) / (halvings + 1) *
                   std::pow(reduction_factor, halvings))});
  }
  return brackets;
}

std::vector<Bracket> RungPolicy::BracketsOf(std::int64_t length) const {
  const auto last = static_cast<double>(length);
  const double eta = options_.reduction_factor;
  double first =
      std::max(1.0, std::ceil(last / std::pow(eta, kDefaultHalvings)));
  if (options_.min_steps.has_value()) {
    first = static_cast<double>(*options_.min_steps);
  }
  const int most =
      kind_ == Kind::kAsha
          ? 1
          : std::min(options_.brackets.value_or(kMostBrackets), kMostBrackets);
  return MakeBrackets(first, last, eta, most);
}

std::vector<StoppingVerdict> RungPolicy::Judge(const CurveStudy& study,
                                               int free_slots) {
  const std::optional<std::int64_t> length = TrainingLength(study, options_);
  if (!length.has_value()) return {};
  const std::vector<Bracket> brackets = BracketsOf(*length);
  std::vector<Ladder> ladders;
  ladders.reserve(brackets.size());
  for (const Bracket& bracket : brackets) {
    ladders.emplace_back(bracket.rungs.size());
  }
  std::vector<Climber> climbers;
  for (const TrialCurve& trial : study.trials) {
    if (trial.breaks_constraint) continue;
    const std::size_t bracket = BracketOf(brackets, study.seed, trial.trial);
    std::optional<Climber> climber =
        Climb(trial, brackets[bracket], &ladders[bracket]);
    if (!climber.has_value()) continue;
    climber->bracket = bracket;
    climbers.push_back(*climber);
  }
  for (Ladder& ladder : ladders) Sort(study.goal, &ladder);
  std::vector<StoppingVerdict> verdicts;
  for (const Climber& climber : climbers) {
    const CurveState state = climber.trial->state;
    if (state != CurveState::kRunning && state != CurveState::kPaused) continue;
    const Bracket& bracket = brackets[climber.bracket];
    const Standing standing =
        StandingOf(climber, ladders[climber.bracket], study.goal);
    StoppingVerdict verdict =
        Decide(study, climber, standing, bracket.rungs[climber.rung], *length);
    if (verdict.advice == TrialAdvice::kContinue) continue;
    if (verdict.advice == TrialAdvice::kResume && free_slots-- <= 0) continue;
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

StoppingVerdict RungPolicy::Decide(const CurveStudy& study,
                                   const Climber& climber,
                                   const Standing& standing, double rung,
                                   std::int64_t length) const {
  const TrialCurve& trial = *climber.trial;
  const double share =
      static_cast<double>(standing.reached) / options_.reduction_factor;
  const auto places = static_cast<std::size_t>(
      study.can_resume ? std::floor(share) : std::ceil(share));
  const bool is_among_the_best = standing.better < places;
  const auto say = [&](TrialAdvice advice, const char* verb) {
    const char* const rule = kind_ == Kind::kAsha ? "ASHA" : "Hyperband";
    return StoppingVerdict{trial.trial, advice,
                           Say(rule, verb, climber, rung, standing, places)};
  };
  const StoppingVerdict go_on{trial.trial, TrialAdvice::kContinue, ""};
  if (trial.state == CurveState::kPaused) {
    if (!study.can_resume || !is_among_the_best) return go_on;
    return say(TrialAdvice::kResume, "resumes");
  }
  const bool is_over = trial.reports.back().step >= length;
  if (is_among_the_best || is_over) return go_on;
  if (study.can_resume) return say(TrialAdvice::kPause, "paused");
  if (share < 1 || IsBestSoFar(study, BestValue(trial.reports, study.goal))) {
    return go_on;
  }
  return say(TrialAdvice::kStop, "stopped");
}

}  // namespace vernier
