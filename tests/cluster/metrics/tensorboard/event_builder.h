#ifndef VERNIER_TESTS_CLUSTER_METRICS_TENSORBOARD_EVENT_BUILDER_H_
#define VERNIER_TESTS_CLUSTER_METRICS_TENSORBOARD_EVENT_BUILDER_H_

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/crc32c.h"

namespace vernier {

/// Writes the wire format by hand, so that the reader's own code is not what
/// the reader is tested with.
inline std::string Fixed(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) {
    bytes += static_cast<char>(value >> (8 * i) & 0xff);
  }
  return bytes;
}

inline std::string Varint(std::uint64_t value) {
  std::string bytes;
  for (; value > 0x7f; value >>= 7) {
    bytes += static_cast<char>(0x80 | (value & 0x7f));
  }
  return bytes + static_cast<char>(value);
}

inline std::string VarintField(int number, std::uint64_t value) {
  return Varint(static_cast<std::uint64_t>(number) << 3) + Varint(value);
}

inline std::string BytesField(int number, std::string_view bytes) {
  return Varint(static_cast<std::uint64_t>(number) << 3 | 2) +
         Varint(bytes.size()) + std::string(bytes);
}

inline std::string DoubleField(int number, double value) {
  return Varint(static_cast<std::uint64_t>(number) << 3 | 1) +
         Fixed(std::bit_cast<std::uint64_t>(value), 8);
}

inline std::string FloatField(int number, float value) {
  return Varint(static_cast<std::uint64_t>(number) << 3 | 5) +
         Fixed(std::bit_cast<std::uint32_t>(value), 4);
}

inline std::string MaskedCrcOf(std::string_view data) {
  const std::uint32_t crc = ExtendCrc32c(0, data);
  return Fixed((crc >> 15 | crc << 17) + 0xa282ead8u, 4);
}

/// Returns the event in its frame.
inline std::string Framed(std::string_view data) {
  const std::string length = Fixed(data.size(), 8);
  return length + MaskedCrcOf(length) + std::string(data) + MaskedCrcOf(data);
}

/// Returns a Summary.Value with a simple value.
inline std::string SimpleValue(std::string_view tag, float value) {
  return BytesField(1, tag) + FloatField(2, value);
}

/// Returns a Summary.Value with a tensor; no metadata if `plugin` is empty.
inline std::string TensorValue(std::string_view tag, std::string_view plugin,
                               std::string_view tensor) {
  const std::string metadata =
      plugin.empty() ? "" : BytesField(9, BytesField(1, BytesField(1, plugin)));
  return BytesField(1, tag) + metadata + BytesField(8, tensor);
}

/// Returns an event with a summary of one value.
inline std::string EventOf(double wall_time, std::int64_t step,
                           std::string_view value) {
  return DoubleField(1, wall_time) +
         VarintField(2, static_cast<std::uint64_t>(step)) +
         BytesField(5, BytesField(1, value));
}

/// Returns a framed event with one simple value.
inline std::string Point(std::string_view tag, float value, std::int64_t step,
                         double wall_time = 100) {
  return Framed(EventOf(wall_time, step, SimpleValue(tag, value)));
}

}  // namespace vernier

#endif  // VERNIER_TESTS_CLUSTER_METRICS_TENSORBOARD_EVENT_BUILDER_H_
