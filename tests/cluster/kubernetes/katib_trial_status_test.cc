#include "cluster/kubernetes/katib_trial_status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <string>
#include <vector>

#include "base/json.h"

namespace vernier {
namespace {

using testing::HasSubstr;

constexpr Timestamp kTrialStoppedAt{std::chrono::seconds(1767225600)};
constexpr char kTrialPath[] =
    "/apis/kubeflow.org/v1beta1/namespaces/team/trials/digits-1";

/// Answers calls in their order from a list.
class ScriptedApi final : public KubernetesApi {
 public:
  explicit ScriptedApi(std::deque<ApiReply> replies)
      : replies_(std::move(replies)) {}

  absl::StatusOr<ApiReply> Call(const ApiRequest& request) override {
    requests.push_back(request);
    if (replies_.empty()) return absl::UnavailableError("no answer");
    const ApiReply reply = replies_.front();
    replies_.pop_front();
    return reply;
  }
  StreamId Open(const std::string& /*path*/) override { return 0; }
  Part Read(StreamId /*stream*/) override { return {}; }
  void Close(StreamId /*stream*/) override {}
  void Wait(std::chrono::milliseconds /*timeout*/) override {}
  void Wake() override {}
  void Stop() override {}

  std::vector<ApiRequest> requests;

 private:
  std::deque<ApiReply> replies_;
};

std::string TrialWith(const std::string& conditions) {
  return R"({"metadata":{"name":"digits-1","resourceVersion":"7"},)"
         R"("spec":{"x":1},"status":{"conditions":)" +
         conditions + "}}";
}

absl::Status Mark(ScriptedApi& api, const std::string& name = "digits-1") {
  return MarkKatibTrialStopped(api, "team", name, kTrialStoppedAt);
}

TEST(KatibTrialStatusTest, TheConditionIsAddedToTheOthers) {
  ScriptedApi api({{200, TrialWith(R"([{"type":"Running","status":"True"}])")},
                   {200, "{}"}});
  EXPECT_TRUE(Mark(api).ok());
  ASSERT_EQ(api.requests.size(), 2u);
  EXPECT_EQ(api.requests[0].method, "GET");
  EXPECT_EQ(api.requests[0].path, kTrialPath);
  EXPECT_EQ(api.requests[1].method, "PUT");
  EXPECT_EQ(api.requests[1].path, std::string(kTrialPath) + "/status");
  const Json sent = *ParseJson(api.requests[1].body);
  EXPECT_EQ(sent["metadata"]["resourceVersion"], "7");
  EXPECT_EQ(sent["spec"]["x"], 1);
  ASSERT_EQ(sent["status"]["conditions"].size(), 2u);
  EXPECT_EQ(sent["status"]["conditions"][0]["type"], "Running");
  EXPECT_EQ(sent["status"]["conditions"][1],
            Json::parse(R"({"type":"EarlyStopped","status":"True",
                "reason":"TrialEarlyStopped",
                "message":"Trial is early stopped",
                "lastUpdateTime":"2026-01-01T00:00:00Z",
                "lastTransitionTime":"2026-01-01T00:00:00Z"})"));
}

TEST(KatibTrialStatusTest, ATrialThatHasItStaysAsItIs) {
  ScriptedApi api(
      {{200, TrialWith(R"([{"type":"EarlyStopped","status":"True"}])")}});
  EXPECT_TRUE(Mark(api).ok());
  EXPECT_EQ(api.requests.size(), 1u);
}

TEST(KatibTrialStatusTest, AChangeByOthersIsReadAndKept) {
  ScriptedApi api({{200, TrialWith("[]")},
                   {409, "{}"},
                   {200, TrialWith(R"([{"type":"Running"}])")},
                   {200, "{}"}});
  EXPECT_TRUE(Mark(api).ok());
  const Json sent = *ParseJson(api.requests.back().body);
  EXPECT_EQ(sent["status"]["conditions"].size(), 2u);
  std::deque<ApiReply> always;
  for (int i = 0; i < 20; ++i) {
    always.push_back({200, TrialWith("[]")});
    always.push_back({409, "{}"});
  }
  ScriptedApi busy(always);
  EXPECT_EQ(Mark(busy).code(), absl::StatusCode::kAborted);
}

TEST(KatibTrialStatusTest, ARefusalIsToldInTheServersWords) {
  ScriptedApi gone({{404, R"({"message":"trials \"digits-1\" not found"})"}});
  EXPECT_EQ(Mark(gone).code(), absl::StatusCode::kNotFound);
  ScriptedApi forbidden(
      {{200, TrialWith("[]")}, {403, R"({"message":"not for you"})"}});
  const absl::Status status = Mark(forbidden);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("403: not for you"));
  ScriptedApi odd({{200, R"({"status":[]})"}});
  EXPECT_EQ(Mark(odd).code(), absl::StatusCode::kInternal);
}

TEST(KatibTrialStatusTest, ANameIsNoWayOutOfThePath) {
  for (const char* name :
       {"", "../secrets/x", "a/b", "a?b", "A", "a%2fb", "..", "-a"}) {
    ScriptedApi api({});
    EXPECT_EQ(Mark(api, name).code(), absl::StatusCode::kInvalidArgument)
        << name;
    EXPECT_TRUE(api.requests.empty()) << name;
  }
}

}  // namespace
}  // namespace vernier
