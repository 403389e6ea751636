#ifndef VERNIER_FACES_ML_ML_STUDIES_API_H_
#define VERNIER_FACES_ML_ML_STUDIES_API_H_

#include "edge/http/rest_router.h"
#include "store/store.h"
#include "trials/study_service.h"

namespace vernier {

/// `projects.locations.studies`, its trials and operations, of AI Platform's
/// REST API (ml.googleapis.com v1). It only translates. Operations are done
/// when they are answered. Thread-safe.
class MlStudiesApi {
 public:
  struct Dependencies {
    StudyService& studies;
    Store& store;
    const Clock& clock;
  };

  /// Borrows the objects in `dependencies`, which must outlive this one.
  explicit MlStudiesApi(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  /// Adds the routes; this object must outlive `router`.
  void AddRoutes(RestRouter* router);

 private:
  using Answer = absl::StatusOr<RestAnswer>;

  void AddStudyRoutes(RestRouter* router);
  void AddTrialRoutes(RestRouter* router);
  void AddOperationRoutes(RestRouter* router);

  Answer CreateStudy(const RestCall& call);
  Answer GetStudy(const RestCall& call);
  Answer ListStudies(const RestCall& call);
  Answer DeleteStudy(const RestCall& call);
  Answer Suggest(const RestCall& call);
  Answer CreateTrial(const RestCall& call);
  Answer GetTrial(const RestCall& call);
  Answer ListTrials(const RestCall& call);
  Answer ListOptimalTrials(const RestCall& call);
  Answer DeleteTrial(const RestCall& call);
  Answer AddMeasurement(const RestCall& call);
  Answer Complete(const RestCall& call);
  Answer CheckEarlyStopping(const RestCall& call);
  Answer Stop(const RestCall& call);
  Answer GetOperation(const RestCall& call);
  Answer CancelOperation(const RestCall& call);

  const Dependencies dependencies_;
};

}  // namespace vernier

#endif  // VERNIER_FACES_ML_ML_STUDIES_API_H_
