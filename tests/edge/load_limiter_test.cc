#include "edge/load_limiter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "access/rate_limiter.h"
#include "edge/http/request_json.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kMega = std::uint64_t{1} << 20;

class LoadLimiterTest : public testing::Test {
 protected:
  std::unique_ptr<LoadLimiter::Share> Admit(const std::string& caller) {
    auto share = limiter_.Admit(caller);
    EXPECT_TRUE(share.ok()) << share.status();
    return *std::move(share);
  }

  LoadLimiter limiter_{{.max_requests_per_caller = 2,
                        .max_bytes = 10 * kMega,
                        .max_bytes_per_caller = 6 * kMega}};
};

TEST_F(LoadLimiterTest, ACallerHasSoManyRequestsAtOnce) {
  auto first = Admit("a");
  auto second = Admit("a");
  const absl::Status third = limiter_.Admit("a").status();
  EXPECT_TRUE(absl::IsResourceExhausted(third));
  EXPECT_EQ(RetryAfter(third), 1);
  EXPECT_THAT(std::string(third.message()), HasSubstr("2 requests"));
  Admit("b");
  first.reset();
  Admit("a");
}

TEST_F(LoadLimiterTest, ACallerHasSoManyBytesAtOnce) {
  auto first = Admit("a");
  auto second = Admit("a");
  EXPECT_TRUE(first->Hold(4 * kMega).ok());
  EXPECT_TRUE(second->Hold(2 * kMega).ok());
  const absl::Status more = second->Hold(3 * kMega);
  EXPECT_TRUE(absl::IsResourceExhausted(more));
  EXPECT_EQ(RetryAfter(more), 1);
  EXPECT_THAT(std::string(more.message()), HasSubstr("6 MiB"));
  EXPECT_EQ(limiter_.bytes(), 6 * kMega);
  EXPECT_TRUE(first->Hold(3 * kMega).ok());
  EXPECT_TRUE(second->Hold(3 * kMega).ok());
}

TEST_F(LoadLimiterTest, AllHaveSoManyBytesAtOnce) {
  auto first = Admit("a");
  auto second = Admit("b");
  EXPECT_TRUE(first->Hold(6 * kMega).ok());
  EXPECT_TRUE(second->Hold(4 * kMega).ok());
  const absl::Status more = second->Hold(5 * kMega);
  EXPECT_TRUE(absl::IsUnavailable(more));
  EXPECT_EQ(RetryAfter(more), 1);
  EXPECT_THAT(std::string(more.message()), HasSubstr("10 MiB"));
  // What went gave its part back.
  first.reset();
  EXPECT_EQ(limiter_.bytes(), 4 * kMega);
  EXPECT_TRUE(second->Hold(5 * kMega).ok());
  second.reset();
  EXPECT_EQ(limiter_.bytes(), 0u);
}

// An answer is made before its length is known.
TEST_F(LoadLimiterTest, WhatIsThereAlreadyCountsWhateverTheLimit) {
  auto first = Admit("a");
  auto second = Admit("a");
  auto other = Admit("b");
  EXPECT_TRUE(second->Hold(kMega).ok());
  first->Set(6 * kMega);
  EXPECT_TRUE(absl::IsResourceExhausted(second->CheckRoom()));
  EXPECT_TRUE(other->CheckRoom().ok());
  first->Set(10 * kMega);
  EXPECT_TRUE(absl::IsUnavailable(other->CheckRoom()));
  first.reset();
  EXPECT_TRUE(second->CheckRoom().ok());
  EXPECT_EQ(limiter_.bytes(), kMega);
}

TEST(LoadLimiterRequestsTest, NobodyHasMoreThanIsLeftForOthers) {
  LoadLimiter limiter({.max_requests_per_caller = 6, .max_requests = 9});
  std::vector<std::unique_ptr<LoadLimiter::Share>> held;
  const auto count_of = [&](const std::string& caller) {
    int count = 0;
    for (; count < 10; ++count) {
      auto share = limiter.Admit(caller);
      if (!share.ok()) {
        EXPECT_TRUE(absl::IsResourceExhausted(share.status()));
        EXPECT_EQ(RetryAfter(share.status()), 1);
        break;
      }
      held.push_back(*std::move(share));
    }
    return count;
  };
  EXPECT_EQ(count_of("a"), 4);
  EXPECT_EQ(count_of("b"), 2);
  EXPECT_EQ(count_of("c"), 1);
  // Everybody has one, whatever the others do.
  for (const char* caller : {"d", "e", "f", "g"}) {
    EXPECT_EQ(count_of(caller), 1) << caller;
  }
  held.clear();
  EXPECT_EQ(count_of("g"), 4);
}

TEST(LoadLimiterRequestsTest, SomeHoldMemoryOnly) {
  LoadLimiter limiter({.max_requests_per_caller = 1});
  const auto first = *limiter.Admit("a", LoadLimiter::Counts::kNo);
  const auto second = *limiter.Admit("a", LoadLimiter::Counts::kNo);
  const auto third = *limiter.Admit("a");
  EXPECT_FALSE(limiter.Admit("a").ok());
  EXPECT_TRUE(first->Hold(kMega).ok());
  EXPECT_EQ(limiter.bytes(), kMega);
}

