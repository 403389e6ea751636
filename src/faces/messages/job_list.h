#ifndef VERNIER_FACES_MESSAGES_JOB_LIST_H_
#define VERNIER_FACES_MESSAGES_JOB_LIST_H_

#include <vernier/v1/job_service.pb.h>

#include <optional>

#include "absl/status/status.h"
#include "base/clock.h"
#include "store/store.h"
#include "trials/jobs/hindrances.h"

namespace vernier {

/// Fills in one page of jobs, as ListJobsRequest describes it; `now` as for
/// ToProto of a job. INVALID_ARGUMENT. Pure.
absl::Status ListJobs(const StoreSnapshot& snapshot,
                      const Hindrances& hindrances,
                      std::optional<Timestamp> now,
                      const v1::ListJobsRequest& request,
                      v1::ListJobsResponse* response);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_JOB_LIST_H_
