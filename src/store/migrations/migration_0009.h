#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0009_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0009_H_

namespace vernier {

/// A study is a study. `study` keeps what every study has, and `job` what a
/// study has besides that the service runs. Only trials of jobs have attempts:
/// a client's trial never was launched.
///
/// `study` and `measurement` are made anew, since SQLite changes neither the
/// checks nor the foreign keys of a table; so the step needs foreign keys to be
/// off, or dropping a table would delete what refers to it.
inline constexpr char kMigration0009[] = R"sql(
-- What names columns that move, or forbids what is done here.
DROP TRIGGER attempt_cap;
DROP TRIGGER attempt_runs_the_newest_version;
DROP TRIGGER attempt_stays_with_its_trial;
DROP TRIGGER metadata_of_client_study;
DROP TRIGGER operation_is_the_last;
DROP TRIGGER queued_point_budget;
DROP TRIGGER queued_point_of_finished_job;
DROP TRIGGER trial_budget;
DROP TRIGGER trial_of_finished_job;
DROP TRIGGER trial_of_inactive_study;
DROP TRIGGER trial_end_is_final;
DROP TRIGGER trial_tombstone;

CREATE TABLE study_8 AS SELECT * FROM study;
DROP TABLE study;

CREATE TABLE study (
  id INTEGER PRIMARY KEY CHECK (id > 0),
  name TEXT NOT NULL UNIQUE CHECK (name <> ''),
  -- A StudySpec as JSON; NULL: it follows from the spec of the study's job.
  spec_json TEXT CHECK (spec_json GLOB '{*}'),
  -- The spec as its face got it, and which face that was; never interpreted.
  original_format TEXT NOT NULL,
  original_spec BLOB NOT NULL,
  seed INTEGER NOT NULL,               -- the 64 bits of an unsigned number
  labels TEXT NOT NULL,                -- JSON object of strings
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 3),
  state_reason TEXT NOT NULL,
  last_operation INTEGER NOT NULL CHECK (last_operation >= 0),
  created_at_us INTEGER NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  -- A job's name holds no '/', and a resource's does.
  CHECK ((spec_json IS NULL) = (instr(name, '/') = 0)),
  -- Only its clients move a study and are answered by number.
  CHECK (spec_json IS NOT NULL OR (state = 1 AND last_operation = 0))
) STRICT;

INSERT INTO study
SELECT id, job_id, CASE WHEN study_state IS NULL THEN NULL ELSE spec_json END,
  original_format, original_spec, seed, labels, coalesce(study_state, 1),
  state_reason, last_operation, created_at_us, version
FROM study_8;

-- What the service runs, of the studies that it runs.
CREATE TABLE job (
  study INTEGER PRIMARY KEY REFERENCES study (id) ON DELETE CASCADE,
  -- Of the newest version.
  spec_json TEXT NOT NULL CHECK (spec_json GLOB '{*}'),
  ignored_fields TEXT NOT NULL,        -- JSON array of strings
  max_trials INTEGER NOT NULL CHECK (max_trials >= 1),
  -- Of max_trials, those that make up for trials that failed or were cancelled.
  made_up_trials INTEGER NOT NULL CHECK (made_up_trials >= 0),
  max_parallel_trials INTEGER NOT NULL CHECK (max_parallel_trials >= 1),
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 7),
  wanted INTEGER NOT NULL CHECK (wanted BETWEEN 1 AND 4),
  wanted_reason TEXT NOT NULL,
  error_message TEXT NOT NULL,
  code_dir TEXT NOT NULL,
  code_digest TEXT NOT NULL,           -- Of the pinned code; empty: not known.
  code_version INTEGER NOT NULL CHECK (code_version >= 1),
  version_changes TEXT NOT NULL,
  version_at_us INTEGER NOT NULL,
  run_dir TEXT NOT NULL,
  resumed_study INTEGER,
  started_at_us INTEGER,
  ended_at_us INTEGER,
  waited_us INTEGER NOT NULL CHECK (waited_us >= 0),
  ran_us INTEGER NOT NULL CHECK (ran_us >= 0),
  -- Trials in a row that failed, and that failed soon after their start.
  consecutive_failures INTEGER NOT NULL CHECK (consecutive_failures >= 0),
  consecutive_instant_failures INTEGER NOT NULL
    CHECK (consecutive_instant_failures >= 0),
  -- A JSON list of [end cause, trials]: what had ended at the last resume.
  ended_before_resume TEXT NOT NULL CHECK (ended_before_resume GLOB '[[]*]'),
  CHECK ((state >= 5) = (ended_at_us IS NOT NULL))
) STRICT;

INSERT INTO job
SELECT id, spec_json, ignored_fields, max_trials, made_up_trials,
  max_parallel_trials, state, wanted, wanted_reason, error_message, code_dir,
  code_digest, code_version, version_changes,
  CASE version_at_us WHEN 0 THEN created_at_us ELSE version_at_us END, run_dir,
  resumed_study, started_at_us, ended_at_us, waited_us, ran_us,
  consecutive_failures, consecutive_instant_failures, ended_before_resume
