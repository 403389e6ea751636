#ifndef VERNIER_FACES_ML_ML_STUDY_MESSAGE_H_
#define VERNIER_FACES_ML_ML_STUDY_MESSAGE_H_

#include <ml/v1/study.pb.h>

#include "absl/status/statusor.h"
#include "store/study_kinds.h"
#include "study/metric_report.h"
#include "study/study_spec.h"
#include "trials/study_service.h"

namespace vernier {

namespace ml = ::google::cloud::ml::v1;

/// OriginalSpec::format of specs that came through the ml v1 API.
inline constexpr char kMlConfigFormat[] = "google.cloud.ml.v1.StudyConfig";

/// Conversion between AI Platform's study messages and our types. Pure.

/// INVALID_ARGUMENT names the field.
absl::StatusOr<StudySpec> FromMl(const ml::StudyConfig& config);
absl::StatusOr<TrialRequest> FromMl(const ml::Trial& trial);
absl::StatusOr<MetricReport> FromMl(const ml::Measurement& measurement);

/// The config is the one that the client sent, with what it has become by edits
/// of its search. For a study that came through
/// another API it is an equivalent one.
ml::Study ToMl(ClientStudyRef study);
ml::Trial ToMl(const TrialWithMeasurements& answer);
ml::Study::State ToMl(StudyState state);

/// True if the study was made with useElapsedTime, which has no effect here.
bool WantsElapsedTime(ClientStudyRef study);

}  // namespace vernier

#endif  // VERNIER_FACES_ML_ML_STUDY_MESSAGE_H_
