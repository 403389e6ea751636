#ifndef VERNIER_FACES_MESSAGES_PROTO_TIME_H_
#define VERNIER_FACES_MESSAGES_PROTO_TIME_H_

#include <google/protobuf/timestamp.pb.h>

#include "base/clock.h"

namespace vernier {

/// The instant as a protobuf message; exact for all times from 1970 on.
google::protobuf::Timestamp ToProto(Timestamp time);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_PROTO_TIME_H_
