#include "telemetry/span_exporter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/fakes/fake_poster.h"
#include "tests/fakes/manual_clock.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

OtlpSettings Settings() {
  OtlpSettings settings;
  settings.url = "http://collector:4318/v1/traces";
  settings.headers = {"api-key: secret"};
  return settings;
}

class SpanExporterTest : public testing::Test {
 protected:
  void Add(int spans) {
    for (int i = 0; i < spans; ++i) {
      TraceSpan span;
      span.context = {TraceIdOf(1, 1), SpanIdOf(1, 1), true};
      queue_.Add(span);
    }
  }

  SpanQueue queue_{2000};
  FakePoster poster_;
  ManualClock clock_;
  std::vector<std::string> log_;
  SpanExporter exporter_{
      Settings(), queue_, poster_, clock_,
      [this](const std::string& line) { log_.push_back(line); }};
};

TEST_F(SpanExporterTest, SendsBatchesAndSaysWhatTheyAre) {
  EXPECT_EQ(exporter_.Step(), SpanExporter::kPeriod);
  EXPECT_TRUE(poster_.posts.empty());
  Add(1200);
  EXPECT_EQ(exporter_.Step(), milliseconds(0));
  EXPECT_EQ(exporter_.Step(), SpanExporter::kPeriod);
  exporter_.Step();
  ASSERT_EQ(poster_.posts.size(), 3u);
  EXPECT_EQ(queue_.counts().exported, 1200u);
  const HttpPost& post = poster_.posts.front();
  EXPECT_EQ(post.url, "http://collector:4318/v1/traces");
  EXPECT_THAT(post.headers,
              testing::ElementsAre("api-key: secret",
                                   "Content-Type: application/x-protobuf"));
}

TEST_F(SpanExporterTest, WaitsForACollectorThatIsAway) {
  Add(1);
  poster_.answers = {absl::UnavailableError("no route"), HttpPostAnswer{503}};
  EXPECT_EQ(exporter_.Step(), milliseconds(1000));
  // Nothing is sent before its time.
  EXPECT_EQ(exporter_.Step(), milliseconds(1000));
  EXPECT_EQ(poster_.posts.size(), 1u);
  clock_.Advance(milliseconds(1000));
  EXPECT_EQ(exporter_.Step(), milliseconds(2000));
  clock_.Advance(milliseconds(2000));
  exporter_.Step();
  ASSERT_EQ(poster_.posts.size(), 3u);
  EXPECT_EQ(poster_.posts[0].body, poster_.posts[2].body);
  EXPECT_EQ(queue_.counts().exported, 1u);
  ASSERT_EQ(log_.size(), 2u);
  EXPECT_THAT(log_[0], HasSubstr("no route"));
  EXPECT_THAT(log_[1], HasSubstr("again"));
}

TEST_F(SpanExporterTest, ObeysRetryAfterWithinBounds) {
  Add(1);
  poster_.answers = {HttpPostAnswer{429, "", std::chrono::seconds(30)},
                     HttpPostAnswer{429, "", std::chrono::hours(5)}};
  EXPECT_EQ(exporter_.Step(), milliseconds(30000));
  clock_.Advance(milliseconds(30000));
  EXPECT_EQ(exporter_.Step(), SpanExporter::kLongestWait);
}

TEST_F(SpanExporterTest, DropsWhatTheCollectorRefuses) {
  Add(3);
  poster_.answers = {HttpPostAnswer{400, "bad\x1b[31m"}};
  EXPECT_EQ(exporter_.Step(), SpanExporter::kPeriod);
  EXPECT_EQ(queue_.counts().dropped, 3u);
  ASSERT_EQ(log_.size(), 1u);
  EXPECT_THAT(log_[0], HasSubstr("http://collector:4318 answered 400"));
  EXPECT_EQ(log_[0].find('\x1b'), std::string::npos);
}

TEST_F(SpanExporterTest, AFullQueueDropsAndCounts) {
  Add(2007);
  EXPECT_EQ(queue_.size(), 2000u);
  EXPECT_EQ(queue_.counts().dropped, 7u);
}

TEST_F(SpanExporterTest, FlushSendsAllButDoesNotInsist) {
  Add(600);
  exporter_.Flush(poster_, milliseconds(3000));
  EXPECT_EQ(poster_.posts.size(), 2u);
  EXPECT_EQ(poster_.posts[0].time_limit, milliseconds(3000));
  EXPECT_EQ(queue_.counts().exported, 600u);
  Add(600);
  poster_.answers = {HttpPostAnswer{503}};
  exporter_.Flush(poster_, milliseconds(3000));
  EXPECT_EQ(poster_.posts.size(), 3u);
  EXPECT_EQ(queue_.counts().dropped, 600u);
  // A collector that was away is not waited for.
  Add(1);
  exporter_.Flush(poster_, milliseconds(3000));
  EXPECT_EQ(poster_.posts.size(), 3u);
  EXPECT_EQ(queue_.counts().dropped, 601u);
}

}  // namespace
}  // namespace vernier
