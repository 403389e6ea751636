// Secrets go through a real service (tokens, its key, what is in its
// environment, secret variables of a job), with calls that fail, a kill and a
// restart. Then all that it wrote and answered is searched for them.

#include <gtest/gtest.h>
#include <vernier/v1/access_service.grpc.pb.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "tests/e2e/frontends/service_process.h"
#include "tests/e2e/frontends/test_certificates.h"
#include "tests/fakes/service_client.h"
#include "tests/support/await_condition.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr char kInEnvironment[] = "canary-in-the-environment";
constexpr char kOfAJob[] = "canary-of-an-env-file";
constexpr char kWrongToken[] = "vernier_canary-that-nobody-made";
constexpr char kJob[] =
    R"({"jobId":"job","trainingInput":{},"vernier":{"command":)"
    R"(["/bin/sleep","600"]}})";

class SecretsTest : public testing::Test {
 protected:
  void SetUp() override {
    authority_.Issue("service");
    authority_.Issue("client");
    Start();
  }

  void Start() {
    service_.Start({"--listen", "127.0.0.1:0", "--http", "127.0.0.1:0",
                    "--tls-cert", authority_.Path("service.pem"), "--tls-key",
                    authority_.Path("service.key"), "--tls-client-ca",
                    authority_.Path("ca.pem"), "--log-level", "debug"},
                   {absl::StrCat("VERNIER_CANARY=", kInEnvironment)});
  }

  ServiceClient Owner() {
    return ServiceClient(ParseEndpoint(service_.Socket()).value(), {});
  }

  ServiceClient Caller(const std::string& token) {
    return ServiceClient(
        ParseEndpoint(service_.LoggedValue("endpoint")).value(),
        {token, authority_.Path("ca.pem"), authority_.Path("client.pem"),
         authority_.Path("client.key")});
  }

  /// Makes a token; its secret is one that must be nowhere.
  std::string NewToken(const std::string& scope, std::string* id) {
    v1::CreateTokenRequest request;
    request.set_scope(scope);
    if (scope != "admin") request.set_project("p1");
    const auto made =
        Owner().CallForJson(&v1::AccessService::Stub::CreateToken, request);
    EXPECT_TRUE(made.ok()) << made.status();
    const Json answer = *ParseJson(*made);
    *id = answer["token"]["id"];
    secrets_[scope] = answer["secret"];
    return answer["secret"];
  }

  void Keep(const absl::StatusOr<std::string>& answer) {
    answers_ += answer.ok() ? *answer : std::string(answer.status().message());
  }

  /// The environments of processes below `parent`, by their command lines.
  static std::map<std::string, std::string> Below(pid_t parent) {
    std::set<std::string> family = {std::to_string(parent)};
    std::map<std::string, std::string> found;
    for (bool grows = true; grows;) {
      grows = false;
      for (const auto& entry : fs::directory_iterator("/proc")) {
        const std::string pid = entry.path().filename();
        if (std::isdigit(static_cast<unsigned char>(pid[0])) == 0) continue;
        const std::string stat = ReadText(entry.path() / "stat");
        const std::size_t name_end = stat.rfind(')');
        if (name_end == std::string::npos || family.count(pid) > 0) continue;
        const std::vector<std::string> fields =
            absl::StrSplit(stat.substr(name_end + 2), ' ');
        if (family.count(fields[1]) == 0) continue;
        grows = family.insert(pid).second;
        found[pid + " " + ReadText(entry.path() / "cmdline")] =
            ReadText(entry.path() / "environ");
      }
    }
    return found;
  }

  /// Files below the service's folder that hold `secret`.
  std::set<std::string> FilesWith(const std::string& secret) const {
    std::set<std::string> found;
    for (const auto& entry :
         fs::recursive_directory_iterator(service_.folder())) {
      if (!entry.is_regular_file()) continue;
      if (ReadText(entry.path()).find(secret) != std::string::npos) {
        found.insert(entry.path().filename());
      }
    }
    return found;
  }

  void ExpectOnlyIn(const std::string& secret,
                    const std::set<std::string>& files) const {
    EXPECT_EQ(FilesWith(secret), files) << secret;
  }

  /// A line of the service's private key.
  std::string KeyText() const {
    const std::string key = ReadText(authority_.Path("service.key"));
    const std::vector<std::string> lines = absl::StrSplit(key, '\n');
    return lines[1];
  }

