#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0004_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0004_H_

namespace vernier {

/// Studies whose clients run their trials, beside those that jobs have.
///
/// Such a study is a row of `study` with a study_state. Its job_id is its
/// resource name, which contains a '/', unlike any job's. The columns of the
/// job keep their initial values.
inline constexpr char kMigration0004[] = R"sql(
-- 1 active, 2 inactive, 3 completed; NULL: a job's study.
ALTER TABLE study ADD COLUMN study_state INTEGER
  CHECK (study_state BETWEEN 1 AND 3)
  CHECK ((study_state IS NULL) = (instr(job_id, '/') = 0));
ALTER TABLE study ADD COLUMN state_reason TEXT NOT NULL DEFAULT '';
-- The spec as its face got it, and which face that was; never interpreted.
ALTER TABLE study ADD COLUMN original_format TEXT NOT NULL DEFAULT '';
ALTER TABLE study ADD COLUMN original_spec BLOB NOT NULL DEFAULT x'';
ALTER TABLE study ADD COLUMN last_operation INTEGER NOT NULL DEFAULT 0
  CHECK (last_operation >= 0)
  CHECK (last_operation = 0 OR study_state IS NOT NULL);

CREATE TRIGGER client_study_stays_one BEFORE UPDATE ON study
WHEN (NEW.study_state IS NULL) <> (OLD.study_state IS NULL)
  OR NEW.original_format <> OLD.original_format
  OR NEW.original_spec <> OLD.original_spec
BEGIN SELECT RAISE(ABORT, 'who runs a study, and its spec, never change'); END;

CREATE TRIGGER client_study_is_no_job BEFORE UPDATE OF state, wanted ON study
WHEN OLD.study_state IS NOT NULL
  AND (NEW.state <> OLD.state OR NEW.wanted <> OLD.wanted)
BEGIN SELECT RAISE(ABORT, 'the clients run this study'); END;

DROP TRIGGER study_is_deleted_only_at_its_end;
CREATE TRIGGER study_is_deleted_only_at_its_end BEFORE DELETE ON study
WHEN OLD.state < 5 AND OLD.study_state IS NULL
BEGIN SELECT RAISE(ABORT, 'only a finished job is deleted'); END;

ALTER TABLE trial ADD COLUMN client_id TEXT NOT NULL DEFAULT '';
-- A MetricReport as JSON: all metrics of the final measurement.
ALTER TABLE trial ADD COLUMN final_report TEXT NOT NULL DEFAULT ''
  CHECK (final_report = '' OR (final_report GLOB '{*}' AND state >= 4));
-- A JSON list of MetricReports that came with the point, before any client.
ALTER TABLE trial ADD COLUMN brought_reports TEXT NOT NULL DEFAULT '[]'
  CHECK (brought_reports GLOB '[[]*]');
-- A tombstone: the number is never given again.
ALTER TABLE trial ADD COLUMN deleted_at_us INTEGER
  CHECK (deleted_at_us IS NULL OR state >= 4);

CREATE TRIGGER trial_of_inactive_study BEFORE INSERT ON trial
WHEN (SELECT study_state FROM study WHERE id = NEW.study) > 1
BEGIN SELECT RAISE(ABORT, 'only an active study gets trials'); END;

CREATE TRIGGER trial_client_is_final BEFORE UPDATE OF client_id ON trial
WHEN NEW.client_id <> OLD.client_id AND OLD.state <> 1
BEGIN SELECT RAISE(ABORT, 'a trial never changes its client'); END;

CREATE TRIGGER trial_brings_its_reports BEFORE UPDATE OF brought_reports
ON trial WHEN NEW.brought_reports <> OLD.brought_reports
BEGIN SELECT RAISE(ABORT, 'what a trial brought never changes'); END;

DROP TRIGGER trial_end_is_final;
CREATE TRIGGER trial_end_is_final BEFORE UPDATE OF
  study, number, state, parameters, suggester, seen_events, created_at_us,
  started_at_us, ended_at_us, end_cause, message, final_step, final_value_bits,
  last_attempt, last_step, last_value_bits, last_reported_at_us, best_step,
  best_value_bits, finite_count, not_finite_count, metrics_seen, suggestion,
  client_id, final_report, brought_reports ON trial
WHEN OLD.state >= 4
BEGIN SELECT RAISE(ABORT, 'a terminal trial never changes'); END;

CREATE TRIGGER trial_tombstone BEFORE UPDATE OF deleted_at_us ON trial
WHEN OLD.deleted_at_us IS NOT NULL OR OLD.state < 4
  OR (SELECT study_state FROM study WHERE id = NEW.study) IS NOT 1
BEGIN SELECT RAISE(ABORT,
  'only an ended trial of an active client study is deleted, and once'); END;

DROP TRIGGER trial_moves_are_legal;
CREATE TRIGGER trial_moves_are_legal BEFORE UPDATE OF state ON trial
WHEN NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
  VALUES (1, 2), (1, 5), (2, 3), (2, 4), (2, 6), (2, 7), (3, 4), (3, 5), (3, 6))
