#ifndef VERNIER_CLI_VERBS_LOCAL_FILTER_H_
#define VERNIER_CLI_VERBS_LOCAL_FILTER_H_

#include <string>

#include "absl/time/time.h"

namespace vernier {

/// Converts the times in a filter of jobs that name no zone from `zone` to UTC.
/// People read such times off their clock, and `zone` is the one that tables
/// show, while the service takes them for UTC. A filter that cannot be parsed
/// is left to the service, which explains why. Pure.
std::string WithTimesIn(const absl::TimeZone& zone, std::string job_filter);

}  // namespace vernier

#endif  // VERNIER_CLI_VERBS_LOCAL_FILTER_H_
