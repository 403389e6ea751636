#include "edge/grpc/message_bytes.h"

#include <google/protobuf/struct.pb.h>
#include <gtest/gtest.h>
#include <vernier/v1/job_service.pb.h>
#include <vizier/vizier_service.pb.h>

#include <string>
#include <vector>

namespace vernier {
namespace {

grpc::ByteBuffer Bytes(const std::string& text) {
  const grpc::Slice slice(text);
  return grpc::ByteBuffer(&slice, 1);
}

/// As it may come from the network: in pieces.
grpc::ByteBuffer Pieces(const std::string& text, std::size_t size) {
  std::vector<grpc::Slice> slices;
  for (std::size_t at = 0; at < text.size(); at += size) {
    slices.emplace_back(text.substr(at, size));
  }
  return grpc::ByteBuffer(slices.data(), slices.size());
}

google::protobuf::Struct Nested(int depth) {
  google::protobuf::Struct root;
  google::protobuf::Struct* at = &root;
  for (int i = 0; i < depth; ++i) {
    at = (*at->mutable_fields())["a"].mutable_struct_value();
  }
  return root;
}

/// The status of a study with `values` of one categorical parameter.
absl::Status ParseValues(int values, const MessageLimits& limits) {
  vizier::CreateStudyRequest request;
  auto* parameter =
      request.mutable_study()->mutable_study_spec()->add_parameters();
  for (int i = 0; i < values; ++i) {
    parameter->mutable_categorical_value_spec()->add_values("");
  }
  vizier::CreateStudyRequest parsed;
  const absl::Status status =
      ParseMessage(Pieces(request.SerializeAsString(), 7), limits, &parsed);
  if (status.ok()) {
    EXPECT_EQ(parsed.SerializeAsString(), request.SerializeAsString());
  }
  return status;
}

TEST(MessageBytesTest, WhatIsSentIsParsed) {
  v1::GetTrialRequest request;
  request.set_job_id("digits");
  request.set_trial_id(7);
  const auto bytes = SerializeMessage(request);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  v1::GetTrialRequest parsed;
  ASSERT_TRUE(ParseMessage(*bytes, {}, &parsed).ok());
  EXPECT_EQ(parsed.job_id(), "digits");
  EXPECT_EQ(parsed.trial_id(), 7);
}

TEST(MessageBytesTest, CountsTheElementsOfListsAtAllLevels) {
  // Study, its spec, the parameter and its values are a field each.
  EXPECT_TRUE(ParseValues(96, {1 << 20, 100}).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(ParseValues(97, {1 << 20, 100})));
}

TEST(MessageBytesTest, CountsFieldsThatItDoesNotKnow) {
  std::string unknown;
  for (int i = 0; i < 101; ++i) unknown += "\xfa\x7f\x01x";
  v1::GetTrialRequest parsed;
  EXPECT_TRUE(ParseMessage(Bytes(unknown), {1 << 20, 101}, &parsed).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(
      ParseMessage(Bytes(unknown), {1 << 20, 100}, &parsed)));
  // Groups: begun and ended by a tag each.
  std::string groups;
  for (int i = 0; i < 51; ++i) groups += "\xfb\x7f\xfc\x7f";
  EXPECT_TRUE(absl::IsResourceExhausted(
      ParseMessage(Bytes(groups), {1 << 20, 100}, &parsed)));
}

TEST(MessageBytesTest, CountsMessagesThatMergeIntoOne) {
  // The same field again and again, each with one more value within.
  std::string study;
  for (int i = 0; i < 60; ++i) study += std::string("\x12\x02\x0a\x00", 4);
  vizier::CreateStudyRequest parsed;
  EXPECT_TRUE(absl::IsResourceExhausted(
      ParseMessage(Bytes(study), {1 << 20, 100}, &parsed)));
}

TEST(MessageBytesTest, LooksAtTheSizeFirst) {
  v1::GetTrialRequest parsed;
  const absl::Status status =
      ParseMessage(Bytes(std::string(101, '\xff')), {100, 1000}, &parsed);
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_NE(status.message().find("101 bytes; at most 100"), std::string::npos)
      << status;
}

TEST(MessageBytesTest, RefusesWhatIsNoSuchMessage) {
  v1::GetTrialRequest parsed;
  for (const std::string text : {"\x0a", "\x0a\x7f", "\x0a\xff\xff\xff\xff\x0f",
                                 "\x0f", "\x0b", "\x0a\x02\xff\xfe"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseMessage(Bytes(text), {}, &parsed)))
        << testing::PrintToString(text);
  }
}

TEST(MessageBytesTest, TakesWhatProtobufTakesOfDepth) {
  google::protobuf::Struct parsed;
  EXPECT_TRUE(
      ParseMessage(Bytes(Nested(30).SerializeAsString()), {}, &parsed).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(
      ParseMessage(Bytes(Nested(60).SerializeAsString()), {}, &parsed)));
}

}  // namespace
}  // namespace vernier
