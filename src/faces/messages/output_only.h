#ifndef VERNIER_FACES_MESSAGES_OUTPUT_ONLY_H_
#define VERNIER_FACES_MESSAGES_OUTPUT_ONLY_H_

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace vernier {

/// Clears every field that has the option `output_only` (permission.proto), in
/// this message and in those that it contains, so that nothing a caller sends
/// in such a field is read.
void ClearOutputs(google::protobuf::Message* message);

}  // namespace vernier

#endif  // VERNIER_FACES_MESSAGES_OUTPUT_ONLY_H_
