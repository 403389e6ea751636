#include "base/contained_call.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace vernier {
namespace {

TEST(RunContainedTest, WhatIsThrownIsTheAnswerOfOneCall) {
  EXPECT_TRUE(RunContained([] { return absl::OkStatus(); }).ok());
  EXPECT_TRUE(
      absl::IsNotFound(RunContained([] { return absl::NotFoundError("x"); })));
  EXPECT_TRUE(absl::IsUnavailable(
      RunContained([]() -> absl::Status { throw std::bad_alloc(); })));
  const absl::Status odd =
      RunContained([]() -> absl::Status { throw std::runtime_error("odd"); });
  EXPECT_TRUE(absl::IsInternal(odd));
  EXPECT_NE(odd.message().find("odd"), std::string::npos);
}

}  // namespace
}  // namespace vernier
