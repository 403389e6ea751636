#ifndef VERNIER_EDGE_HTTP_REST_JSON_H_
#define VERNIER_EDGE_HTTP_REST_JSON_H_

#include <google/protobuf/message.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "edge/http/rest_router.h"

namespace vernier {

/// Returns an answer with this text.
RestAnswer ShareText(std::string text);

/// Returns a message in proto3's JSON form. INTERNAL if it has none.
absl::StatusOr<RestAnswer> PrintJson(const google::protobuf::Message& message);

/// Parses a body, which may be empty, into a message. INVALID_ARGUMENT names
/// the place of a mistake; an unknown field is one.
absl::Status ReadJson(const std::string& body,
                      google::protobuf::Message* message);

}  // namespace vernier

#endif  // VERNIER_EDGE_HTTP_REST_JSON_H_
