#include "edge/grpc/stream_pump.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

/// Has sent all that it has after `length` turns.
class CountedStream : public PumpedStream {
 public:
  explicit CountedStream(int length) : length_(length) {}

  void Pump() override {
    if (++pumped_ == length_) over_.count_down();
  }
  bool is_finished() const override { return stopped_ || pumped_ >= length_; }
  void Stop() override {
    if (!stopped_.exchange(true)) over_.count_down();
  }

  void WaitUntilOver() { over_.wait(); }
  int pumped() const { return pumped_; }
  bool stopped() const { return stopped_; }

 private:
  const int length_;
  std::atomic<int> pumped_{0};
  std::atomic<bool> stopped_{false};
  std::latch over_{1};
};

constexpr int kEndless = 1 << 30;

TEST(StreamPumpTest, PumpsAgainAfterItsPeriod) {
  StreamPump pump(milliseconds(1));
  const auto stream = std::make_shared<CountedStream>(5);
  pump.Add(stream);
  stream->WaitUntilOver();
  EXPECT_FALSE(stream->stopped());
}

TEST(StreamPumpTest, APokeDoesNotWaitForThePeriod) {
  StreamPump pump(hours(1));
  const auto stream = std::make_shared<CountedStream>(3);
  pump.Add(stream);
  ASSERT_TRUE(AwaitCondition([&] {
    pump.Poke();
    return stream->is_finished();
  }));
  stream->WaitUntilOver();
  EXPECT_EQ(stream->pumped(), 3);
}

TEST(StreamPumpTest, FeedsStreamsOfManyCallers) {
  StreamPump pump(milliseconds(1));
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([&pump] {
      for (int k = 0; k < 20; ++k) {
        const auto stream = std::make_shared<CountedStream>(2);
        pump.Add(stream);
        pump.Poke();
        stream->WaitUntilOver();
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(StreamPumpTest, StopEndsWhatIsThereAndWhatComesLater) {
  StreamPump pump(milliseconds(1));
  const auto early = std::make_shared<CountedStream>(kEndless);
  pump.Add(early);
  pump.Stop();
  EXPECT_TRUE(early->stopped());
  const auto late = std::make_shared<CountedStream>(kEndless);
  pump.Add(late);
  EXPECT_TRUE(late->stopped());
}

}  // namespace
}  // namespace vernier
