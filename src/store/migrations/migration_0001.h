#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0001_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0001_H_

namespace vernier {

/// The first schema. Never edit it once it is released: add a migration.
///
/// It repeats the rules of change.h as CHECKs, partial unique indexes and
/// triggers: a write that the model should have refused fails here. Numbers of
/// states are those of the enums in src/study/. INDEXED BY is used where the
/// planner would otherwise read all trials of a study.
inline constexpr char kMigration0001[] = R"sql(
PRAGMA application_id = 0x56524e52;  -- "VRNR"

-- One job and its study's settings.
CREATE TABLE study (
  id INTEGER PRIMARY KEY CHECK (id > 0),
  job_id TEXT NOT NULL UNIQUE CHECK (job_id <> ''),
  spec_json TEXT NOT NULL,
  ignored_fields TEXT NOT NULL,        -- JSON array of strings
  seed INTEGER NOT NULL,               -- the 64 bits of an unsigned number
  max_trials INTEGER NOT NULL CHECK (max_trials >= 1),
  max_parallel_trials INTEGER NOT NULL CHECK (max_parallel_trials >= 1),
  labels TEXT NOT NULL,                -- JSON object of strings
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 7),
  wanted INTEGER NOT NULL CHECK (wanted BETWEEN 1 AND 4),
  wanted_reason TEXT NOT NULL,
  error_message TEXT NOT NULL,
  code_dir TEXT NOT NULL,
  run_dir TEXT NOT NULL,
  resumed_study INTEGER,
  created_at_us INTEGER NOT NULL,
  started_at_us INTEGER,
  ended_at_us INTEGER,
  waited_us INTEGER NOT NULL CHECK (waited_us >= 0),
  ran_us INTEGER NOT NULL CHECK (ran_us >= 0),
  consecutive_instant_failures INTEGER NOT NULL
    CHECK (consecutive_instant_failures >= 0),
  version INTEGER NOT NULL CHECK (version >= 1),
  CHECK ((state >= 5) = (ended_at_us IS NOT NULL))
) STRICT;

-- The highest study id ever given; outlives deleted studies.
CREATE TABLE study_counter (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  last_study INTEGER NOT NULL
) STRICT;
INSERT INTO study_counter VALUES (1, 0);

CREATE TRIGGER study_ids_are_never_reused BEFORE INSERT ON study
WHEN NEW.id <> (SELECT last_study + 1 FROM study_counter)
BEGIN SELECT RAISE(ABORT, 'a study must have the next id'); END;

CREATE TRIGGER study_ids_are_counted AFTER INSERT ON study
BEGIN UPDATE study_counter SET last_study = NEW.id; END;

CREATE TRIGGER study_counter_only_grows BEFORE UPDATE ON study_counter
WHEN NEW.last_study < OLD.last_study
BEGIN SELECT RAISE(ABORT, 'the study counter never falls'); END;

CREATE TRIGGER study_counter_stays BEFORE DELETE ON study_counter
BEGIN SELECT RAISE(ABORT, 'the study counter stays'); END;

CREATE TRIGGER study_identity_is_fixed BEFORE UPDATE ON study
WHEN NEW.id <> OLD.id OR NEW.job_id <> OLD.job_id
  OR NEW.spec_json <> OLD.spec_json OR NEW.seed <> OLD.seed
  OR NEW.created_at_us <> OLD.created_at_us
  OR NEW.max_parallel_trials <> OLD.max_parallel_trials
  OR NEW.resumed_study IS NOT OLD.resumed_study
BEGIN SELECT RAISE(ABORT, 'what a study was created with never changes'); END;

CREATE TRIGGER study_budget_never_falls BEFORE UPDATE OF max_trials ON study
WHEN NEW.max_trials < OLD.max_trials
BEGIN SELECT RAISE(ABORT, 'max_trials never falls'); END;

CREATE TRIGGER study_moves_are_legal BEFORE UPDATE OF state ON study
WHEN NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
  VALUES (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 3), (2, 4), (2, 5),
         (2, 6), (3, 4), (3, 5), (3, 6), (4, 7), (5, 1), (6, 1), (7, 1))
BEGIN SELECT RAISE(ABORT, 'illegal move of a job'); END;

