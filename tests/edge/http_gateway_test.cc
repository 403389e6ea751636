#include "edge/http/http_gateway.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "access/method_permission.h"
#include "access/token_text.h"
#include "edge/grpc/call_gate.h"
#include "tests/faces/rest_bed.h"
#include "tests/fakes/manual_clock.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

class HttpGatewayTest : public RestBed {
 protected:
  static void Set(HttpRequest* request, const std::string& header,
                  const std::string& value) {
    for (auto& [name, text] : request->headers) {
      if (name == header) {
        text = value;
        return;
      }
    }
    request->headers.emplace_back(header, value);
  }
};

TEST_F(HttpGatewayTest, WantsATokenThatIsGood) {
  HttpRequest request = Request("GET", "/v1/projects/p1/jobs");
  EXPECT_EQ(Send(request).status, 200);
  for (const std::string& value :
       std::vector<std::string>{"", "Bearer ", "Bearer x", "Basic " + token_,
                                token_, "Bearer " + token_ + "0"}) {
    Set(&request, "authorization", value);
    EXPECT_EQ(Send(request).status, 401) << value;
  }
  Set(&request, "authorization", "bearer  " + token_);
  EXPECT_EQ(Send(request).status, 200);
  ASSERT_TRUE(
      tokens_->Revoke(HashToken(token_).substr(0, 8), clock_.Now()).ok());
  EXPECT_EQ(Send(request).status, 401);
}

TEST_F(HttpGatewayTest, WhoHasNoTokenLearnsNothing) {
  token_ = "x";
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs").text(),
            Call("GET", "/nothing/here").text());
}

TEST_F(HttpGatewayTest, IsReachedByItsOwnNamesOnly) {
  HttpRequest request = Request("GET", "/v1/projects/p1/jobs");
  for (const char* host :
       {"localhost", "LOCALHOST:1", "127.0.0.1:80", "[::1]:8477", "[::1]",
        "tuner.lan:8477", "localhost:"}) {
    Set(&request, "host", host);
    EXPECT_EQ(Send(request).status, 200) << host;
  }
  for (const char* host :
       {"evil.example", "127.0.0.1.evil.example", "", "localhost.", "[::2]",
        "xtuner.lan", "127.0.0.2", "[::1].evil.com", "[::1]evil.com:80", "[::1",
        "[::1]x", "localhost:80.evil.com", "localhost:x@evil.com",
        "localhost:1/x", "localhost:123456", "[::1]:8:8"}) {
    Set(&request, "host", host);
    EXPECT_EQ(Send(request).status, 421) << host;
  }
}

TEST_F(HttpGatewayTest, APageOfAnotherOriginChangesNothing) {
  HttpRequest request = Request("POST", "/v1/projects/p1/jobs");
  const std::string body = JobJson("j1");
  Set(&request, "origin", "http://evil.example");
  EXPECT_EQ(Send(request, body).status, 403);
  Set(&request, "origin", "null");
  EXPECT_EQ(Send(request, body).status, 403);
  Set(&request, "origin", "");
  Set(&request, "sec-fetch-site", "cross-site");
  EXPECT_EQ(Send(request, body).status, 403);
  EXPECT_TRUE(store_.Snapshot()->empty());
  Set(&request, "sec-fetch-site", "same-origin");
  Set(&request, "origin", "http://127.0.0.1:8477");
  EXPECT_EQ(Send(request, body).status, 200);
}

TEST_F(HttpGatewayTest, AFormOfAPageIsNoRequest) {
  HttpRequest request = Request("POST", "/v1/projects/p1/jobs");
  for (const char* type : {"text/plain", "application/x-www-form-urlencoded",
                           "multipart/form-data"}) {
    Set(&request, "content-type", type);
    EXPECT_EQ(Send(request, JobJson("j1")).status, 415) << type;
  }
  EXPECT_TRUE(store_.Snapshot()->empty());
}

