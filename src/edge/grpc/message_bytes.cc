#include "edge/grpc/message_bytes.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/proto_buffer_reader.h>
#include <grpcpp/support/proto_buffer_writer.h>

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/calls/call_meter.h"
#include "base/status_macros.h"
#include "edge/grpc/transfer_limits.h"

namespace vernier {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

// protobuf's own parser has the same limit.
constexpr int kMaxDepth = 100;

// The approximate bytes of a parsed field besides its text.
constexpr std::uint64_t kBytesOfField = 100;

/// Counts the fields of a serialized message without building it.
class FieldCounter {
 public:
  explicit FieldCounter(int limit) : limit_(limit), left_(limit) {}

  int counted() const { return limit_ - left_; }

  /// Returns false once there are more fields than the limit. Malformed bytes
  /// end the count, because the parser stops there as well.
  bool Count(CodedInputStream& input, const Descriptor* type, int depth) {
    while (const std::uint32_t tag = input.ReadTag()) {
      if (--left_ < 0) return false;
      const FieldDescriptor* const field =
          type == nullptr
              ? nullptr
              : type->FindFieldByNumber(WireFormatLite::GetTagFieldNumber(tag));
      if (WireFormatLite::GetTagWireType(tag) !=
          WireFormatLite::WIRETYPE_LENGTH_DELIMITED) {
        // No message of this service has groups, so they become unknown fields.
        if (!SkipOther(input, tag, depth)) break;
        continue;
      }
      std::uint32_t length = 0;
      if (!input.ReadVarint32(&length)) break;
      if (field != nullptr && depth < kMaxDepth &&
          field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        const auto limit = input.PushLimit(static_cast<int>(length));
        if (!Count(input, field->message_type(), depth + 1)) return false;
        if (!input.ConsumedEntireMessage()) break;
        input.PopLimit(limit);
        continue;
      }
      // In a packed list each number may take one byte, and becomes up to
      // eight.
      if (field != nullptr && field->is_packable()) {
        left_ -= static_cast<int>(length / 8);
        if (left_ < 0) return false;
      }
      if (!input.Skip(static_cast<int>(length))) break;
    }
    return left_ >= 0;
  }

 private:
  bool SkipOther(CodedInputStream& input, std::uint32_t tag, int depth) {
    std::uint64_t ignored = 0;
    switch (WireFormatLite::GetTagWireType(tag)) {
      case WireFormatLite::WIRETYPE_VARINT:
        return input.ReadVarint64(&ignored);
      case WireFormatLite::WIRETYPE_FIXED32:
        return input.Skip(4);
      case WireFormatLite::WIRETYPE_FIXED64:
        return input.Skip(8);
      case WireFormatLite::WIRETYPE_START_GROUP:
        // The end of a group is a tag of its own, so the count simply continues
        // inside.
        return depth < kMaxDepth;
      default:
        return true;
    }
  }

  const int limit_;
  int left_;
};

}  // namespace

absl::Status ParseMessage(const grpc::ByteBuffer& bytes,
                          const MessageLimits& limits,
                          google::protobuf::Message* message) {
  if (bytes.Length() > limits.bytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat(message->GetTypeName(), " of ", bytes.Length(),
                     " bytes; at most ", limits.bytes, " are taken"));
  }
  // The reader does not change the buffer, although its type is not const.
  auto* const buffer = const_cast<grpc::ByteBuffer*>(&bytes);
  {
    grpc::ProtoBufferReader reader(buffer);
    CodedInputStream input(&reader);
    FieldCounter counter(limits.fields);
    if (!counter.Count(input, message->GetDescriptor(), 0)) {
      return absl::ResourceExhaustedError(
          absl::StrCat(message->GetTypeName(), " with more than ",
                       limits.fields, " values in all its lists"));
    }
    VERNIER_RETURN_IF_ERROR(UseInCall(
        {0, bytes.Length() + static_cast<std::uint64_t>(counter.counted()) *
                                 kBytesOfField}));
  }
  grpc::ProtoBufferReader reader(buffer);
  if (!reader.status().ok() || !message->ParseFromZeroCopyStream(&reader)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "what came is no ", message->GetTypeName(),
        ": is the client of another version, or a text not UTF-8?"));
  }
  return absl::OkStatus();
}

absl::StatusOr<grpc::ByteBuffer> SerializeMessage(
    const google::protobuf::Message& message) {
  const std::size_t size = message.ByteSizeLong();
  if (size > static_cast<std::size_t>(kMaxSentBytes)) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the answer has ", size, " bytes, of which ",
                     kMaxSentBytes, " can be sent; ask for less at once"));
  }
  grpc::ByteBuffer bytes;
  bool owns = false;
  const grpc::Status status =
      grpc::GenericSerialize<grpc::ProtoBufferWriter,
                             google::protobuf::Message>(message, &bytes, &owns);
  if (!status.ok()) return absl::InternalError(status.error_message());
  return bytes;
}

}  // namespace vernier
