#ifndef VERNIER_STORE_MIGRATIONS_QUOTAS_BASE_H_
#define VERNIER_STORE_MIGRATIONS_QUOTAS_BASE_H_

namespace vernier {

/// Schema 3 of quotas.db, with which the first release starts: the limits of
/// projects.
inline constexpr char kQuotasBase[] = R"sql(
PRAGMA application_id = 1448234578;  -- "VRNR"

-- NULL: no limit. A project without any has no row.
CREATE TABLE quota (
  project TEXT NOT NULL PRIMARY KEY CHECK (project <> ''),
  max_parallel_trials INTEGER CHECK (max_parallel_trials >= 0),
  max_gpus INTEGER CHECK (max_gpus >= 0),
  max_studies INTEGER CHECK (max_studies >= 0),
  max_bucket_bytes INTEGER CHECK (max_bucket_bytes >= 0),
  max_bucket_objects INTEGER CHECK (max_bucket_objects >= 0),
  CHECK (coalesce(max_parallel_trials, max_gpus, max_studies, max_bucket_bytes,
                  max_bucket_objects) IS NOT NULL)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_QUOTAS_BASE_H_
