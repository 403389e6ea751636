#include "cluster/local/local_launcher.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include "cluster/attempt/exit_record.h"
#include "cluster/local/attempt_inspection.h"
#include "cluster/process/process_identity.h"
#include "cluster/process/process_sweep.h"
#include "tests/cluster/local_test_bed.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

LiveAttempt Live(const LaunchRequest& request) {
  return {request.attempt, request.nonce, request.run_dir};
}

ParsedJob Sleeper() {
  return MakeJob(TrialCommand({"sleep"}), "\"scaleTier\":\"BASIC\"");
}

TEST(LocalLauncherTest, DefaultOptionsAreValidAndBadOnesAreNot) {
  EXPECT_TRUE(Validate(LocalLauncherOptions()).ok());
  LocalLauncherOptions options;
  options.log_cap_bytes = 5;
  EXPECT_EQ(Validate(options).message(), "log_cap_bytes must be >= 65536: 5");
  options = {};
  options.kill_margin = std::chrono::milliseconds(0);
  EXPECT_EQ(Validate(options).message(), "kill_margin must be > 0 ms: 0");
}

TEST(LocalLauncherTest, RefusesARequestThatCanNeverRun) {
  LocalTestBed bed;
  const LaunchRequest good = bed.MakeRequest(1, Sleeper());
  const auto refuses = [&](auto change) {
    LaunchRequest request = good;
    change(request);
    return absl::IsInvalidArgument(bed.launcher().Launch(request));
  };
  EXPECT_TRUE(refuses([](auto& r) { r.nonce = "short"; }));
  EXPECT_TRUE(refuses([](auto& r) { r.nonce[3] = 'X'; }));
  EXPECT_TRUE(refuses([](auto& r) { r.run_dir = ""; }));
  EXPECT_TRUE(refuses([](auto& r) { r.run_dir = "relative"; }));
  EXPECT_TRUE(refuses([](auto& r) { r.code_dir = "relative"; }));
  EXPECT_TRUE(refuses([](auto& r) { r.devices = {"GPU-1"}; }));
}

TEST(LocalLauncherTest, SaysWhyItCannotLaunchNow) {
  LocalTestBed bed;
  LaunchRequest request = bed.MakeRequest(1, Sleeper());
  WriteText(bed.dir() / "file", "");
  request.run_dir = bed.dir() / "file/run";
  const absl::Status launched = bed.launcher().Launch(request);
  EXPECT_TRUE(absl::IsUnavailable(launched)) << launched;

  LocalLauncherOptions options;
  options.binary = "/nowhere/vernier";
  options.gpus = "none";
  const SystemClock clock;
  auto launcher = LocalLauncher::Create(options, clock);
  ASSERT_TRUE(launcher.ok());
  const absl::Status missing =
      (*launcher)->Launch(bed.MakeRequest(2, Sleeper()));
  EXPECT_TRUE(absl::IsUnavailable(missing)) << missing;
  EXPECT_NE(std::string(missing.message()).find("/nowhere/vernier"),
            std::string::npos);
}

TEST(LocalLauncherTest, CountsAnAttemptOfAnotherBootAsLost) {
  LocalTestBed bed;
  const LaunchRequest request = bed.MakeRequest(1, Sleeper());
  std::filesystem::create_directories(request.run_dir);
  Claim claim;
  claim.nonce = request.nonce;
  claim.boot_id = "00000000-0000-0000-0000-000000000000";
  claim.pid = 1;  // Somebody else's, very much alive.
  claim.replicas = 1;
  ASSERT_TRUE(ClaimFile::Lock(request.run_dir)->Write(claim).ok());
  const auto seen = bed.launcher().Observe({Live(request)}).at(0);
  EXPECT_EQ(seen.kind, Kind::kLost);
  EXPECT_EQ(seen.message, "The machine was restarted.");
}

TEST(LocalLauncherTest, KeepsAnEndThatWasRecordedBeforeTheReboot) {
  LocalTestBed bed;
  const LaunchRequest request = bed.MakeRequest(1, Sleeper());
  std::filesystem::create_directories(request.run_dir);
  Claim claim;
  claim.nonce = request.nonce;
  claim.boot_id = "another";
  ASSERT_TRUE(ClaimFile::Lock(request.run_dir)->Write(claim).ok());
  ExitRecord record;
  record.nonce = request.nonce;
  record.replicas = {{ReplicaRole::kMaster, 0}};
  record.ends = {{.exit_code = 3, .signal = {}}};
  record.deciding = 0;
  ASSERT_TRUE(WriteExitRecord(request.run_dir, record).ok());
  const auto seen = bed.launcher().Observe({Live(request)}).at(0);
  EXPECT_EQ(seen.kind, Kind::kEnded);
  EXPECT_EQ(seen.exit_code, 3);
}

