#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0006_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0006_H_

namespace vernier {

/// Pages end with checksums. PrepareDatabaseFile added them before; the version
/// number keeps an older release from writing pages without them.
inline constexpr char kMigration0006[] = "-- nothing in the tables changes";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0006_H_
