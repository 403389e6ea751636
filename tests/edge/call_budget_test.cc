#include "edge/call_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "tests/fakes/manual_clock.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

class CallBudgetTest : public testing::Test {
 protected:
  CallBudgetTest() { budget_.Begin(); }

  static std::string Message(const absl::Status& status) {
    return std::string(status.message());
  }

  ManualClock clock_;
  LoadLimiter limiter_{{.max_bytes = 8 * kMebibyte}};
  std::unique_ptr<LoadLimiter::Share> share_ = *limiter_.Admit("a");
  CallBudget budget_{
      share_.get(), clock_, {.rows = 10, .time = std::chrono::seconds(3)}};
};

TEST_F(CallBudgetTest, SoManyRowsAreACalls) {
  EXPECT_TRUE(budget_.Use({10, 0}).ok());
  const absl::Status more = budget_.Use({1, 0});
  EXPECT_TRUE(absl::IsResourceExhausted(more));
  EXPECT_THAT(Message(more), HasSubstr("10 rows"));
}

TEST_F(CallBudgetTest, SoMuchTimeIsACalls) {
  clock_.Advance(std::chrono::seconds(3));
  EXPECT_TRUE(budget_.Use({1, 0}).ok());
  clock_.Advance(std::chrono::seconds(1));
  const absl::Status late = budget_.Use({1, 0});
  EXPECT_TRUE(absl::IsDeadlineExceeded(late));
  EXPECT_THAT(Message(late), HasSubstr("3 s"));
}

// Else so many answers would be made at once that there is no room for.
TEST_F(CallBudgetTest, MemoryIsItsCallersBeforeItIsUsed) {
  EXPECT_TRUE(budget_.Use({1, kMebibyte}).ok());
  EXPECT_GE(limiter_.bytes(), kMebibyte);
  EXPECT_FALSE(budget_.Use({1, 8 * kMebibyte}).ok());
  EXPECT_LT(limiter_.bytes(), 2 * kMebibyte);
  share_->Set(10);
  EXPECT_EQ(limiter_.bytes(), 10u);
}

TEST_F(CallBudgetTest, EndsWithItsClient) {
  EXPECT_TRUE(budget_.Use({}).ok());
  budget_.Abandon();
  EXPECT_TRUE(absl::IsCancelled(budget_.Use({})));
}

TEST_F(CallBudgetTest, WhoIsTrustedHasNoLimitsButAnEnd) {
  CallBudget owners(nullptr, clock_, {.rows = 1});
  EXPECT_TRUE(owners.Use({1000, 1000 * kMebibyte}).ok());
  owners.Abandon();
  EXPECT_TRUE(absl::IsCancelled(owners.Use({})));
}

TEST_F(CallBudgetTest, CountsWhatItsThreadDoesWhileItIsInForce) {
  EXPECT_TRUE(UseInCall({100, 0}).ok());
  {
    const CallMeterScope scope(&budget_);
    EXPECT_TRUE(UseInCall({10, 0}).ok());
    EXPECT_FALSE(UseInCall({1, 0}).ok());
    std::thread([] { EXPECT_TRUE(UseInCall({100, 0}).ok()); }).join();
  }
  EXPECT_TRUE(UseInCall({100, 0}).ok());
}

}  // namespace
}  // namespace vernier
