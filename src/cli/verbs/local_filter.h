#ifndef VERNIER_CLI_VERBS_LOCAL_FILTER_H_
#define VERNIER_CLI_VERBS_LOCAL_FILTER_H_

#include <string>

#include "absl/time/time.h"

namespace vernier {

/// A filter of jobs in which times that name no zone, as people read them off
/// their clock, are times in `zone`, the one that tables show; the service
/// takes them for UTC. A filter that cannot be read is left to the service,
/// which says why. Pure.
std::string WithTimesIn(const absl::TimeZone& zone, std::string job_filter);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_LOCAL_FILTER_H_
