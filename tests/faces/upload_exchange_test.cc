#include "faces/storage/upload_exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <new>
#include <semaphore>
#include <string>

#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kPiece = std::size_t{256} << 10;

/// What a sink of the test has taken, and may take.
struct Intake {
  std::string taken;
  absl::Status status;
  bool throws = false;
  std::counting_semaphore<> may_take{0};
};

class IntakeSink final : public UploadSink {
 public:
  explicit IntakeSink(Intake& intake) : intake_(intake) {}
  absl::Status Take(std::string_view bytes) override {
    intake_.may_take.acquire();
    if (intake_.throws) throw std::bad_alloc();
    intake_.taken.append(bytes);
    return intake_.status;
  }
  absl::StatusOr<HttpResponse> Complete() override {
    return TextResponse(200, "text/plain", "whole");
  }

 private:
  Intake& intake_;
};

class UploadExchangeTest : public testing::Test {
 protected:
  Intake intake_;
  UploadExchange exchange_{std::make_unique<IntakeSink>(intake_)};
};

// Else each connection that stalls would keep megabytes.
TEST_F(UploadExchangeTest, KeepsNothingWhileNothingComes) {
  const std::string piece(kPiece, 'p');
  std::string sent;
  while (!exchange_.receive_blocks()) {
    ASSERT_FALSE(exchange_.Receive(piece).has_value());
    sent += piece;
    ASSERT_LE(sent.size(), std::size_t{64} << 20) << "it takes without end";
  }
  EXPECT_GT(exchange_.kept_bytes(), kPiece);
  EXPECT_LE(exchange_.kept_bytes(), std::size_t{2} << 20);
  intake_.may_take.release(100);
  ASSERT_TRUE(AwaitCondition([&] { return exchange_.kept_bytes() == 0; }));
  EXPECT_EQ(exchange_.Finish().status, 200);
  EXPECT_EQ(intake_.taken, sent);
}

TEST_F(UploadExchangeTest, TakesWhatIsTooLittleForABatch) {
  intake_.may_take.release(100);
  EXPECT_FALSE(exchange_.Receive("little").has_value());
  EXPECT_EQ(exchange_.Finish().status, 200);
  EXPECT_EQ(intake_.taken, "little");
}

TEST_F(UploadExchangeTest, ASinkWithoutMemoryFailsTheUpload) {
  intake_.throws = true;
  intake_.may_take.release(100);
  const std::string piece(kPiece, 'p');
  std::optional<HttpResponse> answer;
  ASSERT_TRUE(AwaitCondition([&] {
    answer = exchange_.Receive(piece);
    return answer.has_value();
  }));
  EXPECT_EQ(answer->status, 503);
  EXPECT_THAT(std::string(answer->text()), HasSubstr("out of memory"));
}

}  // namespace
}  // namespace vernier
