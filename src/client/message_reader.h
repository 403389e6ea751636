#ifndef VERNIER_CLIENT_MESSAGE_READER_H_
#define VERNIER_CLIENT_MESSAGE_READER_H_

#include <string>

#include "absl/status/status.h"

namespace google::protobuf {
class Message;
}

namespace vernier {

/// Reads proto3's JSON form into an empty `message`. Fields that the message
/// does not have are left out: those that the job file's parser knows and the
/// API does not are listed as ignored already.
///
/// INVALID_ARGUMENT, which begins with `what`.
absl::Status ReadMessage(const std::string& what, const std::string& json,
                         google::protobuf::Message* message);

}  // namespace vernier

#endif  // VERNIER_CLIENT_MESSAGE_READER_H_