TEST(LocalLauncherTest, NeverSignalsAPidThatChangedHands) {
  // The claim names this very process by pid, with another start time: what a
  // reused pid looks like. If it were believed, the SIGTERM would end the test.
  LocalTestBed bed;
  const LaunchRequest request = bed.MakeRequest(1, Sleeper());
  std::filesystem::create_directories(request.run_dir);
  auto lock = ClaimFile::Lock(request.run_dir);
  Claim claim;
  claim.nonce = request.nonce;
  claim.boot_id = *ReadBootId();
  claim.pid = ::getpid();
  claim.start_ticks = 12345;
  ASSERT_TRUE(lock->Write(claim).ok());
  EXPECT_EQ(bed.launcher().Observe({Live(request)}).at(0).kind,
            Kind::kStarting);
  EXPECT_TRUE(bed.launcher().Kill(Live(request), std::chrono::seconds(1)).ok());
}

TEST(LocalLauncherTest, KnowsAClaimThatWasCutOff) {
  LocalTestBed bed;
  const LaunchRequest request = bed.MakeRequest(1, Sleeper());
  WriteText(request.run_dir + "/claim", "claimed " + request.nonce);
  EXPECT_TRUE(AwaitCondition([&] {
    return bed.launcher().Observe({Live(request)}).at(0).kind == Kind::kLost;
  }));
}

// What a program may leave in place of its claim.
constexpr const char* kOverwrittenClaims[] = {
    "", "revoked\n", "nonsense\n",
    "claimed 00000000000000000000000000000000 boot 1 1 1\n"};

TEST(LocalLauncherTest, BelievesTheRecordOfAnAttemptWithoutItsClaim) {
  int number = 0;
  for (const char* text : kOverwrittenClaims) {
    SCOPED_TRACE(text);
    LocalTestBed bed;
    const LaunchRequest request = bed.MakeRequest(++number);
    ASSERT_TRUE(bed.launcher().Launch(request).ok());
    ASSERT_TRUE(AwaitCondition([&] {
      return bed.launcher().Observe({Live(request)}).at(0).kind ==
             Kind::kRunning;
    }));
    WriteText(request.run_dir + "/claim", text);
    bed.EndGang(request, 3);
    AttemptObservation seen;
    EXPECT_TRUE(AwaitCondition([&] {
      seen = bed.launcher().Observe({Live(request)}).at(0);
      return IsOver(seen.kind);
    }));
    EXPECT_EQ(seen.kind, Kind::kEnded);
    EXPECT_EQ(seen.exit_code, 3);
  }
}

TEST(LocalLauncherTest, BlamesAProgramThatOverwroteItsClaim) {
  int number = 0;
  for (const char* text : kOverwrittenClaims) {
    for (const bool is_restarted : {false, true}) {
      SCOPED_TRACE(text);
      LocalTestBed bed;
      const LaunchRequest request = bed.MakeRequest(++number);
      ASSERT_TRUE(bed.launcher().Launch(request).ok());
      ASSERT_TRUE(AwaitCondition([&] {
        return bed.launcher().Observe({Live(request)}).at(0).kind ==
               Kind::kRunning;
      }));
      bed.LoseGang(request);
      WriteText(request.run_dir + "/claim", text);
      LiveAttempt live = Live(request);
      if (is_restarted) {
        bed.RestartLauncher();
        live.has_run = true;  // The store knows.
      }
      AttemptObservation seen;
      EXPECT_TRUE(AwaitCondition([&] {
        seen = bed.launcher().Observe({live}).at(0);
        return IsOver(seen.kind);
      }));
      // Neither "never started", which is launched again for ever, nor "lost".
      EXPECT_EQ(seen.kind, Kind::kEnded);
      EXPECT_EQ(seen.exit_code, std::nullopt);
      EXPECT_EQ(seen.message,
                "Its end cannot be told: the file claim was overwritten while "
                "the attempt ran. A program must leave the files of its "
                "attempt's folder alone.");
    }
  }
}

TEST(LocalLauncherTest, EndsAGangWhoseSupervisorWasStopped) {
  LocalTestBed bed;
  const LaunchRequest request = bed.MakeRequest(
      1, MakeJob(TrialCommand({"stop-parent", "note", bed.notes(), "sleep"}),
                 "\"scaleTier\":\"BASIC\""));
  ASSERT_TRUE(bed.launcher().Launch(request).ok());
  ASSERT_TRUE(AwaitCondition([&] { return !ReadText(bed.notes()).empty(); }));
  ASSERT_TRUE(
      bed.launcher().Kill(Live(request), std::chrono::seconds(30)).ok());
  AttemptObservation seen;
  EXPECT_TRUE(AwaitCondition([&] {
    seen = bed.launcher().Observe({Live(request)}).at(0);
    return seen.kind == Kind::kEnded;
  }));
  EXPECT_TRUE(seen.stopped_by_request);
  EXPECT_EQ(seen.signal, SIGTERM);
}

