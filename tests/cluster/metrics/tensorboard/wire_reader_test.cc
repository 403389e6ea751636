#include "cluster/metrics/tensorboard/wire_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/cluster/metrics/tensorboard/event_builder.h"

namespace vernier {
namespace {

TEST(WireReaderTest, ReadsEveryTypeOfField) {
  const std::string message = VarintField(1, ~std::uint64_t{0}) +
                              DoubleField(2, 1.0) + BytesField(300, "abc") +
                              FloatField(4, 1.0F);
  WireReader reader(message);
  auto field = reader.Next();
  ASSERT_TRUE(field && field->Is(1, WireField::Type::kVarint));
  EXPECT_EQ(field->value, ~std::uint64_t{0});
  field = reader.Next();
  ASSERT_TRUE(field && field->Is(2, WireField::Type::kFixed64));
  EXPECT_EQ(field->value, 0x3ff0000000000000u);
  field = reader.Next();
  ASSERT_TRUE(field && field->Is(300, WireField::Type::kBytes));
  EXPECT_EQ(field->bytes, "abc");
  field = reader.Next();
  ASSERT_TRUE(field && field->Is(4, WireField::Type::kFixed32));
  EXPECT_EQ(field->value, 0x3f800000u);
  EXPECT_FALSE(reader.Next());
  EXPECT_FALSE(reader.is_malformed());
}

TEST(WireReaderTest, EndsAtWhatIsMalformed) {
  const std::string cases[] = {
      "\x08",                      // A key without its value.
      std::string("\x00\x01", 2),  // The field of number 0.
      "\x0b\x0c",                  // A group.
      "\x0e\x01",                  // A type that is none.
      "\x09\x01\x02",              // Fewer than 8 bytes.
      "\x0d\x01\x02",              // Fewer than 4 bytes.
      "\x0a\x05"
      "ab",                                       // Fewer bytes than said.
      "\x08" + std::string(10, '\xff') + "\x01",  // More than 10 bytes.
      BytesField(1, "").substr(0, 1) + Varint(~std::uint64_t{0}),
      Varint(std::uint64_t{1} << 40) + "\x01",  // Too large a number.
  };
  for (const std::string& message : cases) {
    WireReader reader(message);
    EXPECT_FALSE(reader.Next()) << testing::PrintToString(message);
    EXPECT_TRUE(reader.is_malformed()) << testing::PrintToString(message);
    EXPECT_FALSE(reader.Next());
  }
}

}  // namespace
}  // namespace vernier
