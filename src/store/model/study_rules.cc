// The rules of studies that clients run, and of every study's note.

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/events/study_event_payload.h"
#include "store/model/change_rules.h"
#include "study/job_id.h"

namespace vernier {
namespace {

constexpr std::size_t kMostMetadata = 100000;  // Items of one owner.

// Returns the study for a change, with its version raised and its row marked.
StudySnapshot& EditStudy(StudyId id, ChangeContext& context) {
  StudySnapshot& study = context.state.Edit(id);
  ++study.version;
  context.effects.rows.push_back({RowChange::Kind::kStudyChanged, KeyOf(id)});
  return study;
}

// PARENT/studies/NAME. The name of a job never contains a '/'.
bool IsResourceName(const std::string& name) {
  constexpr char kMiddle[] = "/studies/";
  const std::size_t middle = name.rfind(kMiddle);
  return middle != std::string::npos && middle > 0 &&
         middle + sizeof(kMiddle) - 1 < name.size() &&
         name.find('/', middle + sizeof(kMiddle) - 1) == std::string::npos;
}

absl::Status CheckNewStudy(const NewStudy& study,
                           const ChangeContext& context) {
  if (!IsResourceName(study.name)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the name of a study must be PARENT/studies/NAME: ", study.name));
  }
  VERNIER_RETURN_IF_ERROR(CheckUtf8("the name of a study", study.name));
  if (study.spec == nullptr) {
    return absl::InvalidArgumentError("a new study needs a spec");
  }
  // The trials of a study that grows will declare its parameters.
  const bool has_none_yet = study.spec->parameters.empty() &&
                            study.original.format == kGrowingSpecFormat;
  VERNIER_RETURN_IF_ERROR(has_none_yet ? ValidateMetrics(*study.spec)
                                       : ValidateStudySpec(*study.spec));
  if (context.state.FindJob(study.name).has_value()) {
    return absl::AlreadyExistsError(
        absl::StrCat("a study of this name exists: ", study.name));
  }
  return CheckHasRoomForStudy(ProjectOfName(study.name), study.max_studies,
                              context);
}

std::shared_ptr<StudySnapshot> MakeClientStudy(const NewStudy& added,
                                               StudyId id, Timestamp now) {
  auto study = std::make_shared<StudySnapshot>();
  study->id = id;
  study->name = added.name;
  study->spec = added.spec;
  ClientRunOf(*study).original =
      std::make_shared<const OriginalSpec>(added.original);
  study->seed = added.seed;
  study->created_at = now;
  return study;
}

absl::Status CheckMetadata(const MetadataUpdate& update) {
  VERNIER_RETURN_IF_ERROR(CheckUtf8("a namespace", update.key.first));
  VERNIER_RETURN_IF_ERROR(CheckUtf8("a key", update.key.second));
  if (!update.value.is_text) return absl::OkStatus();
  return CheckUtf8("a text", update.value.value);
}

// What a trial has declared is final with it.
absl::Status CheckMayDeclare(
    StudyId study, const TrialRecord& trial,
    const std::vector<const MetadataUpdate*>& updates) {
  if (!IsTerminal(trial.state)) return absl::OkStatus();
  for (const MetadataUpdate* const update : updates) {
    if (!update->key.first.starts_with(kDeclaredNamespace)) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        NameOf(study, trial.id), " is ", std::string(ToString(trial.state)),
        ", and what it has ", "declared does not change any more"));
  }
  return absl::OkStatus();
}

// Sets all given key-values of one owner, a trial or the study itself, at once,
// so that the owner's metadata are copied only once.
absl::Status SetMetadata(StudyId id, std::optional<TrialId> owner,
                         const std::vector<const MetadataUpdate*>& updates,
                         ChangeContext& context) {
  const auto set_all = [&](Metadata* metadata) -> absl::Status {
    for (const MetadataUpdate* const update : updates) {
      metadata->insert_or_assign(update->key, update->value);
    }
    if (metadata->size() <= kMostMetadata) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "there is room for ", kMostMetadata, " key-values in one place"));
  };
  if (owner.has_value()) {
    VERNIER_ASSIGN_OR_RETURN(const std::shared_ptr<const TrialRecord> before,
                             FindTrial(context, id, *owner));
    VERNIER_RETURN_IF_ERROR(CheckMayDeclare(id, *before, updates));
    auto trial = std::make_shared<TrialRecord>(*before);
    VERNIER_RETURN_IF_ERROR(set_all(&trial->metadata));
    context.state.PutTrial(id, std::move(trial));
    return absl::OkStatus();
  }
  StudySnapshot& study = EditStudy(id, context);
  auto metadata = std::make_shared<Metadata>(*study.metadata);
  VERNIER_RETURN_IF_ERROR(set_all(metadata.get()));
  study.metadata = std::move(metadata);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<StudyId> ApplyCreateStudy(const NewStudy& study,
                                         ChangeContext& context) {
  VERNIER_RETURN_IF_ERROR(CheckNewStudy(study, context));
  const StudyId id{ToInt(context.state.last_study()) + 1};
  std::shared_ptr<StudySnapshot> made = MakeClientStudy(study, id, context.now);
  std::string payload = StudyCreatedPayload(ClientStudyOf(*made));
  context.state.AddStudy(std::move(made));
  context.effects.rows.push_back({RowChange::Kind::kStudyAdded, KeyOf(id)});
  RecordEvent(KeyOf(id), "study.created", std::move(payload), context);
  if (study.metadata.empty()) return id;
  UpdateMetadata metadata{id, {}};
  for (const auto& [key, value] : study.metadata) {
    metadata.updates.push_back({std::nullopt, key, value});
  }
  VERNIER_RETURN_IF_ERROR(Apply(metadata, *context.state.Find(id), context));
  return id;
}

