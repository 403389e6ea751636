#ifndef VERNIER_STORE_EVENTS_STUDY_EVENT_PAYLOAD_H_
#define VERNIER_STORE_EVENTS_STUDY_EVENT_PAYLOAD_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "store/change.h"
#include "store/store.h"
#include "store/study_kinds.h"

namespace vernier {

/// Payloads of the events of studies that clients run, and of every study's
/// note, one JSON object each. Bytes that are no text are in base64.
/// docs/store.md lists them.

std::string StudyCreatedPayload(ClientStudyRef study);
std::string StudyMovedPayload(StudyState from, const ClientRun& run);
std::string StudyNotePayload(const StudyRecord& study);
std::string MetadataPayload(const UpdateMetadata& change);
std::string StudyRevisedPayload(ClientStudyRef study);
std::string SpecGrownPayload(const StudySnapshot& study);
std::string TrialParameterPayload(const NamedValue& parameter);
std::string OperationPayload(const OperationRecord& operation);
std::string StudyDeletedPayload(const StudySnapshot& study);

/// A JSON array of trial numbers, and back. DATA_LOSS if it is none.
std::string TrialsToJson(const std::vector<TrialId>& trials);
absl::StatusOr<std::vector<TrialId>> TrialsFromJson(const std::string& text);

}  // namespace vernier

#endif  // VERNIER_STORE_EVENTS_STUDY_EVENT_PAYLOAD_H_
