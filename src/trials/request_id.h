#ifndef VERNIER_TRIALS_REQUEST_ID_H_
#define VERNIER_TRIALS_REQUEST_ID_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/store.h"

namespace vernier {

/// Returns INVALID_ARGUMENT for a request id that has more than 128 bytes.
absl::Status CheckRequestId(const std::string& request_id);

/// Returns the id as the store keeps it. It includes the project, because the
/// same id in two projects means two requests.
std::string RequestIdIn(const std::string& project,
                        const std::string& request_id);

/// Returns the same for a request about a study, where `what` names the kind of
/// the request: no two kinds share their ids. Empty if `request_id` is.
std::string RequestIdIn(StudyId study, std::string_view what,
                        const std::string& request_id);

/// Returns whether a request was answered before; `digests` are those that its
/// content may have had. INVALID_ARGUMENT if the id was used for something
/// else. An empty id was never used.
absl::StatusOr<bool> WasAnswered(const Store& store,
                                 const std::string& request_id,
                                 std::initializer_list<std::uint64_t> digests);

}  // namespace vernier

#endif  // VERNIER_TRIALS_REQUEST_ID_H_
