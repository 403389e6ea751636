#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <memory>
#include <string>
#include <utility>

#include "notifications/job_end_command.h"
#include "notifications/webhook.h"
#include "tests/fakes/fake_poster.h"
#include "tests/fakes/manual_clock.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using Result = Receiver::Result;

constexpr char kSecret[] = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

JobEndNotice Notice() {
  JobEndNotice notice;
  notice.id = "msg_1";
  notice.job = "job";
  notice.body =
      R"({"type":"job.ended","data":{"job":"job","project":"p","state":)"
      R"("FAILED","reason":"a\nb","bestTrial":{"trial":3,"metric":"loss",)"
      R"("value":0.25}}})";
  return notice;
}

class WebhookTest : public testing::Test {
 protected:
  Receiver::Answer Deliver(const WebhookSettings& settings = {
                               "https://h:1/path?key=secret"}) {
    auto poster = std::make_unique<FakePoster>();
    poster->answers = answers_;
    FakePoster& seen = *poster;
    Webhook webhook(settings, std::move(poster), clock_);
    const Receiver::Answer answer = webhook.Deliver(Notice());
    posts_ = seen.posts;
    name_ = webhook.name();
    key_ = webhook.key();
    return answer;
  }

  const ScratchFolder folder_;
  ManualClock clock_;
  std::deque<absl::StatusOr<HttpPostAnswer>> answers_;
  std::vector<HttpPost> posts_;
  std::string name_;
  std::string key_;
};

TEST_F(WebhookTest, PostsTheNoticeWithItsIdAndSignature) {
  WriteText(folder_ / "secret", std::string(kSecret) + "\n");
  EXPECT_EQ(Deliver({"https://h/x", folder_ / "secret"}).result,
            Result::kTaken);
  ASSERT_EQ(posts_.size(), 1u);
  EXPECT_EQ(posts_[0].body, Notice().body);
  EXPECT_THAT(posts_[0].headers, Contains("webhook-id: msg_1"));
  EXPECT_THAT(posts_[0].headers, Contains("webhook-timestamp: 3600"));
  EXPECT_THAT(posts_[0].headers, Contains(HasSubstr("webhook-signature: v1,")));
}

TEST_F(WebhookTest, WithoutASecretItIsNotSigned) {
  Deliver();
  EXPECT_THAT(posts_[0].headers, Not(Contains(HasSubstr("signature"))));
}

TEST_F(WebhookTest, OnlySuccessTakesAndOnlyGoneRefuses) {
  for (const auto& [status, result] :
       std::vector<std::pair<int, Result>>{{200, Result::kTaken},
                                           {204, Result::kTaken},
                                           {302, Result::kFailed},
                                           {404, Result::kFailed},
                                           {410, Result::kRefused},
                                           {500, Result::kFailed}}) {
    answers_ = {HttpPostAnswer{status, "why", std::chrono::seconds(7)}};
    const Receiver::Answer answer = Deliver();
    EXPECT_EQ(answer.result, result) << status;
    if (result == Result::kFailed) {
      EXPECT_EQ(answer.wait, std::chrono::seconds(7));
    }
  }
  answers_ = {absl::UnavailableError("no route")};
  EXPECT_EQ(Deliver().result, Result::kFailed);
  answers_ = {absl::CancelledError("")};
  EXPECT_EQ(Deliver().result, Result::kStopped);
}

TEST_F(WebhookTest, ItsUrlIsASecretThatNothingShows) {
  answers_ = {HttpPostAnswer{500, "\x1b[2J"}};
  const Receiver::Answer answer = Deliver();
  EXPECT_EQ(name_, "webhook https://h:1");
  EXPECT_THAT(key_, Not(HasSubstr("secret")));
  EXPECT_THAT(answer.why, Not(HasSubstr("secret")));
  EXPECT_EQ(answer.why.find('\x1b'), std::string::npos);
}

TEST_F(WebhookTest, AUrlMayBeInAFile) {
  WriteText(folder_ / "url", "https://h/secret\n");
  EXPECT_EQ(ReadWebhookUrl("@" + (folder_ / "url")).value(),
            "https://h/secret");
  EXPECT_EQ(ReadWebhookUrl("http://h").value(), "http://h");
  for (const char* bad :
       {"", "file:///secret", "gopher://secret", "http://u:secret@h/",
        "http:///secret", "http://h/secret#x", "http://h/sec ret", "secret",
        "@/does/not/exist/secret"}) {
    const absl::Status status = ReadWebhookUrl(bad).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bad;
    if (bad[0] != '@') {
      EXPECT_THAT(std::string(status.message()), Not(HasSubstr("secret")));
    }
  }
}