TEST_F(HttpGatewayTest, AProjectsTokenSeesNoOtherProject) {
  token_ = NewToken("project-write", "p1", true);
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs").status, 200);
  EXPECT_EQ(Call("GET", "/v1/projects/p2/jobs").status, 404);
  EXPECT_EQ(Call("POST", "/v1/projects/p2/jobs", JobJson("j1")).status, 404);
  EXPECT_EQ(Call("GET", "/v1/projects/p%31/jobs").status, 200);
}

TEST_F(HttpGatewayTest, SubmittingIsAPermissionOfItsOwn) {
  token_ = NewToken("project-write", "p1");
  const HttpResponse refused =
      Call("POST", "/v1/projects/p1/jobs", JobJson("j1"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(std::string(refused.text()), HasSubstr("--may-run"));
  token_ = NewToken("project-write", "p1", true);
  EXPECT_EQ(Call("POST", "/v1/projects/p1/jobs", JobJson("j1")).status, 200);
}

// The table of who may do what, a second time and in other words.
TEST_F(HttpGatewayTest, EveryMethodAnswersEveryRoleAsItShould) {
  const std::map<v1::Permission, std::string> allowed = {
      {v1::READ, "admin write run read"},
      {v1::WRITE, "admin write run"},
      {v1::RUN, "admin run"},
      {v1::ADMINISTER, "admin"},
  };
  const std::map<std::string, std::string> tokens = {
      {"admin", token_},
      {"write", NewToken("project-write", "p1")},
      {"run", NewToken("project-write", "p1", true)},
      {"read", NewToken("project-read", "p1")},
      {"nobody", "vernier_0"},
  };
  int calls = 0;
  for (const auto& route : front_.router().routes()) {
    ASSERT_TRUE(allowed.count(route->permission)) << route->id;
    // "every GET changes nothing", and the rest is not for readers, but for
    // asking what one may do.
    if (route->method == "GET") {
      EXPECT_EQ(route->permission, v1::READ) << route->id;
    }
    std::string path = route->pattern;
    for (std::size_t at = path.find('{'); at != std::string::npos;
         at = path.find('{')) {
      const std::size_t end = path.find('}', at);
      const bool is_project = path.substr(at, end - at) == "{project";
      path.replace(at, end + 1 - at, is_project ? "p1" : "x");
    }
    for (const auto& [role, token] : tokens) {
      token_ = token;
      const int status = Call(route->method, path).status;
      ++calls;
      const std::string what = route->id + " as " + role;
      if (role == "nobody") {
        EXPECT_EQ(status, 401) << what;
      } else if (allowed.at(route->permission).find(role) ==
                 std::string::npos) {
        EXPECT_EQ(status, 403) << what;
      } else {
        EXPECT_NE(status, 401) << what;
        EXPECT_NE(status, 403) << what;
      }
    }
  }
  EXPECT_GT(calls, 90);
}

// Nor can it tell what is there from what is not.
TEST_F(HttpGatewayTest, EveryMethodKeepsAProjectsTokenToItsProject) {
  Create("theirs", "p2");
  token_ = NewToken("project-write", "p1", true);
  int calls = 0;
  for (const auto& route : front_.router().routes()) {
    for (const char* job : {"theirs", "absent"}) {
      std::string path = route->pattern;
      for (std::size_t at = path.find('{'); at != std::string::npos;
           at = path.find('{')) {
        const std::size_t end = path.find('}', at);
        const bool is_project = path.substr(at, end - at) == "{project";
        path.replace(at, end + 1 - at, is_project ? "p2" : job);
      }
      EXPECT_EQ(Call(route->method, path).status, 404) << path;
      ++calls;
    }
  }
  EXPECT_GT(calls, 30);
}

TEST_F(HttpGatewayTest, AnAnswerIsCutAndIndentedAsAsked) {
  Create("j1");
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs/j1?fields=jobId,state").text(),
            R"({"jobId":"j1","state":"QUEUED"})");
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs?fields=jobs/jobId").text(),
            R"({"jobs":[{"jobId":"j1"}]})");
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs/j1?fields=jobId&prettyPrint=true")
                .text(),
            "{\n  \"jobId\": \"j1\"\n}\n");
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs/j1?fields=jobs(").status, 400);
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs/j1?alt=json").status, 200);
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs/j1?alt=media").status, 400);
}

