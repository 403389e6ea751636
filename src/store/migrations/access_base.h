#ifndef VERNIER_STORE_MIGRATIONS_ACCESS_BASE_H_
#define VERNIER_STORE_MIGRATIONS_ACCESS_BASE_H_

namespace vernier {

/// Schema 2 of access.db, with which the first release starts: the tokens of
/// callers.
inline constexpr char kAccessBase[] = R"sql(
PRAGMA application_id = 1448234578;  -- "VRNR"

CREATE TABLE token (
  number INTEGER PRIMARY KEY AUTOINCREMENT,  -- By creation.
  id TEXT NOT NULL UNIQUE CHECK (id <> ''),
  hash TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),  -- SHA-256, hex
  scope INTEGER NOT NULL CHECK (scope BETWEEN 1 AND 3),
  project TEXT NOT NULL CHECK ((scope = 1) = (project = '')),
  may_run INTEGER NOT NULL CHECK (may_run IN (0, 1)),
  label TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  expires_at_us INTEGER,
  revoked_at_us INTEGER
) STRICT;

CREATE TRIGGER token_is_final BEFORE UPDATE ON token
WHEN NEW.id <> OLD.id OR NEW.hash <> OLD.hash OR NEW.scope <> OLD.scope
  OR NEW.project <> OLD.project OR NEW.may_run <> OLD.may_run
  OR OLD.revoked_at_us IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a token is only ever revoked, and once'); END;

CREATE TRIGGER token_stays BEFORE DELETE ON token
BEGIN SELECT RAISE(ABORT, 'a token is revoked, not removed'); END;

-- What tokens of attempts are derived from.
CREATE TABLE secret (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  value TEXT NOT NULL CHECK (length(value) = 64)
) STRICT;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_ACCESS_BASE_H_
