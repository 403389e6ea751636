#include "store/store_check.h"

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "store/client_check.h"
#include "store/event_replay.h"
#include "store/schema.h"
#include "store/sqlite_database.h"
#include "store/sqlite_tables.h"
#include "store/store_location.h"
#include "store/table_comparison.h"
#include "study/attempt_state.h"
#include "study/job_state.h"
#include "study/json.h"
#include "study/status_macros.h"
#include "study/trial_state.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

// Each row of the query is one violation.
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
    {"live attempts of a study stay within maxParallelTrials",
     "SELECT id FROM study WHERE max_parallel_trials <"
     " (SELECT count(*) FROM attempt WHERE study = id AND state <= 3)"},
    {"trials of a study stay within max_trials",
     "SELECT id FROM study WHERE max_trials <"
     " (SELECT count(*) FROM trial WHERE study = id)"},
    {"queued points come next and stay within max_trials",
     "SELECT study FROM queued_point q GROUP BY study HAVING min(trial) <> 1 +"
     " (SELECT count(*) FROM trial t WHERE t.study = q.study)"
     " OR max(trial) - min(trial) + 1 <> count(*)"
     " OR max(trial) > (SELECT max_trials FROM study WHERE id = q.study)"},
    {"a final trial has no live attempt",
     "SELECT study || '/' || number FROM trial t WHERE state >= 4 AND EXISTS"
     " (SELECT 1 FROM attempt a WHERE a.study = t.study"
     " AND a.trial = t.number AND a.state <= 3)"},
    {"a finished job has no open trial",
     "SELECT id FROM study WHERE state >= 5 AND EXISTS"
     " (SELECT 1 FROM trial WHERE study = id AND trial.state <= 3)"},
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
     "SELECT t.study || '/' || t.number FROM trial t JOIN study s"
     " ON s.id = t.study WHERE (finite_count, not_finite_count) <>"
     " (SELECT count(*) FILTER (WHERE kind = 1),"
     " count(*) FILTER (WHERE kind > 1) FROM measurement m JOIN metric"
     " ON metric.id = m.metric WHERE m.study = t.study"
     " AND m.trial = t.number AND metric.name = coalesce(json_extract("
     "s.spec_json,"
     " '$.trainingInput.hyperparameters.hyperparameterMetricTag'),"
     " json_extract(s.spec_json, '$.metrics[0].name'),"
     " 'training/hptuning/metric'))"},
};

// A copy of database and log in a folder of its own, so that looking at them
// leaves them as they are.
class Copy {
 public:
  static absl::StatusOr<Copy> Of(const std::string& path) {
    std::error_code error;
    std::string folder =
        fs::temp_directory_path(error) / "vernier_check_XXXXXX";
    if (error || mkdtemp(folder.data()) == nullptr) {
      return absl::InternalError("cannot make a temporary folder");
    }
    Copy copy(folder);
    fs::copy_file(path, copy.database(), error);
    if (!error && fs::exists(path + "-wal")) {
      fs::copy_file(path + "-wal", copy.database() + "-wal", error);
    }
    if (error) {
      return absl::InternalError(
          absl::StrCat("cannot copy ", path, ": ", error.message()));
    }
    return copy;
  }
  Copy(Copy&& other) noexcept : folder_(std::exchange(other.folder_, "")) {}
  Copy& operator=(Copy&&) = delete;
  ~Copy() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }

  std::string database() const { return folder_ + "/copy.db"; }

 private:
  explicit Copy(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
};

absl::Status CheckFile(SqliteDatabase& database, Violations* violations) {
  VERNIER_RETURN_IF_ERROR(ForEachRow(
      database, "PRAGMA integrity_check", [&](const SqliteStatement& row) {
        if (row.Text(0) == "ok") return;
        violations->push_back("integrity_check: " + row.Text(0));
      }));
  return ForEachRow(
      database, "PRAGMA foreign_key_check", [&](const SqliteStatement& row) {
        violations->push_back("foreign_key_check: " + row.Text(0) +
                              " refers to no " + row.Text(2));
      });
}

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

