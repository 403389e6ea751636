#ifndef VERNIER_STORE_MIGRATIONS_STUDIES_0017_H_
#define VERNIER_STORE_MIGRATIONS_STUDIES_0017_H_

namespace vernier {

/// The step to schema 17 of vernier.db: metrics may come from two sources more
/// (MetricRoad), so the greatest number of a source grows. A table's check is
/// changed in its text, as SQLite describes it for changes that leave the rows
/// as they are (https://www.sqlite.org/lang_altertable.html, "Making Other
/// Kinds Of Table Schema Changes"): copying the rows of a large database would
/// take minutes, and twice its room.
inline constexpr char kStudies17[] = R"sql(
PRAGMA writable_schema = ON;

UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (objective_road BETWEEN 0 AND 8)',
    'CHECK (objective_road BETWEEN 0 AND 20)')
  WHERE type = 'table' AND name = 'trial';

UPDATE sqlite_schema SET sql = replace(sql,
    'CHECK (road BETWEEN 1 AND 8)', 'CHECK (road BETWEEN 1 AND 20)')
  WHERE type = 'table' AND name = 'measurement';

PRAGMA writable_schema = RESET;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_STUDIES_0017_H_
