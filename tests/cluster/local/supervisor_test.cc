// The supervisor, seen through LocalLauncher: what the conformance suite, which
// knows no files and no processes, cannot ask.

#include "cluster/local/supervisor.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "cluster/attempt/exit_record.h"
#include "cluster/process/process_identity.h"
#include "cluster/process/process_sweep.h"
#include "cluster/replica_log.h"
#include "tests/cluster/local_test_bed.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

constexpr char kAlone[] = "\"scaleTier\":\"BASIC\"";
constexpr char kTwoWorkers[] =
    "\"scaleTier\":\"CUSTOM\",\"masterType\":\"standard\","
    "\"workerType\":\"standard\",\"workerCount\":\"2\"";

class SupervisorTest : public testing::Test {
 protected:
  LaunchRequest Launch(const std::vector<std::string>& words,
                       const std::string& training_input = kAlone,
                       const std::string& vernier = "\"killGrace\":\"30s\"") {
    return Launch(MakeJob(TrialCommand(words), training_input, vernier));
  }
  LaunchRequest Launch(const ParsedJob& job) {
    LaunchRequest request = bed_.MakeRequest(++last_, job);
    const absl::Status launched = bed_.launcher().Launch(request);
    EXPECT_TRUE(launched.ok()) << launched;
    return request;
  }
  static LiveAttempt Live(const LaunchRequest& request) {
    return {request.attempt, request.nonce, request.run_dir};
  }
  AttemptObservation Await(const LaunchRequest& request, Kind kind) {
    AttemptObservation seen;
    EXPECT_TRUE(AwaitCondition([&] {
      seen = bed_.launcher().Observe({Live(request)}).at(0);
      return seen.kind == kind;
    })) << seen.message;
    return seen;
  }
  AttemptObservation AwaitEnd(const LaunchRequest& request) {
    return Await(request, Kind::kEnded);
  }
  // No process of the attempt is left; those found are killed all the same.
  static bool IsGone(const LaunchRequest& request) {
    return SweepProcesses({request.nonce}).empty();
  }
  std::string Log(const LaunchRequest& request, const std::string& replica) {
    const auto part = ReadReplicaLog(request.run_dir, replica, 0, 1 << 20);
    return part.ok() ? part->data : "";
  }
  std::string File(const std::string& name) { return bed_.dir() / name; }

  LocalTestBed bed_;
  int last_ = 0;
};

TEST_F(SupervisorTest, KeepsTheExitStatusAndTheLastLines) {
  const LaunchRequest request =
      Launch({"print", "100", "a line", "say", "Traceback: boom", "exit", "7"});
  const AttemptObservation end = AwaitEnd(request);
  EXPECT_EQ(end.exit_code, 7);
  EXPECT_EQ(
      end.message,
      "The replica master 0 exited with a non-zero status of 7. "
      "Termination reason: Error.\n" +
          [] {
            std::string lines;
            for (int i = 0; i < 19; ++i) lines += "a line\n";
            return lines;
          }() +
          "Traceback: boom");
  EXPECT_EQ(CountLines(Log(request, "master-replica-0"), "a line"), 100);
}

TEST_F(SupervisorTest, KeepsTheLastLinesOfAProgramThatEndedWell) {
  const AttemptObservation end = AwaitEnd(
      Launch({"print", "30", "a line", "say", "goodbye", "exit", "0"}));
  EXPECT_EQ(end.exit_code, 0);
  std::string lines;
  for (int i = 0; i < 19; ++i) lines += "a line\n";
  EXPECT_EQ(end.message, lines + "goodbye");
}

TEST_F(SupervisorTest, SaysWhichSignalEndedAReplica) {
  const AttemptObservation end = AwaitEnd(Launch({"raise", "11"}));
  EXPECT_EQ(end.signal, SIGSEGV);
  EXPECT_EQ(end.exit_code, std::nullopt);
  EXPECT_NE(end.message.find("11(SIGSEGV)"), std::string::npos);
  // Nobody ran out of memory.
  EXPECT_FALSE(AwaitEnd(Launch({"raise", "9"})).out_of_memory);
}

TEST_F(SupervisorTest, EndsTheGangWhenAWorkerFails) {
  const LaunchRequest request =
      Launch({"only", "worker", "exit", "5", "sleep"}, kTwoWorkers);
  const AttemptObservation end = AwaitEnd(request);
  EXPECT_EQ(end.exit_code, 5);
  EXPECT_EQ(end.message.rfind("The replica worker ", 0), 0u) << end.message;
  const auto record = ReadExitRecord(request.run_dir);
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->ends[0].signal, SIGTERM);
  EXPECT_TRUE(IsGone(request));
}

