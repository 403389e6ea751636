#include "edge/grpc/grpc_status.h"

#include <gtest/gtest.h>

#include <string>

namespace vernier {
namespace {

TEST(GrpcStatusTest, EveryCodeComesBack) {
  for (int code = 1; code <= 16; ++code) {
    const absl::Status status(static_cast<absl::StatusCode>(code), "why");
    EXPECT_EQ(FromGrpc(ToGrpc(status)), status);
  }
  EXPECT_TRUE(ToGrpc(absl::OkStatus()).ok());
  EXPECT_TRUE(FromGrpc(grpc::Status::OK).ok());
}

TEST(GrpcStatusTest, ALongMessageIsCutAfterALine) {
  std::string message;
  for (int i = 0; i < 1000; ++i) {
    message += "line " + std::to_string(i) + "\n";
  }
  const std::string cut =
      ToGrpc(absl::InvalidArgumentError(message)).error_message();
  EXPECT_LT(cut.size(), 6100u);
  const std::string tail = "\n... and more";
  ASSERT_GT(cut.size(), tail.size());
  EXPECT_EQ(cut.substr(cut.size() - tail.size()), tail);
  const std::string kept = cut.substr(0, cut.size() - tail.size());
  EXPECT_EQ(message.compare(0, kept.size(), kept), 0);
  EXPECT_EQ(message[kept.size()], '\n');
}

TEST(GrpcStatusTest, CutsWhatPercentEncodingMakesLonger) {
  const std::string message(3000, '\x01');
  EXPECT_LT(ToGrpc(absl::InternalError(message)).error_message().size(), 2100u);
}

}  // namespace
}  // namespace vernier
