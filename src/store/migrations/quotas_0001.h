#ifndef VERNIER_STORE_MIGRATIONS_QUOTAS_0001_H_
#define VERNIER_STORE_MIGRATIONS_QUOTAS_0001_H_

namespace vernier {

/// The first schema of quotas.db: how much projects may have.
inline constexpr char kQuotas0001[] = R"sql(
PRAGMA application_id = 1448234578;  -- "VRNR"

-- NULL: no limit. A project without any has no row.
CREATE TABLE quota (
  project TEXT NOT NULL PRIMARY KEY CHECK (project <> ''),
  max_parallel_trials INTEGER CHECK (max_parallel_trials >= 0),
  max_gpus INTEGER CHECK (max_gpus >= 0),
  max_studies INTEGER CHECK (max_studies >= 0),
  CHECK (coalesce(max_parallel_trials, max_gpus, max_studies) IS NOT NULL)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_QUOTAS_0001_H_
