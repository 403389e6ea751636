#include "daemon/call_log.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "base/json.h"
#include "tests/fakes/manual_clock.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

CallRecord Call(const std::string& code) {
  CallRecord call;
  call.transport = Transport::kGrpc;
  call.method = "vernier.v1.JobService/GetTrial";
  call.request_id = "r-1";
  call.principal = "socket";
  call.job = "digits";
  call.trial = 3;
  call.lasted = std::chrono::microseconds(1500);
  call.code = code;
  return call;
}

class CallLogTest : public testing::Test {
 protected:
  CallLog Log(LoggedCalls which) { return {*log_, clock_, which}; }

  /// The lines that were written so far.
  std::vector<Json> Lines() {
    std::vector<Json> lines;
    std::istringstream text(ReadText(path_));
    for (std::string line; std::getline(text, line);) {
      auto json = ParseJson(line);
      EXPECT_TRUE(json.ok()) << line;
      if (json.ok()) lines.push_back(*json);
    }
    return lines;
  }

  const ScratchFolder folder_;
  const std::string path_ = folder_ / "log";
  ManualClock clock_;
  std::unique_ptr<ServerLog> log_ =
      ServerLog::Open({LogLevel::kInfo, LogFormat::kJson, path_}).value();
};

TEST_F(CallLogTest, ALineSaysWhoCalledWhatAndHowItEnded) {
  CallRecord call = Call("INTERNAL");
  call.caller = ParseTraceParent(
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  call.error = "it \"broke\"\nbadly \xff";
  Log(LoggedCalls::kFailed).Ended(call);
  const std::vector<Json> lines = Lines();
  ASSERT_EQ(lines.size(), 1u);
  const Json& line = lines.front();
  EXPECT_EQ(line.at("level"), "warning");
  EXPECT_EQ(line.at("message"), "call failed");
  EXPECT_EQ(line.at("request_id"), "r-1");
  EXPECT_EQ(line.at("transport"), "grpc");
  EXPECT_EQ(line.at("method"), "vernier.v1.JobService/GetTrial");
  EXPECT_EQ(line.at("status"), "INTERNAL");
  EXPECT_EQ(line.at("duration_ms"), 1.5);
  EXPECT_EQ(line.at("principal"), "socket");
  EXPECT_EQ(line.at("job"), "digits");
  EXPECT_EQ(line.at("trial"), 3);
  EXPECT_EQ(line.at("trace_id"), "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(line.at("error"), "it \"broke\"\nbadly \xEF\xBF\xBD");
  EXPECT_EQ(line.at("time").get<std::string>().back(), 'Z');
}

TEST_F(CallLogTest, WritesWhatWasAskedFor) {
  Log(LoggedCalls::kNone).Ended(Call("INTERNAL"));
  Log(LoggedCalls::kFailed).Ended(Call("OK"));
  EXPECT_TRUE(Lines().empty());
  Log(LoggedCalls::kFailed).Ended(Call("NOT_FOUND"));
  Log(LoggedCalls::kAll).Ended(Call("OK"));
  ASSERT_EQ(Lines().size(), 2u);
  EXPECT_EQ(Lines()[0].at("level"), "info");
  EXPECT_EQ(Lines()[1].at("message"), "call");
}

TEST_F(CallLogTest, AFloodIsCountedInsteadOfWritten) {
  CallLog log = Log(LoggedCalls::kFailed);
  constexpr std::size_t kMost = CallLog::kMostPerSecond;
  for (std::size_t i = 0; i < kMost + 7; ++i) log.Ended(Call("NOT_FOUND"));
  EXPECT_EQ(Lines().size(), kMost);
  clock_.Advance(std::chrono::seconds(1));
  log.Ended(Call("NOT_FOUND"));
  const std::vector<Json> lines = Lines();
  ASSERT_EQ(lines.size(), kMost + 2);
  EXPECT_EQ(lines[kMost].at("calls"), 7);
}

TEST(LoggedCallsTest, HaveNames) {
  EXPECT_EQ(*ParseLoggedCalls("all"), LoggedCalls::kAll);
  EXPECT_EQ(ParseLoggedCalls("some").status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(CallRecordTest, ARequestIdCannotForgeALine) {
  EXPECT_TRUE(IsRequestId("7f3a-42:b/c+d=._"));
  EXPECT_TRUE(IsRequestId(std::string(128, 'a')));
  for (const std::string& bad :
       {std::string(), std::string(129, 'a'), std::string("a b"),
        std::string("a\nb"), std::string("a\"b"), std::string("a\xC3\xA4")}) {
    EXPECT_FALSE(IsRequestId(bad)) << bad;
    EXPECT_TRUE(IsRequestId(RequestIdFor(bad)));
    EXPECT_NE(RequestIdFor(bad), bad);
  }
  EXPECT_EQ(RequestIdFor("mine"), "mine");
  EXPECT_NE(RequestIdFor(""), RequestIdFor(""));
}

TEST(CallRecordTest, TellsTheServicesFaultFromTheCallers) {
  for (const char* code : {"500", "503", "INTERNAL", "UNAVAILABLE"}) {
    EXPECT_TRUE(IsServiceFault(code)) << code;
    EXPECT_FALSE(IsSuccess(code)) << code;
  }
  for (const char* code : {"404", "429", "NOT_FOUND", "left"}) {
    EXPECT_FALSE(IsServiceFault(code)) << code;
    EXPECT_FALSE(IsSuccess(code)) << code;
  }
  for (const char* code : {"200", "308", "OK"}) EXPECT_TRUE(IsSuccess(code));
}

}  // namespace
}  // namespace vernier
