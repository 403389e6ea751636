#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0010_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0010_H_

namespace vernier {

/// A measurement says by which road it came (MetricRoad), and a trial's summary
/// of which road it is. Until now a job's trials wrote cloudml-hypertune's file
/// (2), and clients called (1).
inline constexpr char kMigration0010[] = R"sql(
DROP TRIGGER measurement_is_final;
ALTER TABLE measurement ADD COLUMN road INTEGER NOT NULL DEFAULT 2
  CHECK (road BETWEEN 1 AND 8);
UPDATE measurement SET road = 1 WHERE attempt = 0;
CREATE TRIGGER measurement_is_final BEFORE UPDATE ON measurement
BEGIN SELECT RAISE(ABORT, 'a measurement never changes'); END;

DROP TRIGGER trial_end_is_final;
-- 0: nothing was reported.
ALTER TABLE trial ADD COLUMN objective_road INTEGER NOT NULL DEFAULT 0
  CHECK (objective_road BETWEEN 0 AND 8);
UPDATE trial SET objective_road =
  CASE WHEN study IN (SELECT study FROM job) THEN 2 ELSE 1 END
WHERE finite_count + not_finite_count > 0;
CREATE TRIGGER trial_end_is_final BEFORE UPDATE OF
  study, number, state, parameters, suggester, seen_events, created_at_us,
  started_at_us, ended_at_us, end_cause, message, final_step, final_value_bits,
  last_attempt, last_step, last_value_bits, last_reported_at_us, best_step,
  best_value_bits, finite_count, not_finite_count, metrics_seen, suggestion,
  client_id, final_report, brought_reports, objective_road ON trial
WHEN OLD.state >= 4
BEGIN SELECT RAISE(ABORT, 'a terminal trial never changes'); END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0010_H_
