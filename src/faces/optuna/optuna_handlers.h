#ifndef VERNIER_FACES_OPTUNA_OPTUNA_HANDLERS_H_
#define VERNIER_FACES_OPTUNA_OPTUNA_HANDLERS_H_

#include <optuna/storage_service.pb.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "faces/optuna/optuna_points.h"
#include "store/access/quota_store.h"
#include "store/store.h"
#include "trials/study_service.h"

namespace vernier {

/// The calls of optuna.StorageService, without the transport. Each method fills
/// its reply on OK; proto/optuna/storage_service.proto is the contract. What a
/// call has changed is on the disk when it returns. Thread-safe.
class OptunaHandlers {
 public:
  struct Dependencies {
    Store& store;
    StudyService& studies;
    const Clock& clock;
    /// Returns 64 random bits, for seeds. Any thread may call it.
    std::function<std::uint64_t()> random_seed;
    const QuotaStore* quotas = nullptr;  ///< Null: there are none.
    /// Chooses the points of new trials; null: the clients' samplers do.
    OptunaPoints* points = nullptr;
  };

  /// Borrows the objects in `dependencies`, which must outlive this one.
  explicit OptunaHandlers(Dependencies dependencies)
      : dependencies_(std::move(dependencies)) {}

  absl::Status CreateNewStudy(const optuna::CreateNewStudyRequest& request,
                              optuna::CreateNewStudyReply* reply);
  absl::Status DeleteStudy(const optuna::DeleteStudyRequest& request,
                           optuna::DeleteStudyReply* reply);
  absl::Status SetStudyUserAttribute(
      const optuna::SetStudyUserAttributeRequest& request,
      optuna::SetStudyUserAttributeReply* reply);
  absl::Status SetStudySystemAttribute(
      const optuna::SetStudySystemAttributeRequest& request,
      optuna::SetStudySystemAttributeReply* reply);
  absl::Status GetStudyIdFromName(
      const optuna::GetStudyIdFromNameRequest& request,
      optuna::GetStudyIdFromNameReply* reply);
  absl::Status GetStudyNameFromId(
      const optuna::GetStudyNameFromIdRequest& request,
      optuna::GetStudyNameFromIdReply* reply);
  absl::Status GetStudyDirections(
      const optuna::GetStudyDirectionsRequest& request,
      optuna::GetStudyDirectionsReply* reply);
  absl::Status GetStudyUserAttributes(
      const optuna::GetStudyUserAttributesRequest& request,
      optuna::GetStudyUserAttributesReply* reply);
  absl::Status GetStudySystemAttributes(
      const optuna::GetStudySystemAttributesRequest& request,
      optuna::GetStudySystemAttributesReply* reply);
  absl::Status GetAllStudies(const optuna::GetAllStudiesRequest& request,
                             optuna::GetAllStudiesReply* reply);
  absl::Status CreateNewTrial(const optuna::CreateNewTrialRequest& request,
                              optuna::CreateNewTrialReply* reply);
  absl::Status SetTrialParameter(
      const optuna::SetTrialParameterRequest& request,
      optuna::SetTrialParameterReply* reply);
  absl::Status GetTrialIdFromStudyIdTrialNumber(
      const optuna::GetTrialIdFromStudyIdTrialNumberRequest& request,
      optuna::GetTrialIdFromStudyIdTrialNumberReply* reply);
  absl::Status SetTrialStateValues(
      const optuna::SetTrialStateValuesRequest& request,
      optuna::SetTrialStateValuesReply* reply);
  absl::Status SetTrialIntermediateValue(
      const optuna::SetTrialIntermediateValueRequest& request,
      optuna::SetTrialIntermediateValueReply* reply);
  absl::Status SetTrialUserAttribute(
      const optuna::SetTrialUserAttributeRequest& request,
      optuna::SetTrialUserAttributeReply* reply);
  absl::Status SetTrialSystemAttribute(
      const optuna::SetTrialSystemAttributeRequest& request,
      optuna::SetTrialSystemAttributeReply* reply);
  absl::Status GetTrial(const optuna::GetTrialRequest& request,
                        optuna::GetTrialReply* reply);
  absl::Status GetTrials(const optuna::GetTrialsRequest& request,
                         optuna::GetTrialsReply* reply);

 private:
  using Snapshot = std::shared_ptr<const StudySnapshot>;
  struct FoundTrial {
    Snapshot study;
    std::shared_ptr<const TrialRecord> record;
  };

  absl::StatusOr<Snapshot> FindStudy(std::int64_t study_id) const;
  absl::StatusOr<FoundTrial> FindTrial(std::int64_t trial_id) const;
  /// FindTrial, and FAILED_PRECONDITION if the trial has ended.
  absl::StatusOr<FoundTrial> FindOpenTrial(std::int64_t trial_id) const;
  absl::Status Commit(const std::vector<Change>& changes) const;
  absl::Status SetStudyAttribute(std::int64_t study_id, const char* space,
                                 const std::string& key,
                                 const std::string& value);
  absl::Status SetTrialAttribute(std::int64_t trial_id, const char* space,
                                 const std::string& key,
                                 const std::string& value);
  absl::StatusOr<TrialId> AddTrial(StudyId study);
  /// Both return whether the state has changed.
  absl::StatusOr<bool> Begin(std::int64_t trial_id, FoundTrial trial);
  absl::StatusOr<bool> GiveBack(const FoundTrial& trial);
  absl::Status FillTrials(const StudySnapshot& study,
                          const std::vector<TrialId>& ids,
                          optuna::GetTrialsReply* reply) const;

  const Dependencies dependencies_;
  // Held, through a commit, by those who take trials that were given back to
  // the queue, since the store's own states never go back; that is rare.
  std::mutex given_back_mu_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_OPTUNA_OPTUNA_HANDLERS_H_
