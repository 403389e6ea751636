#ifndef VERNIER_FACES_MESSAGES_VIZIER_MESSAGE_H_
#define VERNIER_FACES_MESSAGES_VIZIER_MESSAGE_H_

#include <vizier/study.pb.h>
#include <vizier/vizier_service.pb.h>

#include <string>

#include "absl/status/statusor.h"
#include "store/study_kinds.h"
#include "trials/study_service.h"

namespace vernier {

/// OriginalSpec::format of specs that came through OSS Vizier's API.
inline constexpr char kVizierSpecFormat[] = "vizier.StudySpec";

/// Conversion between OSS Vizier's messages and our types.

/// INVALID_ARGUMENT names the field; UNIMPLEMENTED for an algorithm that only
/// OSS Vizier has.
absl::StatusOr<StudySpec> FromVizier(const vizier::StudySpec& spec);
absl::StatusOr<StudyRequest> FromVizier(
    const vizier::CreateStudyRequest& request);
absl::StatusOr<TrialRequest> FromVizier(const vizier::Trial& trial);
absl::StatusOr<MetricReport> FromVizier(const vizier::Measurement& measurement);
/// INVALID_ARGUMENT if neither kind of value is set.
absl::StatusOr<MetadataUpdate> FromVizier(const vizier::KeyValue& item);
absl::StatusOr<StudyState> FromVizier(vizier::Study::State state);

/// The spec is the one that the client sent, with the present parameters and
/// metadata. For a study that came through another API it is an equivalent one.
vizier::Study ToVizier(ClientStudyRef study);
vizier::StudySpec ToVizier(const StudySpec& study);
vizier::Trial ToVizier(const TrialWithMeasurements& answer);
vizier::Measurement ToVizier(const MetricReport& report);
/// Adds the parameters of a trial to its message.
void PrintParameters(const Parameters& parameters, vizier::Trial* trial);
vizier::Study::State ToVizier(StudyState state);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_VIZIER_MESSAGE_H_