CREATE TRIGGER study_is_deleted_only_at_its_end BEFORE DELETE ON study
WHEN OLD.state < 5
BEGIN SELECT RAISE(ABORT, 'only a finished job is deleted'); END;

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
  end_cause INTEGER NOT NULL CHECK (end_cause BETWEEN 0 AND 11),
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
  PRIMARY KEY (study, number),
  CHECK ((state >= 4) = (ended_at_us IS NOT NULL)),
  CHECK ((state >= 4) = (end_cause <> 0)),
  CHECK ((final_step IS NULL) = (final_value_bits IS NULL)),
  CHECK (final_step IS NULL OR state >= 4),
  CHECK ((last_step IS NULL) = (last_value_bits IS NULL)),
  CHECK ((best_step IS NULL) = (best_value_bits IS NULL)),
  CHECK ((finite_count = 0) = (last_step IS NULL)),
  CHECK ((finite_count = 0) = (best_step IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX trial_open ON trial (study) WHERE state <= 3;

CREATE TRIGGER trial_numbers_are_dense BEFORE INSERT ON trial
WHEN NEW.number <>
  (SELECT coalesce(max(number), 0) + 1 FROM trial WHERE study = NEW.study)
BEGIN SELECT RAISE(ABORT, 'a trial must have the next number'); END;

CREATE TRIGGER trial_budget BEFORE INSERT ON trial
WHEN NEW.number > (SELECT max_trials FROM study WHERE id = NEW.study)
BEGIN SELECT RAISE(ABORT, 'no more trials than max_trials'); END;

CREATE TRIGGER trial_of_finished_job BEFORE INSERT ON trial
WHEN (SELECT state FROM study WHERE id = NEW.study) >= 5
BEGIN SELECT RAISE(ABORT, 'a finished job gets no trials'); END;

CREATE TRIGGER trial_starts_requested BEFORE INSERT ON trial
WHEN NEW.state <> 1
BEGIN SELECT RAISE(ABORT, 'a trial starts as requested'); END;

CREATE TRIGGER trial_end_is_final BEFORE UPDATE ON trial
WHEN OLD.state >= 4
BEGIN SELECT RAISE(ABORT, 'a terminal trial never changes'); END;

CREATE TRIGGER trial_identity_is_fixed BEFORE UPDATE ON trial
WHEN NEW.study <> OLD.study OR NEW.number <> OLD.number
  OR NEW.parameters <> OLD.parameters OR NEW.suggester <> OLD.suggester
  OR NEW.seen_events <> OLD.seen_events
  OR NEW.created_at_us <> OLD.created_at_us
BEGIN SELECT RAISE(ABORT, 'the parameters of a trial never change'); END;

CREATE TRIGGER trial_moves_are_legal BEFORE UPDATE OF state ON trial
WHEN NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
  VALUES (1, 2), (1, 5), (2, 3), (2, 4), (2, 6), (2, 7), (3, 4), (3, 5))
BEGIN SELECT RAISE(ABORT, 'illegal move of a trial'); END;

CREATE TRIGGER trial_stays_with_its_study BEFORE DELETE ON trial
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'a trial goes only with its study'); END;

CREATE TRIGGER study_end_waits_for_trials BEFORE UPDATE OF state ON study
WHEN NEW.state >= 5
  AND EXISTS (SELECT 1 FROM trial INDEXED BY trial_open
              WHERE study = NEW.id AND state <= 3)
BEGIN SELECT RAISE(ABORT, 'a job ends after its trials'); END;

CREATE TABLE attempt (
  study INTEGER NOT NULL,
  trial INTEGER NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  nonce TEXT NOT NULL CHECK (nonce <> ''),
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 6),
  kill_wanted INTEGER NOT NULL CHECK (kill_wanted IN (0, 1)),
  kill_cause INTEGER NOT NULL CHECK (kill_cause BETWEEN 0 AND 11),
  devices TEXT NOT NULL,               -- JSON array of strings
  intended_at_us INTEGER NOT NULL,
  running_at_us INTEGER,
  ended_at_us INTEGER,
  exit_code INTEGER,
  signal INTEGER,
  end_cause INTEGER NOT NULL CHECK (end_cause BETWEEN 0 AND 11),
  message TEXT NOT NULL,
  lasted_us INTEGER NOT NULL CHECK (lasted_us >= 0),
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

