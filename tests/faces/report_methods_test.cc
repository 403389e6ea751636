#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <vernier/v1/report_service.pb.h>

#include <limits>
#include <string>
#include <vector>

#include "faces/reports/report_handlers.h"
#include "tests/edge/generic_call.h"
#include "tests/faces/service_bed.h"
#include "trials/user_attributes.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The report service at a socket, for the program of one trial.
class ReportMethodsTest : public ServiceBed {
 protected:
  void SetUp() override {
    ServiceBed::SetUp();
    channel_ = grpc::CreateChannel(endpoint_.ToString(),
                                   grpc::InsecureChannelCredentials());
    study_ = Create("job");
    key_ = Launch(study_, 1, 0.5);
    token_ = attempts_.For(key_, std::string(31, 'a') + "1");
  }
  GrpcMethods Methods() override {
    GrpcMethods methods = ServiceBed::Methods();
    AddReportMethods(report_handlers_, calls_, &methods);
    return methods;
  }

  /// Sends `request`; `token` empty: none.
  grpc::Status Report(const v1::ReportRequest& request,
                      const std::string& token,
                      v1::ReportResponse* response = nullptr) {
    grpc::ClientContext context;
    if (!token.empty()) {
      context.AddMetadata("authorization", "Bearer " + token);
    }
    const auto answer =
        CallGeneric(channel_, context, "/vernier.v1.ReportService/Report",
                    request.SerializeAsString());
    if (response != nullptr && answer.status.ok()) {
      std::vector<grpc::Slice> slices;
      EXPECT_TRUE(answer.message.Dump(&slices).ok());
      std::string bytes;
      for (const grpc::Slice& slice : slices) {
        bytes.append(reinterpret_cast<const char*>(slice.begin()),
                     slice.size());
      }
      EXPECT_TRUE(response->ParseFromString(bytes));
    }
    return answer.status;
  }
  static v1::ReportRequest Loss(std::int64_t step, double value) {
    v1::ReportRequest request;
    auto* one = request.add_steps();
    one->set_step(step);
    one->mutable_time()->set_seconds(1000 + step);
    (*one->mutable_metrics())["loss"] = value;
    return request;
  }
  /// "step=value road" of the metric, in order.
  std::vector<std::string> Stored(const std::string& metric) {
    std::vector<std::string> texts;
    const auto list =
        store_.ListMeasurements(study_, TrialId{1}, metric, 100).value();
    for (const Measurement& one : list) {
      texts.push_back(std::to_string(one.step) + "=" +
                      std::to_string(one.value) + " " +
                      std::string(ToString(one.road)));
    }
    return texts;
  }

  ReportHandlers report_handlers_{store_, clock_};
  std::shared_ptr<grpc::Channel> channel_;
  StudyId study_{};
  AttemptKey key_;
  std::string token_;
};

TEST_F(ReportMethodsTest, AProgramReportsAndHearsWhetherToStop) {
  v1::ReportResponse response;
  ASSERT_TRUE(Report(Loss(1, 0.5), token_, &response).ok());
  EXPECT_FALSE(response.should_stop());
  v1::ReportRequest two = Loss(2, 0.25);
  (*two.mutable_steps(0)->mutable_metrics())["accuracy"] = 0.75;
  two.mutable_steps()->Add()->CopyFrom(Loss(3, 0.125).steps(0));
  ASSERT_TRUE(Report(two, token_).ok());
  ASSERT_TRUE(Report(two, token_).ok()) << "a repeated report is one";
  EXPECT_THAT(Stored("loss"),
              ElementsAre("1=0.500000 REPORT", "2=0.250000 REPORT",
                          "3=0.125000 REPORT"));
  EXPECT_THAT(Stored("accuracy"), ElementsAre("2=0.750000 REPORT"));
  Commit({WantKill{key_, TrialEndCause::kPreempted}});
  ASSERT_TRUE(Report({}, token_, &response).ok());
  EXPECT_TRUE(response.should_stop());
}

