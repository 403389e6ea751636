// How much one caller, and all of them, can make the gateway keep.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "base/calls/call_meter.h"
#include "edge/http/rest_error.h"
#include "tests/faces/rest_bed.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

constexpr char kJobs[] = "/v1/projects/p1/jobs";

/// A gateway with little room.
class HttpLoadTest : public RestBed {
 protected:
  HttpLoadTest() {
    jobs_api_.AddRoutes(&small_.router());
    small_.AddMount(
        [](std::string_view path) { return path == "/mount"; },
        v1::READ_OBJECTS, v1::WRITE_OBJECTS,
        [this](const HttpRequest&, const Principal&, const std::string&) {
          return std::make_unique<BufferedExchange>(
              1 << 20, [this](const std::string&) {
                ++mounted_calls_;
                return TextResponse(200, "text/plain", answer_);
              });
        });
    small_.Open();
  }
  std::unique_ptr<HttpExchange> Begin(const std::string& method,
                                      const std::string& path) {
    return small_.Begin(Request(method, path));
  }
  std::string answer_;  ///< Of the mount.
  int mounted_calls_ = 0;

  static std::string Header(const HttpResponse& answer,
                            const std::string& wanted) {
    for (const auto& [name, value] : answer.headers) {
      if (name == wanted) return value;
    }
    return "";
  }

  LoadLimiter little_{{.max_requests_per_caller = 2,
                       .max_streams_per_caller = 1,
                       .max_bytes = 3000,
                       .max_bytes_per_caller = 2000}};
  HttpGateway small_{{authenticator_, attempts_, activity_, limiter_, little_},
                     {}};
};

TEST_F(HttpLoadTest, ACallerHasSoManyRequestsAtOnce) {
  auto first = Begin("GET", kJobs);
  auto second = Begin("POST", "/mount");
  for (const char* path : {kJobs, "/mount"}) {
    auto third = Begin("GET", path);
    // So its connection keeps nobody out.
    EXPECT_TRUE(third->is_refusal());
    const HttpResponse refused = third->Finish();
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(Header(refused, "Retry-After"), "1");
  }
  first.reset();
  EXPECT_EQ(Begin("GET", kJobs)->Finish().status, 200);
  auto again = Begin("GET", kJobs);
  token_ = NewToken("project-read", "p1");
  EXPECT_EQ(Begin("GET", kJobs)->Finish().status, 200);
}

TEST_F(HttpLoadTest, BodiesThatAreKeptHaveABound) {
  auto first = Begin("POST", kJobs);
  auto second = Begin("POST", "/mount");
  EXPECT_FALSE(first->Receive(std::string(1500, ' ')).has_value());
  EXPECT_FALSE(second->Receive(std::string(500, ' ')).has_value());
  const auto too_much = second->Receive("x");
  ASSERT_TRUE(too_much.has_value());
  EXPECT_EQ(too_much->status, 429);
  EXPECT_EQ(Header(*too_much, "Retry-After"), "1");

  token_ = NewToken("project-write", "p1", true);
  auto other = Begin("POST", kJobs);
  EXPECT_FALSE(other->Receive(std::string(1000, ' ')).has_value());
  const auto all = other->Receive("x");
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->status, 503);
  EXPECT_EQ(Header(*all, "Retry-After"), "1");

  // Cut off, and answered: both make room, the latter although its answer may
  // be on its way for long.
  second.reset();
  EXPECT_FALSE(other->Receive(std::string(500, ' ')).has_value());
  EXPECT_EQ(first->Finish().status, 400);
  EXPECT_FALSE(other->Receive(std::string(500, ' ')).has_value());
}

// Who does not read them could have them kept all the same.
TEST_F(HttpLoadTest, AnswersThatAreOnTheirWayHaveABound) {
  answer_ = std::string(2001, 'a');
  auto first = Begin("GET", "/mount");
  auto second = Begin("GET", "/mount");
  EXPECT_EQ(first->Finish().status, 200);
  const HttpResponse refused = second->Finish();
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(Header(refused, "Retry-After"), "1");
  EXPECT_EQ(mounted_calls_, 1) << "done, although it was refused";
  first.reset();
  EXPECT_EQ(Begin("GET", "/mount")->Finish().status, 200);
}

/// Goes on for ever, and says so again and again.
class EndlessSource final : public ByteSource {
 public:
  bool Next(std::string*) override { return true; }
  std::chrono::milliseconds pause() const override {
    return std::chrono::milliseconds(1000);
  }
};

TEST_F(HttpLoadTest, ACallerHasSoManyStreams) {
  small_.AddMount([](std::string_view path) { return path == "/stream"; },
                  v1::READ, v1::WRITE,
                  [](const HttpRequest&, const Principal&, const std::string&) {
                    return std::make_unique<BufferedExchange>(
                        0, [](const std::string&) {
                          HttpResponse response = TextResponse(200, "t", "");
                          response.source = std::make_unique<EndlessSource>();
                          return response;
                        });
                  });
  auto first = Begin("GET", "/stream");
  EXPECT_EQ(first->Finish().status, 200);
  const HttpResponse refused = Begin("GET", "/stream")->Finish();
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.source, nullptr);
  EXPECT_EQ(Header(refused, "Retry-After"), "1");
  EXPECT_EQ(Begin("GET", "/mount")->Finish().status, 200) << "no stream";
  first.reset();
  EXPECT_EQ(Begin("GET", "/stream")->Finish().status, 200);
}

TEST_F(HttpLoadTest, WorkHasABudgetAndEndsWithItsClient) {
  HttpExchange* under_way = nullptr;
  bool leaves = false;
  small_.AddMount(
      [](std::string_view path) { return path == "/long"; }, v1::READ,
      v1::WRITE,
      [&](const HttpRequest&, const Principal&, const std::string&) {
        return std::make_unique<BufferedExchange>(0, [&](const std::string&) {
          for (int row = 0; row < 100; ++row) {
            if (leaves) under_way->Abandon();
            const absl::Status used = UseInCall({1, 100});
            if (!used.ok()) return ErrorResponse(used);
          }
          return TextResponse(200, "t", "all");
        });
      });
  EXPECT_EQ(Begin("GET", "/long")->Finish().status, 429) << "no room for it";
  auto long_call = Begin("GET", "/long");
  under_way = long_call.get();
  leaves = true;
  EXPECT_EQ(long_call->Finish().status, 499);
}

TEST_F(HttpLoadTest, JsonOfTooManyValuesIsNotRead) {
  std::string body = R"({"jobId":"j","trainingInput":{"hyperparameters":)"
                     R"({"params":[{})";
  for (int i = 0; i < 100'000; ++i) body += ",{}";
  const HttpResponse answer = Call("POST", kJobs, body + "]}}}");
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(std::string(answer.text()), HasSubstr("too many values"));
  EXPECT_THAT(std::string(answer.text()), HasSubstr("200000"));
}

TEST_F(HttpLoadTest, ABodyThatWasTooSlowIsToldSo) {
  const HttpResponse answer = small_.Malformed(408, "too slow");
  EXPECT_EQ(answer.status, 408);
  EXPECT_THAT(std::string(answer.text()), HasSubstr("DEADLINE_EXCEEDED"));
}

}  // namespace
}  // namespace vernier
