#include "trials/engine/failure_report.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/median.h"
#include "base/percent_text.h"
#include "store/present_space.h"
#include "study/words/duration_text.h"
#include "trials/engine/study_view.h"
#include "trials/engine/trial_duration.h"
#include "trials/results/end_values.h"

namespace vernier {
namespace {

// A duration needs a whole record, which has to be unpacked.
constexpr std::size_t kMostDurations = 500;

// The observed trials by how they ended.
struct Ends {
  std::array<std::vector<TrialId>,
             static_cast<std::size_t>(kLastFailureKind) + 1>
      died;
  std::vector<TrialId> completed;
  std::vector<TrialId> stopped;  // With a value.
};

Ends EndsOf(const StudySnapshot& study, const std::vector<TrialId>& observed) {
  Ends ends;
  for (const TrialId id : observed) {
    const TrialBrief trial = study.trials.Brief(id);
    if (!HasEndValue(trial)) {
      const FailureKind kind = LawOf(trial.end_cause).failure;
      ends.died[static_cast<std::size_t>(kind)].push_back(id);
    } else if (trial.state == TrialState::kStopped) {
      ends.stopped.push_back(id);
    } else {
      ends.completed.push_back(id);
    }
  }
  return ends;
}

std::optional<std::chrono::microseconds> MedianDuration(
    const StudySnapshot& study, const std::vector<TrialId>& trials) {
  const std::size_t count = std::min(trials.size(), kMostDurations);
  std::vector<double> durations;
  for (std::size_t i = 0; i < count; ++i) {
    const TrialId id = trials[i * trials.size() / count];
    const auto duration = DurationOf(*study.trials.Share(id));
    if (duration.has_value()) {
      durations.push_back(static_cast<double>(duration->count()));
    }
  }
  if (durations.empty()) return std::nullopt;
  return std::chrono::microseconds(
      static_cast<std::int64_t>(Median(std::move(durations))));
}

// Returns whether a training that was stopped early could still have died so.
bool ComesLate(FailureKind kind) {
  return kind == FailureKind::kDivergence || kind == FailureKind::kTimeLimit;
}

std::optional<FailureBoundary> BoundaryOf(const StudySnapshot& study,
                                          const Ends& ends, FailureKind kind) {
  const PresentSpace space(study);
  std::vector<TrialFate> fates;
  const auto add = [&](const std::vector<TrialId>& trials, bool has_failed) {
    for (const TrialId id : trials) {
      auto parameters = space.Read(study.trials.ParametersOf(id));
      if (!parameters.has_value()) continue;
      fates.push_back({*std::move(parameters), has_failed});
    }
  };
  const auto& died = ends.died[static_cast<std::size_t>(kind)];
  const std::size_t living =
      ends.completed.size() + (ComesLate(kind) ? 0 : ends.stopped.size());
  if (died.size() < kFewestFates || living < kFewestFates) return std::nullopt;
  add(died, true);
  add(ends.completed, false);
  if (!ComesLate(kind)) add(ends.stopped, false);
  return FindFailureBoundary(study.spec->parameters, fates);
}

// What follows "3 trials".
std::string_view HowTheyDied(FailureKind kind) {
  switch (kind) {
    case FailureKind::kNone:
      break;
    case FailureKind::kOutOfMemory:
      return "ran out of memory";
    case FailureKind::kDivergence:
      return "diverged";
    case FailureKind::kTimeLimit:
      return "ran into the time limit";
    case FailureKind::kOther:
      return "failed or were infeasible";
  }
  return "died";
}

// Calls `visit` with each kind that has enough deaths.
template <typename Visit>
void ForEachKind(const Ends& ends, const Visit& visit) {
  for (std::size_t i = 1; i < ends.died.size(); ++i) {
    if (ends.died[i].size() >= kFewestDeaths) {
      visit(static_cast<FailureKind>(i), ends.died[i]);
    }
  }
}

}  // namespace

std::vector<FailureReport> ReportFailures(
    const StudySnapshot& study, const std::vector<TrialId>& observed) {
  const Ends ends = EndsOf(study, observed);
  std::vector<FailureReport> reports;
  ForEachKind(ends, [&](FailureKind kind, const std::vector<TrialId>& died) {
    reports.push_back({kind, std::ssize(died), std::ssize(observed),
                       MedianDuration(study, died),
                       MedianDuration(study, ends.completed),
                       BoundaryOf(study, ends, kind)});
  });
  return reports;
}

std::string DescribeFailures(const FailureReport& report) {
  const double share =
      static_cast<double>(report.count) / static_cast<double>(report.observed);
  std::string text = absl::StrCat(report.count, " of ", report.observed,
                                  " trials (", PercentText(share), ") ",
                                  std::string(HowTheyDied(report.kind)));
  if (report.time_to_death.has_value()) {
    absl::StrAppend(&text, ", after ", DurationText(*report.time_to_death),
                    " in the median");
    if (report.time_of_success.has_value()) {
      absl::StrAppend(&text, "; a success takes ",
                      DurationText(*report.time_of_success));
    }
  }
  text += ".";
  if (!report.boundary.has_value()) return text;
  const FailureBoundary& boundary = *report.boundary;
  absl::StrAppend(&text, " Of trials with ", DescribeRule(boundary), ", ",
                  boundary.inside_failed, " of ", boundary.inside, " did, and ",
                  boundary.outside_failed, " of ", boundary.outside,
                  " others.");
  return text;
}

std::string DescribeBoundariesAt(const StudySnapshot& study,
                                 const Parameters& parameters) {
  std::int64_t deaths = 0;
  for (const auto& [cause, count] : study.ended) {
    if (TeachesInfeasible(cause)) deaths += count;
  }
  // Most studies have none, and all their trials need not be read.
  if (deaths < std::int64_t{kFewestDeaths}) return "";
  const auto here = PresentSpace(study).Read(parameters);
  if (!here.has_value()) return "";
  const Ends ends = EndsOf(study, ObservedTrials(study));
  std::string text;
  ForEachKind(ends, [&](FailureKind kind, const std::vector<TrialId>&) {
    const auto boundary = BoundaryOf(study, ends, kind);
    if (!boundary.has_value()) return;
    const std::string value = DescribeValueAt(*boundary, *here);
    absl::StrAppend(
        &text, text.empty() ? "" : " ", "So far ", boundary->inside_failed,
        " of ", boundary->inside, " trials with ", DescribeRule(*boundary), " ",
        std::string(HowTheyDied(kind)), ", and ", boundary->outside_failed,
        " of ", boundary->outside, " others; this one has ",
        value.empty() ? "none" : value, ".");
  });
  return text;
}

}  // namespace vernier
