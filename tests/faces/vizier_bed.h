#ifndef VERNIER_TESTS_FACES_VIZIER_BED_H_
#define VERNIER_TESTS_FACES_VIZIER_BED_H_

#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <vizier/vizier_service.grpc.pb.h>

#include <atomic>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "base/clock.h"
#include "base/thread_pool.h"
#include "edge/call_activity.h"
#include "edge/endpoint.h"
#include "edge/grpc/grpc_listener.h"
#include "edge/grpc/grpc_status.h"
#include "edge/load_limiter.h"
#include "faces/vizier/vizier_handlers.h"
#include "faces/vizier/vizier_methods.h"
#include "tests/fakes/memory_store.h"
#include "tests/support/scratch_folder.h"
#include "trials/study_service.h"
#include "trials/suggestion_service.h"

namespace vernier {

/// vizier.VizierService over a store in memory, on a socket or a port, and a
/// plain stub as its client.
class VizierBed : public testing::Test {
 protected:
  using Service = vizier::VizierService;

  void SetUp() override { Listen("unix:" + folder_ / "v.sock"); }

  void TearDown() override {
    if (listener_ != nullptr) Stop();
  }

  void Listen(const std::string& at,
              VizierOverTcp over_tcp = VizierOverTcp::kRefused) {
    if (listener_ != nullptr) Stop();
    GrpcMethods methods;
    AddVizierMethods(handlers_, {{pool_, activity_}, load_}, over_tcp,
                     &methods);
    Endpoint endpoint = *ParseEndpoint(at);
    auto listener = GrpcListener::Listen({&endpoint}, std::move(methods));
    ASSERT_TRUE(listener.ok()) << listener.status();
    listener_ = std::move(listener).value();
    stub_ = Service::NewStub(grpc::CreateChannel(
        endpoint.ToString(), grpc::InsecureChannelCredentials()));
  }

  void Stop() {
    listener_->Shutdown();
    listener_.reset();
  }

  /// Makes a call: Call(&Stub::GetStudy, request, &response).
  template <typename Method, typename Request, typename Response>
  absl::Status Call(Method method, const Request& request, Response* response) {
    grpc::ClientContext context;
    return FromGrpc(((*stub_).*method)(&context, request, response));
  }
  /// For calls whose answer does not matter.
  template <typename Response, typename Method, typename Request>
  absl::StatusCode CodeOf(Method method, const Request& request) {
    Response response;
    return Call(method, request, &response).code();
  }

  static vizier::CreateStudyRequest StudyRequestFor(
      const std::string& name = "a study",
      const std::string& algorithm = "RANDOM_SEARCH") {
    vizier::CreateStudyRequest request;
    request.set_parent("owners/me");
    request.mutable_study()->set_display_name(name);
    vizier::StudySpec* spec = request.mutable_study()->mutable_study_spec();
    spec->set_algorithm(algorithm);
    spec->add_metrics()->set_metric_id("acc");
    auto* parameter = spec->add_parameters();
    parameter->set_parameter_id("x");
    parameter->mutable_double_value_spec()->set_max_value(1);
    return request;
  }

  vizier::Study MakeStudy(const std::string& algorithm = "RANDOM_SEARCH") {
    vizier::Study study;
    const absl::Status made =
        Call(&Service::Stub::CreateStudy, StudyRequestFor("a study", algorithm),
             &study);
    EXPECT_TRUE(made.ok()) << made;
    return study;
  }

  absl::Status Suggest(const std::string& client, int count,
                       vizier::SuggestTrialsResponse* response,
                       vizier::Operation* operation) {
    vizier::SuggestTrialsRequest request;
    request.set_parent(kStudy);
    request.set_client_id(client);
    request.set_suggestion_count(count);
    const absl::Status status =
        Call(&Service::Stub::SuggestTrials, request, operation);
    EXPECT_EQ(operation->done(), status.ok());
    if (status.ok()) {
      EXPECT_TRUE(operation->response().UnpackTo(response));
    }
    return status;
  }
  vizier::SuggestTrialsResponse Suggest(const std::string& client,
                                        int count = 1) {
    vizier::SuggestTrialsResponse response;
    vizier::Operation operation;
    const absl::Status status = Suggest(client, count, &response, &operation);
    EXPECT_TRUE(status.ok()) << status;
    return response;
  }

  absl::Status Measure(int trial, double value, std::int64_t step) {
    vizier::AddTrialMeasurementRequest request;
    request.set_trial_name(TrialName(trial));
    request.mutable_measurement()->set_step_count(step);
    auto* metric = request.mutable_measurement()->add_metrics();
    metric->set_metric_id("acc");
    metric->set_value(value);
    vizier::Trial response;
    return Call(&Service::Stub::AddTrialMeasurement, request, &response);
  }

  absl::Status Complete(int trial, double value, vizier::Trial* response) {
    vizier::CompleteTrialRequest request;
    request.set_name(TrialName(trial));
    auto* metric = request.mutable_final_measurement()->add_metrics();
    metric->set_metric_id("acc");
    metric->set_value(value);
    return Call(&Service::Stub::CompleteTrial, request, response);
  }

  vizier::Trial Get(int trial) {
    vizier::GetTrialRequest request;
    request.set_name(TrialName(trial));
    vizier::Trial response;
    const absl::Status status =
        Call(&Service::Stub::GetTrial, request, &response);
    EXPECT_TRUE(status.ok()) << status;
    return response;
  }

  std::string TrialName(int trial) const {
    return absl::StrCat(kStudy, "/trials/", trial);
  }

  const std::string kStudy = "owners/me/studies/a study";
  SystemClock clock_;
  MemoryStore store_;
  const ScratchFolder folder_;
  CallActivity activity_{clock_};
  LoadLimiter load_{{}};
  ThreadPool pool_{4};
  ThreadPool fitters_{1};
  StudyEngines engines_{store_, [](const std::string&) {}};
  SuggestionService suggestions_{
      {store_, engines_, clock_,
       [this](std::function<void()> work) { pool_.Run(std::move(work)); },
       [](const std::string&) {}, &fitters_}};
  StudyService studies_{{store_, clock_, engines_, suggestions_,
                         [] { return std::uint64_t{7}; }}};
  VizierHandlers handlers_{{studies_, [](const std::string&) {}}};
  std::unique_ptr<GrpcListener> listener_;
  std::unique_ptr<Service::Stub> stub_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FACES_VIZIER_BED_H_
