#ifndef VERNIER_STORE_MIGRATIONS_QUOTAS_0002_H_
#define VERNIER_STORE_MIGRATIONS_QUOTAS_0002_H_

namespace vernier {

/// Pages end with checksums, as kMigration0006 says.
inline constexpr char kQuotas0002[] = "-- nothing in the tables changes";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_QUOTAS_0002_H_
