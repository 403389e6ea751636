#include "telemetry/otlp_message.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "absl/strings/escaping.h"
#include "base/json.h"

namespace vernier {
namespace {

constexpr char kTrace[] = "0af7651916cd43dd8448eb211c80319c";

TraceSpan Example() {
  TraceSpan span;
  span.context = {kTrace, "b7ad6b7169203331", true};
  span.parent = "00f067aa0ba902b7";
  span.name = "run";
  span.kind = SpanKind::kServer;
  span.start = Timestamp(std::chrono::microseconds(1));
  span.end = Timestamp(std::chrono::microseconds(258));
  span.attributes = {{"s", std::string("x")},
                     {"i", std::int64_t{-1}},
                     {"d", 0.5},
                     {"b", true}};
  span.links = {{kTrace, "00f067aa0ba902b7", true}};
  span.status = SpanStatus::kError;
  return span;
}

// Written out field by field from the published schema, so that it does not
// depend on the code under test.
TEST(OtlpMessageTest, ProtobufIsThatOfTheSchema) {
  const std::string trace = kTrace;
  const std::string span =
      "0a10" + trace + "1208b7ad6b7169203331" + "220800f067aa0ba902b7" +
      "2a0372756e" + "3002" + "39e803000000000000" + "41d0ef030000000000" +
      "4a080a0173"
      "12030a0178" +
      "4a100a0169"
      "120b18ffffffffffffffffff01" +
      "4a0e0a0164"
      "120921000000000000e03f" +
      "4a070a0162"
      "12021001" +
      "6a1c0a10" + trace + "120800f067aa0ba902b7" + "7a021802";
  const std::string bytes = absl::HexStringToBytes(span);
  const std::string got =
      OtlpProtobuf({{"service.name", std::string("v")}}, {Example()});
  ASSERT_LT(bytes.size(), 256u);
  EXPECT_NE(absl::BytesToHexString(got).find(span), std::string::npos)
      << absl::BytesToHexString(got);
  // The length and the tag that precede it.
  const std::size_t at = got.find(bytes);
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(absl::BytesToHexString(got.substr(at - 3, 1)), "12");
  const auto low = static_cast<unsigned char>(got[at - 2]);
  const auto high = static_cast<unsigned char>(got[at - 1]);
  EXPECT_EQ((low & 0x7fu) | (static_cast<unsigned>(high) << 7), bytes.size());
}

TEST(OtlpMessageTest, AnEmptyMessageHasItsWrapper) {
  // resource_spans { resource {} scope_spans { scope { "vernier", version } } }
  const std::string got = OtlpProtobuf({}, {});
  EXPECT_EQ(absl::BytesToHexString(got),
            "0a16"
            "0a00"
            "1212"
            "0a10"
            "0a077665726e696572"
            "1205302e312e30");
}

TEST(OtlpMessageTest, JsonIsThatOfTheSchema) {
  const auto json =
      ParseJson(OtlpJson({{"service.name", std::string("v")}}, {Example()}));
  ASSERT_TRUE(json.ok());
  const Json& resource_spans = json->at("resourceSpans").at(0);
  EXPECT_EQ(DumpJson(resource_spans.at("resource").at("attributes")),
            R"([{"key":"service.name","value":{"stringValue":"v"}}])");
  const Json& span = resource_spans.at("scopeSpans").at(0).at("spans").at(0);
  EXPECT_EQ(DumpJson(span),
            R"({"traceId":"0af7651916cd43dd8448eb211c80319c",)"
            R"("spanId":"b7ad6b7169203331","parentSpanId":"00f067aa0ba902b7",)"
            R"("name":"run","kind":2,"startTimeUnixNano":"1000",)"
            R"("endTimeUnixNano":"258000","attributes":[)"
            R"({"key":"s","value":{"stringValue":"x"}},)"
            R"({"key":"i","value":{"intValue":"-1"}},)"
            R"({"key":"d","value":{"doubleValue":0.5}},)"
            R"({"key":"b","value":{"boolValue":true}}],)"
            R"("links":[{"traceId":"0af7651916cd43dd8448eb211c80319c",)"
            R"("spanId":"00f067aa0ba902b7"}],"status":{"code":2}})");
}

TEST(OtlpMessageTest, WhatIsNoUtf8OrNoNumberIsWritten) {
  TraceSpan span = Example();
  span.name =
      "a\xff\xfe"
      "b";
  span.attributes = {{"nan", NAN}, {"inf", -INFINITY}};
  EXPECT_NE(OtlpProtobuf({}, {span}).find("a\uFFFD\uFFFDb"), std::string::npos);
  const auto json = ParseJson(OtlpJson({}, {span}));
  ASSERT_TRUE(json.ok());
  const std::string text = DumpJson(*json);
  EXPECT_NE(text.find(R"({"doubleValue":"NaN"})"), std::string::npos);
  EXPECT_NE(text.find(R"({"doubleValue":"-Infinity"})"), std::string::npos);
}

}  // namespace
}  // namespace vernier
