#ifndef VERNIER_CLI_LIVE_TOP_LOOK_H_
#define VERNIER_CLI_LIVE_TOP_LOOK_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "cli/live/top_data.h"

namespace vernier {

class ClientConnection;

/// Requests the data that `vernier top` shows from the service. Results are
/// requested again only when a trial of their job has ended. Not thread-safe.
class TopLook {
 public:
  /// Returns the open jobs and the newest few of those that ended. Errors are
  /// those of the calls.
  absl::StatusOr<TopData> Take(const ClientConnection& client);

 private:
  struct Known {
    std::int64_t ended = -1;
    TopResults results;
  };

  absl::Status Complete(const ClientConnection& client, TopJob* job);

  std::map<std::string, Known> known_;  // By job.
};

}  // namespace vernier

#endif  // VERNIER_CLI_LIVE_TOP_LOOK_H_
