#ifndef VERNIER_EDGE_MESSAGE_JSON_H_
#define VERNIER_EDGE_MESSAGE_JSON_H_

#include <google/protobuf/message.h>

#include <string>

#include "absl/status/statusor.h"

namespace vernier {

/// A message in proto3's JSON form, one line. INTERNAL if it has none.
absl::StatusOr<std::string> JsonOf(const google::protobuf::Message& message);

}  // namespace vernier

#endif  // VERNIER_EDGE_MESSAGE_JSON_H_