TEST_F(HttpGatewayTest, AQueryParameterThatNobodyKnowsIsNamed) {
  Create("j1");
  const HttpResponse answer =
      Call("GET", "/v1/projects/p1/jobs?filtre=state%3DFAILED");
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(std::string(answer.text()),
              HasSubstr("there is no query parameter \\\"filtre\\\"; did you "
                        "mean filter?"));
  EXPECT_EQ(
      Call("POST", "/v1/projects/p1/jobs?requestID=a", JobJson("j2")).status,
      400);
  EXPECT_EQ(store_.Snapshot()->size(), 1u) << "nothing was made";
  for (const char* query :
       {"filter=state%3DQUEUED&pageSize=1", "$.xgafv=2&key=k&quotaUser=me",
        "alt=json&prettyPrint=false&$fields=jobs"}) {
    EXPECT_EQ(Call("GET", std::string("/v1/projects/p1/jobs?") + query).status,
              200)
        << query;
  }
}

TEST_F(HttpGatewayTest, AProjectIdThatCanBeNoneIsRefused) {
  for (const char* project :
       {"..", ".", "P1", "p%0A1", "-p", "p_1", "p%2F1", "%20"}) {
    EXPECT_EQ(
        Call("GET", std::string("/v1/projects/") + project + "/jobs").status,
        400)
        << project;
  }
  // A NUL is in no path that there is.
  EXPECT_EQ(Call("GET", "/v1/projects/p%001/jobs").status, 404);
  EXPECT_EQ(Call("GET", "/v1/projects/example.com:tuning/jobs").status, 200);
}

class MountTest : public HttpGatewayTest {
 protected:
  MountTest() {
    front_.AddMount(
        [](std::string_view path) { return path.substr(0, 9) == "/storage/"; },
        v1::READ_OBJECTS, v1::WRITE_OBJECTS,
        [](const HttpRequest& request, const Principal&,
           const std::string& base_url) {
          return std::make_unique<BufferedExchange>(
              100, [text = base_url + "|" + request.path](const std::string&) {
                return TextResponse(200, "text/plain", text);
              });
        });
  }
};

TEST_F(MountTest, HasPermissionsOfItsOwn) {
  EXPECT_EQ(Call("POST", "/storage/v1/b").status, 200);
  token_ = NewToken("project-read", "p1");
  EXPECT_EQ(Call("GET", "/storage/v1/b").status, 200);
  EXPECT_EQ(Call("POST", "/storage/v1/b").status, 403);
  EXPECT_EQ(Call("DELETE", "/storage/v1/b").status, 403);
  token_ = "x";
  EXPECT_EQ(Call("GET", "/storage/v1/b").status, 401);
}

TEST_F(MountTest, AnAttemptCallsItBelowItsToken) {
  const AttemptKey key = Launch(Create("j1"), 1, 0.5);
  const std::string nonce =
      store_.Snapshot()->at(key.study)->trials.Get(key.trial).attempts[0].nonce;
  const std::string prefix = AttemptPrefix(attempts_.For(key, nonce));
  token_ = "";
  EXPECT_EQ(Call("GET", prefix + "/storage/v1/b").text(),
            "http://127.0.0.1:8477" + prefix + "|/storage/v1/b");
  EXPECT_EQ(Call("POST", prefix + "/storage/v1/b").status, 200);
  // An attempt only reports, and touches objects.
  EXPECT_EQ(Call("GET", prefix + "/v1/projects/p1/jobs").status, 403);
  EXPECT_EQ(Call("GET", prefix).status, 404);
  EXPECT_EQ(Call("GET", prefix + "0/storage/v1/b").status, 401);
  token_ = attempts_.For(key, nonce);
  EXPECT_EQ(Call("GET", "/storage/v1/b").status, 200);
  EXPECT_EQ(Call("GET", "/v1/projects/p1/jobs").status, 403);
  Complete(key, 0.5);
  EXPECT_EQ(Call("GET", prefix + "/storage/v1/b").status, 401);
}

