#ifndef VERNIER_FACES_VIZIER_VIZIER_HANDLERS_H_
#define VERNIER_FACES_VIZIER_VIZIER_HANDLERS_H_

#include <vizier/vizier_service.pb.h>

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "trials/study_service.h"

namespace vernier {

/// The calls of vizier.VizierService, without the transport. Each method fills
/// its response on OK; proto/vizier/vizier_service.proto is the contract.
/// Thread-safe.
class VizierHandlers {
 public:
  struct Dependencies {
    StudyService& studies;
    /// One line for the log of the service. Any thread.
    std::function<void(const std::string&)> log;
  };
  using Empty = google::protobuf::Empty;

  /// Borrows the objects in `dependencies`, which must outlive this one.
  explicit VizierHandlers(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  absl::Status CreateStudy(const vizier::CreateStudyRequest& request,
                           vizier::Study* response);
  absl::Status GetStudy(const vizier::GetStudyRequest& request,
                        vizier::Study* response);
  absl::Status ListStudies(const vizier::ListStudiesRequest& request,
                           vizier::ListStudiesResponse* response);
  absl::Status DeleteStudy(const vizier::DeleteStudyRequest& request,
                           Empty* response);
  absl::Status SetStudyState(const vizier::SetStudyStateRequest& request,
                             vizier::Study* response);

  /// Calls `done` once, from any thread, when `response` is filled.
  void SuggestTrials(const vizier::SuggestTrialsRequest& request,
                     vizier::Operation* response,
                     std::function<void(absl::Status)> done);
  absl::Status GetOperation(const vizier::GetOperationRequest& request,
                            vizier::Operation* response);

  /// A `request_id` that is not empty lets a client repeat the call; see
  /// StudyService. The same holds for the two methods below that have one.
  absl::Status CreateTrial(const vizier::CreateTrialRequest& request,
                           const std::string& request_id,
                           vizier::Trial* response);
  absl::Status GetTrial(const vizier::GetTrialRequest& request,
                        vizier::Trial* response);
  absl::Status ListTrials(const vizier::ListTrialsRequest& request,
                          vizier::ListTrialsResponse* response);
  absl::Status AddTrialMeasurement(
      const vizier::AddTrialMeasurementRequest& request,
      const std::string& request_id, vizier::Trial* response);
  absl::Status CompleteTrial(const vizier::CompleteTrialRequest& request,
                             const std::string& request_id,
                             vizier::Trial* response);
  absl::Status DeleteTrial(const vizier::DeleteTrialRequest& request,
                           Empty* response);
  absl::Status CheckTrialEarlyStoppingState(
      const vizier::CheckTrialEarlyStoppingStateRequest& request,
      vizier::CheckTrialEarlyStoppingStateResponse* response);
  absl::Status StopTrial(const vizier::StopTrialRequest& request,
                         vizier::Trial* response);
  absl::Status ListOptimalTrials(
      const vizier::ListOptimalTrialsRequest& request,
      vizier::ListOptimalTrialsResponse* response);
  absl::Status UpdateMetadata(const vizier::UpdateMetadataRequest& request,
                              vizier::UpdateMetadataResponse* response);

 private:
  const Dependencies dependencies_;
};

/// Leaves out measurements of `trials`, evenly and never a trial's last one,
/// until `response` has at most `bytes` or no more can be left out. The stock
/// client receives 4 MiB at most and has no option for it.
void ThinMeasurements(std::size_t bytes,
                      google::protobuf::RepeatedPtrField<vizier::Trial>* trials,
                      const google::protobuf::Message& response);

}  // namespace vernier

#endif  // VERNIER_FACES_VIZIER_VIZIER_HANDLERS_H_
