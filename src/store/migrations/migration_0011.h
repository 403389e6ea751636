#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0011_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0011_H_

namespace vernier {

/// An attempt may end by kPreempted (12) and kTransient (13). The table is made
/// anew, since SQLite does not change the checks of a table; foreign keys are
/// off, or dropping it would delete the leases.
inline constexpr char kMigration0011[] = R"sql(
CREATE TABLE attempt_10 AS SELECT * FROM attempt;
DROP TABLE attempt;

CREATE TABLE attempt (
  study INTEGER NOT NULL,
  trial INTEGER NOT NULL,
  number INTEGER NOT NULL CHECK (number > 0),
  nonce TEXT NOT NULL CHECK (nonce <> ''),
  state INTEGER NOT NULL CHECK (state BETWEEN 1 AND 6),
  kill_wanted INTEGER NOT NULL CHECK (kill_wanted IN (0, 1)),
  kill_cause INTEGER NOT NULL CHECK (kill_cause BETWEEN 0 AND 13),
  devices TEXT NOT NULL,               -- JSON array of strings
  intended_at_us INTEGER NOT NULL,
  running_at_us INTEGER,
  ended_at_us INTEGER,
  exit_code INTEGER,
  signal INTEGER,
  end_cause INTEGER NOT NULL CHECK (end_cause BETWEEN 0 AND 13),
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
FROM attempt_10 ORDER BY study, trial, number;
DROP TABLE attempt_10;

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
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0011_H_
