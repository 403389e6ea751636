#include "store/check/store_check.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/check/database_check.h"
#include "store/check/table_rows.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_database.h"
#include "store/sqlite/sqlite_reader.h"
#include "study/attempt_state.h"

namespace vernier {
namespace {

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
    // A new version may allow fewer attempts than run already.
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
    {"edits of a study make the versions 2..n",
     "SELECT study FROM study_edit GROUP BY study"
     " HAVING min(version) <> 2 OR max(version) <> count(*) + 1"},
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
    {"proposed points are numbered from 1",
     "SELECT study FROM proposed_point GROUP BY study"
     " HAVING min(number) <> 1 OR max(number) <> count(*)"},
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
     // Measurements have the name that the metric had first (RecordedName).
     "WITH version(study, number, tag) AS (SELECT study, number, coalesce("
     "(SELECT json_extract(value, '$[0]') FROM json_each(spec_json,"
     " '$.vernier.renamedFrom') WHERE key = now), now)"
     " FROM (SELECT study, number, spec_json, json_extract(spec_json,"
     " '$.trainingInput.hyperparameters.hyperparameterMetricTag') AS now"
     " FROM (SELECT study, code_version AS number, spec_json FROM job"
     " UNION ALL SELECT study, number, spec_json FROM job_version))),"
     " objective(study, number, tag, name) AS (SELECT id, number, tag,"
     " coalesce(tag, (SELECT json_extract(value, '$[0]') FROM json_each("
     "spec_json, '$.renamedFrom')"
     " WHERE key = json_extract(spec_json, '$.metrics[0].name')),"
     " json_extract(spec_json, '$.metrics[0].name'),"
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
  check.AddFailure("its rows cannot be compared",
                   CheckInvariants(*check.database(), &report.violations));
  check.AddFailure("cannot be loaded", LoadState(*check.database()).status());
  if (jobs != nullptr) {
    check.AddFailure("its jobs cannot be listed",
                     ReadJobs(*check.database(), jobs));
  }
  return std::move(report);
}

}  // namespace vernier
