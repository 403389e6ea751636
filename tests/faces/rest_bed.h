#ifndef VERNIER_TESTS_FACES_REST_BED_H_
#define VERNIER_TESTS_FACES_REST_BED_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/json.h"
#include "edge/http/http_gateway.h"
#include "faces/ml/ml_jobs_api.h"
#include "http/url.h"
#include "tests/faces/service_bed.h"

namespace vernier {

/// The HTTP interface over a store in memory, without sockets.
class RestBed : public ServiceBed {
 protected:
  RestBed() {
    jobs_api_.AddRoutes(&front_.router());
    front_.Open();
  }

  /// Creates a job of project p1, which most paths name, unless another project
  /// is given.
  StudyId Create(const std::string& name, const std::string& project = "p1") {
    return ServiceBed::Create(name, project);
  }

  std::string NewToken(const std::string& scope, const std::string& project,
                       bool may_run = false) {
    v1::CreateTokenRequest request;
    request.set_scope(scope);
    request.set_project(project);
    request.set_may_run(may_run);
    v1::CreateTokenResponse response;
    EXPECT_TRUE(access_.CreateToken(request, &response).ok());
    return response.secret();
  }

  HttpRequest Request(const std::string& method, const std::string& target) {
    HttpRequest request;
    request.method = method;
    auto parsed = ParseTarget(target);
    EXPECT_TRUE(parsed.has_value()) << target;
    request.path = parsed->path;
    request.query = parsed->query;
    request.headers = {{"host", "127.0.0.1:8477"},
                       {"content-type", "application/json"},
                       {"authorization", "Bearer " + token_}};
    return request;
  }

  HttpResponse Send(const HttpRequest& request, const std::string& body = "") {
    const std::unique_ptr<HttpExchange> exchange = front_.Begin(request);
    if (!body.empty()) {
      if (auto answer = exchange->Receive(body)) return *std::move(answer);
    }
    return exchange->Finish();
  }

  HttpResponse Call(const std::string& method, const std::string& target,
                    const std::string& body = "") {
    return Send(Request(method, target), body);
  }

  static Json Parse(const HttpResponse& response) {
    auto json = ParseJson(response.text());
    EXPECT_TRUE(json.ok()) << response.text();
    return json.ok() ? *json : Json::object();
  }

  AttemptTokens attempts_{store_, std::string(64, 'k')};
  HttpGateway front_{{authenticator_, attempts_, activity_, limiter_, load_},
                     {{"tuner.lan"}}};
  MlJobsApi jobs_api_{{jobs_, store_, hindrances_, clock_}};
  std::string token_ = NewToken("admin", "");
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FACES_REST_BED_H_