BEGIN SELECT RAISE(ABORT, 'illegal move of a trial'); END;

-- Nothing bounds a client study: do not count its live attempts.
DROP TRIGGER attempt_cap;
CREATE TRIGGER attempt_cap BEFORE INSERT ON attempt
WHEN (SELECT study_state FROM study WHERE id = NEW.study) IS NULL
  AND (SELECT count(*) FROM attempt INDEXED BY attempt_live
      WHERE study = NEW.study AND state <= 3) >=
     (SELECT max_parallel_trials FROM study WHERE id = NEW.study)
BEGIN SELECT RAISE(ABORT, 'no more live attempts than max_parallel_trials');
END;

-- Since the start of the trial, as its reporter says.
ALTER TABLE measurement ADD COLUMN elapsed_us INTEGER NOT NULL DEFAULT 0
  CHECK (elapsed_us >= 0);

-- Key-values of clients; trial 0: the study's own.
CREATE TABLE metadata (
  study INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
  trial INTEGER NOT NULL CHECK (trial >= 0),
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  is_text INTEGER NOT NULL CHECK (is_text IN (0, 1)),
  value BLOB NOT NULL,
  PRIMARY KEY (study, trial, namespace, key)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER metadata_of_client_study BEFORE INSERT ON metadata
WHEN (SELECT study_state FROM study WHERE id = NEW.study) IS NOT 1
BEGIN SELECT RAISE(ABORT, 'only an active client study has metadata'); END;

CREATE TRIGGER metadata_of_trial BEFORE INSERT ON metadata
WHEN NEW.trial > 0 AND NOT EXISTS (
  SELECT 1 FROM trial WHERE study = NEW.study AND number = NEW.trial
  AND deleted_at_us IS NULL)
BEGIN SELECT RAISE(ABORT, 'metadata needs its trial'); END;

CREATE TRIGGER metadata_stays BEFORE DELETE ON metadata
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'metadata goes only with its study'); END;

-- The answers to clients that asked for suggestions.
CREATE TABLE operation (
  study INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  client_id TEXT NOT NULL,
  trials TEXT NOT NULL CHECK (trials GLOB '[[]*]'),  -- JSON array of numbers
  answered_at_us INTEGER NOT NULL,
  PRIMARY KEY (study, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER operation_is_the_last BEFORE INSERT ON operation
WHEN NEW.number IS NOT (SELECT last_operation FROM study WHERE id = NEW.study)
  OR (SELECT study_state FROM study WHERE id = NEW.study) IS NULL
BEGIN SELECT RAISE(ABORT, 'an operation must have the next number'); END;

CREATE TRIGGER operation_count_grows_by_one
BEFORE UPDATE OF last_operation ON study
WHEN NEW.last_operation NOT IN (OLD.last_operation, OLD.last_operation + 1)
BEGIN SELECT RAISE(ABORT, 'operations are counted one by one'); END;

CREATE TRIGGER operation_is_final BEFORE UPDATE ON operation
BEGIN SELECT RAISE(ABORT, 'an operation never changes'); END;

CREATE TRIGGER operation_stays BEFORE DELETE ON operation
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'an operation goes only with its study'); END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0004_H_