CREATE TRIGGER attempt_cap BEFORE INSERT ON attempt
WHEN (SELECT count(*) FROM attempt INDEXED BY attempt_live
      WHERE study = NEW.study AND state <= 3) >=
     (SELECT max_parallel_trials FROM study WHERE id = NEW.study)
BEGIN SELECT RAISE(ABORT, 'no more live attempts than max_parallel_trials');
END;

CREATE TRIGGER attempt_end_is_final BEFORE UPDATE ON attempt
WHEN OLD.state >= 4
BEGIN SELECT RAISE(ABORT, 'a terminal attempt never changes'); END;

CREATE TRIGGER attempt_identity_is_fixed BEFORE UPDATE ON attempt
WHEN NEW.study <> OLD.study OR NEW.trial <> OLD.trial
  OR NEW.number <> OLD.number OR NEW.nonce <> OLD.nonce
  OR NEW.devices <> OLD.devices OR NEW.intended_at_us <> OLD.intended_at_us
BEGIN SELECT RAISE(ABORT, 'what an attempt was intended with stays'); END;

CREATE TRIGGER attempt_moves_are_legal BEFORE UPDATE OF state ON attempt
WHEN NEW.state < OLD.state
BEGIN SELECT RAISE(ABORT, 'an attempt never moves backwards'); END;

CREATE TRIGGER attempt_kill_is_never_withdrawn
BEFORE UPDATE OF kill_wanted ON attempt
WHEN NEW.kill_wanted < OLD.kill_wanted
BEGIN SELECT RAISE(ABORT, 'a wanted kill is never withdrawn'); END;

CREATE TRIGGER attempt_stays_with_its_trial BEFORE DELETE ON attempt
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'an attempt goes only with its study'); END;

CREATE TRIGGER trial_end_waits_for_attempt BEFORE UPDATE OF state ON trial
WHEN NEW.state >= 4 AND EXISTS (
  SELECT 1 FROM attempt
  WHERE study = NEW.study AND trial = NEW.number AND state <= 3)
BEGIN SELECT RAISE(ABORT, 'a trial ends after its attempt'); END;

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

CREATE TRIGGER attempt_end_waits_for_leases BEFORE UPDATE OF state ON attempt
WHEN NEW.state >= 4 AND EXISTS (
  SELECT 1 FROM lease WHERE study = NEW.study AND trial = NEW.trial
  AND attempt = NEW.number AND released_at_us IS NULL)
BEGIN SELECT RAISE(ABORT, 'leases are released before an attempt ends'); END;

CREATE TABLE metric (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE CHECK (name <> '')
) STRICT;

-- Clustered, so that a trial's curve is one run of pages. A value is its 64
-- bits, since SQLite turns a NaN into NULL and -0.0 into 0.0.
CREATE TABLE measurement (
  study INTEGER NOT NULL,
  trial INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  metric INTEGER NOT NULL REFERENCES metric (id),
  step INTEGER NOT NULL,
  reported_at_us INTEGER NOT NULL,
  kind INTEGER NOT NULL CHECK (kind BETWEEN 1 AND 4),
  value_bits INTEGER NOT NULL,         -- IEEE 754 binary64
  PRIMARY KEY (study, trial, attempt, metric, step, reported_at_us),
  FOREIGN KEY (study, trial, attempt)
    REFERENCES attempt (study, trial, number) ON DELETE CASCADE,
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

CREATE TRIGGER measurement_of_replaced_attempt BEFORE INSERT ON measurement
WHEN EXISTS (SELECT 1 FROM attempt WHERE study = NEW.study
             AND trial = NEW.trial AND number > NEW.attempt)
BEGIN SELECT RAISE(ABORT, 'a replaced attempt may not report'); END;

CREATE TRIGGER measurement_is_final BEFORE UPDATE ON measurement
BEGIN SELECT RAISE(ABORT, 'a measurement never changes'); END;

CREATE TRIGGER measurement_stays BEFORE DELETE ON measurement
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'a measurement goes only with its study'); END;

-- The answers given to request ids, so that a repeated request adds nothing.
CREATE TABLE request (
  id TEXT PRIMARY KEY CHECK (id <> ''),
  study INTEGER NOT NULL,
  job_digest INTEGER NOT NULL,         -- the 64 bits of an unsigned number
  created_at_us INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER request_is_final BEFORE UPDATE ON request
BEGIN SELECT RAISE(ABORT, 'the answer to a request never changes'); END;

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

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0001_H_
