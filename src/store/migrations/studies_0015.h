#ifndef VERNIER_STORE_MIGRATIONS_STUDIES_0015_H_
#define VERNIER_STORE_MIGRATIONS_STUDIES_0015_H_

namespace vernier {

/// The step to schema 15 of vernier.db: why something is wanted of a job
/// (WantedCause) has a column. Until then the sentence for people was the only
/// place that said it, so this is the last time that one is read.
inline constexpr char kStudies15[] = R"sql(
ALTER TABLE job ADD COLUMN wanted_cause INTEGER NOT NULL DEFAULT 0
  CHECK (wanted_cause BETWEEN 0 AND 4);

UPDATE job SET wanted_cause = CASE
  WHEN wanted_reason = '' THEN 0
  WHEN wanted_reason LIKE '%by a user' OR wanted_reason LIKE '%by the user'
    THEN 1
  WHEN instr(wanted_reason, '(vernier.limits.') > 0 THEN 4
  WHEN instr(wanted_reason, 'scheduling.max') > 0 THEN 3
  ELSE 2 END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_STUDIES_0015_H_
