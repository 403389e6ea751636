// How much one caller can make gRPC's listener do and keep.

#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>
#include <vernier/v1/insights.pb.h>
#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/study_service.pb.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/calls/call_meter.h"
#include "edge/call_budget.h"
#include "edge/grpc/message_bytes.h"
#include "tests/faces/service_bed.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// The service by TCP, with little room, besides the owner's socket.
class GrpcLoadTest : public ServiceBed {
 protected:
  void SetUp() override {
    ServiceBed::SetUp();
    tcp_.host = "127.0.0.1";
    GrpcMethods methods;
    AddJobMethods(handlers_, store_, {gate_, pool_, pump_, activity_, little_},
                  &methods);
    auto listener = GrpcListener::Listen({&tcp_}, std::move(methods));
    ASSERT_TRUE(listener.ok()) << listener.status();
    tcp_listener_ = *std::move(listener);
    stub_ = v1::JobService::NewStub(grpc::CreateChannel(
        tcp_.ToString(), grpc::InsecureChannelCredentials()));
    token_ = NewToken();
    study_ = Create("a");
    for (int trial = 1; trial <= 5; ++trial) {
      Complete(Launch(study_, trial, 0.5), 1);
    }
  }
  void TearDown() override {
    tcp_listener_->Shutdown();
    ServiceBed::TearDown();
  }

  std::string NewToken() {
    v1::CreateTokenRequest request;
    request.set_scope("project-read");
    request.set_project("default");
    v1::CreateTokenResponse response;
    EXPECT_TRUE(access_.CreateToken(request, &response).ok());
    return response.secret();
  }

  void Sign(grpc::ClientContext* context) const {
    context->AddMetadata("authorization", "Bearer " + token_);
  }

  grpc::Status List() {
    grpc::ClientContext context;
    Sign(&context);
    v1::ListTrialsRequest request;
    request.set_job_id("a");
    v1::ListTrialsResponse response;
    return stub_->ListTrials(&context, request, &response);
  }

  LoadLimiter little_{{.max_requests_per_caller = 2,
                       .max_streams_per_caller = 1,
                       .max_bytes = 4 * kMiB,
                       .max_bytes_per_caller = kMiB}};
  Endpoint tcp_;
  std::unique_ptr<GrpcListener> tcp_listener_;
  std::unique_ptr<v1::JobService::Stub> stub_;
  std::string token_;
  StudyId study_{};
};

TEST_F(GrpcLoadTest, AListIsRefusedIfThereIsNoRoomForIt) {
  EXPECT_TRUE(List().ok());
  auto somebody_elses = *little_.Admit("somebody else");
  somebody_elses->Set(4 * kMiB);
  const grpc::Status refused = List();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_NE(refused.error_message().find("4 MiB"), std::string::npos)
      << refused.error_message();
  // Nobody limits the owner.
  v1::ListTrialsRequest request;
  request.set_job_id("a");
  EXPECT_TRUE(client_->Call(&Jobs::ListTrials, request).ok());
  somebody_elses.reset();
  EXPECT_TRUE(List().ok());
}

// A message takes many times its bytes once it is parsed.
TEST_F(GrpcLoadTest, WhatARequestBecomesCounts) {
  v1::WriteNoteRequest request;
  std::string note(std::size_t{500} << 10, 'a');
  request.set_note(note);
  const grpc::ByteBuffer few = *SerializeMessage(request);
  v1::GetInsightsRequest pairs;
  for (int i = 0; i < 20'000; ++i) pairs.add_contours();
  const grpc::ByteBuffer many = *SerializeMessage(pairs);
  EXPECT_LT(many.Length(), few.Length());
  const SystemClock clock;
  const auto share = *little_.Admit("a");
  CallBudget budget(share.get(), clock);
  const CallMeterScope scope(&budget);
  budget.Begin();
  v1::WriteNoteRequest one;
  EXPECT_TRUE(ParseMessage(few, {}, &one).ok());
  v1::GetInsightsRequest other;
  const auto room = *little_.Admit("b");
  room->Set(2 * kMiB);
  EXPECT_TRUE(absl::IsResourceExhausted(ParseMessage(many, {}, &other)));
  EXPECT_EQ(other.contours_size(), 0) << "parsed all the same";
}

// Its client has left, and nobody would read the answer.
TEST_F(GrpcLoadTest, ACallThatIsCancelledWhileItWaitsLeavesTheQueue) {
  // All threads are busy, so that calls wait.
  std::promise<void> end_of_work;
  const std::shared_future<void> is_over(end_of_work.get_future());
  for (int i = 0; i < 4; ++i) {
    pool_.Run([is_over] { is_over.wait(); });
  }
  v1::ListTrialsRequest request;
  request.set_job_id("a");
  std::array<grpc::ClientContext, 2> contexts;
  std::array<grpc::Status, 2> ends;
  std::vector<std::thread> clients;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    Sign(&contexts[i]);
    clients.emplace_back([&, i] {
      v1::ListTrialsResponse response;
      ends[i] = stub_->ListTrials(&contexts[i], request, &response);
    });
  }
  const auto admits = [&] {
    return little_.Admit(tokens_->List().front().id).ok();
  };
  // Until both have come.
  EXPECT_TRUE(AwaitCondition([&] { return !admits(); }));
  for (grpc::ClientContext& context : contexts) context.TryCancel();
  for (std::thread& client : clients) client.join();
  for (const grpc::Status& end : ends) {
    EXPECT_EQ(end.error_code(), grpc::StatusCode::CANCELLED);
  }
  end_of_work.set_value();
  EXPECT_TRUE(AwaitCondition(admits));
  EXPECT_TRUE(List().ok()) << "there is room for another";
  tcp_listener_->Shutdown();
  EXPECT_EQ(little_.bytes(), 0u) << "an answer was made";
}

// Memory of the bytes that are on their way counts until the client has them.
TEST_F(GrpcLoadTest, WhatACallTookIsGivenBack) {
  EXPECT_TRUE(List().ok());
  tcp_listener_->Shutdown();
  EXPECT_EQ(little_.bytes(), 0u);
}

TEST_F(GrpcLoadTest, ACallerHasSoManyStreamsAndRequests) {
  const v1::WatchEventsRequest watch;
  grpc::ClientContext first_context;
  Sign(&first_context);
  const auto first = stub_->WatchEvents(&first_context, watch);
  v1::Event event;
  ASSERT_TRUE(first->Read(&event));
  grpc::ClientContext second_context;
  Sign(&second_context);
  const auto second = stub_->WatchEvents(&second_context, watch);
  EXPECT_FALSE(second->Read(&event));
  const grpc::Status refused = second->Finish();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(refused.error_message().find("1 streams"), std::string::npos)
      << refused.error_message();
  // A stream is a request, too.
  EXPECT_TRUE(List().ok());
  // The list's own share goes once its bytes are sent, which its client does
  // not see.
  auto other = little_.Admit(tokens_->List().front().id);
  ASSERT_TRUE(AwaitCondition([&] {
    if (!other.ok()) other = little_.Admit(tokens_->List().front().id);
    return other.ok();
  }));
  EXPECT_EQ(List().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  token_ = NewToken();
  EXPECT_TRUE(List().ok());
  first_context.TryCancel();
}

}  // namespace
}  // namespace vernier