FROM study_8 WHERE study_state IS NULL;
DROP TABLE study_8;

-- Clustered, so that a trial's curve is one run of pages. A value is its 64
-- bits, since SQLite turns a NaN into NULL and -0.0 into 0.0.
CREATE TABLE measurement_9 (
  study INTEGER NOT NULL,
  trial INTEGER NOT NULL,
  attempt INTEGER NOT NULL CHECK (attempt >= 0),  -- 0: its client's
  metric INTEGER NOT NULL REFERENCES metric (id),
  step INTEGER NOT NULL,
  reported_at_us INTEGER NOT NULL,
  kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 4),
  value_bits INTEGER NOT NULL,         -- IEEE 754 binary64
  -- Since the start of the trial, as its reporter says.
  elapsed_us INTEGER NOT NULL CHECK (elapsed_us >= 0),
  PRIMARY KEY (study, trial, attempt, metric, step, reported_at_us),
  FOREIGN KEY (study, trial) REFERENCES trial (study, number)
    ON DELETE CASCADE,
  -- Exponent all ones: infinite if the fraction is 0, else not a number.
  CHECK (kind = CASE
    WHEN (value_bits & 0x7ff0000000000000) <> 0x7ff0000000000000 THEN 1
    WHEN value_bits & 0x000fffffffffffff THEN 2
    WHEN value_bits > 0 THEN 3
    ELSE 4 END)
) STRICT, WITHOUT ROWID;

-- In the order of the key, so that pages are filled one after the other.
INSERT INTO measurement_9
SELECT m.study, m.trial,
  CASE WHEN j.study IS NULL THEN 0 ELSE m.attempt END, m.metric, m.step,
  m.reported_at_us, m.kind, m.value_bits, m.elapsed_us
FROM measurement m LEFT JOIN job j ON j.study = m.study
ORDER BY m.study, m.trial, m.attempt, m.metric, m.step, m.reported_at_us;
DROP TABLE measurement;
ALTER TABLE measurement_9 RENAME TO measurement;

DELETE FROM attempt WHERE study NOT IN (SELECT study FROM job);
UPDATE trial SET last_attempt = 0 WHERE study NOT IN (SELECT study FROM job);

CREATE TRIGGER study_ids_are_never_reused BEFORE INSERT ON study
WHEN NEW.id <> (SELECT last_study + 1 FROM study_counter)
BEGIN SELECT RAISE(ABORT, 'a study must have the next id'); END;

CREATE TRIGGER study_ids_are_counted AFTER INSERT ON study
BEGIN UPDATE study_counter SET last_study = NEW.id; END;

CREATE TRIGGER study_identity_is_fixed BEFORE UPDATE ON study
WHEN NEW.id <> OLD.id OR NEW.name <> OLD.name OR NEW.seed <> OLD.seed
  OR NEW.spec_json IS NOT OLD.spec_json
  OR NEW.original_format <> OLD.original_format
  OR NEW.original_spec <> OLD.original_spec
  OR NEW.created_at_us <> OLD.created_at_us
BEGIN SELECT RAISE(ABORT, 'what a study was created with never changes'); END;

CREATE TRIGGER study_version_never_falls BEFORE UPDATE OF version ON study
WHEN NEW.version < OLD.version
BEGIN SELECT RAISE(ABORT, 'the version of a study never falls'); END;

CREATE TRIGGER study_is_deleted_only_at_its_end BEFORE DELETE ON study
WHEN (SELECT state FROM job WHERE study = OLD.id) < 5
BEGIN SELECT RAISE(ABORT, 'only a finished job is deleted'); END;

CREATE TRIGGER operation_count_grows_by_one
BEFORE UPDATE OF last_operation ON study
WHEN NEW.last_operation NOT IN (OLD.last_operation, OLD.last_operation + 1)
BEGIN SELECT RAISE(ABORT, 'operations are counted one by one'); END;

CREATE TRIGGER job_needs_its_study BEFORE INSERT ON job
WHEN (SELECT spec_json FROM study WHERE id = NEW.study) IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'the clients run this study'); END;

CREATE TRIGGER job_stays_with_its_study BEFORE DELETE ON job
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'a job goes only with its study'); END;

CREATE TRIGGER job_identity_is_fixed BEFORE UPDATE ON job
WHEN NEW.study <> OLD.study OR NEW.resumed_study IS NOT OLD.resumed_study
BEGIN SELECT RAISE(ABORT, 'what a job was created with never changes'); END;

CREATE TRIGGER job_moves_are_legal BEFORE UPDATE OF state ON job
WHEN NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
  VALUES (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 3), (2, 4), (2, 5),
         (2, 6), (3, 4), (3, 5), (3, 6), (4, 7), (5, 1), (6, 1), (7, 1))
BEGIN SELECT RAISE(ABORT, 'illegal move of a job'); END;

