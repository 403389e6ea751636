#include "edge/message_json.h"

#include <gmock/gmock.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/wrappers.pb.h>
#include <gtest/gtest.h>

namespace vernier {
namespace {

template <typename Message>
absl::Status Read(const std::string& json) {
  Message message;
  return ReadJsonOf(json, UnknownMembers::kRefuse, &message);
}

TEST(MessageJsonTest, AWholeNumberThatADoubleChangesIsRefused) {
  using google::protobuf::DoubleValue;
  using google::protobuf::ListValue;
  EXPECT_EQ(Read<ListValue>("[1, 9007199254740993]").message(),
            "9007199254740993 is a whole number that no double has, as it has "
            "all within +-2^53; the nearest is 9007199254740992");
  for (const char* json :
       {"9007199254740993", "-9007199254740993", "\"9007199254740993\"",
        "9007199254740993.0", "123456789012345678901"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(Read<DoubleValue>(json))) << json;
  }
  for (const char* json :
       {"9007199254740992", "9007199254740994", "1e23", "0.12345678901234567",
        "9007199254740992.12345678901234567"}) {
    EXPECT_TRUE(Read<DoubleValue>(json).ok()) << json;
  }
}

TEST(MessageJsonTest, IntegersOf64BitsAndTextsAreKept) {
  EXPECT_TRUE(Read<google::protobuf::Int64Value>("9007199254740993").ok());
  EXPECT_TRUE(Read<google::protobuf::Int64Value>("\"9007199254740993\"").ok());
  EXPECT_TRUE(Read<google::protobuf::StringValue>("\"9007199254740993\"").ok());
  EXPECT_TRUE(
      Read<google::protobuf::Struct>(R"({"a": "job_9007199254740993"})").ok());
}

}  // namespace
}  // namespace vernier
