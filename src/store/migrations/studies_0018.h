#ifndef VERNIER_STORE_MIGRATIONS_STUDIES_0018_H_
#define VERNIER_STORE_MIGRATIONS_STUDIES_0018_H_

namespace vernier {

/// The step to schema 18 of vernier.db: the search of a study that clients run
/// may be edited. Each edit keeps the spec that it replaced (SpecEdit), and
/// without that row the spec of such a study does not change.
inline constexpr char kStudies18[] = R"sql(
CREATE TABLE study_edit (
  study INTEGER NOT NULL REFERENCES study (id) ON DELETE CASCADE,
  version INTEGER NOT NULL CHECK (version > 1),
  replaced_spec_json TEXT NOT NULL CHECK (replaced_spec_json GLOB '{*}'),
  changes TEXT NOT NULL,
  client_data TEXT NOT NULL,
  created_at_us INTEGER NOT NULL,
  PRIMARY KEY (study, version)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER study_edits_are_dense BEFORE INSERT ON study_edit
WHEN NEW.version <>
  (SELECT coalesce(max(version), 1) + 1 FROM study_edit
   WHERE study = NEW.study)
BEGIN SELECT RAISE(ABORT, 'an edit must make the next version'); END;

CREATE TRIGGER study_edit_is_of_a_client_study BEFORE INSERT ON study_edit
WHEN (SELECT spec_json FROM study WHERE id = NEW.study) IS NULL
BEGIN SELECT RAISE(ABORT, 'versions of a job are in job_version'); END;

CREATE TRIGGER study_edit_is_final BEFORE UPDATE ON study_edit
BEGIN SELECT RAISE(ABORT, 'an edit never changes'); END;

CREATE TRIGGER study_edit_stays BEFORE DELETE ON study_edit
WHEN EXISTS (SELECT 1 FROM study WHERE id = OLD.study)
BEGIN SELECT RAISE(ABORT, 'an edit goes only with its study'); END;

DROP TRIGGER study_identity_is_fixed;

CREATE TRIGGER study_identity_is_fixed BEFORE UPDATE ON study
WHEN NEW.id <> OLD.id OR NEW.name <> OLD.name OR NEW.seed <> OLD.seed
  OR (NEW.spec_json IS NOT OLD.spec_json
      AND OLD.original_format <> 'optuna.Study'
      AND OLD.spec_json IS NOT
        (SELECT replaced_spec_json FROM study_edit WHERE study = OLD.id
         ORDER BY version DESC LIMIT 1))
  OR NEW.original_format <> OLD.original_format
  OR NEW.original_spec <> OLD.original_spec
  OR NEW.created_at_us <> OLD.created_at_us
BEGIN SELECT RAISE(ABORT, 'what a study was created with never changes'); END;
)sql";

}  // namespace vernier

#endif  // VERNIER_STORE_MIGRATIONS_STUDIES_0018_H_