// Addresses end up in logs.
TEST_F(MountTest, NobodyElsesTokenBelongsInAnAddress) {
  const std::string prefix = AttemptPrefix(token_);
  EXPECT_EQ(Call("GET", prefix + "/storage/v1/b").status, 401);
  EXPECT_EQ(Call("GET", AttemptPrefix("") + "/storage/v1/b").status, 401);
  EXPECT_EQ(Call("GET", "/storage/v1/b").status, 200);
}

class LongBodyTest : public HttpGatewayTest {
 protected:
  class Endless final : public ByteSource {
    bool Next(std::string* piece) override {
      *piece += "more";
      return true;
    }
  };
  LongBodyTest() {
    front_.AddMount(
        [](std::string_view path) { return path == "/long"; }, v1::READ_OBJECTS,
        v1::WRITE_OBJECTS,
        [](const HttpRequest&, const Principal&, const std::string&) {
          return std::make_unique<BufferedExchange>(
              100, [](const std::string&) {
                HttpResponse response;
                response.source = std::make_unique<Endless>();
                return response;
              });
        });
  }
  void Revoke() {
    ASSERT_TRUE(
        tokens_->Revoke(HashToken(token_).substr(0, 8), clock_.Now()).ok());
  }
};

TEST_F(LongBodyTest, ADownloadEndsWithItsToken) {
  const HttpResponse answer = Call("GET", "/long");
  std::string piece;
  EXPECT_TRUE(answer.source->Next(&piece));
  EXPECT_EQ(piece, "more");
  Revoke();
  EXPECT_FALSE(answer.source->Next(&piece));
}

TEST_F(LongBodyTest, AnUploadEndsWithItsToken) {
  auto first = front_.Begin(Request("POST", "/long"));
  auto second = front_.Begin(Request("POST", "/long"));
  EXPECT_FALSE(first->Receive("a").has_value());
  Revoke();
  const auto refused = first->Receive("b");
  ASSERT_TRUE(refused.has_value());
  EXPECT_EQ(refused->status, 401);
  EXPECT_EQ(second->Finish().status, 401);
}

// Such a one may be cut off when there is no room for others.
TEST_F(LongBodyTest, WhoMayNotCallIsKnownAtOnce) {
  EXPECT_FALSE(front_.Begin(Request("POST", "/long"))->is_refusal());
  EXPECT_FALSE(
      front_.Begin(Request("GET", "/v1/projects/p1/jobs"))->is_refusal());
  token_ = "x";
  EXPECT_TRUE(front_.Begin(Request("POST", "/long"))->is_refusal());
  EXPECT_TRUE(
      front_.Begin(Request("GET", "/v1/projects/p1/jobs"))->is_refusal());
}

class RateLimitTest : public HttpGatewayTest {
 protected:
  HttpResponse CallLimited(const std::string& path) {
    return limited_.Begin(Request("GET", path))->Finish();
  }
  static std::string Header(const HttpResponse& response,
                            const std::string& name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return "";
  }
  RateLimitTest() {
    jobs_api_.AddRoutes(&limited_.router());
    limited_.Open();
  }

  ManualClock still_;
  RateLimiter two_calls_{{1, 2}, still_};
  HttpGateway limited_{
      {authenticator_, attempts_, activity_, two_calls_, load_}, {}};
};

