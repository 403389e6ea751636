#include "tests/store/replay/replay_check.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "store/sqlite/value_column.h"
#include "study/attempt_state.h"
#include "study/job_state.h"
#include "study/trial_state.h"
#include "tests/store/replay/client_comparison.h"
#include "tests/store/replay/event_replay.h"
#include "tests/store/replay/table_comparison.h"

namespace vernier {
namespace {

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

absl::Status CompareProposedPoints(SqliteDatabase& database,
                                   const EventReplay& replay,
                                   Violations* violations) {
  std::size_t count = 0;
  VERNIER_RETURN_IF_ERROR(ForEachRow(
      database, "SELECT study, number, source, parameters FROM proposed_point",
      [&](const SqliteStatement& row) {
        ++count;
        Comparison comparison(
            absl::StrCat("proposed point ", row.Int(0), "/", row.Int(1)),
            violations);
        const auto study = replay.studies().find(row.Int(0));
        if (study == replay.studies().end()) return comparison.Missing();
        const auto point = study->second.proposed.find(row.Int(1));
        if (point == study->second.proposed.end()) return comparison.Missing();
        comparison.Expect("source", row.Text(2), point->second.first);
        comparison.Expect("parameters", Normalised(row.Text(3)),
                          point->second.second);
      }));
  std::size_t replayed = 0;
  for (const auto& [id, study] : replay.studies()) {
    replayed += study.proposed.size();
  }
  if (count != replayed) {
    violations->push_back(absl::StrCat(
        replayed, " proposed points by the events, ", count, " in the table"));
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

}  // namespace

absl::Status CompareWithEvents(SqliteDatabase& database,
                               Violations* violations) {
  EventReplay replay;
  VERNIER_RETURN_IF_ERROR(Replay(database, &replay));
  violations->insert(violations->end(), replay.violations().begin(),
                     replay.violations().end());
  VERNIER_RETURN_IF_ERROR(CompareStudies(database, replay, violations));
  VERNIER_RETURN_IF_ERROR(CompareTrials(database, replay, violations));
  VERNIER_RETURN_IF_ERROR(CompareQueuedPoints(database, replay, violations));
  VERNIER_RETURN_IF_ERROR(CompareProposedPoints(database, replay, violations));
  VERNIER_RETURN_IF_ERROR(CompareAttempts(database, replay, violations));
  return CompareClientParts(database, replay, violations);
}

}  // namespace vernier
