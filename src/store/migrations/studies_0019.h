#ifndef VERNIER_STORE_MIGRATIONS_STUDIES_0019_H_
#define VERNIER_STORE_MIGRATIONS_STUDIES_0019_H_

namespace vernier {

/// The step to schema 19 of vernier.db: people and programs may propose points
/// (ProposedPoint). They are numbered from 1 in each study.
inline constexpr char kStudies19[] = R"sql(
CREATE TABLE proposed_point (
  study INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number > 0),
  source TEXT NOT NULL CHECK (length(source) > 0),
  parameters TEXT NOT NULL CHECK (parameters GLOB '{*}'),  -- JSON object
  proposed_at_us INTEGER NOT NULL,
  PRIMARY KEY (study, number)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER proposed_points_are_dense BEFORE INSERT ON proposed_point
WHEN NEW.number <>
  (SELECT coalesce(max(number), 0) + 1 FROM proposed_point
   WHERE study = NEW.study)
BEGIN SELECT RAISE(ABORT, 'a proposed point must have the next number'); END;

CREATE TRIGGER proposed_point_is_final BEFORE UPDATE ON proposed_point
BEGIN SELECT RAISE(ABORT, 'a proposed point never changes'); END;

CREATE TRIGGER proposed_point_stays BEFORE DELETE ON proposed_point
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'a proposed point goes only with its study'); END;

CREATE TRIGGER proposed_point_comes_in_time BEFORE INSERT ON proposed_point
WHEN EXISTS (SELECT 1 FROM job WHERE study = NEW.study AND state >= 5)
BEGIN SELECT RAISE(ABORT, 'a finished job gets no proposed points'); END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_STUDIES_0019_H_
