#include "edge/grpc/http2_guard.h"

#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "tests/edge/raw_http2.h"

namespace vernier {
namespace {

using Raw = RawHttp2;

std::string Call(std::uint32_t stream) {
  return Raw::Frame(Raw::kHeaders, Raw::kEndHeaders, stream,
                    Raw::CallFields("/a/b")) +
         Raw::Frame(Raw::kData, Raw::kEndStream, stream, "12345");
}

std::string Answer(std::uint32_t stream) {
  return Raw::Frame(Raw::kHeaders, Raw::kEndHeaders, stream, "h") +
         Raw::Frame(Raw::kData, 0, stream, "12345") +
         Raw::Frame(Raw::kHeaders, Raw::kEndHeaders | Raw::kEndStream, stream,
                    "t");
}

std::string Reset(std::uint32_t stream) {
  return Raw::Frame(Raw::kResetStream, 0, stream, "1234");
}

class Http2GuardTest : public testing::Test {
 protected:
  void SetUp() override { Say(Raw::Preface()); }

  void Say(const std::string& bytes) {
    const absl::Status status = guard_.FromClient(bytes);
    ASSERT_TRUE(status.ok()) << status;
  }
  void Hear(const std::string& bytes) {
    const absl::Status status = guard_.FromServer(bytes);
    ASSERT_TRUE(status.ok()) << status;
  }
  void ExpectCutOff(const std::string& bytes, const std::string& why) {
    const absl::Status status = guard_.FromClient(bytes);
    EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
    EXPECT_EQ(status.message(),
              absl::StrCat("a connection may have at most ", why));
  }

  Http2Guard guard_{{.max_header_bytes = 1000,
                     .max_header_frames = 4,
                     .max_bytes_before_call = 2000,
                     .max_frames_before_call = 5,
                     .max_open_calls = 3,
                     .spare_resets = 2}};
};

TEST_F(Http2GuardTest, LetsManyAnsweredCallsPassByteByByte) {
  for (std::uint32_t stream = 1; stream < 200; stream += 2) {
    for (const char c : Call(stream)) Say({c});
    for (const char c : Answer(stream)) Hear({c});
  }
}

TEST_F(Http2GuardTest, EndsWhatIsNotHttp2) {
  Http2Guard guard;
  EXPECT_TRUE(guard.FromClient("PRI * HTTP/").ok());
  EXPECT_TRUE(absl::IsInvalidArgument(guard.FromClient("1.1\r\n")));
  EXPECT_TRUE(absl::IsInvalidArgument(Http2Guard().FromClient("GET / ")));
}

TEST_F(Http2GuardTest, CountsHeadersOverTheirFrames) {
  Say(Raw::Frame(Raw::kHeaders, 0, 1, std::string(600, 'a')));
  ExpectCutOff(Raw::Frame(Raw::kContinuation, 0, 1, std::string(401, 'a')),
               "1000 bytes of headers in a call");
}

TEST_F(Http2GuardTest, CountsTheLengthThatAFrameAnnounces) {
  ExpectCutOff(
      Raw::Frame(Raw::kHeaders, 0, 1, std::string(1001, 'a')).substr(0, 9),
      "1000 bytes of headers in a call");
}

TEST_F(Http2GuardTest, CountsFramesOfHeadersThatCarryNothing) {
  const std::string empty = Raw::Frame(Raw::kContinuation, 0, 1, "");
  Say(Raw::Frame(Raw::kHeaders, 0, 1, "") + empty + empty + empty);
  ExpectCutOff(empty, "4 frames of headers in a call");
}

TEST_F(Http2GuardTest, CountsHeadersOfEachCallAnew) {
  for (std::uint32_t stream = 1; stream < 20; stream += 2) {
    Say(Raw::Frame(Raw::kHeaders, Raw::kEndHeaders, stream,
                   std::string(900, 'a')));
    Hear(Answer(stream));
  }
}

TEST_F(Http2GuardTest, LimitsWhatComesBeforeACall) {
  const std::string unknown = Raw::Frame(99, 0, 0, std::string(900, 'a'));
  Say(unknown + unknown);
  ExpectCutOff(unknown, "2000 bytes before its first call");
}

TEST_F(Http2GuardTest, CountsFramesThatComeBeforeACall) {
  const std::string ping = Raw::Frame(6, 0, 0, "12345678");
  for (int i = 0; i < 4; ++i) Say(ping);  // And SETTINGS.
  ExpectCutOff(ping, "5 frames before its first call");
}

TEST_F(Http2GuardTest, DoesNotLimitWhatFollowsACall) {
  Say(Raw::Frame(Raw::kHeaders, Raw::kEndHeaders, 1, "h"));
  for (int i = 0; i < 10; ++i) {
    Say(Raw::Frame(Raw::kData, 0, 1, std::string(900, 'a')));
  }
}

TEST_F(Http2GuardTest, LimitsCallsThatAreOpenAtOnce) {
  Say(Call(1) + Call(3) + Call(5));
  Hear(Answer(3));
  Say(Call(7));
  ExpectCutOff(Call(9), "3 calls at once");
}

TEST_F(Http2GuardTest, TrailersOpenNoCall) {
  Say(Call(1) + Call(3) + Call(5));
  Say(Raw::Frame(Raw::kHeaders, Raw::kEndHeaders | Raw::kEndStream, 3, "t"));
}

TEST_F(Http2GuardTest, LimitsResetsBeyondTheCallsThatWereAnswered) {
  Say(Call(1) + Reset(1) + Call(3) + Reset(3) + Call(5));
  Hear(Answer(5));
  Say(Call(7) + Reset(7));
  ExpectCutOff(Call(9) + Reset(9), "2 calls reset beyond those answered");
}

TEST_F(Http2GuardTest, CountsCallsThatTheServerWasMadeToReset) {
  Say(Call(1) + Call(3) + Call(5));
  Hear(Reset(1) + Reset(3));
  EXPECT_TRUE(absl::IsResourceExhausted(guard_.FromServer(Reset(5))));
}

TEST_F(Http2GuardTest, KnowsWhetherACallIsOpen) {
  EXPECT_FALSE(guard_.has_open_calls());
  Say(Call(1) + Call(3));
  EXPECT_TRUE(guard_.has_open_calls());
  Hear(Answer(1));
  EXPECT_TRUE(guard_.has_open_calls());
  Say(Reset(3));
  EXPECT_FALSE(guard_.has_open_calls());
}

TEST_F(Http2GuardTest, ACallIsOpenOnceAllOfItsHeadersCame) {
  Say(Raw::Frame(Raw::kHeaders, 0, 1, Raw::CallFields("/a/b")));
  EXPECT_FALSE(guard_.has_open_calls());
  Say(Raw::Frame(Raw::kContinuation, Raw::kEndHeaders, 1, ""));
  EXPECT_TRUE(guard_.has_open_calls());
  Hear(Answer(1));
  EXPECT_FALSE(guard_.has_open_calls());
}

TEST_F(Http2GuardTest, AResetAfterAnAnswerIsNotTheServersFault) {
  for (std::uint32_t stream = 1; stream < 20; stream += 2) {
    Say(Call(stream));
    Hear(Answer(stream) + Reset(stream));
  }
}

}  // namespace
}  // namespace vernier
