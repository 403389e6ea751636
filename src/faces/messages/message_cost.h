#ifndef VERNIER_FACES_MESSAGES_MESSAGE_COST_H_
#define VERNIER_FACES_MESSAGES_MESSAGE_COST_H_

#include <google/protobuf/message_lite.h>

#include <cstdint>

#include "absl/status/status.h"
#include "base/calls/call_meter.h"

namespace vernier {

/// Counts one element of a list that is being made (see UseInCall). In memory a
/// message takes about five times the bytes of its encoding.
inline absl::Status UseInCall(const google::protobuf::MessageLite& element) {
  constexpr std::uint64_t kInMemory = 5;
  return UseInCall(
      CallCost{1, kInMemory * std::uint64_t{element.ByteSizeLong()}});
}

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_MESSAGE_COST_H_
