#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0007_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0007_H_

namespace vernier {

/// Versions of a job: its program may change, its search may not.
inline constexpr char kMigration0007[] = R"sql(
-- The row of a study has its newest version.
ALTER TABLE study ADD COLUMN code_version INTEGER NOT NULL DEFAULT 1
  CHECK (code_version >= 1);
-- Of the pinned code; empty: not known.
ALTER TABLE study ADD COLUMN code_digest TEXT NOT NULL DEFAULT '';
ALTER TABLE study ADD COLUMN version_changes TEXT NOT NULL DEFAULT '';
-- 0: older than this column, so when the study was created.
ALTER TABLE study ADD COLUMN version_at_us INTEGER NOT NULL DEFAULT 0;
-- Of max_trials, those that make up for trials that failed or were cancelled.
ALTER TABLE study ADD COLUMN made_up_trials INTEGER NOT NULL DEFAULT 0
  CHECK (made_up_trials >= 0);

ALTER TABLE attempt ADD COLUMN code_version INTEGER NOT NULL DEFAULT 1
  CHECK (code_version >= 1);

-- The versions before the newest.
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

DROP TRIGGER study_identity_is_fixed;
CREATE TRIGGER study_identity_is_fixed BEFORE UPDATE ON study
WHEN NEW.id <> OLD.id OR NEW.job_id <> OLD.job_id OR NEW.seed <> OLD.seed
  OR NEW.created_at_us <> OLD.created_at_us
  OR NEW.resumed_study IS NOT OLD.resumed_study
BEGIN SELECT RAISE(ABORT, 'what a study was created with never changes'); END;

CREATE TRIGGER study_version_is_fixed BEFORE UPDATE ON study
WHEN NEW.code_version = OLD.code_version
  AND (NEW.spec_json <> OLD.spec_json OR NEW.code_dir <> OLD.code_dir
    OR NEW.code_digest <> OLD.code_digest
    OR NEW.max_parallel_trials <> OLD.max_parallel_trials
    OR NEW.version_changes <> OLD.version_changes
    OR NEW.version_at_us <> OLD.version_at_us)
BEGIN SELECT RAISE(ABORT, 'a version of a job never changes'); END;

CREATE TRIGGER study_versions_are_counted
BEFORE UPDATE OF code_version ON study
WHEN NEW.code_version NOT IN (OLD.code_version, OLD.code_version + 1)
  OR (NEW.code_version <> OLD.code_version AND OLD.study_state IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'versions of a job are counted one by one'); END;

-- One statement with the change, so that no version is ever lost.
CREATE TRIGGER study_keeps_its_earlier_version
AFTER UPDATE OF code_version ON study
WHEN NEW.code_version <> OLD.code_version
BEGIN
  INSERT INTO job_version VALUES (OLD.id, OLD.code_version, OLD.spec_json,
    OLD.code_dir, OLD.code_digest, OLD.version_changes,
    CASE OLD.version_at_us WHEN 0 THEN OLD.created_at_us
    ELSE OLD.version_at_us END);
END;

DROP TRIGGER study_budget_never_falls;
CREATE TRIGGER study_budget_never_falls BEFORE UPDATE OF max_trials ON study
WHEN NEW.max_trials < OLD.max_trials AND (NEW.code_version = OLD.code_version
  OR NEW.max_trials < (SELECT count(*) FROM trial WHERE study = NEW.id)
    + (SELECT count(*) FROM queued_point WHERE study = NEW.id))
BEGIN SELECT RAISE(ABORT,
  'max_trials falls with a new version only, to what there is at least'); END;

DROP TRIGGER attempt_identity_is_fixed;
CREATE TRIGGER attempt_identity_is_fixed BEFORE UPDATE ON attempt
WHEN NEW.study <> OLD.study OR NEW.trial <> OLD.trial
  OR NEW.number <> OLD.number OR NEW.nonce <> OLD.nonce
  OR NEW.devices <> OLD.devices OR NEW.intended_at_us <> OLD.intended_at_us
  OR NEW.code_version <> OLD.code_version
BEGIN SELECT RAISE(ABORT, 'what an attempt was intended with stays'); END;

CREATE TRIGGER attempt_runs_the_newest_version BEFORE INSERT ON attempt
WHEN NEW.code_version <>
  (SELECT code_version FROM study WHERE id = NEW.study)
BEGIN SELECT RAISE(ABORT, 'an attempt runs the newest version'); END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0007_H_
