#ifndef VERNIER_FACES_NATIVE_STUDY_HANDLERS_H_
#define VERNIER_FACES_NATIVE_STUDY_HANDLERS_H_

#include <vernier/v1/study_service.pb.h>

#include <string>

#include "absl/status/status.h"
#include "base/clock.h"
#include "store/study_kinds.h"
#include "store/study_names.h"
#include "trials/clients/study_activity.h"
#include "trials/engine/result_models.h"
#include "trials/study_service.h"

namespace vernier {

/// The calls of vernier.v1.StudyService, without the transport;
/// proto/vernier/v1/study_service.proto is the contract. Thread-safe.
class StudyHandlers {
 public:
  struct Dependencies {
    StudyService& studies;
    const Store& store;
    ResultModels& models;
    const Clock& clock;
    /// Reports which clients' processes run; null: unknown.
    PresenceOf presence_of = nullptr;
  };

  /// Borrows the objects in `dependencies`, which must outlive this one.
  explicit StudyHandlers(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  absl::Status ListStudies(const v1::ListStudiesRequest& request,
                           v1::ListStudiesResponse* response);
  absl::Status GetStudy(const v1::GetStudyRequest& request,
                        v1::Study* response);
  absl::Status DeleteStudy(const v1::DeleteStudyRequest& request,
                           v1::DeleteStudyResponse* response);
  absl::Status WriteNote(const v1::WriteNoteRequest& request,
                         v1::Study* response);
  absl::Status ListClientTrials(const v1::ListClientTrialsRequest& request,
                                v1::ListClientTrialsResponse* response);
  absl::Status SetAttributes(const v1::SetAttributesRequest& request,
                             v1::SetAttributesResponse* response);
  absl::Status SetStudyState(const v1::SetStudyStateRequest& request,
                             v1::Study* response);
  absl::Status EditStudy(const v1::EditStudyRequest& request,
                         v1::EditStudyResponse* response);
  absl::Status ProposePoints(const v1::ProposePointsRequest& request,
                             v1::Study* response);
  absl::Status GetInsights(const v1::GetInsightsRequest& request,
                           v1::Insights* response);

 private:
  auto Find(const std::string& study) const {
    return FindStudy(*dependencies_.store.Snapshot(), study);
  }
  v1::Study Describe(const StudySnapshot& study) const;
  bool IsWorkedOnNow(const StudySnapshot& study) const;

  const Dependencies dependencies_;
};

/// Returns the API's form of a study, without the clients that work on it.
/// Pure.
v1::Study ToProto(const StudySnapshot& study);

}  // namespace vernier

#endif  // VERNIER_FACES_NATIVE_STUDY_HANDLERS_H_
