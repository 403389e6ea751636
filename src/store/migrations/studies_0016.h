#ifndef VERNIER_STORE_MIGRATIONS_STUDIES_0016_H_
#define VERNIER_STORE_MIGRATIONS_STUDIES_0016_H_

namespace vernier {

/// The step to schema 16 of vernier.db: a study of Optuna's clients has no
/// search space when it is made, so its spec grows with what its trials
/// declare, and an open trial of it gets its parameters one by one.
inline constexpr char kStudies16[] = R"sql(
DROP TRIGGER study_identity_is_fixed;

CREATE TRIGGER study_identity_is_fixed BEFORE UPDATE ON study
WHEN NEW.id <> OLD.id OR NEW.name <> OLD.name OR NEW.seed <> OLD.seed
  OR (NEW.spec_json IS NOT OLD.spec_json
      AND OLD.original_format <> 'optuna.Study')
  OR NEW.original_format <> OLD.original_format
  OR NEW.original_spec <> OLD.original_spec
  OR NEW.created_at_us <> OLD.created_at_us
BEGIN SELECT RAISE(ABORT, 'what a study was created with never changes'); END;

DROP TRIGGER trial_identity_is_fixed;

CREATE TRIGGER trial_identity_is_fixed BEFORE UPDATE ON trial
WHEN NEW.study <> OLD.study OR NEW.number <> OLD.number
  OR (NEW.parameters <> OLD.parameters AND NOT EXISTS (
    SELECT 1 FROM study
    WHERE id = OLD.study AND original_format = 'optuna.Study'))
  OR NEW.suggester <> OLD.suggester
  OR NEW.seen_events <> OLD.seen_events
  OR NEW.created_at_us <> OLD.created_at_us
BEGIN SELECT RAISE(ABORT, 'the parameters of a trial never change'); END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_STUDIES_0016_H_
