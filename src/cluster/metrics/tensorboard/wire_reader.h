#ifndef VERNIER_CLUSTER_METRICS_TENSORBOARD_WIRE_READER_H_
#define VERNIER_CLUSTER_METRICS_TENSORBOARD_WIRE_READER_H_

#include <cstdint>
#include <optional>
#include <string_view>

namespace vernier {

/// One field of a message in Protocol Buffers' wire format.
struct WireField {
  enum class Type { kVarint, kFixed64, kBytes, kFixed32 };
  std::uint32_t number = 0;
  Type type = Type::kVarint;
  std::uint64_t value = 0;  ///< The bits; of kBytes 0.
  std::string_view bytes;   ///< Of kBytes: points into the message.

  bool Is(std::uint32_t wanted, Type wanted_type) const {
    return number == wanted && type == wanted_type;
  }
};

/// Iterates over the fields of one message without allocating. The caller
/// decides what a field means and whether it is known. A nested message is read
/// by another reader, so the caller bounds the depth. Groups count as
/// malformed, since no message that is read here has any. Thread-compatible.
class WireReader {
 public:
  /// `message` must outlive the reader and its fields.
  explicit WireReader(std::string_view message) : rest_(message) {}

  /// Returns the next field; nullopt at the message's end or where it is
  /// malformed.
  std::optional<WireField> Next();

  /// Returns whether the last Next stopped at a malformed field rather than at
  /// the message's end.
  bool is_malformed() const { return is_malformed_; }

  /// Takes a varint off `text`; nullopt if there is none.
  static std::optional<std::uint64_t> TakeVarint(std::string_view& text);
  /// Takes `size` bytes, at most 8, off `text` as a little-endian number;
  /// nullopt if there are fewer.
  static std::optional<std::uint64_t> TakeFixed(std::string_view& text,
                                                std::size_t size);

 private:
  std::optional<WireField> TakeField();

  std::string_view rest_;
  bool is_malformed_ = false;
};

}  // namespace vernier

#endif  // VERNIER_CLUSTER_METRICS_TENSORBOARD_WIRE_READER_H_
