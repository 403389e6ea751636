#ifndef VERNIER_TESTS_STORE_JOB_FIXTURE_H_
#define VERNIER_TESTS_STORE_JOB_FIXTURE_H_

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/stable_digest.h"
#include "store/store.h"
#include "study/job_file/job_parser.h"

namespace vernier {

/// The options of a job for a test; everything else is as small as it can be.
struct JobOptions {
  std::string job_id = "job";
  int max_trials = 8;
  /// At most max_trials; nullopt: 3, or max_trials if that is less.
  std::optional<int> max_parallel_trials = std::nullopt;
  Goal goal = Goal::kMaximize;
  std::string request_id = "";
  std::vector<double> initial_rates = {};  ///< One initial point each.
  std::string section = "";  ///< More of its vernier section: ",\"key\":value".
};

/// Returns a job as the parser makes it from its spec_json. Throws if that is
/// no job, because no caller of a store has such a one, and no database with
/// such a one opens again.
inline NewJob MakeJob(const JobOptions& options) {
  const bool maximize = options.goal == Goal::kMaximize;
  std::string points;
  for (const double value : options.initial_rates) {
    absl::StrAppend(&points, points.empty() ? "" : ",", "{\"rate\":", value,
                    "}");
  }

  NewJob job;
  job.spec_json = absl::StrCat(
      R"({"jobId":")", options.job_id,
      R"(","labels":{"team":"red"},"trainingInput":{"scaleTier":"BASIC",)",
      R"("region":"local","pythonModule":"m.task","packageUris":["p.tar.gz"],)",
      R"("hyperparameters":{"goal":")", maximize ? "MAXIMIZE" : "MINIMIZE",
      R"(","hyperparameterMetricTag":"loss","maxTrials":)", options.max_trials,
      R"(,"maxParallelTrials":)",
      options.max_parallel_trials.value_or(std::min(3, options.max_trials)),
      R"(,"params":[{"parameterName":"rate","type":"DOUBLE","minValue":0,)",
      R"("maxValue":1}]}},"vernier":{"initialPoints":[)", points, "]",
      options.section, "}}");
  job.spec =
      std::make_shared<const JobSpec>(ParseJob(job.spec_json, {}).value().spec);
  job.ignored_fields = {"trainingInput.region"};
  job.seed = 0xfedcba9876543210;
  job.code_dir = "/code/1";
  job.run_root = "/runs";
  job.request_id = options.request_id;
  return job;
}

/// Returns the next version of a job, which has `options` and code of its own.
inline ReviseJob Revise(StudyId study, int replaced_version,
                        const JobOptions& options) {
  NewJob job = MakeJob(options);
  ReviseJob change;
  change.study = study;
  change.replaced_version = replaced_version;
  change.spec = job.spec;
  change.spec_json = job.spec_json;
  change.ignored_fields = job.ignored_fields;
  change.code_dir = absl::StrCat("/code/", replaced_version + 1);
  change.code_digest = absl::StrCat("digest ", replaced_version + 1);
  change.changes = "new code";
  change.labels = {{"team", "blue"}};
  change.max_trials = options.max_trials;
  change.made_up_trials = 0;
  change.request_id = options.request_id;
  change.request_digest = StableDigest(change.spec_json);
  return change;
}

/// Returns the instant that is `seconds` after the epoch.
inline Timestamp At(int seconds) {
  return Timestamp(std::chrono::seconds(seconds));
}

inline NewTrial MakeTrial(double rate) {
  return {{{"rate", rate}, {"units", std::int64_t{64}}, {"act", "relu"}},
          {"SOBOL", EventSequence{1}}};
}

/// Returns a trial that was made from a user's point.
inline NewTrial MakeTrialByHand(double rate) {
  SuggestionRecord record;
  record.method = SuggestionMethod::kUser;
  return {{{"rate", rate}}, {"USER", EventSequence{1}, record}};
}

inline IntendLaunch Launch(const AttemptKey& key,
                           std::vector<DeviceId> devices = {}) {
  return {key,
          absl::StrCat("nonce-", ToInt(key.study), "-", ToInt(key.trial), "-",
                       key.number),
          std::move(devices)};
}

inline EndAttempt End(const AttemptKey& key, AttemptEvent event,
                      TrialEndCause cause = TrialEndCause::kNone) {
  EndAttempt end;
  end.attempt = key;
  end.event = event;
  end.cause = cause;
  return end;
}

inline MoveTrial Move(StudyId study, TrialId trial, TrialEvent event,
                      TrialEndCause cause = TrialEndCause::kNone,
                      const std::string& message = "") {
  return {study, trial, event, cause, message, std::nullopt};
}

inline EndAttempt Exit(const AttemptKey& key, int exit_code = 0) {
  EndAttempt end = End(key, AttemptEvent::kExit);
  end.cause =
      exit_code == 0 ? TrialEndCause::kSuccess : TrialEndCause::kUserError;
  end.exit_code = exit_code;
  end.message = "the last lines";
  end.lasted = std::chrono::microseconds(1500);
  return end;
}

inline MoveTrial Complete(StudyId study, TrialId trial, double value) {
  return {study,
          trial,
          TrialEvent::kReportFinal,
          TrialEndCause::kSuccess,
          "",
          FinalMeasurement{10, value}};
}

inline Measurement Report(std::int64_t step, double value,
                          const std::string& metric = "loss",
                          int at_seconds = 100) {
  return {metric, step, At(at_seconds), value};
}

/// Returns the steps of all measurements of trial 1/1.
inline std::set<std::int64_t> StoredSteps(const Store& store) {
  const std::vector<Measurement> list =
      store.ListMeasurements(StudyId{1}, TrialId{1}, "", 10000000).value();
  std::set<std::int64_t> steps;
  for (const Measurement& one : list) steps.insert(one.step);
  return steps;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_JOB_FIXTURE_H_