CREATE TRIGGER job_end_waits_for_trials BEFORE UPDATE OF state ON job
WHEN NEW.state >= 5
  AND EXISTS (SELECT 1 FROM trial INDEXED BY trial_open
              WHERE study = NEW.study AND state <= 3)
BEGIN SELECT RAISE(ABORT, 'a job ends after its trials'); END;

CREATE TRIGGER job_version_is_fixed BEFORE UPDATE ON job
WHEN NEW.code_version = OLD.code_version
  AND (NEW.spec_json <> OLD.spec_json OR NEW.code_dir <> OLD.code_dir
    OR NEW.code_digest <> OLD.code_digest
    OR NEW.max_parallel_trials <> OLD.max_parallel_trials
    OR NEW.version_changes <> OLD.version_changes
    OR NEW.version_at_us <> OLD.version_at_us)
BEGIN SELECT RAISE(ABORT, 'a version of a job never changes'); END;

CREATE TRIGGER job_versions_are_counted BEFORE UPDATE OF code_version ON job
WHEN NEW.code_version NOT IN (OLD.code_version, OLD.code_version + 1)
BEGIN SELECT RAISE(ABORT, 'versions of a job are counted one by one'); END;

-- One statement with the change, so that no version is ever lost.
CREATE TRIGGER job_keeps_its_earlier_version
AFTER UPDATE OF code_version ON job
WHEN NEW.code_version <> OLD.code_version
BEGIN
  INSERT INTO job_version VALUES (OLD.study, OLD.code_version, OLD.spec_json,
    OLD.code_dir, OLD.code_digest, OLD.version_changes, OLD.version_at_us);
END;

CREATE TRIGGER job_budget_never_falls BEFORE UPDATE OF max_trials ON job
WHEN NEW.max_trials < OLD.max_trials AND (NEW.code_version = OLD.code_version
  OR NEW.max_trials < (SELECT count(*) FROM trial WHERE study = NEW.study)
    + (SELECT count(*) FROM queued_point WHERE study = NEW.study))
BEGIN SELECT RAISE(ABORT,
  'max_trials falls with a new version only, to what there is at least'); END;

CREATE TRIGGER queued_point_of_a_job BEFORE INSERT ON queued_point
WHEN NOT EXISTS (SELECT 1 FROM job WHERE study = NEW.study
                 AND state < 5 AND NEW.trial <= max_trials)
BEGIN SELECT RAISE(ABORT,
  'only a job that is not finished gets points, up to max_trials'); END;

CREATE TRIGGER trial_budget BEFORE INSERT ON trial
WHEN NEW.number > (SELECT max_trials FROM job WHERE study = NEW.study)
BEGIN SELECT RAISE(ABORT, 'no more trials than max_trials'); END;

CREATE TRIGGER trial_of_finished_job BEFORE INSERT ON trial
WHEN (SELECT state FROM job WHERE study = NEW.study) >= 5
BEGIN SELECT RAISE(ABORT, 'a finished job gets no trials'); END;

CREATE TRIGGER trial_of_inactive_study BEFORE INSERT ON trial
WHEN (SELECT state FROM study WHERE id = NEW.study) > 1
BEGIN SELECT RAISE(ABORT, 'only an active study gets trials'); END;

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
  OR NOT EXISTS (SELECT 1 FROM study WHERE id = NEW.study
                 AND spec_json IS NOT NULL AND state = 1)
BEGIN SELECT RAISE(ABORT,
  'only an ended trial of an active client study is deleted, and once'); END;

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

CREATE TRIGGER measurement_of_finished_trial BEFORE INSERT ON measurement
WHEN (SELECT state FROM trial
      WHERE study = NEW.study AND number = NEW.trial) >= 4
BEGIN SELECT RAISE(ABORT, 'a terminal trial takes no measurements'); END;

CREATE TRIGGER measurement_of_the_last_attempt BEFORE INSERT ON measurement
WHEN NEW.attempt <> (SELECT coalesce(max(number), 0) FROM attempt
                     WHERE study = NEW.study AND trial = NEW.trial)
BEGIN SELECT RAISE(ABORT,
  'only the last attempt of a trial reports, or 0 without attempts'); END;

CREATE TRIGGER measurement_is_final BEFORE UPDATE ON measurement
BEGIN SELECT RAISE(ABORT, 'a measurement never changes'); END;

CREATE TRIGGER measurement_stays BEFORE DELETE ON measurement
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'a measurement goes only with its study'); END;

CREATE TRIGGER metadata_of_client_study BEFORE INSERT ON metadata
WHEN NOT EXISTS (SELECT 1 FROM study WHERE id = NEW.study
                 AND spec_json IS NOT NULL AND state = 1)
BEGIN SELECT RAISE(ABORT, 'only an active client study has metadata'); END;

CREATE TRIGGER operation_is_the_last BEFORE INSERT ON operation
WHEN NOT EXISTS (SELECT 1 FROM study WHERE id = NEW.study
                 AND spec_json IS NOT NULL AND last_operation = NEW.number)
BEGIN SELECT RAISE(ABORT, 'an operation must have the next number'); END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0009_H_
