#include "store/exit_code.h"

namespace vernier {

int ExitCodeFor(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return 0;
    case absl::StatusCode::kAborted:
      return 73;
    case absl::StatusCode::kUnavailable:
      return 75;
    case absl::StatusCode::kFailedPrecondition:
      return 76;
    case absl::StatusCode::kPermissionDenied:
      return 77;
    default:
      return 74;
  }
}

}  // namespace vernier
