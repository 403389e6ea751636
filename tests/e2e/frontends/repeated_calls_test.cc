// Writes of clients whose connection is cut before they hear the answer: sent
// again with the same request id, to a service that may have been killed
// meanwhile, nothing is doubled.

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <vizier/vizier_service.grpc.pb.h>

#include <functional>
#include <memory>
#include <random>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/rng.h"
#include "tests/e2e/frontends/service_process.h"

namespace vernier {
namespace {

using Stub = vizier::VizierService::Stub;

constexpr char kStudy[] = "owners/me/studies/repeated";

class RepeatedCallsTest : public testing::Test {
 protected:
  void SetUp() override {
    service_.Start({"--http", "off"});
    vizier::CreateStudyRequest request;
    request.set_parent("owners/me");
    request.mutable_study()->set_display_name("repeated");
    auto* spec = request.mutable_study()->mutable_study_spec();
    spec->set_algorithm("RANDOM_SEARCH");
    spec->add_metrics()->set_metric_id("acc");
    auto* parameter = spec->add_parameters();
    parameter->set_parameter_id("x");
    parameter->mutable_double_value_spec()->set_max_value(1);
    vizier::Study study;
    grpc::ClientContext context;
    ASSERT_TRUE(Connect()->CreateStudy(&context, request, &study).ok());
  }

  /// A connection that nobody else uses.
  std::unique_ptr<Stub> Connect() {
    grpc::ChannelArguments arguments;
    arguments.SetInt("vernier.connection", ++connections_);
    return vizier::VizierService::NewStub(grpc::CreateCustomChannel(
        service_.Socket(), grpc::InsecureChannelCredentials(), arguments));
  }

  /// Sends a request whose answer nobody hears, and then again until one is
  /// heard; in between the service is killed now and then.
  template <typename Request>
  vizier::Trial Insist(grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                    const Request&,
                                                    vizier::Trial*),
                       const Request& request) {
    const std::string id = absl::StrCat("call ", ++calls_);
    const int lost = static_cast<int>(UniformInt(rng_, 3));
    for (int i = 0; i < lost; ++i) {
      // Served in full; that the answer is lost, only the client knows.
      Call(method, request, id);
      if (UniformInt(rng_, 4) == 0) {
        service_.End(SIGKILL);
        service_.Start({"--http", "off"});
      }
    }
    return Call(method, request, id);
  }

  template <typename Request>
  vizier::Trial Call(grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                  const Request&,
                                                  vizier::Trial*),
                     const Request& request, const std::string& id) {
    grpc::ClientContext context;
    context.AddMetadata("x-request-id", id);
    vizier::Trial trial;
    const auto stub = Connect();
    const grpc::Status status = ((*stub).*method)(&context, request, &trial);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return trial;
  }

  ServiceProcess service_;
  std::mt19937_64 rng_{7};
  int connections_ = 0;
  int calls_ = 0;
};

TEST_F(RepeatedCallsTest, NothingIsDoubled) {
  constexpr int kTrials = 12;
  for (int n = 1; n <= kTrials; ++n) {
    vizier::CreateTrialRequest create;
    create.set_parent(kStudy);
    auto* parameter = create.mutable_trial()->add_parameters();
    parameter->set_parameter_id("x");
    parameter->mutable_value()->set_number_value(0.5);  // The same each time.
    EXPECT_EQ(Insist(&Stub::CreateTrial, create).id(), absl::StrCat(n));
  }
  vizier::SuggestTrialsRequest suggest;
  suggest.set_parent(kStudy);
  suggest.set_client_id("c");
  suggest.set_suggestion_count(kTrials);
  vizier::Operation operation;
  {
    grpc::ClientContext context;
    ASSERT_TRUE(Connect()->SuggestTrials(&context, suggest, &operation).ok());
  }
  for (int n = 1; n <= kTrials; ++n) {
    vizier::AddTrialMeasurementRequest report;
    report.set_trial_name(absl::StrCat(kStudy, "/trials/", n));
    auto* metric = report.mutable_measurement()->add_metrics();
    metric->set_metric_id("acc");
    metric->set_value(0.25);
    for (int step : {1, 2}) {
      report.mutable_measurement()->set_step_count(step);
      Insist(&Stub::AddTrialMeasurement, report);
    }
    vizier::CompleteTrialRequest complete;
    complete.set_name(report.trial_name());
    *complete.mutable_final_measurement() = report.measurement();
    complete.mutable_final_measurement()->set_step_count(3);
    EXPECT_EQ(Insist(&Stub::CompleteTrial, complete).state(),
              vizier::Trial::SUCCEEDED);
  }
  vizier::ListTrialsRequest list;
  list.set_parent(kStudy);
  vizier::ListTrialsResponse all;
  grpc::ClientContext context;
  ASSERT_TRUE(Connect()->ListTrials(&context, list, &all).ok());
  EXPECT_EQ(all.trials_size(), kTrials);
  for (const vizier::Trial& trial : all.trials()) {
    EXPECT_EQ(trial.measurements_size(), 2) << trial.DebugString();
  }
}

}  // namespace
}  // namespace vernier
