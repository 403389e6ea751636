#include "http/byte_range.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

using Kind = RangeAnswer::Kind;

TEST(ResolveRangeTest, AnswersAsTheStandardSays) {
  struct Case {
    const char* header;
    std::int64_t size;
    Kind kind;
    ByteRange range;
  };
  const Case cases[] = {
      {"", 10, Kind::kWhole, {}},
      {"bytes=0-0", 10, Kind::kPart, {0, 0}},
      {"bytes=0-", 10, Kind::kPart, {0, 9}},
      {"Bytes= 3-5 ", 10, Kind::kPart, {3, 5}},
      {"bytes=3-500", 10, Kind::kPart, {3, 9}},
      {"bytes=-3", 10, Kind::kPart, {7, 9}},
      {"bytes=-30", 10, Kind::kPart, {0, 9}},
      {"bytes=9-9223372036854775807", 10, Kind::kPart, {9, 9}},
      {"bytes=10-", 10, Kind::kUnsatisfiable, {}},
      {"bytes=-0", 10, Kind::kUnsatisfiable, {}},
      {"bytes=0-", 0, Kind::kUnsatisfiable, {}},
      {"bytes=-1", 0, Kind::kUnsatisfiable, {}},
      {"bytes=5-3", 10, Kind::kWhole, {}},
      {"bytes=0-1,4-5", 10, Kind::kWhole, {}},
      {"bytes=a-b", 10, Kind::kWhole, {}},
      {"bytes=--1", 10, Kind::kWhole, {}},
      {"bytes=1--2", 10, Kind::kWhole, {}},
      {"bytes=", 10, Kind::kWhole, {}},
      {"bytes=-", 10, Kind::kWhole, {}},
      {"lines=0-1", 10, Kind::kWhole, {}},
      {"bytes=99999999999999999999-", 10, Kind::kWhole, {}},
  };
  for (const Case& each : cases) {
    const RangeAnswer answer = ResolveRange(each.header, each.size);
    EXPECT_EQ(answer.kind, each.kind) << each.header;
    if (each.kind == Kind::kPart) {
      EXPECT_EQ(answer.range, each.range) << each.header;
    }
  }
}

TEST(ParseContentRangeTest, TakesWhatUploadsSend) {
  const auto middle = ParseContentRange("bytes 100-199/*");
  ASSERT_TRUE(middle.has_value());
  EXPECT_EQ(middle->range, (ByteRange{100, 199}));
  EXPECT_EQ(middle->total, std::nullopt);
  const auto last = ParseContentRange("bytes 200-299/300");
  ASSERT_TRUE(last.has_value());
  EXPECT_EQ(last->total, 300);
  const auto question = ParseContentRange("bytes */300");
  ASSERT_TRUE(question.has_value());
  EXPECT_EQ(question->range, std::nullopt);
  EXPECT_EQ(question->total, 300);
  EXPECT_TRUE(ParseContentRange("bytes */*").has_value());
  EXPECT_TRUE(ParseContentRange("bytes=0-9/10").has_value());
}

TEST(ParseContentRangeTest, RefusesTheRest) {
  for (const char* header :
       {"", "bytes", "bytes ", "bytes 0-9", "bytes 0-9/", "bytes 9-0/10",
        "bytes 0-10/10", "bytes -1-5/10", "bytes 0--5/10", "bytes 0-9/-10",
        "bytes a-b/c", "bytesx 0-9/10", "bytes 0-9/10/10", "items 0-9/10",
        "bytes 0-99999999999999999999/*"}) {
    EXPECT_FALSE(ParseContentRange(header).has_value()) << header;
  }
}

}  // namespace
}  // namespace vernier
