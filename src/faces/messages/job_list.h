#ifndef VERNIER_FACES_MESSAGES_JOB_LIST_H_
#define VERNIER_FACES_MESSAGES_JOB_LIST_H_

#include <vernier/v1/job_service.pb.h>

#include "absl/status/status.h"
#include "store/store.h"
#include "trials/jobs/hindrances.h"

namespace vernier {

/// One page of jobs, as ListJobsRequest describes it. INVALID_ARGUMENT. Pure.
absl::Status ListJobs(const StoreSnapshot& snapshot,
                      const Hindrances& hindrances,
                      const v1::ListJobsRequest& request,
                      v1::ListJobsResponse* response);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_JOB_LIST_H_