absl::Status Apply(const WriteNote& change, const StudySnapshot& /*before*/,
                   ChangeContext& context) {
  VERNIER_RETURN_IF_ERROR(CheckUtf8("a note", change.note));
  if (change.note.size() > kMostNoteBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("a note has at most ", kMostNoteBytes, " bytes, not ",
                     change.note.size()));
  }
  StudySnapshot& study = EditStudy(change.study, context);
  study.note = change.note;
  RecordEvent(KeyOf(change.study), "study.note", StudyNotePayload(study),
              context);
  return absl::OkStatus();
}

absl::Status Apply(const MoveStudy& change, ClientStudyRef before,
                   ChangeContext& context) {
  VERNIER_RETURN_IF_ERROR(CheckUtf8("a reason", change.reason));
  const StudyState from = before.run().state;
  ClientRun& run = ClientRunOf(EditStudy(change.study, context));
  run.state = change.state;
  run.state_reason = change.reason;
  RecordEvent(KeyOf(change.study), "study.moved", StudyMovedPayload(from, run),
              context);
  return absl::OkStatus();
}

absl::Status Apply(const AssignTrial& change, ClientStudyRef /*before*/,
                   ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(const std::shared_ptr<const TrialRecord> before,
                           FindTrial(context, change.study, change.trial));
  if (before->state != TrialState::kRequested) {
    return absl::FailedPreconditionError(
        absl::StrCat("only a requested trial is given to a client: ",
                     NameOf(change.study, change.trial), " is ",
                     std::string(ToString(before->state))));
  }
  VERNIER_RETURN_IF_ERROR(CheckUtf8("a client id", change.client_id));
  auto trial = std::make_shared<TrialRecord>(*before);
  trial->state = TrialState::kActive;
  trial->client_id = change.client_id;
  trial->started_at = context.now;
  context.state.Edit(change.study).trials.Put(trial);
  RecordTrialMove(change.study, before->state, *trial, context);
  return absl::OkStatus();
}

absl::Status Apply(const DeleteTrial& change, ClientStudyRef /*before*/,
                   ChangeContext& context) {
  VERNIER_ASSIGN_OR_RETURN(const std::shared_ptr<const TrialRecord> before,
                           FindTrial(context, change.study, change.trial));
  if (!IsTerminal(before->state)) {
    return absl::FailedPreconditionError(
        absl::StrCat(NameOf(change.study, change.trial), " has not ended: it ",
                     "is ", std::string(ToString(before->state))));
  }
  auto trial = std::make_shared<TrialRecord>(*before);
  trial->deleted_at = context.now;
  StudySnapshot& study = context.state.Edit(change.study);
  const auto count = study.ended.find(trial->end_cause);
  if (--count->second == 0) study.ended.erase(count);
  study.trials.Put(std::move(trial));
  const AttemptKey key{change.study, change.trial, 0};
  context.effects.rows.push_back({RowChange::Kind::kTrialDeleted, key});
  RecordEvent(key, "trial.deleted", "{}", context);
  return absl::OkStatus();
}

absl::Status Apply(const UpdateMetadata& change,
                   const StudySnapshot& /*before*/, ChangeContext& context) {
  std::map<std::optional<TrialId>, std::vector<const MetadataUpdate*>> owners;
  for (const MetadataUpdate& update : change.updates) {
    VERNIER_RETURN_IF_ERROR(CheckMetadata(update));
    owners[update.trial].push_back(&update);
  }
  for (const auto& [owner, updates] : owners) {
    VERNIER_RETURN_IF_ERROR(SetMetadata(change.study, owner, updates, context));
  }
  for (const MetadataUpdate& update : change.updates) {
    context.effects.metadata.push_back({change.study,
                                        update.trial.value_or(TrialId{}),
                                        update.key, update.value});
  }
  if (change.updates.empty()) return absl::OkStatus();
  RecordEvent(KeyOf(change.study), "study.metadata", MetadataPayload(change),
              context);
  return absl::OkStatus();
}

absl::Status Apply(const RecordOperation& change, ClientStudyRef before,
                   ChangeContext& context) {
  const std::int64_t next = before.run().last_operation + 1;
  if (change.number != next) {
    return absl::AbortedError(absl::StrCat("the next operation of ",
                                           NameOf(change.study), " is ", next,
                                           ", not ", change.number));
  }
  for (const TrialId id : change.trials) {
    VERNIER_ASSIGN_OR_RETURN(const std::shared_ptr<const TrialRecord> trial,
                             FindTrial(context, change.study, id));
    if (trial->state == TrialState::kActive &&
        trial->client_id == change.client_id) {
      continue;
    }
    return absl::AbortedError(absl::StrCat(NameOf(change.study, id),
                                           " is not active for client \"",
                                           change.client_id, "\""));
  }
  ClientRunOf(context.state.Edit(change.study)).last_operation = change.number;
  context.effects.rows.push_back(
      {RowChange::Kind::kStudyChanged, KeyOf(change.study)});
  const OperationRecord operation{change.number, change.client_id,
                                  change.trials, context.now};
  context.effects.operations.emplace_back(change.study, operation);
  RecordEvent(KeyOf(change.study), "study.suggested",
              OperationPayload(operation), context);
  return absl::OkStatus();
}

absl::Status Apply(const DeleteStudy& change, ClientStudyRef before,
                   ChangeContext& context) {
  RecordEvent(KeyOf(change.study), "study.deleted", StudyDeletedPayload(before),
              context);
  context.effects.rows.push_back(
      {RowChange::Kind::kStudyRemoved, KeyOf(change.study)});
  context.state.RemoveStudy(change.study);
  return absl::OkStatus();
}

}  // namespace vernier
