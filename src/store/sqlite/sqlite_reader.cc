#include "store/sqlite/sqlite_reader.h"

#include <bit>
#include <limits>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/metric_summary.h"
#include "store/sqlite/column_text.h"
#include "store/sqlite/history_reader.h"
#include "store/sqlite/study_reader.h"
#include "store/sqlite/timestamp_column.h"
#include "store/sqlite/trial_reader.h"

namespace vernier {
namespace {

absl::StatusOr<MetadataByOwner> ReadMetadata(SqliteDatabase& database) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare("SELECT study, trial, namespace, key, is_text, value"
                       " FROM metadata"));
  MetadataByOwner all;
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return all;
    Metadata& metadata = all[{StudyId{rows.Int(0)}, TrialId{rows.Int(1)}}];
    metadata.emplace(MetadataKey{rows.Text(2), rows.Text(3)},
                     MetadataValue{rows.Int(4) != 0, rows.Bytes(5)});
  }
}

void TakeStudyMetadata(const Studies& studies, MetadataByOwner* metadata) {
  for (const auto& [id, study] : studies) {
    const auto own = metadata->find({id, TrialId{}});
    if (own == metadata->end()) continue;
    study->metadata = std::make_shared<const Metadata>(std::move(own->second));
  }
}

absl::Status ReadQueuedPoints(SqliteDatabase& database,
                              const Studies& studies) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare("SELECT study, trial, parameters, queued_at_us"
                       " FROM queued_point ORDER BY study, trial"));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    const std::string name =
        absl::StrCat("queued point ", rows.Int(0), "/", rows.Int(1));
    const auto found = studies.find(StudyId{rows.Int(0)});
    if (found == studies.end()) {
      return Damaged(name, absl::DataLossError("its study is missing"));
    }
    StudySnapshot& study = *found->second;
    auto point = std::make_shared<QueuedPoint>();
    point->trial = TrialId{rows.Int(1)};
    if (static_cast<std::size_t>(rows.Int(1)) !=
        study.trials.size() + study.queued.size() + 1) {
      return Damaged(name, absl::DataLossError("it is not the next trial"));
    }
    auto parameters = ParametersFromJson(rows.Text(2));
    if (!parameters.ok()) return Damaged(name, parameters.status());
    point->parameters = *std::move(parameters);
    point->queued_at = FromMicros(rows.Int(3));
    study.queued.push_back(std::move(point));
  }
}

absl::Status ReadProposedPoints(SqliteDatabase& database,
                                const Studies& studies) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare("SELECT study, number, source, parameters,"
                       " proposed_at_us FROM proposed_point"
                       " ORDER BY study, number"));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    const std::string name =
        absl::StrCat("proposed point ", rows.Int(0), "/", rows.Int(1));
    const auto found = studies.find(StudyId{rows.Int(0)});
    if (found == studies.end()) {
      return Damaged(name, absl::DataLossError("its study is missing"));
    }
    StudySnapshot& study = *found->second;
    if (static_cast<std::size_t>(rows.Int(1)) != study.proposed.size() + 1) {
      return Damaged(name, absl::DataLossError("it has not the next number"));
    }
    auto parameters = ParametersFromJson(rows.Text(3));
    if (!parameters.ok()) return Damaged(name, parameters.status());
    study.proposed.push_back(
        std::make_shared<const ProposedPoint>(ProposedPoint{
            rows.Text(2), *std::move(parameters), FromMicros(rows.Int(4))}));
  }
}

absl::Status ReadRequests(SqliteDatabase& database,
                          std::map<std::string, RememberedRequest>* requests) {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement rows,
      database.Prepare("SELECT id, study, job_digest, trial FROM request"));
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, rows.Step());
    if (!has_row) return absl::OkStatus();
    requests->emplace(
        rows.Text(0),
        RememberedRequest{StudyId{rows.Int(1)},
                          std::bit_cast<std::uint64_t>(rows.Int(2)),
                          TrialId{rows.Int(3)}});
  }
}

// Reads the metrics of open trials other than the objective. They have no
// columns: their summaries are computed from the stored measurements.
absl::Status ReadOtherMetrics(SqliteDatabase& database,
                              const Studies& studies) {
  for (const auto& [id, study] : studies) {
    if (!HasOtherMetrics(*study->spec)) continue;
    const std::vector<std::string> metrics = NeededMetrics(*study->spec);
    for (const TrialId number : study->open) {
      auto trial = std::make_shared<TrialRecord>(study->trials.Get(number));
      for (const std::string& metric : metrics) {
        if (metric == ObjectiveOf(*study->spec).name) continue;
        VERNIER_ASSIGN_OR_RETURN(
            const std::vector<Measurement> measurements,
            ReadMeasurements(database, id, number, metric,
                             study->spec->renamed_from,
                             std::numeric_limits<std::size_t>::max()));
        if (measurements.empty()) continue;
        trial->others[metric] = Summarize(*GoalOfNeeded(*study->spec, metric),
                                          std::nullopt, measurements);
      }
      if (!trial->others.empty()) study->trials.Put(std::move(trial));
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<LoadedState> LoadState(SqliteDatabase& database) {
  LoadedState loaded;
  VERNIER_ASSIGN_OR_RETURN(Studies studies, ReadStudies(database));
  VERNIER_ASSIGN_OR_RETURN(MetadataByOwner metadata, ReadMetadata(database));
  TakeStudyMetadata(studies, &metadata);
  VERNIER_RETURN_IF_ERROR(
      ReadTrials(database, studies, &metadata, &loaded.leases));
  VERNIER_RETURN_IF_ERROR(ReadOtherMetrics(database, studies));
  VERNIER_RETURN_IF_ERROR(ReadQueuedPoints(database, studies));
  VERNIER_RETURN_IF_ERROR(ReadProposedPoints(database, studies));
  VERNIER_RETURN_IF_ERROR(ReadRequests(database, &loaded.requests));
  for (auto& [id, study] : studies) loaded.studies[id] = std::move(study);
  VERNIER_ASSIGN_OR_RETURN(
      const std::int64_t last_study,
      database.QueryInt("SELECT last_study FROM study_counter"));
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t last_event,
                           database.QueryInt("SELECT max(seq) FROM event"));
  loaded.last_study = StudyId{last_study};
  loaded.last_event = EventSequence{last_event};
  return loaded;
}

}  // namespace vernier
