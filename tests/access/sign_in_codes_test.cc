#include "access/sign_in_codes.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/fakes/manual_clock.h"

namespace vernier {
namespace {

class SignInCodesTest : public testing::Test {
 protected:
  ManualClock clock_;
  int drawn_ = 0;
  SignInCodes codes_{clock_, [this] { return "c" + std::to_string(++drawn_); }};
};

TEST_F(SignInCodesTest, ACodeIsGoodOnce) {
  SignInCodes::Grant grant;
  grant.project = "p1";
  const std::string code = codes_.Issue(grant);
  EXPECT_EQ(codes_.Redeem("other"), std::nullopt);
  const auto redeemed = codes_.Redeem(code);
  ASSERT_TRUE(redeemed.has_value());
  EXPECT_EQ(redeemed->project, "p1");
  EXPECT_FALSE(codes_.Redeem(code).has_value());
}

TEST_F(SignInCodesTest, ACodeGrowsOld) {
  const std::string young = codes_.Issue({});
  clock_.Advance(SignInCodes::kValid);
  EXPECT_TRUE(codes_.Redeem(young).has_value());
  const std::string old = codes_.Issue({});
  clock_.Advance(SignInCodes::kValid + std::chrono::seconds(1));
  EXPECT_FALSE(codes_.Redeem(old).has_value());
}

TEST_F(SignInCodesTest, TheOldestGoesWhenThereAreTooMany) {
  const std::string first = codes_.Issue({});
  clock_.Advance(std::chrono::seconds(1));
  const std::string second = codes_.Issue({});
  for (std::size_t i = 0; i + 1 < SignInCodes::kMost; ++i) codes_.Issue({});
  EXPECT_FALSE(codes_.Redeem(first).has_value());
  EXPECT_TRUE(codes_.Redeem(second).has_value());
}

}  // namespace
}  // namespace vernier
