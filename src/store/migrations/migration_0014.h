#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0014_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0014_H_

namespace vernier {

/// A job and its trials may have metadata, as those of clients have.
inline constexpr char kMigration0014[] = R"sql(
DROP TRIGGER metadata_of_client_study;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0014_H_
