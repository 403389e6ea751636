#ifndef VERNIER_EDGE_MESSAGE_JSON_H_
#define VERNIER_EDGE_MESSAGE_JSON_H_

#include <google/protobuf/message.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace vernier {

/// Returns a message in proto3's JSON form, one line. INTERNAL if it has none.
absl::StatusOr<std::string> JsonOf(const google::protobuf::Message& message);

/// The treatment of members that a message does not have.
enum class UnknownMembers {
  kRefuse,
  kIgnore,  ///< They are of a newer release.
};

/// Adds the members of `json`, in proto3's JSON form, to `message`.
///
/// Errors: INVALID_ARGUMENT in protobuf's words, which are shortened because
/// they repeat the wrong text; for a text beyond the bounds of a request
/// (CheckJsonBounds), which is not parsed; or for a whole number that the
/// field's double would change.
absl::Status ReadJsonOf(const std::string& json, UnknownMembers unknown,
                        google::protobuf::Message* message);

}  // namespace vernier

#endif  // VERNIER_EDGE_MESSAGE_JSON_H_
