#include "store/check/store_check.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "store/check/database_check.h"
#include "store/check/event_replay.h"
#include "store/check/study_check.h"
#include "store/check/table_comparison.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_database.h"
#include "store/sqlite/value_column.h"
#include "study/attempt_state.h"
#include "study/job_state.h"
#include "study/trial_state.h"

namespace vernier {
namespace {

// Three independent checks. The invariants are queries that must select
// nothing. The replay reads the events in order and checks that each is legal
// in the state before it. Last, each row of the tables is compared with the
// state that the events add up to, so that a wrong table and a wrong event both
// show.

// One claim about the tables. Each row of its query is one violation.
struct Invariant {
  const char* claim;
  const char* violations;
};

constexpr Invariant kInvariants[] = {
    {"trial numbers of a study are 1..n",
     "SELECT study FROM trial GROUP BY study"
     " HAVING min(number) <> 1 OR max(number) <> count(*)"},
    {"attempt numbers of a trial are 1..n",
     "SELECT study || '/' || trial FROM attempt GROUP BY study, trial"
     " HAVING min(number) <> 1 OR max(number) <> count(*)"},
    {"a trial has at most one live attempt",
     "SELECT study || '/' || trial FROM attempt WHERE state <= 3"
     " GROUP BY study, trial HAVING count(*) > 1"},
    {"only the last attempt of a trial is alive",
     "SELECT a.study || '/' || a.trial || '/' || a.number FROM attempt a"
     " WHERE state <= 3 AND number < (SELECT max(number) FROM attempt b"
     " WHERE b.study = a.study AND b.trial = a.trial)"},
    // A new version may allow fewer attempts than run already. The replay of
    // the events checks those.
    {"live attempts of a study stay within maxParallelTrials",
     "SELECT study FROM job j WHERE code_version = 1 AND max_parallel_trials <"
     " (SELECT count(*) FROM attempt a WHERE a.study = j.study"
     " AND a.state <= 3)"},
    {"a study has a job or a spec of its own",
     "SELECT id FROM study WHERE (spec_json IS NULL) <>"
     " EXISTS (SELECT 1 FROM job WHERE study = id)"},
    {"only trials of jobs have attempts",
     "SELECT study || '/' || trial FROM attempt"
     " WHERE study NOT IN (SELECT study FROM job)"},
    {"a measurement is of an attempt of its trial, or of a client's trial",
     "SELECT study || '/' || trial || '/' || attempt FROM"
     " (SELECT DISTINCT study, trial, attempt FROM measurement) m"
     " WHERE CASE attempt WHEN 0 THEN study IN (SELECT study FROM job)"
     " ELSE NOT EXISTS (SELECT 1 FROM attempt a WHERE a.study = m.study"
     " AND a.trial = m.trial AND a.number = m.attempt) END"},
    {"versions of a job are 1..n, the newest in its study",
     "SELECT study FROM job j WHERE code_version <> 1 +"
     " (SELECT count(*) FROM job_version v WHERE v.study = j.study)"},
    {"an attempt runs a version of its job, and never an earlier one again",
     "SELECT a.study || '/' || a.trial || '/' || a.number FROM attempt a"
     " JOIN job j ON j.study = a.study WHERE a.code_version > j.code_version"
     " OR a.code_version < (SELECT max(code_version) FROM attempt b"
     " WHERE b.study = a.study AND b.trial = a.trial AND b.number < a.number)"},
    {"trials of a study stay within max_trials",
     "SELECT study FROM job j WHERE max_trials <"
     " (SELECT count(*) FROM trial t WHERE t.study = j.study)"},
    {"queued points come next and stay within max_trials",
     "SELECT study FROM queued_point q GROUP BY study HAVING min(trial) <> 1 +"
     " (SELECT count(*) FROM trial t WHERE t.study = q.study)"
     " OR max(trial) - min(trial) + 1 <> count(*)"
     " OR max(trial) > (SELECT max_trials FROM job j"
     " WHERE j.study = q.study)"},
    {"a final trial has no live attempt",
     "SELECT study || '/' || number FROM trial t WHERE state >= 4 AND EXISTS"
     " (SELECT 1 FROM attempt a WHERE a.study = t.study"
     " AND a.trial = t.number AND a.state <= 3)"},
    {"a finished job has no open trial",
     "SELECT study FROM job j WHERE state >= 5 AND EXISTS"
     " (SELECT 1 FROM trial t WHERE t.study = j.study AND t.state <= 3)"},
    {"a device is leased once",
     "SELECT device FROM lease WHERE released_at_us IS NULL"
     " GROUP BY device HAVING count(*) > 1"},
    {"a lease that is not released belongs to a live attempt",
     "SELECT device FROM lease l WHERE released_at_us IS NULL"
     " AND NOT EXISTS (SELECT 1 FROM attempt a WHERE a.study = l.study"
     " AND a.trial = l.trial AND a.number = l.attempt AND a.state <= 3)"},
    {"a live attempt holds leases of all its devices",
     "SELECT a.study || '/' || a.trial || '/' || a.number"
     " FROM attempt a, json_each(a.devices) d"
     " WHERE a.state <= 3 AND NOT EXISTS (SELECT 1 FROM lease l"
     " WHERE l.device = d.value AND l.study = a.study AND l.trial = a.trial"
     " AND l.attempt = a.number AND l.released_at_us IS NULL)"},
    {"the study counter is the highest id",
     "SELECT last_study FROM study_counter"
     " WHERE last_study < (SELECT max(id) FROM study)"},
    {"a trial's counts are those of its measurements",
     "WITH version(study, number, tag) AS (SELECT study, number, json_extract("
     "spec_json, '$.trainingInput.hyperparameters.hyperparameterMetricTag')"
     " FROM (SELECT study, code_version AS number, spec_json FROM job"
     " UNION ALL SELECT study, number, spec_json FROM job_version)),"
     " objective(study, number, tag, name) AS (SELECT id, number, tag,"
     " coalesce(tag, json_extract(spec_json, '$.metrics[0].name'),"
     " 'training/hptuning/metric') FROM study LEFT JOIN version"
     " ON version.study = id AND number ="
     " (SELECT code_version FROM job WHERE job.study = id))"
     " SELECT t.study || '/' || t.number FROM trial t JOIN objective o"
     " ON o.study = t.study WHERE (finite_count, not_finite_count) <>"
     " (SELECT count(*) FILTER (WHERE kind = 1),"
     " count(*) FILTER (WHERE kind > 1) FROM measurement m JOIN metric"
     " ON metric.id = m.metric WHERE m.study = t.study"
     " AND m.trial = t.number AND metric.name = o.name"
     " AND m.road = t.objective_road AND m.is_void = 0)"
     // The counts may come from an earlier version with another metric.
     " AND NOT EXISTS (SELECT 1 FROM version v JOIN attempt a"
     " ON a.study = v.study AND a.trial = t.number"
     " AND a.code_version <= v.number WHERE v.study = t.study"
     " AND v.number < o.number AND v.tag IS NOT o.tag)"},
};

absl::Status CheckInvariants(SqliteDatabase& database, Violations* violations) {
  for (const Invariant& invariant : kInvariants) {
    VERNIER_RETURN_IF_ERROR(ForEachRow(
        database, invariant.violations, [&](const SqliteStatement& row) {
          violations->push_back(
              absl::StrCat("not so: ", invariant.claim, ": ", row.Text(0)));
        }));
  }
  return absl::OkStatus();
}

absl::Status Replay(SqliteDatabase& database, EventReplay* replay,
                    std::int64_t* count) {
  return ForEachRow(
      database,
      "SELECT seq, study, coalesce(trial, 0), attempt, kind, payload"
      " FROM event ORDER BY seq",
      [&](const SqliteStatement& row) {
        ++*count;
        replay->Add({row.Int(0), row.Int(1), row.Int(2), row.Int(3),
                     row.Text(4), row.Text(5)});
      });
}

absl::Status CompareStudies(SqliteDatabase& database, const EventReplay& replay,
                            Violations* violations) {
  std::size_t count = 0;
  VERNIER_RETURN_IF_ERROR(ForEachRow(
      database,
      "SELECT id, name, (SELECT count(*) FROM trial WHERE trial.study = id),"
      " job.study IS NOT NULL, job.state, wanted, max_trials,"
      " max_parallel_trials, code_version, made_up_trials, job.spec_json"
      " FROM study LEFT JOIN job ON job.study = id",
      [&](const SqliteStatement& row) {
        ++count;
        Comparison comparison(absl::StrCat("study ", row.Int(0)), violations);
        const auto found = replay.studies().find(row.Int(0));
        if (found == replay.studies().end()) return comparison.Missing();
        const ReplayedStudy& study = found->second;
        comparison.Expect("name", row.Text(1), study.name);
        comparison.Expect("number of trials", row.Int(2),
                          static_cast<std::int64_t>(study.trials.size()));
        comparison.Expect("whether it has a job", row.Int(3) != 0,
                          study.is_job);
        if (row.Int(3) == 0) return;
        comparison.Expect("state", NameOfState<JobState>(row.Int(4)),
                          study.state);
        comparison.Expect("wanted", NameOfState<JobWanted>(row.Int(5)),
                          study.wanted);
        comparison.Expect("max_trials", row.Int(6), study.max_trials);
        comparison.Expect("max_parallel_trials", row.Int(7),
                          study.max_parallel_trials);
        comparison.Expect("code_version", row.Int(8), study.code_version);
        comparison.Expect("made_up_trials", row.Int(9), study.made_up_trials);
        comparison.Expect("spec_json", row.Text(10), study.spec_json);
      }));
  if (count != replay.studies().size()) {
    violations->push_back(absl::StrCat(replay.studies().size(),
                                       " studies by the events, ", count,
                                       " in the table"));
  }
  return absl::OkStatus();
}

const ReplayedTrial* FindTrial(const EventReplay& replay, std::int64_t study,
                               std::int64_t trial) {
  const auto found = replay.studies().find(study);
  if (found == replay.studies().end()) return nullptr;
  const auto slot = found->second.trials.find(trial);
  return slot == found->second.trials.end() ? nullptr : &slot->second;
}

// The JSON in the form of the events' payloads: parsed and printed.
std::string Normalised(const std::string& json) {
  const absl::StatusOr<Json> parsed = ParseJson(json);
  return parsed.ok() ? DumpJson(*parsed) : "not JSON";
}

absl::Status CompareTrials(SqliteDatabase& database, const EventReplay& replay,
                           Violations* violations) {
  return ForEachRow(
      database,
      "SELECT study, number, state, parameters, end_cause, message, final_step,"
      " final_value_bits, (SELECT count(*) FROM attempt a"
      " WHERE a.study = trial.study AND a.trial = trial.number) FROM trial",
      [&](const SqliteStatement& row) {
        Comparison comparison(
            absl::StrCat("trial ", row.Int(0), "/", row.Int(1)), violations);
        const ReplayedTrial* trial = FindTrial(replay, row.Int(0), row.Int(1));
        if (trial == nullptr) return comparison.Missing();
        comparison.Expect("state", NameOfState<TrialState>(row.Int(2)),
                          trial->state);
        comparison.Expect("parameters", Normalised(row.Text(3)),
                          trial->parameters);
        comparison.Expect("end_cause", NameOfState<TrialEndCause>(row.Int(4)),
                          trial->cause);
        // A payload replaces bytes that are not UTF-8, so this does the same.
        comparison.Expect("message", DumpJson(Json(row.Text(5))),
                          DumpJson(Json(trial->message)));
        comparison.Expect("final_step", row.OptionalInt(6), trial->final_step);
        if (trial->final_step.has_value()) {
          comparison.Expect("final value", FromBits(row.Int(7)),
                            trial->final_value);
        }
        comparison.Expect("number of attempts", row.Int(8),
                          static_cast<std::int64_t>(trial->attempts.size()));
      });
}

absl::Status CompareQueuedPoints(SqliteDatabase& database,
                                 const EventReplay& replay,
                                 Violations* violations) {
  std::size_t count = 0;
  VERNIER_RETURN_IF_ERROR(ForEachRow(
      database, "SELECT study, trial, parameters FROM queued_point",
      [&](const SqliteStatement& row) {
        ++count;
        Comparison comparison(
            absl::StrCat("queued point ", row.Int(0), "/", row.Int(1)),
            violations);
        const auto study = replay.studies().find(row.Int(0));
        if (study == replay.studies().end()) return comparison.Missing();
        const auto point = study->second.queued.find(row.Int(1));
        if (point == study->second.queued.end()) return comparison.Missing();
        comparison.Expect("parameters", Normalised(row.Text(2)), point->second);
      }));
  std::size_t replayed = 0;
  for (const auto& [id, study] : replay.studies()) {
    replayed += study.queued.size();
  }
  if (count != replayed) {
    violations->push_back(absl::StrCat(
        replayed, " queued points by the events, ", count, " in the table"));
  }
  return absl::OkStatus();
}

absl::Status CompareAttempts(SqliteDatabase& database,
                             const EventReplay& replay,
                             Violations* violations) {
  return ForEachRow(
      database,
      "SELECT study, trial, number, state, nonce, kill_wanted, end_cause,"
      " exit_code, code_version FROM attempt",
      [&](const SqliteStatement& row) {
        Comparison comparison(absl::StrCat("attempt ", row.Int(0), "/",
                                           row.Int(1), "/", row.Int(2)),
                              violations);
        const ReplayedTrial* trial = FindTrial(replay, row.Int(0), row.Int(1));
        if (trial == nullptr) return comparison.Missing();
        const auto found = trial->attempts.find(row.Int(2));
        if (found == trial->attempts.end()) return comparison.Missing();
        const ReplayedAttempt& attempt = found->second;
        comparison.Expect("state", NameOfState<AttemptState>(row.Int(3)),
                          attempt.state);
        comparison.Expect("nonce", row.Text(4), attempt.nonce);
        comparison.Expect("kill_wanted", row.Int(5) != 0, attempt.kill_wanted);
        comparison.Expect("end_cause", NameOfState<TrialEndCause>(row.Int(6)),
                          attempt.cause);
        comparison.Expect("exit_code", row.OptionalInt(7), attempt.exit_code);
        comparison.Expect("code_version", row.Int(8), attempt.code_version);
      });
}

absl::Status CompareAll(SqliteDatabase& database, EventReplay* replay,
                        DatabaseReport* report) {
  Violations* const violations = &report->violations;
  VERNIER_RETURN_IF_ERROR(CheckInvariants(database, violations));
  VERNIER_RETURN_IF_ERROR(Replay(database, replay, &report->events_replayed));
  violations->insert(violations->end(), replay->violations().begin(),
                     replay->violations().end());
  VERNIER_RETURN_IF_ERROR(CompareStudies(database, *replay, violations));
  VERNIER_RETURN_IF_ERROR(CompareTrials(database, *replay, violations));
  VERNIER_RETURN_IF_ERROR(CompareQueuedPoints(database, *replay, violations));
  VERNIER_RETURN_IF_ERROR(CompareAttempts(database, *replay, violations));
  return CompareClientParts(database, *replay, violations);
}

absl::Status ReadJobs(SqliteDatabase& database, StoredJobs* stored) {
  std::vector<StoredJob>& jobs = stored->jobs;
  VERNIER_ASSIGN_OR_RETURN(
      stored->last_study,
      database.QueryInt("SELECT last_study FROM study_counter"));
  VERNIER_RETURN_IF_ERROR(
      ForEachRow(database,
                 "SELECT id, name, code_dir FROM study"
                 " JOIN job ON job.study = id ORDER BY id",
                 [&](const SqliteStatement& row) {
                   jobs.push_back({row.Int(0), row.Text(1), row.Text(2), {}});
                 }));
  return ForEachRow(
      database,
      "SELECT study, trial, number, state FROM attempt"
      " ORDER BY study, trial, number",
      [&, job = jobs.begin()](const SqliteStatement& row) mutable {
        while (job != jobs.end() && job->study < row.Int(0)) ++job;
        if (job == jobs.end() || job->study != row.Int(0)) return;
        job->attempts.push_back(
            {row.Int(1), row.Int(2), static_cast<AttemptState>(row.Int(3))});
      });
}

}  // namespace

absl::StatusOr<DatabaseReport> CheckStudies(const std::string& path,
                                            StoredJobs* jobs) {
  VERNIER_ASSIGN_OR_RETURN(DatabaseUnderCheck check,
                           DatabaseUnderCheck::Look(path, StudiesSchema()));
  DatabaseReport& report = check.report();
  if (check.database() == nullptr) return std::move(report);
  // A database of an older release gets its new columns; it is only a copy.
  const absl::Status migrated = Migrate(*check.database(), StudiesSchema());
  check.AddFailure("cannot be brought up to date", migrated);
  if (!migrated.ok()) return std::move(report);
  EventReplay replay;
  const absl::Status compared = CompareAll(*check.database(), &replay, &report);
  check.AddFailure("cannot be compared with its events", compared);
  if (jobs != nullptr) {
    check.AddFailure("its jobs cannot be listed",
                     ReadJobs(*check.database(), jobs));
  }
  return std::move(report);
}

}  // namespace vernier
