#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0013_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0013_H_

namespace vernier {

/// A trial may end by kStoppedByUser (14), and says whether the newest value of
/// its metric is not finite. A client's trial that was stopped (cause 10) is
/// stopped (5), as a job's is: releases before called it completed (4).
///
/// A client may give a study attributes in any state of it.
///
/// `trial` and `attempt` are made anew, since SQLite does not change the checks
/// of a table; foreign keys are off, or dropping one would delete what refers
/// to it.
inline constexpr char kMigration0013[] = R"sql(
CREATE TABLE trial_12 AS SELECT * FROM trial;
DROP TABLE trial;

CREATE TABLE trial (
  study INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 7),
  parameters TEXT NOT NULL,            -- JSON object
  suggester TEXT NOT NULL,
  seen_events INTEGER NOT NULL,
  created_at_us INTEGER NOT NULL,
  started_at_us INTEGER,
  ended_at_us INTEGER,
  end_cause INTEGER NOT NULL CHECK (end_cause BETWEEN 0 AND 14),
  message TEXT NOT NULL,
  final_step INTEGER,
  final_value_bits INTEGER,            -- IEEE 754 binary64
  -- Summary of the measurements of the study's metric.
  last_attempt INTEGER NOT NULL,
  last_step INTEGER,
  last_value_bits INTEGER,
  last_reported_at_us INTEGER NOT NULL,
  best_step INTEGER,
  best_value_bits INTEGER,
  finite_count INTEGER NOT NULL CHECK (finite_count >= 0),
  not_finite_count INTEGER NOT NULL CHECK (not_finite_count >= 0),
  metrics_seen TEXT NOT NULL,          -- JSON array of strings
  -- A SuggestionRecord as JSON; empty: older than this column, or not tuned.
  suggestion TEXT NOT NULL DEFAULT ''
    CHECK (suggestion = '' OR suggestion GLOB '{*}'),
  client_id TEXT NOT NULL DEFAULT '',
  -- A MetricReport as JSON: all metrics of the final measurement.
  final_report TEXT NOT NULL DEFAULT ''
    CHECK (final_report = '' OR (final_report GLOB '{*}' AND state >= 4)),
  -- A JSON list of MetricReports that came with the point, before any client.
  brought_reports TEXT NOT NULL DEFAULT '[]'
    CHECK (brought_reports GLOB '[[]*]'),
  -- A tombstone: the number is never given again.
  deleted_at_us INTEGER CHECK (deleted_at_us IS NULL OR state >= 4),
  -- A JSON list of texts.
  metric_problems TEXT NOT NULL DEFAULT '[]'
    CHECK (metric_problems GLOB '[[]*]'),
  -- 0: nothing was reported.
  objective_road INTEGER NOT NULL DEFAULT 0
    CHECK (objective_road BETWEEN 0 AND 8),
  -- The newest of all values, if it is not finite.
  not_finite_step INTEGER,
  not_finite_value_bits INTEGER,
  not_finite_attempt INTEGER,
  not_finite_reported_at_us INTEGER,
  PRIMARY KEY (study, number),
  CHECK ((state >= 4) = (ended_at_us IS NOT NULL)),
  CHECK ((state >= 4) = (end_cause <> 0)),
  CHECK ((final_step IS NULL) = (final_value_bits IS NULL)),
  CHECK (final_step IS NULL OR state >= 4),
  CHECK ((last_step IS NULL) = (last_value_bits IS NULL)),
  CHECK ((best_step IS NULL) = (best_value_bits IS NULL)),
  CHECK ((finite_count = 0) = (last_step IS NULL)),
  CHECK ((finite_count = 0) = (best_step IS NULL)),
  CHECK ((not_finite_step IS NULL) = (not_finite_value_bits IS NULL)),
  CHECK ((not_finite_step IS NULL) = (not_finite_attempt IS NULL)),
  CHECK ((not_finite_step IS NULL) = (not_finite_reported_at_us IS NULL)),
  CHECK (not_finite_step IS NULL OR not_finite_count > 0)
) STRICT, WITHOUT ROWID;

