#ifndef VERNIER_STORE_MIGRATIONS_QUOTAS_0003_H_
#define VERNIER_STORE_MIGRATIONS_QUOTAS_0003_H_

namespace vernier {

/// Adds limits for buckets. The table is created anew because its check names
/// all limits.
inline constexpr char kQuotas0003[] = R"sql(
-- NULL: no limit. A project without any has no row.
CREATE TABLE quota_with_buckets (
  project TEXT NOT NULL PRIMARY KEY CHECK (project <> ''),
  max_parallel_trials INTEGER CHECK (max_parallel_trials >= 0),
  max_gpus INTEGER CHECK (max_gpus >= 0),
  max_studies INTEGER CHECK (max_studies >= 0),
  max_bucket_bytes INTEGER CHECK (max_bucket_bytes >= 0),
  max_bucket_objects INTEGER CHECK (max_bucket_objects >= 0),
  CHECK (coalesce(max_parallel_trials, max_gpus, max_studies, max_bucket_bytes,
                  max_bucket_objects) IS NOT NULL)
) STRICT, WITHOUT ROWID;
INSERT INTO quota_with_buckets
SELECT project, max_parallel_trials, max_gpus, max_studies, NULL, NULL
FROM quota;
DROP TABLE quota;
ALTER TABLE quota_with_buckets RENAME TO quota;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_QUOTAS_0003_H_
