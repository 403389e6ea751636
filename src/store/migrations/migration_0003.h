#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0003_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0003_H_

namespace vernier {

/// Points given by hand, until they are trials.
inline constexpr char kMigration0003[] = R"sql(
-- Numbered as the trials that they will be: those that come next.
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

CREATE TRIGGER queued_point_budget BEFORE INSERT ON queued_point
WHEN NEW.trial > (SELECT max_trials FROM study WHERE id = NEW.study)
BEGIN SELECT RAISE(ABORT, 'no more queued points than max_trials'); END;

CREATE TRIGGER queued_point_of_finished_job BEFORE INSERT ON queued_point
WHEN (SELECT state FROM study WHERE id = NEW.study) >= 5
BEGIN SELECT RAISE(ABORT, 'a finished job gets no points'); END;

CREATE TRIGGER queued_point_is_final BEFORE UPDATE ON queued_point
BEGIN SELECT RAISE(ABORT, 'a queued point never changes'); END;

CREATE TRIGGER queued_point_stays BEFORE DELETE ON queued_point
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
  AND NOT EXISTS (SELECT 1 FROM trial
                  WHERE study = OLD.study AND number = OLD.trial)
BEGIN SELECT RAISE(ABORT, 'a queued point goes when it is a trial'); END;

CREATE TRIGGER trial_is_its_queued_point BEFORE INSERT ON trial
WHEN NEW.parameters <> (SELECT parameters FROM queued_point
                        WHERE study = NEW.study AND trial = NEW.number)
BEGIN SELECT RAISE(ABORT, 'a queued point is the next trial'); END;

-- One statement, so that a point is never both or neither.
CREATE TRIGGER trial_takes_its_queued_point AFTER INSERT ON trial
BEGIN
  DELETE FROM queued_point WHERE study = NEW.study AND trial = NEW.number;
END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0003_H_
