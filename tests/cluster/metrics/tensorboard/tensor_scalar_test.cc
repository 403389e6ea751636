#include "cluster/metrics/tensorboard/tensor_scalar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/cluster/metrics/tensorboard/event_builder.h"

namespace vernier {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// TensorFlow's numbers of types.
enum : std::uint64_t {
  kFloat = 1,
  kDouble = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 5,
  kInt8 = 6,
  kString = 7,
  kInt64 = 9,
  kBool = 10,
  kBfloat16 = 14,
  kUint16 = 17,
  kHalf = 19,
  kUint32 = 22,
  kUint64 = 23,
};

std::string Shape(std::initializer_list<std::uint64_t> sizes) {
  std::string shape;
  for (const std::uint64_t size : sizes) {
    shape += BytesField(2, VarintField(1, size));
  }
  return BytesField(2, shape);
}

// The last digits of a number's bits in two's complement.
std::uint64_t Negative(std::uint64_t value) { return ~value + 1; }

TEST(TensorScalarTest, ReadsEveryTypeFromItsContent) {
  const struct {
    std::uint64_t type;
    std::string content;
    double value;
  } kCases[] = {
      {kFloat, Fixed(0x3fc00000, 4), 1.5},
      {kDouble, Fixed(0x3fb999999999999a, 8), 0.1},
      {kHalf, Fixed(0x3e00, 2), 1.5},
      {kBfloat16, Fixed(0xbfc0, 2), -1.5},
      {kInt8, Fixed(0xfe, 1), -2},
      {kInt16, Fixed(0xfffe, 2), -2},
      {kInt32, Fixed(0xfffffffe, 4), -2},
      {kInt64, Fixed(Negative(2), 8), -2},
      {kUint8, Fixed(0xfe, 1), 254},
      {kUint16, Fixed(0xfffe, 2), 65534},
      {kUint32, Fixed(0xfffffffe, 4), 4294967294.0},
      {kUint64, Fixed(Negative(2048), 8), 18446744073709549568.0},
      {kBool, Fixed(1, 1), 1},
      {kBool, Fixed(0, 1), 0},
  };
  for (const auto& test : kCases) {
    const auto value = ReadTensorScalar(VarintField(1, test.type) +
                                        BytesField(4, test.content));
    ASSERT_TRUE(value.ok()) << test.type << ": " << value.status();
    EXPECT_EQ(*value, test.value) << test.type;
  }
}

TEST(TensorScalarTest, ReadsEveryTypeFromItsListPackedOrNot) {
  const struct {
    std::uint64_t type;
    std::string packed;
    std::string single;
    double value;
  } kCases[] = {
      {kFloat, BytesField(5, Fixed(0x3fc00000, 4)), FloatField(5, 1.5F), 1.5},
      {kDouble, BytesField(6, Fixed(0x3fb999999999999a, 8)),
       DoubleField(6, 0.1), 0.1},
      {kHalf, BytesField(13, Varint(0x3e00)), VarintField(13, 0x3e00), 1.5},
      {kBfloat16, BytesField(13, Varint(0xbfc0)), VarintField(13, 0xbfc0),
       -1.5},
      {kInt8, BytesField(7, Varint(Negative(2))), VarintField(7, Negative(2)),
       -2},
      {kInt16, BytesField(7, Varint(Negative(2))), VarintField(7, Negative(2)),
       -2},
      {kInt32, BytesField(7, Varint(Negative(2))), VarintField(7, Negative(2)),
       -2},
      {kInt64, BytesField(10, Varint(Negative(2))),
       VarintField(10, Negative(2)), -2},
      {kUint8, BytesField(7, Varint(254)), VarintField(7, 254), 254},
      {kUint16, BytesField(7, Varint(65534)), VarintField(7, 65534), 65534},
      {kUint32, BytesField(16, Varint(4294967294)), VarintField(16, 4294967294),
       4294967294.0},
      {kUint64, BytesField(17, Varint(Negative(2048))),
       VarintField(17, Negative(2048)), 18446744073709549568.0},
      {kBool, BytesField(11, Varint(1)), VarintField(11, 1), 1},
  };
  for (const auto& test : kCases) {
    for (const std::string& list : {test.packed, test.single}) {
      const auto value = ReadTensorScalar(VarintField(1, test.type) + list);
      ASSERT_TRUE(value.ok()) << test.type << ": " << value.status();
      EXPECT_EQ(*value, test.value) << test.type;
    }
  }
}

TEST(TensorScalarTest, ReadsTheEdgesOfHalfAndBfloat16) {
  const auto read = [](std::uint64_t type, std::uint64_t bits) {
    const auto value =
        ReadTensorScalar(VarintField(1, type) + BytesField(4, Fixed(bits, 2)));
    return value.ok() ? *value : 12345;
  };
  EXPECT_EQ(read(kHalf, 0x0001), std::ldexp(1, -24));  // The least.
  EXPECT_EQ(read(kHalf, 0x03ff), std::ldexp(1023, -24));
  EXPECT_EQ(read(kHalf, 0x0400), std::ldexp(1, -14));  // The least normal one.
  EXPECT_EQ(read(kHalf, 0x7bff), 65504);
  EXPECT_EQ(read(kHalf, 0x7c00), kInf);
  EXPECT_EQ(read(kHalf, 0xfc00), -kInf);
  EXPECT_TRUE(std::isnan(read(kHalf, 0x7e00)));
  EXPECT_TRUE(std::signbit(read(kHalf, 0x8000)));
  EXPECT_EQ(read(kBfloat16, 0x7f80), kInf);
  EXPECT_TRUE(std::isnan(read(kBfloat16, 0x7fc0)));
}

TEST(TensorScalarTest, IsZeroWhereTheValueWasLeftOut) {
  for (const std::uint64_t type : {kFloat, kDouble, kHalf, kInt64, kBool}) {
    const auto value = ReadTensorScalar(VarintField(1, type));
    ASSERT_TRUE(value.ok()) << type;
    EXPECT_EQ(*value, 0);
  }
}

TEST(TensorScalarTest, TakesOneElementOfAnyRankAndNoOtherShape) {
  const std::string number = VarintField(1, kFloat) + FloatField(5, 1.5F);
  for (const std::string& shape : {Shape({}), Shape({1}), Shape({1, 1})}) {
    EXPECT_TRUE(ReadTensorScalar(number + shape).ok());
  }
  for (const std::string& shape :
       {Shape({2}), Shape({0}), Shape({1, 3}), Shape({Negative(1)}),
        BytesField(2, VarintField(3, 1))}) {
    EXPECT_EQ(ReadTensorScalar(number + shape).status().message(),
              "a tensor that has not exactly one element");
  }
}

TEST(TensorScalarTest, SaysWhatIsNoNumber) {
  const auto message = [](const std::string& tensor) {
    return std::string(ReadTensorScalar(tensor).status().message());
  };
  EXPECT_EQ(message(VarintField(1, kString) + BytesField(8, "text")),
            "a tensor of type 7, which is no number");
  EXPECT_EQ(message(""), "a tensor of type 0, which is no number");
  EXPECT_EQ(message("\xff"), "a malformed tensor");
  EXPECT_EQ(message(VarintField(1, kFloat) + BytesField(2, "\xff")),
            "a malformed tensor");
  EXPECT_EQ(message(VarintField(1, kDouble) + BytesField(4, "1234")),
            "a malformed tensor: its element must have 8 bytes");
  EXPECT_EQ(message(VarintField(1, kFloat) + BytesField(5, "12")),
            "a malformed tensor: its element must have 4 bytes");
}

}  // namespace
}  // namespace vernier
