#ifndef VERNIER_STORE_MIGRATIONS_STUDIES_BASE_H_
#define VERNIER_STORE_MIGRATIONS_STUDIES_BASE_H_

namespace vernier {

/// Schema 14 of vernier.db, with which the first release starts. Never edit it
/// once it is released: add a step (StudiesSchema).
///
/// It repeats the rules of change.h as CHECKs, partial unique indexes and
/// triggers: a write that the model should have refused fails here. Numbers of
/// states are those of the enums in src/study/. INDEXED BY is used where the
/// planner would otherwise read all trials of a study.
inline constexpr char kStudiesBase[] = R"sql(
PRAGMA application_id = 1448234578;  -- "VRNR"

-- The highest study id ever given; outlives deleted studies.
CREATE TABLE study_counter (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  last_study INTEGER NOT NULL
) STRICT;

CREATE TRIGGER study_counter_only_grows BEFORE UPDATE ON study_counter
WHEN NEW.last_study < OLD.last_study
BEGIN SELECT RAISE(ABORT, 'the study counter never falls'); END;

CREATE TRIGGER study_counter_stays BEFORE DELETE ON study_counter
BEGIN SELECT RAISE(ABORT, 'the study counter stays'); END;

INSERT INTO study_counter VALUES (1, 0);

-- What every study has.
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
  note TEXT NOT NULL DEFAULT '',
  -- A job's name holds no '/', and a resource's does.
  CHECK ((spec_json IS NULL) = (instr(name, '/') = 0)),
  -- Only its clients move a study and are answered by number.
  CHECK (spec_json IS NOT NULL OR (state = 1 AND last_operation = 0))
) STRICT;

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

-- What a study has besides that the service runs.
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