  /// No process may be left that writes below the folder.
  void EndJob() {
    ASSERT_TRUE(Owner().AskFor("job", &Jobs::CancelJob).ok());
    ASSERT_TRUE(AwaitCondition([this] {
      const auto job = Owner().AskFor("job", &Jobs::GetJob);
      return job.ok() && job->find("CANCELLED") != std::string::npos;
    }));
  }

  void CallAround();
  std::string AttemptToken();

  ServiceProcess service_;
  TestAuthority authority_{service_.folder()};
  std::map<std::string, std::string> secrets_;
  std::string answers_;
};

void SecretsTest::CallAround() {
  for (const auto& [name, secret] : std::map(secrets_)) {
    ServiceClient caller = Caller(secret);
    Keep(caller.Ask(&Jobs::GetServiceInfo));
    Keep(caller.Ask(&Jobs::ListJobs, R"({"pageSize":10})"));
    Keep(caller.AskFor("job", &Jobs::GetJob));
    Keep(caller.CreateJob(kJob, "again"));
    Keep(caller.Ask(&v1::AccessService::Stub::ListTokens));
    v1::ListTrialsRequest trials;
    trials.set_job_id("job");
    Keep(caller.CallForJson(&Jobs::ListTrials, trials));
    v1::WatchEventsRequest events;
    events.set_until_now(true);
    const absl::Status watched = caller.StreamForJson(
        &Jobs::WatchEvents, events, [this](const std::string& event) {
          answers_ += event;
          return true;
        });
    answers_ += std::string(watched.message());
  }
}

// What the trial got to reach buckets with.
std::string SecretsTest::AttemptToken() {
  std::string token;
  EXPECT_TRUE(AwaitCondition([&] {
    for (const auto& [command, environment] : Below(service_.pid())) {
      const std::size_t at = environment.find("STORAGE_EMULATOR_HOST=");
      if (at == std::string::npos) continue;
      const std::string host =
          environment.substr(at, environment.find('\0', at) - at);
      token = host.substr(host.rfind('/') + 1);
      return true;
    }
    return false;
  }));
  return token;
}

TEST_F(SecretsTest, AreNowhereTheyShouldNotBe) {
  std::string admin_id;
  std::string revoked_id;
  std::string other_id;
  NewToken("admin", &admin_id);
  NewToken("project-write", &revoked_id);
  NewToken("project-read", &other_id);
  ASSERT_TRUE(Owner().CreateJob(kJob, "r", {{"API_KEY", kOfAJob}}).ok());
  secrets_["wrong"] = kWrongToken;
  const std::string attempt = AttemptToken();
  ASSERT_GT(attempt.size(), 20u);
  CallAround();
  Keep(Owner().Ask(&v1::AccessService::Stub::ListTokens));
  ASSERT_TRUE(Owner()
                  .Ask(&v1::AccessService::Stub::RevokeToken,
                       R"({"id":")" + revoked_id + R"("})")
                  .ok());
  service_.End(SIGKILL);
  Start();
  secrets_["attempt"] = attempt;
  secrets_["job"] = kOfAJob;
  CallAround();
  Keep(Owner().AskFor("job", &Jobs::GetJob));
  Keep(Owner().Ask(&Jobs::GetTrialCommand, R"({"jobId":"job","trialId":1})"));
  EXPECT_NE(answers_.find("API_KEY"), std::string::npos);
  for (const auto& [name, secret] : secrets_) {
    EXPECT_EQ(answers_.find(secret), std::string::npos) << name;
  }
  ExpectOnlyIn(attempt, {"launch.json"});  // For the supervisor.
  secrets_.erase("attempt");
  const Json job = *ParseJson(*Owner().AskFor("job", &Jobs::GetJob));
  const fs::path file = job["vernier"]["secretsFile"].get<std::string>();
  ExpectOnlyIn(kOfAJob, {file.filename()});
  EXPECT_EQ(fs::status(file).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EndJob();
  ASSERT_TRUE(Owner().AskFor("job", &Jobs::DeleteJob).status().ok());
  for (const auto& [name, secret] : secrets_) ExpectOnlyIn(secret, {});
  ExpectOnlyIn(kInEnvironment, {});
  ExpectOnlyIn(KeyText(), {"service.key"});
}

TEST_F(SecretsTest, ProgramsDoNotGetTheServicesOwn) {
  ASSERT_TRUE(Owner().CreateJob(kJob, "r").ok());
  AttemptToken();
  for (const auto& [command, environment] : Below(service_.pid())) {
    EXPECT_EQ(environment.find(kInEnvironment), std::string::npos) << command;
    EXPECT_EQ(environment.find(KeyText()), std::string::npos) << command;
  }
  EndJob();
}

}  // namespace
}  // namespace vernier
