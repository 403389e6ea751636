#include "daemon/call_span.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "telemetry/study_spans.h"
#include "tests/fakes/memory_store.h"
#include "tests/store/job_fixture.h"

namespace vernier {
namespace {

constexpr char kParent[] =
    "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

CallRecord SpanCall() {
  CallRecord call;
  call.transport = Transport::kGrpc;
  call.method = "vernier.v1.JobService/CreateJob";
  call.request_id = "r";
  call.principal = "socket";
  call.job = "job";
  call.began = At(5);
  call.lasted = std::chrono::milliseconds(2);
  call.code = "OK";
  return call;
}

std::map<std::string, SpanValue> AttributesOf(const TraceSpan& span) {
  return {span.attributes.begin(), span.attributes.end()};
}

TEST(CallSpanTest, IsInItsCallersTraceAndLeadsToTheJob) {
  MemoryStore store;
  const StudyId study = *store.CreateJob(MakeJob({}), At(1));
  CallRecord call = SpanCall();
  call.caller = ParseTraceParent(kParent);
  const auto span = SpanOf(call, *store.Snapshot());
  ASSERT_TRUE(span.has_value());
  EXPECT_EQ(span->context.trace_id, call.caller->trace_id);
  EXPECT_EQ(span->parent, call.caller->span_id);
  EXPECT_EQ(span->name, "vernier.v1.JobService/CreateJob");
  EXPECT_EQ(span->kind, SpanKind::kServer);
  EXPECT_EQ(span->end - span->start, std::chrono::milliseconds(2));
  ASSERT_EQ(span->links.size(), 1u);
  EXPECT_EQ(span->links[0], TraceOf(*store.Snapshot()->at(study)));
  auto attributes = AttributesOf(*span);
  EXPECT_EQ(attributes["rpc.service"],
            SpanValue(std::string("vernier.v1.JobService")));
  EXPECT_EQ(attributes["rpc.method"], SpanValue(std::string("CreateJob")));
  EXPECT_EQ(attributes["rpc.grpc.status_code"], SpanValue(std::int64_t{0}));
  EXPECT_EQ(attributes["vernier.request_id"], SpanValue(std::string("r")));
}

TEST(CallSpanTest, WithoutACallerItBeginsATraceOfItsOwn) {
  const auto first = SpanOf(SpanCall(), {});
  const auto second = SpanOf(SpanCall(), {});
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_EQ(first->parent, "");
  EXPECT_NE(first->context.trace_id, second->context.trace_id);
  EXPECT_TRUE(ParseTraceParent(TraceParentText(first->context)).has_value());
  EXPECT_TRUE(first->links.empty());
}

TEST(CallSpanTest, ATraceThatIsNotSampledGetsNone) {
  CallRecord call = SpanCall();
  call.caller = ParseTraceParent(kParent);
  call.caller->is_sampled = false;
  EXPECT_FALSE(SpanOf(call, {}).has_value());
}

TEST(CallSpanTest, OverHttpItHasTheRouteAndTheStatus) {
  CallRecord call = SpanCall();
  call.transport = Transport::kHttp;
  call.method = "GET /v1/projects/{project}/jobs";
  call.code = "503";
  const auto span = SpanOf(call, {});
  ASSERT_TRUE(span.has_value());
  auto attributes = AttributesOf(*span);
  EXPECT_EQ(attributes["http.request.method"], SpanValue(std::string("GET")));
  EXPECT_EQ(attributes["http.route"],
            SpanValue(std::string("/v1/projects/{project}/jobs")));
  EXPECT_EQ(attributes["http.response.status_code"],
            SpanValue(std::int64_t{503}));
  EXPECT_EQ(span->status, SpanStatus::kError);
  call.code = "404";
  EXPECT_EQ(SpanOf(call, {})->status, SpanStatus::kUnset);
}

}  // namespace
}  // namespace vernier
