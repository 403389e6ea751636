#include "trials/jobs/missing_objective.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

constexpr std::size_t kMostNames = 10;

/// Returns the metric of `seen` that `tag` most likely means, or "".
std::string_view NearestMetric(const std::string& tag,
                               const std::vector<SeenMetric>& seen) {
  std::vector<std::string_view> names;
  names.reserve(seen.size());
  for (const SeenMetric& metric : seen) names.emplace_back(metric.name);
  const std::string_view nearest = NearestName(tag, names);
  if (!nearest.empty()) return nearest;
  // An abbreviation such as "acc" is near to its name, but not the other way.
  const std::string_view wanted[] = {tag};
  for (const std::string_view name : names) {
    if (!NearestName(name, wanted).empty()) return name;
  }
  return "";
}

/// "\"acc\" (STDOUT), \"loss\" (STDOUT); did you mean \"acc\"?"
std::string NamesWithNearest(const std::string& tag,
                             const std::vector<SeenMetric>& seen) {
  std::string text;
  for (std::size_t i = 0; i < std::min(seen.size(), kMostNames); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", InQuotes(seen[i].name), " (",
                    std::string(ToString(seen[i].road)), ")");
  }
  if (seen.size() > kMostNames) {
    absl::StrAppend(&text, " and ", seen.size() - kMostNames, " more");
  }
  const std::string_view nearest = NearestMetric(tag, seen);
  if (!nearest.empty()) {
    absl::StrAppend(&text, "; did you mean ", InQuotes(nearest), "?");
  }
  return text;
}

// "the metric "loss"", "the metrics "loss", "latency"".
std::string NeededOf(const StudyRecord& job) {
  const std::vector<std::string> names = NeededMetrics(*job.spec);
  std::string text = names.size() == 1 ? "the metric " : "the metrics ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : ", ", InQuotes(names[i]));
  }
  return text;
}

const std::string& TagOf(const StudyRecord& job) {
  return ObjectiveOf(*job.spec).name;
}

bool IsTuned(const StudySnapshot& study) {
  return IsJob(study) && !study.spec->parameters.empty();
}

// Returns whether a trial that has ended had reported the objective. A NaN
// counts, because it shows that the name is right.
bool HasHadObjective(const StudySnapshot& study) {
  return CountOf(study.ended, TrialEndCause::kSuccess) > 0 ||
         CountOf(study.ended, TrialEndCause::kStoppedEarly) > 0 ||
         CountOf(study.ended, TrialEndCause::kNotFinite) > 0;
}

}  // namespace

std::string DescribeMissingMetric(const std::string& metric,
                                  const TrialRecord& trial,
                                  const std::string& last_lines) {
  std::string text = absl::StrCat(
      "the program ended well but reported no value of the metric ",
      InQuotes(metric));
  if (!trial.metrics_seen.empty()) {
    absl::StrAppend(
        &text, "; it reported: ", NamesWithNearest(metric, trial.metrics_seen));
  }
  const char* before = "; of its reports could not be taken: ";
  for (const std::string& problem : trial.metric_problems) {
    absl::StrAppend(&text, before, problem);
    before = "; ";
  }
  const bool says_why =
      !trial.metrics_seen.empty() || !trial.metric_problems.empty();
  if (says_why) return text;
  absl::StrAppend(&text, "; it reported no metric at all");
  if (!last_lines.empty()) {
    absl::StrAppend(&text, ". The last lines of its log:\n", last_lines);
  }
  return text;
}

std::string DescribeNotFinite(const std::string& metric,
                              const MetricSummary& summary) {
  const auto& value = summary.not_finite_last;
  if (!value.has_value()) {
    return absl::StrCat("no value of ", ShowText(metric), " was finite");
  }
  return absl::StrCat("its last value of ", ShowText(metric), " was ",
                      NumberText(value->value), " at step ", value->step);
}

std::string HowToReportObjective(const StudyRecord& job) {
  if (HasOtherMetrics(*job.spec)) {
    return absl::StrCat("Have the program report ", NeededOf(job),
                        ", or correct their names and run the job again.");
  }
  return absl::StrCat("Have the program report ", InQuotes(TagOf(job)),
                      " (hyperparameterMetricTag), or correct "
                      "hyperparameterMetricTag and run the job again.");
}

std::string MissingObjectiveNote(const StudySnapshot& study) {
  const int count = CountOf(study.ended, TrialEndCause::kNoMetric);
  if (!IsTuned(study) || count == 0 || HasHadObjective(study)) return "";
  std::string text = absl::StrCat(
      count == 1 ? "1 trial has" : absl::StrCat(count, " trials have"),
      " ended without a value of ",
      HasOtherMetrics(*study.spec) ? "each of " : "", NeededOf(study),
      ", and none with one.");
  for (std::size_t n = study.trials.size(); n > 0; --n) {
    const TrialId id{static_cast<std::int64_t>(n)};
    if (study.trials.Brief(id).end_cause != TrialEndCause::kNoMetric) continue;
    absl::StrAppend(&text, " Trial ", n, ": ", study.trials.Share(id)->message);
    break;
  }
  return text;
}

std::string OtherMetricsNote(const StudySnapshot& study) {
  if (!IsTuned(study) || HasHadObjective(study)) return "";
  const TrialRecord* other = nullptr;
  for (const TrialId id : study.open) {
    const TrialRecord& trial = study.trials.Get(id);
    const MetricSummary& objective = trial.objective;
    if (objective.finite_count + objective.not_finite_count > 0) return "";
    if (other == nullptr && !trial.metrics_seen.empty()) other = &trial;
  }
  if (other == nullptr) return "";
  return absl::StrCat("No value of the metric ", InQuotes(TagOf(study)),
                      " yet; trial ", ToInt(other->id), " has reported: ",
                      NamesWithNearest(TagOf(study), other->metrics_seen));
}

}  // namespace vernier