absl::Status Replay(SqliteDatabase& database, EventReplay* replay) {
  return ForEachRow(
      database,
      "SELECT seq, study, coalesce(trial, 0), attempt, kind, payload"
      " FROM event ORDER BY seq",
      [&](const SqliteStatement& row) {
        replay->Add({row.Int(0), row.Int(1), row.Int(2), row.Int(3),
                     row.Text(4), row.Text(5)});
      });
}

absl::Status CompareStudies(SqliteDatabase& database, const EventReplay& replay,
                            Violations* violations) {
  std::size_t count = 0;
  VERNIER_RETURN_IF_ERROR(ForEachRow(
      database,
      "SELECT id, job_id, state, wanted, max_trials, max_parallel_trials,"
      " (SELECT count(*) FROM trial WHERE study = id) FROM study",
      [&](const SqliteStatement& row) {
        ++count;
        Comparison comparison(absl::StrCat("study ", row.Int(0)), violations);
        const auto found = replay.studies().find(row.Int(0));
        if (found == replay.studies().end()) return comparison.Missing();
        const ReplayedStudy& study = found->second;
        comparison.Expect("job_id", row.Text(1), study.job_id);
        comparison.Expect("state", NameOfState<JobState>(row.Int(2)),
                          study.state);
        comparison.Expect("wanted", NameOfState<JobWanted>(row.Int(3)),
                          study.wanted);
        comparison.Expect("max_trials", row.Int(4), study.max_trials);
        comparison.Expect("max_parallel_trials", row.Int(5),
                          study.max_parallel_trials);
        comparison.Expect("number of trials", row.Int(6),
                          static_cast<std::int64_t>(study.trials.size()));
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

// As the events' payloads hold it: parsed and printed.
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
        // A payload replaces bytes that are not UTF-8, so compare it as one.
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
      " exit_code FROM attempt",
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
      });
}

}  // namespace

absl::StatusOr<std::vector<std::string>> FindViolations(
    const std::string& path) {
  VERNIER_ASSIGN_OR_RETURN(const DatabaseHeader header,
                           ReadDatabaseHeader(path));
  if (header.is_new) {
    return absl::NotFoundError(absl::StrCat("no such database: ", path));
  }
  if (header.user_version > NewestSchema()) {
    return NewerSchemaError(path, header.user_version);
  }
  // Held while copying: a service must not write at the same time.
  absl::StatusOr<StoreLock> lock = StoreLock::Acquire(FolderOf(path));
  if (!lock.ok()) return lock.status();
  VERNIER_ASSIGN_OR_RETURN(const Copy copy, Copy::Of(path));

  VERNIER_ASSIGN_OR_RETURN(const std::unique_ptr<SqliteDatabase> database,
                           SqliteDatabase::Open(copy.database(), {}));
  VERNIER_RETURN_IF_ERROR(database->Execute("PRAGMA locking_mode = EXCLUSIVE"));
  VERNIER_RETURN_IF_ERROR(database->Execute("PRAGMA cell_size_check = ON"));
  Violations violations;
  VERNIER_RETURN_IF_ERROR(CheckFile(*database, &violations));
  VERNIER_RETURN_IF_ERROR(CheckInvariants(*database, &violations));
  EventReplay replay;
  VERNIER_RETURN_IF_ERROR(Replay(*database, &replay));
  violations.insert(violations.end(), replay.violations().begin(),
                    replay.violations().end());
  VERNIER_RETURN_IF_ERROR(CompareStudies(*database, replay, &violations));
  VERNIER_RETURN_IF_ERROR(CompareTrials(*database, replay, &violations));
  VERNIER_RETURN_IF_ERROR(CompareQueuedPoints(*database, replay, &violations));
  VERNIER_RETURN_IF_ERROR(CompareAttempts(*database, replay, &violations));
  VERNIER_RETURN_IF_ERROR(CompareClientParts(*database, replay, &violations));
  return violations;
}

absl::Status CheckStore(const std::string& path) {
  VERNIER_ASSIGN_OR_RETURN(const Violations violations, FindViolations(path));
  if (violations.empty()) return absl::OkStatus();
  std::string message =
      absl::StrCat(path, " breaks ", violations.size(), " invariants");
  for (std::size_t i = 0; i < violations.size() && i < 20; ++i) {
    absl::StrAppend(&message, "\n  ", violations[i]);
  }
  return absl::DataLossError(message);
}

}  // namespace vernier
