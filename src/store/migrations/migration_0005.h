#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0005_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0005_H_

namespace vernier {

/// Request ids of trials that clients make, beside those of jobs and points.
inline constexpr char kMigration0005[] = R"sql(
-- The trial that the request made; NULL: it made none, or more than one.
ALTER TABLE request ADD COLUMN trial INTEGER CHECK (trial > 0);
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0005_H_