INSERT INTO trial (
  study, number, state, parameters, suggester, seen_events, created_at_us,
  started_at_us, ended_at_us, end_cause, message, final_step, final_value_bits,
  last_attempt, last_step, last_value_bits, last_reported_at_us, best_step,
  best_value_bits, finite_count, not_finite_count, metrics_seen, suggestion,
  client_id, final_report, brought_reports, deleted_at_us, metric_problems,
  objective_road)
SELECT
  study, number,
  CASE WHEN state = 4 AND end_cause = 10 THEN 5 ELSE state END, parameters, suggester, seen_events, created_at_us,
  started_at_us, ended_at_us, end_cause, message, final_step, final_value_bits,
  last_attempt, last_step, last_value_bits, last_reported_at_us, best_step,
  best_value_bits, finite_count, not_finite_count, metrics_seen, suggestion,
  client_id, final_report, brought_reports, deleted_at_us, metric_problems,
  objective_road
FROM trial_12 ORDER BY study, number;
DROP TABLE trial_12;

CREATE INDEX trial_open ON trial (study) WHERE state <= 3;

CREATE TRIGGER trial_numbers_are_dense BEFORE INSERT ON trial
WHEN NEW.number <>
  (SELECT coalesce(max(number), 0) + 1 FROM trial WHERE study = NEW.study)
BEGIN SELECT RAISE(ABORT, 'a trial must have the next number'); END;

CREATE TRIGGER trial_starts_requested BEFORE INSERT ON trial
WHEN NEW.state <> 1
BEGIN SELECT RAISE(ABORT, 'a trial starts as requested'); END;

CREATE TRIGGER trial_budget BEFORE INSERT ON trial
WHEN NEW.number > (SELECT max_trials FROM job WHERE study = NEW.study)
BEGIN SELECT RAISE(ABORT, 'no more trials than max_trials'); END;

CREATE TRIGGER trial_of_finished_job BEFORE INSERT ON trial
WHEN (SELECT state FROM job WHERE study = NEW.study) >= 5
BEGIN SELECT RAISE(ABORT, 'a finished job gets no trials'); END;

CREATE TRIGGER trial_of_inactive_study BEFORE INSERT ON trial
WHEN (SELECT state FROM study WHERE id = NEW.study) > 1
BEGIN SELECT RAISE(ABORT, 'only an active study gets trials'); END;

CREATE TRIGGER trial_is_its_queued_point BEFORE INSERT ON trial
WHEN NEW.parameters <> (SELECT parameters FROM queued_point
                        WHERE study = NEW.study AND trial = NEW.number)
BEGIN SELECT RAISE(ABORT, 'a queued point is the next trial'); END;

-- One statement, so that a point is never both or neither.
CREATE TRIGGER trial_takes_its_queued_point AFTER INSERT ON trial
BEGIN
  DELETE FROM queued_point WHERE study = NEW.study AND trial = NEW.number;
END;

CREATE TRIGGER trial_end_is_final BEFORE UPDATE OF
  study, number, state, parameters, suggester, seen_events, created_at_us,
  started_at_us, ended_at_us, end_cause, message, final_step, final_value_bits,
  last_attempt, last_step, last_value_bits, last_reported_at_us, best_step,
  best_value_bits, finite_count, not_finite_count, metrics_seen, suggestion,
  client_id, final_report, brought_reports, objective_road, not_finite_step,
  not_finite_value_bits, not_finite_attempt, not_finite_reported_at_us ON trial
WHEN OLD.state >= 4
BEGIN SELECT RAISE(ABORT, 'a terminal trial never changes'); END;

CREATE TRIGGER trial_problems_are_final BEFORE UPDATE OF metric_problems
ON trial WHEN OLD.state >= 4 AND NEW.metric_problems <> OLD.metric_problems
BEGIN SELECT RAISE(ABORT, 'a terminal trial never changes'); END;

