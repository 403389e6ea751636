#ifndef VERNIER_FACES_ML_ML_JOBS_API_H_
#define VERNIER_FACES_ML_ML_JOBS_API_H_

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "edge/http/rest_router.h"
#include "store/study_kinds.h"
#include "trials/jobs/hindrances.h"
#include "trials/submission/job_service.h"

namespace vernier {

/// `projects.jobs`, `projects` and `projects.locations` of AI Platform's REST
/// API (ml.googleapis.com v1). It only translates. A regional path,
/// `projects/P/locations/L/jobs`, does the same as a global one. Thread-safe.
class MlJobsApi {
 public:
  struct Dependencies {
    JobService& jobs;
    Store& store;
    const Hindrances& hindrances;
    const Clock& clock;
  };

  /// Borrows the objects in `dependencies`, which must outlive this one.
  explicit MlJobsApi(const Dependencies& dependencies)
      : dependencies_(dependencies) {}

  /// Adds the routes; this object must outlive `router`.
  void AddRoutes(RestRouter* router);

 private:
  using Answer = absl::StatusOr<RestAnswer>;

  void AddJobRoutes(const std::string& id, const std::string& path,
                    RestRouter* router);
  static void AddProjectRoutes(RestRouter* router);

  Answer Create(const RestCall& call);
  Answer Get(const RestCall& call);
  Answer List(const RestCall& call);
  Answer Cancel(const RestCall& call);
  Answer Patch(const RestCall& call);

  /// Prints a job, or returns the text from the last time.
  Answer Print(const std::shared_ptr<const StudySnapshot>& study);
  /// Drops the oldest texts beyond the limit.
  void Forget() VERNIER_REQUIRES(mu_);
  /// True while the end of the job is hidden; see kEndOfLogs.
  bool HidesEnd(const RestCall& call, JobRef job) const;

  const Dependencies dependencies_;
  Mutex mu_;
  /// A job's text and the snapshot it was made from, which it keeps alive.
  struct Printed {
    std::shared_ptr<const StudySnapshot> study;
    Hindrance hindrance;
    RestAnswer text;
  };
  // The most recent ones first: most calls are about few jobs that seldom
  // change.
  std::list<Printed> printed_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_FACES_ML_ML_JOBS_API_H_
