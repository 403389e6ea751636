#include "study/metric_renames.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "study/needed_metrics.h"

namespace vernier {
namespace {

bool HasName(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

std::string NearestMetric(const std::string& name,
                          const std::vector<std::string>& needed) {
  const std::vector<std::string_view> names(needed.begin(), needed.end());
  return DidYouMean(name, names);
}

const std::string& RenamedTo(const MetricRenames& renames,
                             const std::string& name) {
  const auto found = renames.find(name);
  return found == renames.end() ? name : found->second;
}

absl::StatusOr<std::string> MetricThatHadName(
    const StudySpec& spec, const std::vector<std::string>& needed,
    const std::string& name) {
  if (HasName(needed, name)) return name;
  const std::string* const present = FindFormer(spec.renamed_from, name);
  if (present != nullptr) return *present;
  std::string known;
  for (const std::string& each : needed) {
    absl::StrAppend(&known, known.empty() ? "" : ", ", InQuotes(each));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("renamedFrom: no metric is or was called ", InQuotes(name),
                   ": the metrics are ", known, NearestMetric(name, needed)));
}

// Returns the names that the metric `old` had once it is called `name`; none if
// it is the only one that it ever had.
std::vector<std::string> FormerOf(const StudySpec& before,
                                  const std::string& old,
                                  const std::string& name) {
  std::vector<std::string> former;
  const auto found = before.renamed_from.find(old);
  if (found != before.renamed_from.end()) former = found->second;
  if (former.empty() || FindFormer(before.renamed_from, old) == nullptr) {
    former.push_back(old);
  }
  // The first name stays, since the store has it.
  former.erase(std::remove(former.begin() + 1, former.end(), name),
               former.end());
  if (former.size() == 1 && former.front() == name) former.clear();
  return former;
}

// Returns whether the metric `name` had all the names `olds` before, so that an
// edit which says so was done.
bool HadNames(const StudySpec& spec, const std::string& name,
              const std::vector<std::string>& olds) {
  const auto found = spec.renamed_from.find(name);
  return found != spec.renamed_from.end() &&
         std::all_of(olds.begin(), olds.end(), [&](const std::string& old) {
           return HasName(found->second, old);
         });
}

// Checks that the metric `old` may be called `name`.
absl::Status CheckNewName(const StudySpec& before,
                          const std::vector<std::string>& needed,
                          const MetricRenames& renames, const std::string& old,
                          const std::string& name) {
  const auto cannot = [&](const std::string& why) {
    return absl::FailedPreconditionError(
        absl::StrCat("metric ", InQuotes(old), " cannot be called ",
                     InQuotes(name), ": ", why));
  };
  if (HasName(needed, name) && renames.count(name) == 0) {
    return cannot("another metric has that name");
  }
  const std::string* const holder = FindFormer(before.renamed_from, name);
  if (holder != nullptr && *holder != old) {
    return cannot(absl::StrCat("metric ", InQuotes(*holder),
                               " was reported under that name"));
  }
  if (FormerOf(before, old, name).size() > kMostFormerNames) {
    return cannot(absl::StrCat("it has had ", kMostFormerNames,
                               " names, and no more are kept; it can have one "
                               "of those again"));
  }
  return absl::OkStatus();
}

// The metrics under the names by which the store keeps their values.
std::pair<std::vector<MetricGoal>, std::vector<OutcomeConstraint>>
UnderRecordedNames(const StudySpec& spec) {
  auto metrics = spec.metrics;
  for (MetricGoal& each : metrics) {
    each.name = RecordedName(spec.renamed_from, each.name);
  }
  auto constraints = spec.constraints;
  for (OutcomeConstraint& each : constraints) {
    each.metric = RecordedName(spec.renamed_from, each.metric);
  }
  return {std::move(metrics), std::move(constraints)};
}

}  // namespace

const std::string& NameOfReported(const StudySpec& spec,
                                  const std::string& reported) {
  if (spec.renamed_from.empty()) return reported;
  if (HasName(NeededMetrics(spec), reported)) return reported;
  const std::string* const present = FindFormer(spec.renamed_from, reported);
  return present == nullptr ? reported : *present;
}

std::vector<std::string> ReportedMetrics(const JobSpec& job) {
  std::vector<std::string> names = NeededMetrics(job);
  for (const auto& [present, former] : job.vernier.renamed_from) {
    for (const std::string& name : former) {
      if (!HasName(names, name)) names.push_back(name);
    }
  }
  return names;
}

absl::StatusOr<MetricRenames> PlanMetricRenames(const StudySpec& before,
                                                const FormerNames& asked) {
  const std::vector<std::string> needed = NeededMetrics(before);
  MetricRenames renames;
  for (const auto& [name, olds] : asked) {
    std::set<std::string> metrics;
    if (HadNames(before, name, olds)) {
      metrics.insert(name);
    } else {
      for (const std::string& old : olds) {
        VERNIER_ASSIGN_OR_RETURN(std::string metric,
                                 MetricThatHadName(before, needed, old));
        metrics.insert(std::move(metric));
      }
    }
    if (metrics.size() > 1) {
      return absl::InvalidArgumentError(absl::StrCat(
          "renamedFrom: ", InQuotes(*metrics.begin()), " and ",
          InQuotes(*metrics.rbegin()), " are two metrics, and cannot both be ",
          InQuotes(name)));
    }
    if (metrics.empty()) continue;
    if (!renames.emplace(*metrics.begin(), name).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("renamedFrom: metric ", InQuotes(*metrics.begin()),
                       " gets two names, ", InQuotes(renames[*metrics.begin()]),
                       " and ", InQuotes(name)));
    }
  }
  std::erase_if(renames,
                [](const auto& each) { return each.first == each.second; });
  for (const auto& [old, name] : renames) {
    VERNIER_RETURN_IF_ERROR(CheckNewName(before, needed, renames, old, name));
  }
  return renames;
}

StudySpec WithRenames(StudySpec spec, const MetricRenames& renames) {
  FormerNames former;
  for (const std::string& old : NeededMetrics(spec)) {
    const std::string& name = RenamedTo(renames, old);
    const auto found = spec.renamed_from.find(old);
    std::vector<std::string> names;
    if (name != old) {
      names = FormerOf(spec, old, name);
    } else if (found != spec.renamed_from.end()) {
      names = found->second;
    }
    if (!names.empty()) former[name] = std::move(names);
  }
  for (MetricGoal& each : spec.metrics) {
    each.name = RenamedTo(renames, each.name);
  }
  for (OutcomeConstraint& each : spec.constraints) {
    each.metric = RenamedTo(renames, each.metric);
  }
  spec.renamed_from = std::move(former);
  return spec;
}

MetricRenames RenamesBetween(const StudySpec& before, const StudySpec& after) {
  MetricRenames renames;
  if (!HaveSameMetrics(before, after)) return renames;
  for (const std::string& old : NeededMetrics(before)) {
    const std::string& name = NameOfRecorded(
        after.renamed_from, RecordedName(before.renamed_from, old));
    if (name != old) renames[old] = name;
  }
  return renames;
}

bool HaveSameMetrics(const StudySpec& a, const StudySpec& b) {
  return UnderRecordedNames(a) == UnderRecordedNames(b);
}

bool PassesNamesOn(const StudySpec& before, const MetricRenames& renames) {
  const std::vector<std::string> needed = NeededMetrics(before);
  return std::any_of(renames.begin(), renames.end(), [&](const auto& each) {
    const std::string* const had = FindFormer(before.renamed_from, each.first);
    return HasName(needed, each.second) ||
           (had != nullptr && *had != each.first);
  });
}

}  // namespace vernier