CREATE TRIGGER trial_identity_is_fixed BEFORE UPDATE ON trial
WHEN NEW.study <> OLD.study OR NEW.number <> OLD.number
  OR NEW.parameters <> OLD.parameters OR NEW.suggester <> OLD.suggester
  OR NEW.seen_events <> OLD.seen_events
  OR NEW.created_at_us <> OLD.created_at_us
BEGIN SELECT RAISE(ABORT, 'the parameters of a trial never change'); END;

CREATE TRIGGER trial_suggestion_is_final
BEFORE UPDATE OF suggestion ON trial WHEN NEW.suggestion <> OLD.suggestion
BEGIN SELECT RAISE(ABORT, 'a suggestion never changes'); END;

CREATE TRIGGER trial_client_is_final BEFORE UPDATE OF client_id ON trial
WHEN NEW.client_id <> OLD.client_id AND OLD.state <> 1
BEGIN SELECT RAISE(ABORT, 'a trial never changes its client'); END;

CREATE TRIGGER trial_brings_its_reports BEFORE UPDATE OF brought_reports
ON trial WHEN NEW.brought_reports <> OLD.brought_reports
BEGIN SELECT RAISE(ABORT, 'what a trial brought never changes'); END;

CREATE TRIGGER trial_tombstone BEFORE UPDATE OF deleted_at_us ON trial
WHEN OLD.deleted_at_us IS NOT NULL OR OLD.state < 4
  OR NOT EXISTS (SELECT 1 FROM study WHERE id = NEW.study
                 AND spec_json IS NOT NULL AND state = 1)
BEGIN SELECT RAISE(ABORT,
  'only an ended trial of an active client study is deleted, and once'); END;

CREATE TRIGGER trial_moves_are_legal BEFORE UPDATE OF state ON trial
WHEN NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
  VALUES (1, 2), (1, 5), (2, 3), (2, 4), (2, 6), (2, 7), (3, 4), (3, 5), (3, 6))
BEGIN SELECT RAISE(ABORT, 'illegal move of a trial'); END;

CREATE TRIGGER trial_end_waits_for_attempt BEFORE UPDATE OF state ON trial
WHEN NEW.state >= 4 AND EXISTS (
  SELECT 1 FROM attempt
  WHERE study = NEW.study AND trial = NEW.number AND state <= 3)
BEGIN SELECT RAISE(ABORT, 'a trial ends after its attempt'); END;

CREATE TRIGGER trial_stays_with_its_study BEFORE DELETE ON trial
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'a trial goes only with its study'); END;

CREATE TABLE attempt_12 AS SELECT * FROM attempt;
DROP TABLE attempt;

CREATE TABLE attempt (
  study INTEGER NOT NULL,
  trial INTEGER NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  nonce TEXT NOT NULL CHECK (nonce <> ''),
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 6),
  kill_wanted INTEGER NOT NULL CHECK (kill_wanted IN (0, 1)),
  kill_cause INTEGER NOT NULL CHECK (kill_cause BETWEEN 0 AND 14),
  devices TEXT NOT NULL,               -- JSON array of strings
  intended_at_us INTEGER NOT NULL,
  running_at_us INTEGER,
  ended_at_us INTEGER,
  exit_code INTEGER,
  signal INTEGER,
  end_cause INTEGER NOT NULL CHECK (end_cause BETWEEN 0 AND 14),
  message TEXT NOT NULL,
  lasted_us INTEGER NOT NULL CHECK (lasted_us >= 0),
  code_version INTEGER NOT NULL DEFAULT 1 CHECK (code_version >= 1),
  PRIMARY KEY (study, trial, number),
  FOREIGN KEY (study, trial) REFERENCES trial (study, number)
    ON DELETE CASCADE,
  CHECK ((state >= 4) = (ended_at_us IS NOT NULL)),
  CHECK (state >= 4 OR end_cause = 0)
) STRICT, WITHOUT ROWID;

INSERT INTO attempt
SELECT
  study, trial, number, nonce, state, kill_wanted, kill_cause, devices,
  intended_at_us, running_at_us, ended_at_us, exit_code, signal, end_cause,
  message, lasted_us, code_version
