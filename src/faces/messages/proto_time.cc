#include "faces/messages/proto_time.h"

#include <cstdint>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

// The bounds that google/protobuf/timestamp.proto and duration.proto set.
constexpr std::int64_t kFirstSecond = -62135596800;
constexpr std::int64_t kLastSecond = 253402300799;
constexpr std::int64_t kMostSeconds = 315576000000;
constexpr std::int32_t kMostNanos = 999999999;

bool AreNanos(std::int32_t nanos) { return nanos >= 0 && nanos <= kMostNanos; }

}  // namespace

google::protobuf::Timestamp ToProto(Timestamp time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  google::protobuf::Timestamp proto;
  proto.set_seconds(seconds.time_since_epoch().count());
  proto.set_nanos(static_cast<std::int32_t>(
      std::chrono::nanoseconds(time - seconds).count()));
  return proto;
}

google::protobuf::Duration ToProto(std::chrono::microseconds duration) {
  google::protobuf::Duration proto;
  proto.set_seconds(duration.count() / 1000000);
  proto.set_nanos(static_cast<std::int32_t>(duration.count() % 1000000) * 1000);
  return proto;
}

absl::StatusOr<Timestamp> FromProto(const google::protobuf::Timestamp& time) {
  if (time.seconds() < kFirstSecond || time.seconds() > kLastSecond ||
      !AreNanos(time.nanos())) {
    return absl::InvalidArgumentError(
        absl::StrCat("must be a time in the years 1 to 9999: ", time.seconds(),
                     " s, ", time.nanos(), " ns"));
  }
  return Timestamp(std::chrono::seconds(time.seconds()) +
                   std::chrono::microseconds(time.nanos() / 1000));
}

absl::StatusOr<std::chrono::microseconds> ElapsedFromProto(
    const google::protobuf::Duration& duration) {
  if (duration.seconds() < 0 || duration.seconds() > kMostSeconds ||
      !AreNanos(duration.nanos())) {
    return absl::InvalidArgumentError(
        absl::StrCat("must be >= 0 s: ", duration.seconds(), " s, ",
                     duration.nanos(), " ns"));
  }
  return std::chrono::seconds(duration.seconds()) +
         std::chrono::microseconds(duration.nanos() / 1000);
}

}  // namespace vernier
