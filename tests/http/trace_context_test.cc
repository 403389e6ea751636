#include "http/trace_context.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace vernier {
namespace {

// The example of the standard.
constexpr char kExample[] =
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

TEST(TraceContextTest, ReadsWhatItWrites) {
  const auto context = ParseTraceParent(kExample);
  ASSERT_TRUE(context.has_value());
  EXPECT_EQ(context->trace_id, "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(context->span_id, "b7ad6b7169203331");
  EXPECT_TRUE(context->is_sampled);
  EXPECT_EQ(TraceParentText(*context), kExample);
  const TraceContext unsampled{context->trace_id, context->span_id, false};
  EXPECT_EQ(ParseTraceParent(TraceParentText(unsampled)), unsampled);
}

TEST(TraceContextTest, ALaterVersionMayHaveMoreFields) {
  std::string later = kExample;
  later.replace(0, 2, "cc");
  EXPECT_TRUE(ParseTraceParent(later).has_value());
  EXPECT_TRUE(ParseTraceParent(later + "-what-comes").has_value());
  EXPECT_FALSE(ParseTraceParent(later + ".").has_value());
}

TEST(TraceContextTest, WhatIsMalformedIsNone) {
  const std::string example = kExample;
  for (const std::string& text : {
           std::string(),
           example.substr(1),
           example + "-00",
           "ff" + example.substr(2),
           "0x" + example.substr(2),
           "00-00000000000000000000000000000000-b7ad6b7169203331-01" +
               std::string(),
           std::string(
               "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01"),
           std::string(
               "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01"),
           std::string(
               "00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01"),
           std::string(
               "00_0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
           std::string(
               "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0g"),
           std::string(
               "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331_01"),
       }) {
    EXPECT_FALSE(ParseTraceParent(text).has_value()) << text;
  }
}

TEST(TraceContextTest, MadeIdsAreValidAndDiffer) {
  std::set<std::string> seen;
  for (std::uint64_t a = 0; a < 50; ++a) {
    for (std::uint64_t b = 0; b < 50; ++b) {
      const TraceContext made{TraceIdOf(a, b), SpanIdOf(a, b), true};
      EXPECT_EQ(ParseTraceParent(TraceParentText(made)), made);
      EXPECT_TRUE(seen.insert(made.trace_id).second);
      EXPECT_TRUE(seen.insert(made.span_id).second);
    }
  }
  EXPECT_EQ(TraceIdOf(1, 2), TraceIdOf(1, 2));
}

}  // namespace
}  // namespace vernier
