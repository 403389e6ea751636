#include "tests/store/replay/client_comparison.h"

#include <cstddef>

#include "absl/strings/escaping.h"
#include "study/study_state.h"

namespace vernier {
namespace {

absl::Status CompareStudyRows(SqliteDatabase& database,
                              const EventReplay& replay,
                              Violations* violations) {
  return ForEachRow(
      database,
      "SELECT id, state, last_operation,"
      " (SELECT count(*) FROM operation WHERE study = id),"
      " (SELECT coalesce(max(number), 0) FROM operation WHERE study = id),"
      " note FROM study",
      [&](const SqliteStatement& row) {
        Comparison comparison(absl::StrCat("study ", row.Int(0)), violations);
        const auto found = replay.studies().find(row.Int(0));
        if (found == replay.studies().end()) return comparison.Missing();
        comparison.Expect("state of the study",
                          NameOfState<StudyState>(row.Int(1)),
                          found->second.study_state);
        comparison.Expect("note", row.Text(5), found->second.note);
        for (const int column : {2, 3, 4}) {
          comparison.Expect("number of operations", row.Int(column),
                            found->second.last_operation);
        }
      });
}

absl::Status CompareTrialRows(SqliteDatabase& database,
                              const EventReplay& replay,
                              Violations* violations) {
  return ForEachRow(
      database,
      "SELECT study, number, client_id, final_report,"
      " deleted_at_us IS NOT NULL, brought_reports FROM trial",
      [&](const SqliteStatement& row) {
        Comparison comparison(
            absl::StrCat("trial ", row.Int(0), "/", row.Int(1)), violations);
        const auto study = replay.studies().find(row.Int(0));
        if (study == replay.studies().end()) return comparison.Missing();
        const auto trial = study->second.trials.find(row.Int(1));
        if (trial == study->second.trials.end()) return comparison.Missing();
        comparison.Expect("client_id", row.Text(2), trial->second.client_id);
        comparison.Expect("final_report", row.Text(3),
                          trial->second.final_report);
        comparison.Expect("brought_reports", row.Text(5),
                          trial->second.brought_reports);
        comparison.Expect("tombstone", row.Int(4) != 0,
                          trial->second.is_deleted);
      });
}

absl::Status CompareMetadata(SqliteDatabase& database,
                             const EventReplay& replay,
                             Violations* violations) {
  std::size_t count = 0;
  VERNIER_RETURN_IF_ERROR(ForEachRow(
      database,
      "SELECT study, trial, namespace, key, is_text, value FROM metadata",
      [&](const SqliteStatement& row) {
        ++count;
        Comparison comparison(absl::StrCat("metadata of ", row.Int(0), "/",
                                           row.Int(1), " ", row.Text(3)),
                              violations);
        const auto study = replay.studies().find(row.Int(0));
        if (study == replay.studies().end()) return comparison.Missing();
        const auto item =
            study->second.metadata.find({row.Int(1), row.Text(2), row.Text(3)});
        if (item == study->second.metadata.end()) return comparison.Missing();
        comparison.Expect(
            "value",
            (row.Int(4) != 0 ? "t" : "b") + absl::Base64Escape(row.Bytes(5)),
            item->second);
      }));
  std::size_t replayed = 0;
  for (const auto& [id, study] : replay.studies()) {
    replayed += study.metadata.size();
  }
  if (count != replayed) {
    violations->push_back(absl::StrCat(replayed, " key-values by the events, ",
                                       count, " in the table"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CompareClientParts(SqliteDatabase& database,
                                const EventReplay& replay,
                                Violations* violations) {
  VERNIER_RETURN_IF_ERROR(CompareStudyRows(database, replay, violations));
  VERNIER_RETURN_IF_ERROR(CompareTrialRows(database, replay, violations));
  return CompareMetadata(database, replay, violations);
}

}  // namespace vernier
