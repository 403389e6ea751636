#include "faces/reports/attempt_reports.h"

#include <utility>

#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "cluster/secret_file.h"
#include "cluster/secret_mask.h"
#include "store/study_kinds.h"
#include "study/metric_renames.h"
#include "study/metrics/metric_sources.h"

namespace vernier {
namespace {

// True if the attempt is to end, or is gone.
bool ShouldStop(const StoreSnapshot& snapshot, const AttemptKey& key) {
  const auto study = snapshot.find(key.study);
  if (study == snapshot.end()) return true;
  const TrialRecord& trial = study->second->trials.Get(key.trial);
  const AttemptRecord& attempt =
      trial.attempts[static_cast<std::size_t>(key.number - 1)];
  return attempt.kill_wanted || IsTerminal(attempt.state) ||
         trial.state == TrialState::kStopping || IsTerminal(trial.state);
}

// Returns the job whose attempt this is; nullopt if it is gone.
std::optional<JobRef> FindJobOf(const StoreSnapshot& snapshot,
                                const AttemptKey& attempt) {
  const auto study = snapshot.find(attempt.study);
  return study == snapshot.end() ? std::nullopt : AsJob(*study->second);
}

// Returns the change that sets a program's attributes of its trial, with
// secrets masked. If the study is gone, the store will refuse the change.
UpdateMetadata WhatItSays(const StoreSnapshot& snapshot, const AttemptKey& key,
                          const UserAttributes& said,
                          std::vector<std::string>* problems) {
  const auto job = FindJobOf(snapshot, key);
  if (!job.has_value()) return {key.study, {}};
  const auto secrets = ReadSecretFile(job->run().spec->vernier.secrets_file);
  if (!secrets.ok()) {
    problems->push_back(kAttributesNotKept);
    return {key.study, {}};
  }
  UserAttributes kept = said;
  MaskAttributes(*secrets, &kept);
  return {key.study,
          AttributeUpdatesOfProgram((*job)->trials.Share(key.trial)->metadata,
                                    key.trial, kept, problems)};
}

// Returns the problems in the form that the trial keeps. They quote a report,
// which may have contained a secret.
std::vector<std::string> KeptProblems(const StoreSnapshot& snapshot,
                                      const AttemptKey& key,
                                      std::vector<std::string> problems) {
  const auto job = FindJobOf(snapshot, key);
  if (problems.empty() || !job.has_value()) return {};
  return MaskProblems(ReadSecretFile(job->run().spec->vernier.secrets_file),
                      std::move(problems));
}

}  // namespace

absl::Status CheckListens(const StoreSnapshot& snapshot,
                          const AttemptKey& attempt) {
  const auto job = FindJobOf(snapshot, attempt);
  if (!job.has_value()) {
    return absl::NotFoundError("the attempt's job is gone");
  }
  const auto& sources = job->run().spec->vernier.metric_sources;
  if (ListensTo(sources, MetricSourceKind::kReport)) return absl::OkStatus();
  return absl::FailedPreconditionError(
      "the job does not listen to reports: vernier.metricSources has no "
      "REPORT");
}

std::int64_t LastStepOf(const StoreSnapshot& snapshot,
                        const AttemptKey& attempt) {
  const auto study = snapshot.find(attempt.study);
  if (study == snapshot.end()) return 0;
  const std::optional<FinalMeasurement>& last =
      study->second->trials.Get(attempt.trial).objective.last;
  return last.has_value() ? last->step : 0;
}

std::vector<std::string> TunedOf(const StoreSnapshot& snapshot,
                                 const AttemptKey& attempt) {
  const auto job = FindJobOf(snapshot, attempt);
  if (!job.has_value()) return {};
  return ReportedMetrics(*job->run().spec);
}

absl::StatusOr<bool> TakeReport(Store& store, const Clock& clock,
                                const AttemptKey& attempt, AttemptReport report,
                                std::vector<std::string>* problems) {
  const bool is_nothing =
      report.measurements.empty() && report.attributes.empty();
  std::vector<Change> changes;
  if (!report.attributes.empty()) {
    UpdateMetadata said =
        WhatItSays(*store.Snapshot(), attempt, report.attributes, problems);
    if (!said.updates.empty()) changes.push_back(std::move(said));
  }
  if (!report.measurements.empty() || !problems->empty()) {
    AddMeasurements change{attempt, std::move(report.measurements)};
    change.problems = KeptProblems(*store.Snapshot(), attempt, *problems);
    for (Measurement& measurement : change.measurements) {
      measurement.road = MetricRoad::kReport;
    }
    // A client that got no answer sends the report again.
    change.may_be_repeated = true;
    changes.push_back(std::move(change));
  }
  if (!changes.empty()) {
    VERNIER_RETURN_IF_ERROR(store.Commit(changes, clock.Now()));
  }
  if (is_nothing && !problems->empty()) {
    return absl::InvalidArgumentError(absl::StrJoin(*problems, "; "));
  }
  return ShouldStop(*store.Snapshot(), attempt);
}

}  // namespace vernier
