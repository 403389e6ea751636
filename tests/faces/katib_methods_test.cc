// Katib's Suggestion and EarlyStopping services through a real channel.

#include "faces/katib/katib_methods.h"

#include <gmock/gmock.h>
#include <grpc/health/v1/health.grpc.pb.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <katib/v1beta1/katib.grpc.pb.h>

#include <cmath>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/thread_pool.h"
#include "edge/call_activity.h"
#include "edge/endpoint.h"
#include "edge/grpc/grpc_listener.h"
#include "edge/grpc/grpc_status.h"
#include "edge/load_limiter.h"
#include "tests/faces/katib_experiment.h"

namespace vernier {
namespace {

using Status = katib::TrialStatus;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<katib::ParameterSpec> kMixed = {
    KatibNumber("lr", katib::DOUBLE, "0.001", "1", "", katib::LOG_UNIFORM),
    KatibNumber("layers", katib::INT, "1", "5"),
    KatibNumber("width", katib::INT, "16", "128", "16"),
    KatibNumber("dropout", katib::DOUBLE, "0", "0.5", "0.1"),
    KatibNumber("decay", katib::DOUBLE, "1", "10", "", katib::NORMAL),
    KatibList("batch", katib::DISCRETE, {"64", "16", "32"}),
    KatibList("optimizer", katib::CATEGORICAL, {"sgd", "adam"})};

class KatibMethodsTest : public testing::Test {
 protected:
  void SetUp() override {
    GrpcMethods methods;
    AddKatibMethods(handlers_, {pool_, activity_}, load_, &methods);
    Endpoint endpoint = *ParseEndpoint("127.0.0.1:0");
    auto listener = GrpcListener::Listen({&endpoint}, std::move(methods));
    ASSERT_TRUE(listener.ok()) << listener.status();
    listener_ = *std::move(listener);
    channel_ = grpc::CreateChannel(endpoint.ToString(),
                                   grpc::InsecureChannelCredentials());
    stub_ = katib::Suggestion::NewStub(channel_);
  }
  void TearDown() override { listener_->Shutdown(); }

  absl::Status Ask(const katib::GetSuggestionsRequest& request,
                   katib::GetSuggestionsReply* reply) {
    grpc::ClientContext context;
    return FromGrpc(stub_->GetSuggestions(&context, request, reply));
  }

  // The points as mappings from names to texts.
  using Point = std::map<std::string, std::string>;
  std::vector<Point> Points(const katib::GetSuggestionsRequest& request) {
    katib::GetSuggestionsReply reply;
    const absl::Status status = Ask(request, &reply);
    EXPECT_TRUE(status.ok()) << status;
    std::vector<Point> points;
    for (const auto& each : reply.parameter_assignments()) {
      Point& point = points.emplace_back();
      for (const auto& one : each.assignments()) {
        point[one.name()] = one.value();
      }
    }
    return points;
  }

  static katib::GetSuggestionsRequest Request(
      const katib::Experiment& experiment, int count) {
    katib::GetSuggestionsRequest request;
    *request.mutable_experiment() = experiment;
    request.set_current_request_number(count);
    request.set_total_request_number(count);
    return request;
  }

  // Adds a trial at this point, and the next request is for one more.
  static void Add(const Point& point, Status::TrialConditionType condition,
                  const std::string& loss,
                  katib::GetSuggestionsRequest* request) {
    *request->add_trials() =
        KatibTrial(absl::StrCat("digits-", request->trials_size()), condition,
                   {point.begin(), point.end()}, loss);
    request->set_total_request_number(request->trials_size() +
                                      request->current_request_number());
  }