TEST_F(WebhookTest, ASecretMustBeOneAndBePrivate) {
  const std::string path = folder_ / "secret";
  WriteText(path, kSecret);
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  EXPECT_TRUE(CheckSecretFile(path).ok());
  ASSERT_EQ(chmod(path.c_str(), 0604), 0);
  EXPECT_EQ(CheckSecretFile(path).code(), absl::StatusCode::kInvalidArgument);
  ASSERT_EQ(chmod(path.c_str(), 0600), 0);
  WriteText(path, "hunter2");
  const absl::Status status = CheckSecretFile(path);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), Not(HasSubstr("hunter2")));
}

class JobEndCommandTest : public testing::Test {
 protected:
  Receiver::Answer Run(
      const std::string& script,
      std::chrono::milliseconds limit = JobEndCommand::kTimeLimit) {
    const std::string path = folder_ / "script";
    WriteText(path, "#!/bin/sh\n" + script);
    EXPECT_EQ(chmod(path.c_str(), 0700), 0);
    auto command = JobEndCommand::Create(
        path, {{"PATH", "/usr/bin:/bin"}, {"OUT", folder_.path()}}, limit);
    EXPECT_TRUE(command.ok()) << command.status();
    return (*command)->Deliver(Notice());
  }

  const ScratchFolder folder_;
};

TEST_F(JobEndCommandTest, GetsTheNoticeAndItsFacts) {
  EXPECT_EQ(Run("cat > $OUT/in; env > $OUT/env").result, Result::kTaken);
  EXPECT_EQ(ReadText(folder_ / "in"), Notice().body);
  const std::string environment = ReadText(folder_ / "env");
  for (const char* line :
       {"VERNIER_NOTICE_ID=msg_1\n", "VERNIER_JOB=job\n", "VERNIER_PROJECT=p\n",
        "VERNIER_STATE=FAILED\n", "VERNIER_REASON=a\nb\n",
        "VERNIER_BEST_TRIAL=3\n", "VERNIER_BEST_VALUE=0.25\n",
        "VERNIER_METRIC=loss\n"}) {
    EXPECT_THAT(environment, HasSubstr(line));
  }
}

TEST_F(JobEndCommandTest, NeedNotReadTheNotice) {
  EXPECT_EQ(Run("exit 0").result, Result::kTaken);
}

TEST_F(JobEndCommandTest, AFailureSaysWhy) {
  const Receiver::Answer failed = Run("echo it broke >&2; exit 3");
  EXPECT_EQ(failed.result, Result::kFailed);
  EXPECT_EQ(failed.why, "it ended with 3: it broke");
  const Receiver::Answer killed = Run("kill -9 $$");
  EXPECT_THAT(killed.why, HasSubstr("a signal"));
}

TEST_F(JobEndCommandTest, IsEndedAfterItsTime) {
  const Receiver::Answer answer =
      Run("sleep 600", std::chrono::milliseconds(1));
  EXPECT_EQ(answer.result, Result::kFailed);
  EXPECT_THAT(answer.why, HasSubstr("1 ms"));
}

TEST_F(JobEndCommandTest, StopEndsItAndSaysNothing) {
  WriteText(folder_ / "script", "#!/bin/sh\nsleep 600");
  ASSERT_EQ(chmod((folder_ / "script").c_str(), 0700), 0);
  auto command =
      JobEndCommand::Create(folder_ / "script", {{"PATH", "/usr/bin:/bin"}});
  ASSERT_TRUE(command.ok());
  (*command)->Stop();
  EXPECT_EQ((*command)->Deliver(Notice()).result, Result::kStopped);
}

TEST_F(JobEndCommandTest, MustBeAProgram) {
  for (const std::string& path :
       {std::string(), std::string("script"), folder_ / "none"}) {
    EXPECT_EQ(JobEndCommand::Create(path, {}).status().code(),
              absl::StatusCode::kInvalidArgument)
        << path;
  }
}

}  // namespace
}  // namespace vernier
