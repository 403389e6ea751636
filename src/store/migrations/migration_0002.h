#ifndef VERNIER_STORE_MIGRATIONS_MIGRATION_0002_H_
#define VERNIER_STORE_MIGRATIONS_MIGRATION_0002_H_

namespace vernier {

/// Why each trial's parameters were chosen.
inline constexpr char kMigration0002[] = R"sql(
-- A SuggestionRecord as JSON; empty: older than this column, or not tuned.
ALTER TABLE trial ADD COLUMN suggestion TEXT NOT NULL DEFAULT ''
  CHECK (suggestion = '' OR suggestion GLOB '{*}');

CREATE TRIGGER trial_suggestion_is_final
BEFORE UPDATE OF suggestion ON trial WHEN NEW.suggestion <> OLD.suggestion
BEGIN SELECT RAISE(ABORT, 'a suggestion never changes'); END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_MIGRATION_0002_H_
