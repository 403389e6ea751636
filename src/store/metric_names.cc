#include "store/metric_names.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

// Calls `use` with each place where the trial names a metric, except for the
// keys of `others`.
template <typename Trial, typename Use>
void ForEachName(Trial& trial, const Use& use) {
  const auto in_report = [&](auto& report) {
    for (auto& one : report.metrics) use(one.metric);
  };
  for (auto& seen : trial.metrics_seen) use(seen.name);
  if (trial.final_report.has_value()) in_report(*trial.final_report);
  for (auto& report : trial.brought) in_report(report);
}

bool ComesFirst(const Measurement& a, const Measurement& b) {
  return std::tie(a.attempt, a.metric, a.step, a.reported_at) <
         std::tie(b.attempt, b.metric, b.step, b.reported_at);
}

// A program may print the new name of a metric as something else, which nobody
// knew when the metric got it. So what comes from one source under several
// names of a metric counts under the one that it had first.
void LeaveOneNameOfEach(const StudySpec& spec,
                        std::vector<Measurement>* measurements) {
  std::map<std::pair<MetricRoad, std::string>, std::size_t> first;
  const auto rank = [&](const std::string& metric, const std::string& name) {
    const auto former = spec.renamed_from.find(metric);
    if (former == spec.renamed_from.end()) return std::size_t{0};
    const std::vector<std::string>& names = former->second;
    return static_cast<std::size_t>(
        std::find(names.begin(), names.end(), name) - names.begin());
  };
  for (const Measurement& each : *measurements) {
    const std::string& metric = NameOfReported(spec, each.metric);
    const std::size_t place = rank(metric, each.metric);
    const auto [known, is_new] = first.try_emplace({each.road, metric}, place);
    if (!is_new) known->second = std::min(known->second, place);
  }
  std::erase_if(*measurements, [&](const Measurement& each) {
    const std::string& metric = NameOfReported(spec, each.metric);
    return rank(metric, each.metric) > first.at({each.road, metric});
  });
}

// Returns the first of the names that the trial has reported; null if it has
// reported none of them.
const std::string* FindReported(const TrialRecord& trial,
                                const std::set<std::string>& names) {
  const std::string* found = nullptr;
  ForEachName(trial, [&](const std::string& name) {
    const auto same = names.find(name);
    if (found == nullptr && same != names.end()) found = &*same;
  });
  return found;
}

// Returns whether someone may still report under the names of before. Each
// attempt of a job gets the names of its start.
bool MayMeanFormerNames(const StudySnapshot& study) {
  if (IsJob(study)) return study.live_attempts > 0;
  return std::any_of(study.open.begin(), study.open.end(), [&](TrialId id) {
    return study.trials.Brief(id).state != TrialState::kRequested;
  });
}

}  // namespace

void TakePresentNames(const FormerNames& names, TrialRecord* trial) {
  if (names.empty()) return;
  ForEachName(*trial,
              [&](std::string& name) { name = NameOfRecorded(names, name); });
}

RecordedTrial::RecordedTrial(const FormerNames& names, const TrialRecord& trial)
    : present_(trial) {
  if (names.empty()) return;
  recorded_ = trial;
  ForEachName(*recorded_,
              [&](std::string& name) { name = RecordedName(names, name); });
}

void Rename(const MetricRenames& renames, TrialRecord* trial) {
  const auto rename = [&](std::string& name) {
    const auto found = renames.find(name);
    if (found != renames.end()) name = found->second;
  };
  ForEachName(*trial, rename);
  std::map<std::string, MetricSummary> others;
  for (const auto& [name, summary] : trial->others) {
    std::string present = name;
    rename(present);
    others.emplace(std::move(present), summary);
  }
  trial->others = std::move(others);
}

void TakePresentNames(const FormerNames& names,
                      std::vector<Measurement>* measurements) {
  if (names.empty()) return;
  for (Measurement& each : *measurements) {
    each.metric = NameOfRecorded(names, each.metric);
  }
  std::stable_sort(measurements->begin(), measurements->end(), ComesFirst);
}

void TakePresentNames(const FormerNames& names,
                      std::vector<TrialMeasurement>* measurements) {
  if (names.empty()) return;
  for (TrialMeasurement& each : *measurements) {
    each.measurement.metric = NameOfRecorded(names, each.measurement.metric);
  }
  std::stable_sort(measurements->begin(), measurements->end(),
                   [](const TrialMeasurement& a, const TrialMeasurement& b) {
                     if (a.trial != b.trial) return a.trial < b.trial;
                     return ComesFirst(a.measurement, b.measurement);
                   });
}

MetricReport AsReported(const StudySpec& spec, MetricReport report) {
  if (spec.renamed_from.empty()) return report;
  for (MetricValue& one : report.metrics) {
    one.metric = NameOfReported(spec, one.metric);
  }
  return report;
}

AddMeasurements AsReported(const StudySpec& spec, AddMeasurements change) {
  if (spec.renamed_from.empty()) return change;
  LeaveOneNameOfEach(spec, &change.measurements);
  for (Measurement& each : change.measurements) {
    each.metric = NameOfReported(spec, each.metric);
  }
  for (CurveRestart& each : change.restarts) {
    each.metric = NameOfReported(spec, each.metric);
  }
  return change;
}

absl::Status CheckRenames(const StudySnapshot& study, const StudySpec& after) {
  const MetricRenames renames = RenamesBetween(*study.spec, after);
  if (renames.empty()) return absl::OkStatus();
  if (PassesNamesOn(*study.spec, renames) && MayMeanFormerNames(study)) {
    return absl::FailedPreconditionError(
        IsJob(study)
            ? "a name goes from one metric to another, and programs that run "
              "still mean the one that has it: wait until no trial runs, or "
              "use `vernier jobs pause JOB --now` first"
            : "a name goes from one metric to another, and clients have trials "
              "that still mean the one that has it: complete those first");
  }
  // Under a name that a metric has or had, trials have reported that metric.
  std::set<std::string> names;
  for (const auto& [old, name] : renames) {
    if (renames.count(name) == 0 &&
        FindFormer(study.spec->renamed_from, name) == nullptr) {
      names.insert(name);
    }
  }
  if (names.empty()) return absl::OkStatus();
  for (std::size_t n = 1; n <= study.trials.size(); ++n) {
    const auto trial =
        study.trials.Share(TrialId{static_cast<std::int64_t>(n)});
    const std::string* const taken = FindReported(*trial, names);
    if (taken == nullptr) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "trial ", n, " has reported something else as \"", ShowText(*taken),
        "\": choose a name that no trial has reported"));
  }
  return absl::OkStatus();
}

}  // namespace vernier