-- The versions before the newest, which `job` has.
CREATE TABLE job_version (
  study INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  spec_json TEXT NOT NULL,
  code_dir TEXT NOT NULL,
  code_digest TEXT NOT NULL,
  changes TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  PRIMARY KEY (study, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER job_versions_are_dense BEFORE INSERT ON job_version
WHEN NEW.number <>
  (SELECT coalesce(max(number), 0) + 1 FROM job_version
   WHERE study = NEW.study)
BEGIN SELECT RAISE(ABORT, 'a version must have the next number'); END;

CREATE TRIGGER job_version_is_final BEFORE UPDATE ON job_version
BEGIN SELECT RAISE(ABORT, 'an earlier version never changes'); END;

CREATE TRIGGER job_version_stays BEFORE DELETE ON job_version
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'a version goes only with its study'); END;

-- Points given by hand, until they are trials: numbered as those that come next.
CREATE TABLE queued_point (
  study INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
  trial INTEGER NOT NULL CHECK (trial > 0),
  parameters TEXT NOT NULL CHECK (parameters GLOB '{*}'),  -- JSON object
  queued_at_us INTEGER NOT NULL,
  PRIMARY KEY (study, trial)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER queued_points_come_next BEFORE INSERT ON queued_point
WHEN NEW.trial <> 1 + coalesce(
  (SELECT max(trial) FROM queued_point WHERE study = NEW.study),
  (SELECT max(number) FROM trial WHERE study = NEW.study), 0)
BEGIN SELECT RAISE(ABORT, 'a queued point must have the next number'); END;

CREATE TRIGGER queued_point_is_final BEFORE UPDATE ON queued_point
BEGIN SELECT RAISE(ABORT, 'a queued point never changes'); END;

CREATE TRIGGER queued_point_stays BEFORE DELETE ON queued_point
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
  AND NOT EXISTS (SELECT 1 FROM trial
                  WHERE study = OLD.study AND number = OLD.trial)
BEGIN SELECT RAISE(ABORT, 'a queued point goes when it is a trial'); END;

CREATE TRIGGER queued_point_of_a_job BEFORE INSERT ON queued_point
WHEN NOT EXISTS (SELECT 1 FROM job WHERE study = NEW.study
                 AND state < 5 AND NEW.trial <= max_trials)
BEGIN SELECT RAISE(ABORT,
  'only a job that is not finished gets points, up to max_trials'); END;

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

-- Only trials of jobs have attempts: a client's trial never was launched.
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

CREATE TABLE lease (
  device TEXT NOT NULL,
  study INTEGER NOT NULL,
  trial INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  leased_at_us INTEGER NOT NULL,
  released_at_us INTEGER,
  PRIMARY KEY (study, trial, attempt, device),
  FOREIGN KEY (study, trial, attempt)
    REFERENCES attempt (study, trial, number) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX lease_held ON lease (device) WHERE released_at_us IS NULL;

CREATE TRIGGER lease_release_is_final BEFORE UPDATE ON lease
WHEN OLD.released_at_us IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a released lease never changes'); END;

CREATE TRIGGER lease_needs_live_attempt BEFORE INSERT ON lease
WHEN (SELECT state FROM attempt WHERE study = NEW.study
      AND trial = NEW.trial AND number = NEW.attempt) >= 4
BEGIN SELECT RAISE(ABORT, 'only a live attempt holds a lease'); END;

CREATE TABLE metric (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name <> '')
) STRICT;

-- Clustered, so that a trial's curve is one run of pages. A value is its 64
-- bits, since SQLite turns a NaN into NULL and -0.0 into 0.0.
CREATE TABLE measurement (
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
  road INTEGER NOT NULL DEFAULT 2 CHECK (road BETWEEN 1 AND 8),
  -- Another of its step came later from the same source.
  is_void INTEGER NOT NULL DEFAULT 0 CHECK (is_void IN (0, 1)),
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

CREATE TRIGGER measurement_of_finished_trial BEFORE INSERT ON measurement
WHEN (SELECT state FROM trial
      WHERE study = NEW.study AND number = NEW.trial) >= 4
BEGIN SELECT RAISE(ABORT, 'a terminal trial takes no measurements'); END;

CREATE TRIGGER measurement_of_the_last_attempt BEFORE INSERT ON measurement
WHEN NEW.attempt <> (SELECT coalesce(max(number), 0) FROM attempt
                     WHERE study = NEW.study AND trial = NEW.trial)
BEGIN SELECT RAISE(ABORT,
  'only the last attempt of a trial reports, or 0 without attempts'); END;

CREATE TRIGGER measurement_stays BEFORE DELETE ON measurement
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'a measurement goes only with its study'); END;

CREATE TRIGGER measurement_is_final BEFORE UPDATE ON measurement
WHEN OLD.is_void = 1
  OR (NEW.study, NEW.trial, NEW.attempt, NEW.metric, NEW.step,
      NEW.reported_at_us, NEW.kind, NEW.value_bits, NEW.elapsed_us, NEW.road)
  IS NOT (OLD.study, OLD.trial, OLD.attempt, OLD.metric, OLD.step,
      OLD.reported_at_us, OLD.kind, OLD.value_bits, OLD.elapsed_us, OLD.road)
BEGIN SELECT RAISE(ABORT, 'a measurement never changes, but to become void');
END;

CREATE TRIGGER measurement_of_finished_trial_stays
BEFORE UPDATE OF is_void ON measurement
WHEN (SELECT state FROM trial
      WHERE study = NEW.study AND number = NEW.trial) >= 4
BEGIN SELECT RAISE(ABORT, 'a terminal trial takes no measurement back'); END;

-- The answers given to request ids, so that a repeated request adds nothing.
CREATE TABLE request (
  id TEXT PRIMARY KEY CHECK (id <> ''),
  study INTEGER NOT NULL,
  job_digest INTEGER NOT NULL,         -- the 64 bits of an unsigned number
  created_at_us INTEGER NOT NULL,
  trial INTEGER CHECK (trial > 0)      -- NULL: it created a study
) STRICT, WITHOUT ROWID;

CREATE TRIGGER request_is_final BEFORE UPDATE ON request
BEGIN SELECT RAISE(ABORT, 'the answer to a request never changes'); END;

-- Key-values of jobs and of clients; trial 0: the study's own.
CREATE TABLE metadata (
  study INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
  trial INTEGER NOT NULL CHECK (trial >= 0),
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  is_text INTEGER NOT NULL CHECK (is_text IN (0, 1)),
  value BLOB NOT NULL,
  PRIMARY KEY (study, trial, namespace, key)
) STRICT, WITHOUT ROWID;

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

CREATE TRIGGER operation_is_final BEFORE UPDATE ON operation
BEGIN SELECT RAISE(ABORT, 'an operation never changes'); END;

CREATE TRIGGER operation_stays BEFORE DELETE ON operation
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'an operation goes only with its study'); END;

CREATE TRIGGER operation_is_the_last BEFORE INSERT ON operation
WHEN NOT EXISTS (SELECT 1 FROM study WHERE id = NEW.study
                 AND spec_json IS NOT NULL AND last_operation = NEW.number)
BEGIN SELECT RAISE(ABORT, 'an operation must have the next number'); END;

-- Append-only; its numbers are dense.
CREATE TABLE event (
  seq INTEGER PRIMARY KEY CHECK (seq > 0),
  study INTEGER NOT NULL,
  trial INTEGER,                       -- NULL: about the job
  attempt INTEGER NOT NULL,            -- 0: not about an attempt
  kind TEXT NOT NULL CHECK (kind <> ''),
  payload TEXT NOT NULL,               -- JSON object
  at_us INTEGER NOT NULL,
  CHECK (attempt = 0 OR trial IS NOT NULL)
) STRICT;

CREATE INDEX event_of_study ON event (study, seq);

CREATE TRIGGER event_numbers_are_dense BEFORE INSERT ON event
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM event)
BEGIN SELECT RAISE(ABORT, 'an event must have the next number'); END;

CREATE TRIGGER event_is_final BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'an event never changes'); END;

CREATE TRIGGER event_stays BEFORE DELETE ON event
BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_STUDIES_BASE_H_
