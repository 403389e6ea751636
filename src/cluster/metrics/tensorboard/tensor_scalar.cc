#include "cluster/metrics/tensorboard/tensor_scalar.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"
#include "cluster/metrics/tensorboard/wire_reader.h"

namespace vernier {
namespace {

using Type = WireField::Type;

template <typename Integer>
double FromInteger(std::uint64_t bits) {
  return static_cast<double>(static_cast<Integer>(bits));
}

double FromFloat(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

double FromDouble(std::uint64_t bits) { return std::bit_cast<double>(bits); }

double FromBool(std::uint64_t bits) { return bits != 0 ? 1 : 0; }

// A bfloat16 is the upper half of a float.
double FromBfloat16(std::uint64_t bits) {
  return FromFloat((bits & 0xffff) << 16);
}

// IEEE 754 binary16: a sign, 5 bits of exponent, 10 of fraction.
double FromHalf(std::uint64_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 0x1f);
  const auto fraction = static_cast<double>(bits & 0x3ff);
  double value = 0;
  if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else if (exponent < 0x1f) {
    value = std::ldexp(fraction + 1024, exponent - 25);
  } else if (fraction == 0) {
    value = std::numeric_limits<double>::infinity();
  } else {
    value = std::numeric_limits<double>::quiet_NaN();
  }
  return (bits >> 15 & 1) != 0 ? -value : value;
}

// A type of tensors whose elements are numbers, and how it is stored.
struct NumberType {
  std::uint64_t type;  // TensorFlow's number of it.
  std::size_t size;    // Bytes of an element in tensor_content.
  std::uint32_t list;  // The field with its elements one by one,
  Type element;        // each of which is so.
  double (*from_bits)(std::uint64_t bits);
};

constexpr NumberType kNumberTypes[] = {
    {1, 4, 5, Type::kFixed32, FromFloat},
    {2, 8, 6, Type::kFixed64, FromDouble},
    {3, 4, 7, Type::kVarint, FromInteger<std::int32_t>},
    {4, 1, 7, Type::kVarint, FromInteger<std::uint8_t>},
    {5, 2, 7, Type::kVarint, FromInteger<std::int16_t>},
    {6, 1, 7, Type::kVarint, FromInteger<std::int8_t>},
    {9, 8, 10, Type::kVarint, FromInteger<std::int64_t>},
    {10, 1, 11, Type::kVarint, FromBool},
    {14, 2, 13, Type::kVarint, FromBfloat16},
    {17, 2, 7, Type::kVarint, FromInteger<std::uint16_t>},
    {19, 2, 13, Type::kVarint, FromHalf},
    {22, 4, 16, Type::kVarint, FromInteger<std::uint32_t>},
    {23, 8, 17, Type::kVarint, FromInteger<std::uint64_t>},
};

// The fields of TensorProto that are needed here.
struct Tensor {
  std::uint64_t type = 0;
  bool has_one_element = true;  // Also without dimensions.
  std::string_view content;
};

// Returns false if the shape is malformed.
bool ReadShape(std::string_view shape, bool* has_one_element) {
  WireReader dimensions(shape);
  while (const auto field = dimensions.Next()) {
    if (field->Is(3, Type::kVarint) && field->value != 0) {
      *has_one_element = false;  // Of unknown rank.
    }
    if (!field->Is(2, Type::kBytes)) continue;
    std::uint64_t size = 0;
    WireReader dimension(field->bytes);
    while (const auto part = dimension.Next()) {
      if (part->Is(1, Type::kVarint)) size = part->value;
    }
    if (dimension.is_malformed()) return false;
    if (size != 1) *has_one_element = false;
  }
  return !dimensions.is_malformed();
}

std::optional<Tensor> ReadTensor(std::string_view message) {
  Tensor tensor;
  WireReader reader(message);
  while (const auto field = reader.Next()) {
    if (field->Is(1, Type::kVarint)) tensor.type = field->value;
    if (field->Is(4, Type::kBytes)) tensor.content = field->bytes;
    if (field->Is(2, Type::kBytes) &&
        !ReadShape(field->bytes, &tensor.has_one_element)) {
      return std::nullopt;
    }
  }
  if (reader.is_malformed()) return std::nullopt;
  return tensor;
}

std::optional<std::uint64_t> TakeElement(Type type, std::string_view& packed) {
  if (type == Type::kVarint) return WireReader::TakeVarint(packed);
  return WireReader::TakeFixed(packed, type == Type::kFixed32 ? 4 : 8);
}

// Returns the bits of the first element in the list of its type; 0 if the list
// is empty, nullopt if it is malformed.
std::optional<std::uint64_t> FirstElement(std::string_view message,
                                          const NumberType& type) {
  WireReader reader(message);
  while (const auto field = reader.Next()) {
    if (field->Is(type.list, type.element)) return field->value;
    if (!field->Is(type.list, Type::kBytes) || field->bytes.empty()) continue;
    std::string_view packed = field->bytes;
    return TakeElement(type.element, packed);
  }
  return 0;
}

}  // namespace

absl::StatusOr<double> ReadTensorScalar(std::string_view message) {
  const std::optional<Tensor> tensor = ReadTensor(message);
  if (!tensor) return absl::InvalidArgumentError("a malformed tensor");
  const auto* type = std::find_if(
      std::begin(kNumberTypes), std::end(kNumberTypes),
      [&](const NumberType& one) { return one.type == tensor->type; });
  if (type == std::end(kNumberTypes)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a tensor of type ", tensor->type, ", which is no number"));
  }
  if (!tensor->has_one_element) {
    return absl::InvalidArgumentError(
        "a tensor that has not exactly one element");
  }
  std::string_view content = tensor->content;
  std::optional<std::uint64_t> bits;
  if (content.empty()) {
    bits = FirstElement(message, *type);
  } else if (content.size() == type->size) {
    bits = WireReader::TakeFixed(content, type->size);
  }
  if (!bits) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a malformed tensor: its element must have ", type->size, " bytes"));
  }
  return type->from_bits(*bits);
}

}  // namespace vernier
