#include "faces/messages/proto_time.h"

#include <chrono>
#include <cstdint>

namespace vernier {

google::protobuf::Timestamp ToProto(Timestamp time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  google::protobuf::Timestamp proto;
  proto.set_seconds(seconds.time_since_epoch().count());
  proto.set_nanos(static_cast<std::int32_t>(
      std::chrono::nanoseconds(time - seconds).count()));
  return proto;
}

}  // namespace vernier