TEST_F(RateLimitTest, TooManyCallsOfATokenAreToldWhenToTryAgain) {
  const std::string path = "/v1/projects/p1/jobs";
  EXPECT_EQ(CallLimited(path).status, 200);
  EXPECT_EQ(CallLimited(path).status, 200);
  const HttpResponse refused = CallLimited(path);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(Header(refused, "Retry-After"), "1");
  const Json error = Parse(refused)["error"];
  EXPECT_EQ(error["status"], "RESOURCE_EXHAUSTED");
  EXPECT_EQ(error["details"][0]["@type"],
            "type.googleapis.com/google.rpc.RetryInfo");
  EXPECT_EQ(error["details"][0]["retryDelay"], "1s");
  // Paths that are none count as well.
  EXPECT_EQ(CallLimited("/nothing").status, 429);
  still_.Advance(std::chrono::seconds(1));
  EXPECT_EQ(CallLimited("/nothing").status, 404);
  EXPECT_EQ(CallLimited(path).status, 429);
}

TEST_F(RateLimitTest, EachTokenIsCountedByItself) {
  const std::string path = "/v1/projects/p1/jobs";
  for (int i = 0; i < 3; ++i) CallLimited(path);
  token_ = NewToken("project-read", "p1");
  EXPECT_EQ(CallLimited(path).status, 200);
  // Who is nobody is not told how often others may call.
  token_ = "x";
  for (int i = 0; i < 5; ++i) EXPECT_EQ(CallLimited(path).status, 401);
}

TEST_F(HttpGatewayTest, ACallCountsAsActivityToItsEnd) {
  auto exchange = front_.Begin(Request("GET", "/v1/projects/p1/jobs"));
  EXPECT_EQ(activity_.IdleFor(), std::chrono::microseconds(0));
  exchange->Finish();
  exchange.reset();
  EXPECT_GT(activity_.IdleFor(), std::chrono::microseconds(-1));
}

TEST_F(HttpGatewayTest, EachAnswerHasTheIdOfItsRequest) {
  const auto id_of = [](const HttpResponse& response) {
    for (const auto& [name, value] : response.headers) {
      if (name == "X-Request-Id") return value;
    }
    return std::string("none");
  };
  HttpRequest request = Request("GET", "/v1/projects/p1/jobs");
  Set(&request, "x-request-id", "mine:1");
  EXPECT_EQ(id_of(Send(request)), "mine:1");
  for (const auto& [header, value] :
       std::vector<std::pair<std::string, std::string>>{
           {"authorization", ""}, {"host", "evil.example"}}) {
    HttpRequest refused = request;
    Set(&refused, header, value);
    EXPECT_EQ(id_of(Send(refused)), "mine:1") << header;
  }
  Set(&request, "x-request-id", "a\tb");
  EXPECT_EQ(id_of(Send(request)).size(), 32u);
  EXPECT_NE(id_of(Send(request)), id_of(Send(request)));
}

// Over gRPC: a socket's caller may all, and each method names what it needs.
TEST_F(HttpGatewayTest, EveryGrpcMethodNamesItsPermission) {
  int methods = 0;
  for (const char* name :
       {"vernier.v1.JobService", "vernier.v1.AccessService",
        "vernier.v1.ProjectService", "vernier.v1.BucketService",
        "vernier.v1.StudyService"}) {
    const auto* service =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(
            name);
    ASSERT_NE(service, nullptr) << name;
    for (int i = 0; i < service->method_count(); ++i) {
      const auto* method = service->method(i);
      const v1::Permission needed = PermissionOfRequest(method->input_type());
      EXPECT_NE(needed, v1::PERMISSION_UNSPECIFIED) << method->full_name();
      EXPECT_EQ(needed, method->options().GetExtension(v1::permission));
      ++methods;
    }
  }
  EXPECT_GE(methods, 21);
}

}  // namespace
}  // namespace vernier
