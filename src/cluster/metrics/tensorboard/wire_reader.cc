#include "cluster/metrics/tensorboard/wire_reader.h"

#include <cstddef>

namespace vernier {

std::optional<std::uint64_t> WireReader::TakeVarint(std::string_view& text) {
  constexpr std::size_t kMostBytes = 10;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < text.size() && i < kMostBytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    // The tenth byte has one usable bit; its other bits are dropped, as in
    // Protocol Buffers' own reader.
    value |= static_cast<std::uint64_t>(byte & 0x7f) << (7 * i);
    if ((byte & 0x80) == 0) {
      text.remove_prefix(i + 1);
      return value;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> WireReader::TakeFixed(std::string_view& text,
                                                   std::size_t size) {
  if (text.size() < size) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[i]))
             << (8 * i);
  }
  text.remove_prefix(size);
  return value;
}

std::optional<WireField> WireReader::TakeField() {
  const std::optional<std::uint64_t> key = TakeVarint(rest_);
  constexpr std::uint64_t kMaxFieldNumber = (1u << 29) - 1;
  if (!key || *key >> 3 == 0 || *key >> 3 > kMaxFieldNumber) {
    return std::nullopt;
  }
  WireField field;
  field.number = static_cast<std::uint32_t>(*key >> 3);
  std::optional<std::uint64_t> value;
  switch (*key & 7) {
    case 0:
      value = TakeVarint(rest_);
      break;
    case 1:
      field.type = WireField::Type::kFixed64;
      value = TakeFixed(rest_, 8);
      break;
    case 2: {
      field.type = WireField::Type::kBytes;
      const std::optional<std::uint64_t> size = TakeVarint(rest_);
      if (!size || *size > rest_.size()) return std::nullopt;
      field.bytes = rest_.substr(0, *size);
      rest_.remove_prefix(*size);
      value = 0;
      break;
    }
    case 5:
      field.type = WireField::Type::kFixed32;
      value = TakeFixed(rest_, 4);
      break;
    default:
      return std::nullopt;
  }
  if (!value) return std::nullopt;
  field.value = *value;
  return field;
}

std::optional<WireField> WireReader::Next() {
  if (is_malformed_ || rest_.empty()) return std::nullopt;
  std::optional<WireField> field = TakeField();
  is_malformed_ = !field.has_value();
  return field;
}

}  // namespace vernier