TEST(LoadLimiterStreamsTest, ACallerHasSoManyAndLeavesSomeForOthers) {
  LoadLimiter limiter({.max_streams_per_caller = 2, .max_streams = 4});
  const auto first = *limiter.Admit("a");
  auto second = *limiter.Admit("a");
  const auto third = *limiter.Admit("a");
  EXPECT_TRUE(first->BecomeStream().ok());
  EXPECT_TRUE(first->BecomeStream().ok());
  EXPECT_TRUE(second->BecomeStream().ok());
  const absl::Status more = third->BecomeStream();
  EXPECT_TRUE(absl::IsResourceExhausted(more));
  EXPECT_EQ(RetryAfter(more), 1);
  EXPECT_THAT(std::string(more.message()), HasSubstr("2 streams"));
  auto other = *limiter.Admit("b");
  const auto others = *limiter.Admit("b");
  EXPECT_TRUE(other->BecomeStream().ok());
  EXPECT_FALSE(others->BecomeStream().ok()) << "it would leave none";
  second.reset();
  other.reset();
  EXPECT_TRUE(third->BecomeStream().ok());
}

// Else of several large answers all would be refused, each for the others.
TEST(LoadLimiterReserveTest, OneAnswerOfACallerMayGrowBeyondItsShare) {
  LoadLimiter limiter(
      {.max_bytes = 20 * kMega, .max_bytes_per_caller = 4 * kMega});
  auto first = *limiter.Admit("a");
  auto second = *limiter.Admit("a");
  EXPECT_TRUE(first->Reserve(2 * kMega).ok());
  EXPECT_TRUE(second->Reserve(2 * kMega).ok());
  EXPECT_TRUE(first->Reserve(kMega).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(second->Reserve(kMega)));
  EXPECT_TRUE(first->Reserve(kMega).ok());
  // Half of all there is, so that somebody else can have as much.
  EXPECT_TRUE(absl::IsResourceExhausted(first->Reserve(5 * kMega)));
  first->Set(kMega);
  EXPECT_EQ(limiter.bytes(), 3 * kMega);
  EXPECT_TRUE(second->Reserve(2 * kMega).ok()) << "it has its turn";
  second.reset();
  EXPECT_EQ(limiter.bytes(), kMega);
  EXPECT_TRUE(first->Reserve(4 * kMega).ok());
}

TEST(LoadLimiterReliefTest, TellsOnceWhenMuchWasGivenBack) {
  int reliefs = 0;
  LoadLimiter limiter({.on_relief = [&reliefs] { ++reliefs; }});
  auto little = *limiter.Admit("a");
  little->Set(kMega);
  little.reset();
  EXPECT_EQ(reliefs, 0);
  auto much = *limiter.Admit("a");
  auto rest = *limiter.Admit("a");
  much->Set(60 * kMega);
  rest->Set(kMega);
  much.reset();
  EXPECT_EQ(reliefs, 1);
  rest.reset();
  EXPECT_EQ(reliefs, 1);
}

std::string ListOf(std::int64_t values) {
  std::string json = "[0";
  for (int i = 1; i < values; ++i) json += ",0";
  return json + "]";
}

TEST(AdmitJsonTest, RefusesTooManyValuesAndTooManyLevels) {
  LoadLimiter limiter({});
  auto share = *limiter.Admit("a");
  EXPECT_TRUE(AdmitJson(ListOf(kMaxValuesOfRequest), *share).ok());
  const absl::Status values =
      AdmitJson(ListOf(kMaxValuesOfRequest + 1), *share);
  EXPECT_TRUE(absl::IsInvalidArgument(values));
  EXPECT_THAT(std::string(values.message()), HasSubstr("200000"));
  EXPECT_TRUE(
      absl::IsInvalidArgument(AdmitJson(std::string(101, '['), *share)));
}

// A megabyte of brackets becomes hundreds of megabytes.
TEST(AdmitJsonTest, WhatManyValuesBecomeCounts) {
  LoadLimiter limiter({});
  auto first = *limiter.Admit("a");
  auto second = *limiter.Admit("a");
  const std::string few = ListOf(kManyValues);
  EXPECT_TRUE(AdmitJson(few, *first).ok());
  EXPECT_EQ(limiter.bytes(), 0u);
  const std::string many = ListOf(kManyValues + 1);
  EXPECT_TRUE(AdmitJson(many, *first).ok());
  EXPECT_EQ(limiter.bytes(), many.size() + kBytesOfManyValues);
  EXPECT_TRUE(absl::IsResourceExhausted(AdmitJson(many, *second)));
  EXPECT_TRUE(AdmitJson(few, *second).ok());
}

// Else it could never be sent.
TEST(AdmitJsonTest, TheLongestBodyWithManyValuesHasRoom) {
  LoadLimiter limiter({});
  auto share = *limiter.Admit("a");
  std::string body = ListOf(kMaxValuesOfRequest);
  body.resize(16 * kMega, ' ');
  EXPECT_TRUE(share->Hold(body.size()).ok());
  EXPECT_TRUE(AdmitJson(body, *share).ok());
}

}  // namespace
}  // namespace vernier