FROM attempt_12 ORDER BY study, trial, number;
DROP TABLE attempt_12;

CREATE UNIQUE INDEX attempt_live ON attempt (study, trial) WHERE state <= 3;

CREATE TRIGGER attempt_numbers_are_dense BEFORE INSERT ON attempt
WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM attempt
                    WHERE study = NEW.study AND trial = NEW.trial)
BEGIN SELECT RAISE(ABORT, 'an attempt must have the next number'); END;

CREATE TRIGGER attempt_starts_intended BEFORE INSERT ON attempt
WHEN NEW.state <> 1
BEGIN SELECT RAISE(ABORT, 'an attempt starts as intended'); END;

CREATE TRIGGER attempt_needs_active_trial BEFORE INSERT ON attempt
WHEN (SELECT state FROM trial
      WHERE study = NEW.study AND number = NEW.trial) <> 2
BEGIN SELECT RAISE(ABORT, 'only an active trial is launched'); END;

CREATE TRIGGER attempt_end_is_final BEFORE UPDATE ON attempt
WHEN OLD.state >= 4
BEGIN SELECT RAISE(ABORT, 'a terminal attempt never changes'); END;

CREATE TRIGGER attempt_moves_are_legal BEFORE UPDATE OF state ON attempt
WHEN NEW.state < OLD.state
BEGIN SELECT RAISE(ABORT, 'an attempt never moves backwards'); END;

CREATE TRIGGER attempt_kill_is_never_withdrawn
BEFORE UPDATE OF kill_wanted ON attempt
WHEN NEW.kill_wanted < OLD.kill_wanted
BEGIN SELECT RAISE(ABORT, 'a wanted kill is never withdrawn'); END;

CREATE TRIGGER attempt_end_waits_for_leases BEFORE UPDATE OF state ON attempt
WHEN NEW.state >= 4 AND EXISTS (
  SELECT 1 FROM lease WHERE study = NEW.study AND trial = NEW.trial
  AND attempt = NEW.number AND released_at_us IS NULL)
BEGIN SELECT RAISE(ABORT, 'leases are released before an attempt ends'); END;

CREATE TRIGGER attempt_identity_is_fixed BEFORE UPDATE ON attempt
WHEN NEW.study <> OLD.study OR NEW.trial <> OLD.trial
  OR NEW.number <> OLD.number OR NEW.nonce <> OLD.nonce
  OR NEW.devices <> OLD.devices OR NEW.intended_at_us <> OLD.intended_at_us
  OR NEW.code_version <> OLD.code_version
BEGIN SELECT RAISE(ABORT, 'what an attempt was intended with stays'); END;

CREATE TRIGGER attempt_needs_a_job BEFORE INSERT ON attempt
WHEN NOT EXISTS (SELECT 1 FROM job WHERE study = NEW.study)
BEGIN SELECT RAISE(ABORT, 'only trials of a job have attempts'); END;

CREATE TRIGGER attempt_cap BEFORE INSERT ON attempt
WHEN (SELECT count(*) FROM attempt INDEXED BY attempt_live
      WHERE study = NEW.study AND state <= 3) >=
     (SELECT max_parallel_trials FROM job WHERE study = NEW.study)
BEGIN SELECT RAISE(ABORT, 'no more live attempts than max_parallel_trials');
END;

CREATE TRIGGER attempt_runs_the_newest_version BEFORE INSERT ON attempt
WHEN NEW.code_version <>
  (SELECT code_version FROM job WHERE study = NEW.study)
BEGIN SELECT RAISE(ABORT, 'an attempt runs the newest version'); END;

CREATE TRIGGER attempt_stays_with_its_trial BEFORE DELETE ON attempt
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'an attempt goes only with its study'); END;

DROP TRIGGER metadata_of_client_study;
CREATE TRIGGER metadata_of_client_study BEFORE INSERT ON metadata
WHEN NOT EXISTS (SELECT 1 FROM study WHERE id = NEW.study
                 AND spec_json IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'only a client study has metadata'); END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0013_H_