  SystemClock clock_;
  CallActivity activity_{clock_};
  LoadLimiter load_{{}};
  ThreadPool pool_{2};
  ThreadPool fitters_{1};
  // What Katib's DB manager has of each trial.
  std::map<std::string, std::vector<std::string>> logs_;
  absl::Status log_failure_;
  std::vector<std::string> stopped_;  // Trials that were marked.
  KatibHandlers handlers_{
      fitters_,
      {[this](const katib::GetObservationLogRequest& request,
              katib::GetObservationLogReply* reply,
              const std::function<void(absl::Status)>& done) {
         EXPECT_EQ(request.metric_name(), "loss");
         for (const std::string& value : logs_[request.trial_name()]) {
           katib::Metric* const metric = reply->mutable_observation_log()
                                             ->add_metric_logs()
                                             ->mutable_metric();
           metric->set_name("loss");
           metric->set_value(value);
         }
         done(log_failure_);
       },
       [this](const std::string& trial) {
         stopped_.push_back(trial);
         return absl::OkStatus();
       }}};
  std::unique_ptr<GrpcListener> listener_;
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<katib::Suggestion::Stub> stub_;
};

TEST_F(KatibMethodsTest, EveryPointHasEveryParameterWithinItsBounds) {
  for (const char* algorithm : {"random", "sobol", "tpe", "vernier"}) {
    const auto points = Points(Request(KatibExperiment(algorithm, kMixed), 20));
    ASSERT_EQ(points.size(), 20u) << algorithm;
    std::set<Point> distinct(points.begin(), points.end());
    EXPECT_EQ(distinct.size(), 20u) << algorithm;
    for (Point point : points) {
      ASSERT_EQ(point.size(), kMixed.size());
      double number = 0;
      ASSERT_TRUE(absl::SimpleAtod(point["lr"], &number));
      EXPECT_TRUE(number >= 0.001 && number <= 1) << point["lr"];
      ASSERT_TRUE(absl::SimpleAtod(point["width"], &number));
      EXPECT_EQ(std::fmod(number, 16), 0) << point["width"];
      EXPECT_LE(point["dropout"].size(), 3u) << point["dropout"];
      EXPECT_THAT(point["batch"], testing::AnyOf("64", "16", "32"));
      EXPECT_THAT(point["optimizer"], testing::AnyOf("sgd", "adam"));
    }
  }
}

TEST_F(KatibMethodsTest, TheSameCallGetsTheSameAnswer) {
  katib::GetSuggestionsRequest request =
      Request(KatibExperiment("bayesianoptimization", kMixed), 15);
  const auto first = Points(request);
  EXPECT_EQ(Points(request), first);
  for (std::size_t i = 0; i < first.size(); ++i) {
    Add(first[i], Status::SUCCEEDED, absl::StrCat(i), &request);
  }
  request.set_current_request_number(2);
  const auto second = Points(request);
  // Neither another experiment in between nor the order of trials matters.
  Points(Request(KatibExperiment("tpe", kMixed), 3));
  request.mutable_trials()->SwapElements(0, 7);
  EXPECT_EQ(Points(request), second);
  // Nor does what the service has kept: a new one says the same.
  KatibHandlers fresh(fitters_);
  katib::GetSuggestionsReply kept;
  katib::GetSuggestionsReply reply;
  ASSERT_TRUE(Ask(request, &kept).ok());
  std::promise<absl::Status> done;
  fresh.GetSuggestions(request, &reply, [&done](const absl::Status& status) {
    done.set_value(status);
  });
  ASSERT_TRUE(done.get_future().get().ok());
  EXPECT_EQ(reply.SerializeAsString(), kept.SerializeAsString());
}

TEST_F(KatibMethodsTest, TheSeedDecides) {
  const auto of = [&](const std::string& seed) {
    return Points(Request(
        KatibExperiment("random", kMixed, {{"random_state", seed}}), 3));
  };
  EXPECT_EQ(of("1"), of("1"));
  EXPECT_NE(of("1"), of("2"));
}

TEST_F(KatibMethodsTest, SinglePointsAreThoseOfOneCall) {
  katib::GetSuggestionsRequest request =
      Request(KatibExperiment("tpe", kMixed), 4);
  const auto together = Points(request);
  request.set_current_request_number(1);
  request.set_total_request_number(1);
  for (std::size_t i = 0; i < together.size(); ++i) {
    EXPECT_THAT(Points(request), ElementsAre(together[i])) << i;
    Add(together[i], i % 2 == 0 ? Status::CREATED : Status::RUNNING, "",
        &request);
  }
}

TEST_F(KatibMethodsTest, AnOldHistoryTeachesAServiceThatNeverSawIt) {
  const std::vector<katib::ParameterSpec> space = {
      KatibNumber("x", katib::DOUBLE, "0", "1"),
      KatibNumber("y", katib::DOUBLE, "0", "1")};
  const auto nearest = [&](katib::ObjectiveType goal) {
    katib::GetSuggestionsRequest request =
        Request(KatibExperiment("bayesianoptimization", space), 1);
    request.mutable_experiment()->mutable_spec()->mutable_objective()->set_type(
        goal);
    for (int i = 0; i < 25; ++i) {
      const double x = 0.2 * (i % 5) + 0.1;
      const double y = 0.2 * (i / 5) + 0.1;
      const double value = (x - 0.3) * (x - 0.3) + (y - 0.7) * (y - 0.7);
      Add({{"x", absl::StrCat(x)}, {"y", absl::StrCat(y)}}, Status::SUCCEEDED,
          absl::StrCat(goal == katib::MINIMIZE ? value : -value), &request);
    }
    const auto points = Points(request);
    double x = 0;
    double y = 0;
    EXPECT_TRUE(absl::SimpleAtod(points.at(0).at("x"), &x));
    EXPECT_TRUE(absl::SimpleAtod(points.at(0).at("y"), &y));
    return std::hypot(x - 0.3, y - 0.7);
  };
  EXPECT_LT(nearest(katib::MINIMIZE), 0.15);
  EXPECT_LT(nearest(katib::MAXIMIZE), 0.15);
}

TEST_F(KatibMethodsTest, AGridIsWalkedOnceAndThenItsBestComeAgain) {
  katib::GetSuggestionsRequest request = Request(
      KatibExperiment("grid", {KatibNumber("x", katib::INT, "1", "3"),
                               KatibList("o", katib::CATEGORICAL, {"a", "b"})}),
      4);
  const auto points = Points(request);
  ASSERT_EQ(std::set<Point>(points.begin(), points.end()).size(), 4u);
  for (std::size_t i = 0; i < points.size(); ++i) {
    Add(points[i], Status::SUCCEEDED, i == 2 ? "-1" : absl::StrCat(i),
        &request);
  }
  // Two are left, and the controller wants four.
  const auto rest = Points(request);
  ASSERT_EQ(rest.size(), 4u);
  EXPECT_EQ(rest[2], points[2]);
  EXPECT_EQ(rest[3], points[0]);
  std::set<Point> all(points.begin(), points.end());
  all.insert(rest.begin(), rest.end());
  EXPECT_EQ(all.size(), 6u);
}

TEST_F(KatibMethodsTest, WhatFailedOrWasKilledIsNotTriedAgain) {
  for (const auto condition :
       {Status::FAILED, Status::KILLED, Status::METRICSUNAVAILABLE,
        Status::RUNNING, Status::UNKNOWN}) {
    katib::GetSuggestionsRequest request = Request(
        KatibExperiment("tpe", {KatibNumber("x", katib::INT, "1", "2")}), 1);
    const auto first = Points(request);
    Add(first.at(0), condition, "", &request);
    EXPECT_NE(Points(request).at(0), first.at(0)) << condition;
  }
}

TEST_F(KatibMethodsTest, TrialsOfAnotherSpaceAreLeftOut) {
  katib::GetSuggestionsRequest request =
      Request(KatibExperiment("tpe", kMixed), 2);
  Add({{"lr", "0.1"}}, Status::SUCCEEDED, "1", &request);
  Add({{"lr", "7"}, {"layers", "many"}}, Status::RUNNING, "", &request);
  EXPECT_EQ(Points(request).size(), 2u);
}

TEST_F(KatibMethodsTest, NothingIsAnsweredToNothing) {
  EXPECT_TRUE(Points(Request(KatibExperiment("tpe", kMixed), 0)).empty());
}

TEST_F(KatibMethodsTest, ARequestThatIsTooLargeIsRefused) {
  const auto fault = [&](const katib::GetSuggestionsRequest& request) {
    katib::GetSuggestionsReply reply;
    const absl::Status status = Ask(request, &reply);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    return std::string(status.message());
  };
  EXPECT_THAT(fault(Request(KatibExperiment("tpe", kMixed), 1001)),
              HasSubstr("current_request_number must be in [0, 1000]: 1001"));
  EXPECT_THAT(fault(Request(KatibExperiment("tpe", kMixed), -1)),
              HasSubstr("current_request_number"));
  EXPECT_THAT(fault(Request(KatibExperiment("tpe", {}), 1)),
              HasSubstr("no parameters"));
  EXPECT_EQ(fault(Request(KatibExperiment("darts", kMixed), 1)),
            "unknown algorithm name darts");
  auto many = Request(KatibExperiment("tpe", kMixed), 1);
  for (int i = 0; i <= 10'000; ++i) many.add_trials();
  EXPECT_THAT(fault(many), HasSubstr("10000 trials here: 10001"));
  std::vector<katib::ParameterSpec> parameters;
  for (int i = 0; i <= 1000; ++i) {
    parameters.push_back(
        KatibNumber(absl::StrCat("p", i), katib::INT, "1", "2"));
  }
  EXPECT_THAT(fault(Request(KatibExperiment("tpe", parameters), 1)),
              HasSubstr("1000 parameters: 1001"));
}

TEST_F(KatibMethodsTest, SettingsAreCheckedOverTheChannel) {
  katib::ValidateAlgorithmSettingsRequest request;
  *request.mutable_experiment() = KatibExperiment("grid", kMixed);
  katib::ValidateAlgorithmSettingsReply reply;
  grpc::ClientContext first;
  const grpc::Status refused =
      stub_->ValidateAlgorithmSettings(&first, request, &reply);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(refused.error_message(), HasSubstr("must include step"));
  *request.mutable_experiment() = KatibExperiment("vernier", kMixed);
  grpc::ClientContext second;
  EXPECT_TRUE(stub_->ValidateAlgorithmSettings(&second, request, &reply).ok());
}

TEST_F(KatibMethodsTest, TheRuleOfNewTrialsIsMadeOfTheReportsOfOthers) {
  const auto stub = katib::EarlyStopping::NewStub(channel_);
  katib::GetEarlyStoppingRulesRequest request;
  *request.mutable_experiment() = KatibExperiment("random", kMixed);
  request.mutable_experiment()
      ->mutable_spec()
      ->mutable_early_stopping()
      ->set_algorithm_name("medianstop");
  const auto ask = [&](katib::GetEarlyStoppingRulesReply* reply) {
    grpc::ClientContext context;
    return FromGrpc(stub->GetEarlyStoppingRules(&context, request, reply));
  };
  // The fifth report is beyond start_step.
  logs_ = {{"a", {"4", "3", "2", "1", "0.1"}},
           {"b", {"8", "8"}},
           {"c", {"5", "5", "5", "5"}}};
  katib::GetEarlyStoppingRulesReply reply;
  for (const char* name : {"a", "b"}) {
    *request.add_trials() = KatibTrial(name, Status::SUCCEEDED, {});
  }
  *request.add_trials() = KatibTrial("c", Status::RUNNING, {});
  ASSERT_TRUE(ask(&reply).ok());
  EXPECT_EQ(reply.early_stopping_rules_size(), 0) << "two have succeeded";
  request.mutable_trials(2)->mutable_status()->set_condition(Status::SUCCEEDED);
  ASSERT_TRUE(ask(&reply).ok());
  ASSERT_EQ(reply.early_stopping_rules_size(), 1);
  EXPECT_EQ(reply.early_stopping_rules(0).name(), "loss");
  EXPECT_EQ(reply.early_stopping_rules(0).value(), "5");
  EXPECT_EQ(reply.early_stopping_rules(0).comparison(), katib::GREATER);
  EXPECT_EQ(reply.early_stopping_rules(0).start_step(), 4);
  log_failure_ = absl::UnavailableError("nobody is there");
  const absl::Status failed = ask(&reply);
  EXPECT_EQ(failed.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(failed.message()),
              HasSubstr("Katib's DB manager: nobody is there"));
}

TEST_F(KatibMethodsTest, ATrialThatItsSidecarHasStoppedIsMarked) {
  const auto stub = katib::EarlyStopping::NewStub(channel_);
  katib::SetTrialStatusRequest request;
  request.set_trial_name("digits-1");
  katib::SetTrialStatusReply reply;
  grpc::ClientContext context;
  EXPECT_TRUE(stub->SetTrialStatus(&context, request, &reply).ok());
  EXPECT_THAT(stopped_, ElementsAre("digits-1"));
}

TEST_F(KatibMethodsTest, SettingsOfEarlyStoppingAreChecked) {
  const auto stub = katib::EarlyStopping::NewStub(channel_);
  const auto fault = [&](const std::string& algorithm) {
    katib::ValidateEarlyStoppingSettingsRequest request;
    request.mutable_early_stopping()->set_algorithm_name(algorithm);
    katib::ValidateEarlyStoppingSettingsReply reply;
    grpc::ClientContext context;
    return FromGrpc(
        stub->ValidateEarlyStoppingSettings(&context, request, &reply));
  };
  EXPECT_TRUE(fault("medianstop").ok());
  EXPECT_EQ(fault("other"),
            absl::InvalidArgumentError("unknown algorithm name other"));
}

TEST_F(KatibMethodsTest, WithoutADbManagerNoExperimentStopsEarly) {
  KatibHandlers without(fitters_);
  katib::ValidateEarlyStoppingSettingsRequest request;
  request.mutable_early_stopping()->set_algorithm_name("medianstop");
  katib::ValidateEarlyStoppingSettingsReply reply;
  // Katib's controller takes any other code for a yes.
  const absl::Status refused =
      without.ValidateEarlyStoppingSettings(request, &reply);
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("--katib-db-manager"));
  katib::SetTrialStatusReply set;
  EXPECT_EQ(without.SetTrialStatus({}, &set).code(),
            absl::StatusCode::kFailedPrecondition);
  katib::GetEarlyStoppingRulesReply rules;
  absl::Status status;
  without.GetEarlyStoppingRules(
      {}, &rules, [&status](const absl::Status& ended) { status = ended; });
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
}

TEST_F(KatibMethodsTest, ProbesAreAnsweredByEachNameTheyUse) {
  const auto stub = grpc::health::v1::Health::NewStub(channel_);
  const auto code = [&](const std::string& service) {
    grpc::health::v1::HealthCheckRequest request;
    request.set_service(service);
    grpc::health::v1::HealthCheckResponse response;
    grpc::ClientContext context;
    return stub->Check(&context, request, &response).error_code();
  };
  EXPECT_EQ(code("manager.v1beta1.Suggestion"), grpc::StatusCode::OK);
  EXPECT_EQ(code("api.v1.beta1.Suggestion"), grpc::StatusCode::OK);
  EXPECT_EQ(code("api.v1.beta1.EarlyStopping"), grpc::StatusCode::OK);
  EXPECT_EQ(code(""), grpc::StatusCode::OK);
  EXPECT_EQ(code("vernier.v1.JobService"), grpc::StatusCode::NOT_FOUND);
}

}  // namespace
}  // namespace vernier
