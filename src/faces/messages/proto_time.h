#ifndef VERNIER_FACES_MESSAGES_PROTO_TIME_H_
#define VERNIER_FACES_MESSAGES_PROTO_TIME_H_

#include <google/protobuf/duration.pb.h>
#include <google/protobuf/timestamp.pb.h>

#include <chrono>

#include "absl/status/statusor.h"
#include "base/clock.h"

namespace vernier {

/// The instant as a protobuf message; exact for all times from 1970 on.
google::protobuf::Timestamp ToProto(Timestamp time);

/// The duration as a protobuf message; exact.
google::protobuf::Duration ToProto(std::chrono::microseconds duration);

/// INVALID_ARGUMENT for a timestamp that protobuf calls invalid: one outside of
/// the years 1 to 9999.
absl::StatusOr<Timestamp> FromProto(const google::protobuf::Timestamp& time);

/// INVALID_ARGUMENT for a duration that is negative or longer than protobuf
/// allows, some 10,000 years.
absl::StatusOr<std::chrono::microseconds> ElapsedFromProto(
    const google::protobuf::Duration& duration);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_PROTO_TIME_H_
