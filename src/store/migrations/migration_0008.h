#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0008_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0008_H_

namespace vernier {

/// Counts for the rules that pause or fail a job, and a trial's reports that
/// could not be stored.
inline constexpr char kMigration0008[] = R"sql(
-- Failed trials in a row.
ALTER TABLE study ADD COLUMN consecutive_failures INTEGER NOT NULL DEFAULT 0
  CHECK (consecutive_failures >= 0);
-- A JSON list of [end cause, trials]: what had ended at the last resume.
ALTER TABLE study ADD COLUMN ended_before_resume TEXT NOT NULL DEFAULT '[]'
  CHECK (ended_before_resume GLOB '[[]*]');

-- A JSON list of texts.
ALTER TABLE trial ADD COLUMN metric_problems TEXT NOT NULL DEFAULT '[]'
  CHECK (metric_problems GLOB '[[]*]');

CREATE TRIGGER trial_problems_are_final BEFORE UPDATE OF metric_problems
ON trial WHEN OLD.state >= 4 AND NEW.metric_problems <> OLD.metric_problems
BEGIN SELECT RAISE(ABORT, 'a terminal trial never changes'); END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0008_H_