TEST(LocalLauncherTest, ASupervisorThatWasStoppedGoesOn) {
  LocalLauncherOptions options;
  options.continue_period = std::chrono::milliseconds(50);
  LocalTestBed bed(options);
  const LaunchRequest request =
      bed.MakeRequest(1, MakeJob(TrialCommand({"stop-parent", "exit", "3"}),
                                 "\"scaleTier\":\"BASIC\""));
  ASSERT_TRUE(bed.launcher().Launch(request).ok());
  AttemptObservation seen;
  EXPECT_TRUE(AwaitCondition([&] {
    seen = bed.launcher().Observe({Live(request)}).at(0);
    return seen.kind == Kind::kEnded;
  }));
  EXPECT_EQ(seen.exit_code, 3);
}

TEST(LocalLauncherTest, KillsASupervisorThatDoesNotEndItsGangInTime) {
  LocalLauncherOptions options;
  options.kill_margin = std::chrono::milliseconds(200);
  for (const bool is_restarted : {false, true}) {
    LocalTestBed bed(options);
    const LaunchRequest request = bed.MakeRequest(
        1, MakeJob(TrialCommand({"note", bed.notes(), "hold-parent"}),
                   "\"scaleTier\":\"BASIC\""));
    ASSERT_TRUE(bed.launcher().Launch(request).ok());
    ASSERT_TRUE(AwaitCondition([&] { return !ReadText(bed.notes()).empty(); }));
    if (is_restarted) bed.RestartLauncher();
    ASSERT_TRUE(
        bed.launcher().Kill(Live(request), std::chrono::milliseconds(1)).ok());
    AttemptObservation seen;
    EXPECT_TRUE(AwaitCondition([&] {
      seen = bed.launcher().Observe({Live(request)}).at(0);
      return IsOver(seen.kind);
    }));
    EXPECT_EQ(seen.kind, Kind::kEnded);
    EXPECT_TRUE(seen.stopped_by_request);
    EXPECT_TRUE(SweepProcesses({request.nonce}).empty());
  }
}

TEST(LocalLauncherTest, StopsAGangThatItCannotLeaveAKillRequest) {
  LocalTestBed bed;
  const LaunchRequest request = bed.MakeRequest(1);
  ASSERT_TRUE(bed.launcher().Launch(request).ok());
  ASSERT_TRUE(AwaitCondition([&] {
    return bed.launcher().Observe({Live(request)}).at(0).kind == Kind::kRunning;
  }));
  // As a full disk does, for root, too.
  std::filesystem::create_directories(request.run_dir + "/kill.new.tmp");
  EXPECT_TRUE(bed.launcher().Kill(Live(request), std::chrono::seconds(5)).ok());
  EXPECT_TRUE(AwaitCondition([&] {
    return bed.launcher().Observe({Live(request)}).at(0).kind == Kind::kEnded;
  }));
}

TEST(LocalLauncherTest, WaitReturnsWhenAWakeFdBecomesReadable) {
  LocalTestBed bed;
  const int fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  ASSERT_TRUE(bed.local().AddWakeFd(fd).ok());
  EXPECT_TRUE(bed.local().AddWakeFd(-1).ok());
  std::thread other([fd] { ASSERT_EQ(::eventfd_write(fd, 1), 0); });
  bed.launcher().Wait(std::chrono::seconds(60));
  other.join();
  // Nobody has read it, and still it wakes only once.
  const auto begin = std::chrono::steady_clock::now();
  bed.launcher().Wait(std::chrono::milliseconds(20));
  EXPECT_GE(std::chrono::steady_clock::now() - begin,
            std::chrono::milliseconds(19));
  ::close(fd);
}

TEST(LocalLauncherTest, ReapsWhatItForgot) {
  LocalTestBed bed;
  const LaunchRequest request = bed.MakeRequest(1);
  ASSERT_TRUE(bed.launcher().Launch(request).ok());
  ASSERT_TRUE(AwaitCondition([&] {
    return bed.launcher().Observe({Live(request)}).at(0).kind == Kind::kRunning;
  }));
  const pid_t supervisor = ReadClaim(request.run_dir)->claim.pid;
  bed.launcher().Forget(request.attempt);
  bed.EndGang(request, 0);
  EXPECT_TRUE(AwaitCondition([&] {
    bed.launcher().Wait(std::chrono::milliseconds(1));
    return absl::IsNotFound(OpenProcess(supervisor).status());
  }));
}

TEST(LocalLauncherTest, LosesNoDescriptorOverManyAttempts) {
  const auto count_fds = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"),
                         std::filesystem::directory_iterator());
  };
  LocalTestBed bed;
  const ParsedJob job =
      MakeJob(TrialCommand({"exit", "0"}), "\"scaleTier\":\"BASIC\"");
  const auto before = count_fds();
  for (int i = 1; i <= 20; ++i) {
    const LaunchRequest request = bed.MakeRequest(i, job);
    ASSERT_TRUE(bed.launcher().Launch(request).ok());
    ASSERT_TRUE(AwaitCondition([&] {
      return bed.launcher().Observe({Live(request)}).at(0).kind == Kind::kEnded;
    }));
    bed.launcher().Forget(request.attempt);
  }
  EXPECT_EQ(count_fds(), before);
}

}  // namespace
}  // namespace vernier
