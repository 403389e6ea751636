#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0012_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0012_H_

namespace vernier {

/// A measurement may become void: its program went back to an earlier step and
/// reports from there again. Nothing else of it ever changes, and it never
/// counts again. And a study has a note.
inline constexpr char kMigration0012[] = R"sql(
ALTER TABLE study ADD COLUMN note TEXT NOT NULL DEFAULT '';

DROP TRIGGER measurement_is_final;
ALTER TABLE measurement ADD COLUMN is_void INTEGER NOT NULL DEFAULT 0
  CHECK (is_void IN (0, 1));

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
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0012_H_