TEST_F(ReportMethodsTest, AProgramSaysMoreThanNumbersAboutItsTrial) {
  v1::ReportRequest request = Loss(1, 0.5);
  (*request.mutable_attributes())["checkpoint"] = "\"a.pt\"";
  (*request.mutable_attributes())["no JSON"] = "{";
  v1::ReportResponse response;
  ASSERT_TRUE(Report(request, token_, &response).ok());
  ASSERT_EQ(response.problems_size(), 1);
  EXPECT_THAT(response.problems(0), testing::HasSubstr("must be JSON"));
  EXPECT_THAT(Stored("loss"), ElementsAre("1=0.500000 REPORT"));
  const auto trial = store_.Snapshot()->at(study_)->trials.Get(TrialId{1});
  EXPECT_EQ(AttributesOf(trial.metadata),
            (UserAttributes{{"checkpoint", "\"a.pt\""}}));
}

TEST_F(ReportMethodsTest, OnlyTheTokenOfALiveAttemptReports) {
  EXPECT_EQ(Report(Loss(1, 1), "").error_code(),
            grpc::StatusCode::PERMISSION_DENIED)
      << "the owner of the socket is no trial";
  EXPECT_EQ(Report(Loss(1, 1), token_ + "x").error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
  // Nothing else is its business.
  grpc::ClientContext context;
  context.AddMetadata("authorization", "Bearer " + token_);
  EXPECT_EQ(
      CallGeneric(channel_, context, "/vernier.v1.JobService/ListJobs", "")
          .status.error_code(),
      grpc::StatusCode::PERMISSION_DENIED);
  Complete(key_, 1);
  EXPECT_EQ(Report(Loss(1, 1), token_).error_code(),
            grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_THAT(Stored("loss"), ElementsAre());
}

TEST_F(ReportMethodsTest, WhatCannotBeTakenIsSaid) {
  v1::ReportRequest request = Loss(1, 1);
  (*request.mutable_steps(0)->mutable_metrics())[""] = 1;
  (*request.mutable_steps(0)->mutable_metrics())[std::string(257, 'm')] = 1;
  v1::ReportResponse response;
  ASSERT_TRUE(Report(request, token_, &response).ok());
  EXPECT_EQ(response.problems_size(), 2);
  EXPECT_THAT(Stored("loss"), ElementsAre("1=1.000000 REPORT"));
  request.mutable_steps(0)->mutable_metrics()->erase("loss");
  const grpc::Status refused = Report(request, token_);
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(refused.error_message(), HasSubstr("a metric needs a name"));
  v1::ReportRequest large;
  for (int step = 0; step <= 10000; ++step) {
    (*large.add_steps()->mutable_metrics())["loss"] = 1;
  }
  EXPECT_THAT(Report(large, token_).error_message(),
              HasSubstr("at most 10000 values"));
}

TEST_F(ReportMethodsTest, NumbersBeyondReasonDoNoHarm) {
  v1::ReportRequest request = Loss(1, std::numeric_limits<double>::quiet_NaN());
  request.mutable_steps(0)->set_step(std::numeric_limits<std::int64_t>::min());
  const grpc::Status answer = Report(request, token_);
  EXPECT_TRUE(answer.ok()) << answer.error_message();
  EXPECT_EQ(Stored("loss").size(), 1u);
  request.mutable_steps(0)->mutable_time()->set_seconds(
      std::numeric_limits<std::int64_t>::max());
  EXPECT_THAT(Report(request, token_).error_message(),
              HasSubstr("steps.time must be a time in the years 1 to 9999"));
  request.mutable_steps(0)->clear_time();
  request.mutable_steps(0)->mutable_elapsed()->set_seconds(
      std::numeric_limits<std::int64_t>::min());
  EXPECT_THAT(Report(request, token_).error_message(),
              HasSubstr("steps.elapsed must be >= 0 s"));
  EXPECT_EQ(Stored("loss").size(), 1u);
}

}  // namespace
}  // namespace vernier