TEST_F(SupervisorTest, LetsAWorkerEndEarly) {
  const LaunchRequest request = Launch({"note", bed_.notes(), "only", "worker",
                                        "exit", "0", "await", bed_.EndFile(1)},
                                       kTwoWorkers);
  ASSERT_TRUE(AwaitCondition(
      [&] { return CountLines(ReadText(bed_.notes()), "worker") == 2; }));
  Await(request, Kind::kRunning);
  bed_.EndGang(request, 0);
  EXPECT_EQ(AwaitEnd(request).exit_code, 0);
}

TEST_F(SupervisorTest, StartsAllOrNone) {
  // The worker's program is missing; the master's must not run.
  const std::string worker =
      "\"workerConfig\":{\"containerCommand\":[\"/nowhere/w\"]},"
      "\"masterConfig\":{\"containerCommand\":" +
      TrialCommand({"note", bed_.notes()}) + "}";
  const ParsedJob job = MakeJob("[]", std::string(kTwoWorkers) + "," + worker);
  const LaunchRequest request = Launch(job);
  const AttemptObservation end = AwaitEnd(request);
  EXPECT_TRUE(end.launch_failed);
  EXPECT_NE(end.message.find("The replica worker 0 could not be started"),
            std::string::npos)
      << end.message;
  EXPECT_EQ(ReadText(bed_.notes()), "");
}

TEST_F(SupervisorTest, SaysThatAFileIsNoProgram) {
  // Found and executable, but the kernel refuses: known only after the fork.
  WriteText(File("odd"),
            "\x7f"
            "ELF nonsense");
  std::filesystem::permissions(File("odd"), std::filesystem::perms::owner_all);
  const AttemptObservation end =
      AwaitEnd(Launch(MakeJob("[\"" + File("odd") + "\"]", kTwoWorkers)));
  EXPECT_TRUE(end.launch_failed);
  EXPECT_NE(end.message.find(File("odd")), std::string::npos) << end.message;
}

TEST_F(SupervisorTest, GivesTheGraceToWhateverAWrapperStarted) {
  const std::string command =
      "[\"/bin/sh\",\"-c\",\"" VERNIER_TRIAL " slow-term " + File("saved") +
      " note " + bed_.notes() + " sleep; true\"]";
  const LaunchRequest request =
      Launch(MakeJob(command, kAlone, "\"killGrace\":\"30s\""));
  ASSERT_TRUE(AwaitCondition([&] { return !ReadText(bed_.notes()).empty(); }));
  ASSERT_TRUE(
      bed_.launcher().Kill(Live(request), std::chrono::seconds(30)).ok());
  EXPECT_TRUE(AwaitEnd(request).stopped_by_request);
  EXPECT_TRUE(std::filesystem::exists(File("saved")));
  EXPECT_TRUE(IsGone(request));
}

TEST_F(SupervisorTest, KillsWhatIgnoresSigterm) {
  const LaunchRequest request =
      Launch({"ignore-term", "note", bed_.notes(), "sleep"}, kTwoWorkers);
  ASSERT_TRUE(AwaitCondition(
      [&] { return CountLines(ReadText(bed_.notes()), request.nonce) == 3; }));
  ASSERT_TRUE(
      bed_.launcher().Kill(Live(request), std::chrono::milliseconds(50)).ok());
  const AttemptObservation end = AwaitEnd(request);
  EXPECT_EQ(end.signal, SIGKILL);
  EXPECT_FALSE(end.out_of_memory);
  EXPECT_TRUE(IsGone(request));
}

TEST_F(SupervisorTest, KillsStoppedReplicasToo) {
  const LaunchRequest request =
      Launch({"note", bed_.notes(), "raise", "19", "sleep"});
  ASSERT_TRUE(AwaitCondition([&] { return !ReadText(bed_.notes()).empty(); }));
  ASSERT_TRUE(
      bed_.launcher().Kill(Live(request), std::chrono::seconds(30)).ok());
  EXPECT_EQ(AwaitEnd(request).signal, SIGTERM);
}

TEST_F(SupervisorTest, LeavesNoDaemonBehind) {
  const LaunchRequest request =
      Launch({"daemon", bed_.notes(), "await", bed_.notes()});
  EXPECT_EQ(AwaitEnd(request).exit_code, 0);
  EXPECT_EQ(CountLines(ReadText(bed_.notes()), request.nonce), 1);
  EXPECT_TRUE(IsGone(request));
}

TEST_F(SupervisorTest, FindsTheDaemonOfALostGang) {
  const LaunchRequest request =
      Launch({"daemon", bed_.notes(), "sleep"}, kTwoWorkers);
  ASSERT_TRUE(AwaitCondition(
      [&] { return CountLines(ReadText(bed_.notes()), request.nonce) == 3; }));
  bed_.LoseGang(request);
  Await(request, Kind::kLost);
  EXPECT_TRUE(IsGone(request));
}

TEST_F(SupervisorTest, CapsAFloodedLog) {
  LocalLauncherOptions options;
  options.log_cap_bytes = 65536;
  LocalTestBed bed(options);
  const LaunchRequest request = bed.MakeRequest(
      1,
      MakeJob(TrialCommand({"print", "100000", "flood", "exit", "1"}), kAlone));
  ASSERT_TRUE(bed.launcher().Launch(request).ok());
  ASSERT_TRUE(AwaitCondition([&] {
    return bed.launcher().Observe({Live(request)}).at(0).kind == Kind::kEnded;
  }));
  std::uintmax_t bytes = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(LogDirectory(request.run_dir))) {
    bytes += entry.file_size();
  }
  EXPECT_LE(bytes, 65536u);
  EXPECT_EQ(ListReplicaLogs(request.run_dir).at(0).end, 600000);
}

TEST_F(SupervisorTest, RefusesAnAttemptThatWasClaimedOrRevoked) {
  const LaunchRequest request = Launch({"note", bed_.notes()});
  AwaitEnd(request);
  const std::string command = std::string(VERNIER_SUPERVISE) + " supervise ";
  EXPECT_EQ(WEXITSTATUS(std::system(
                (command + request.run_dir + " 2>/dev/null").c_str())),
            kSupervisorRefused);
  EXPECT_EQ(CountLines(ReadText(bed_.notes()), request.nonce), 1);

  // One that was revoked between the spawn and the claim.
  std::filesystem::remove(request.run_dir + "/claim");
  std::filesystem::remove(request.run_dir + "/exit.json");
  ASSERT_TRUE(ClaimFile::Lock(request.run_dir)->Revoke().ok());
  EXPECT_EQ(WEXITSTATUS(std::system(
                (command + request.run_dir + " 2>/dev/null").c_str())),
            kSupervisorRefused);
  EXPECT_EQ(CountLines(ReadText(bed_.notes()), request.nonce), 1);
  EXPECT_EQ(WEXITSTATUS(std::system(
                (command + File("nowhere") + " 2>/dev/null").c_str())),
            kSupervisorNoLaunch);
}

TEST_F(SupervisorTest, StartsNothingAfterAKillRequest) {
  const LaunchRequest request = bed_.MakeRequest(
      1, MakeJob(TrialCommand({"note", bed_.notes()}), kAlone));
  WriteText(request.run_dir + "/kill", "1000\n");
  ASSERT_TRUE(bed_.launcher().Launch(request).ok());
  const AttemptObservation end = AwaitEnd(request);
  EXPECT_TRUE(end.stopped_by_request);
  EXPECT_EQ(end.message, "Stopped before it was started.");
  EXPECT_EQ(ReadText(bed_.notes()), "");
}

TEST_F(SupervisorTest, HidesTheServicesDescriptorsAndSecrets) {
  ::setenv("VERNIER_TEST_SECRET", "canary", 1);
  const LaunchRequest request = Launch(MakeJob(
      "[\"/bin/sh\",\"-c\",\"ls /proc/self/fd | wc -l; env; pwd\"]", kAlone));
  AwaitEnd(request);
  ::unsetenv("VERNIER_TEST_SECRET");
  const std::string log = Log(request, "master-replica-0");
  EXPECT_EQ(log.find("canary"), std::string::npos);
  EXPECT_EQ(log.find("VERNIER_STATUS_FD"), std::string::npos);
  // stdin, stdout, stderr, and the one that ls has open itself.
  EXPECT_EQ(std::atoi(log.c_str()), 4) << log;
  EXPECT_NE(log.find(request.run_dir + "/work\n"), std::string::npos);
}

}  // namespace
}  // namespace vernier
