// Kills launchers and supervisors with SIGKILL at random instants, and asks
// each time whether any gang was started twice, forgotten or left behind.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <random>
#include <set>
#include <string>

#include "cluster/process/process_sweep.h"
#include "tests/cluster/container_image_for_tests.h"
#include "tests/cluster/local_test_bed.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

constexpr int kRounds = 40;
constexpr int kGangsPerRound = 4;
constexpr unsigned kSeed = 20260101;

class KillLoop {
 public:
  /// `slowness` says how much longer than that of processes the start of these
  /// gangs takes, so that kills hit all of its parts.
  explicit KillLoop(const LocalLauncherOptions& options = {},
                    const std::string& image = "", int slowness = 1)
      : slowness_(slowness),
        bed_(options, image),
        short_(MakeJob(TrialCommand({"note", bed_.notes()}),
                       "\"scaleTier\":\"BASIC\"" + bed_.image_field())),
        long_(MakeJob(TrialCommand({"note", bed_.notes(), "sleep"}),
                      "\"scaleTier\":\"CUSTOM\",\"masterType\":\"standard\","
                      "\"workerType\":\"standard\",\"workerCount\":\"1\"" +
                          bed_.image_field())) {}

  void RunRound(int round) {
    std::vector<LaunchRequest> requests;
    for (int i = 0; i < kGangsPerRound; ++i) {
      const int number = round * kGangsPerRound + i + 1;
      requests.push_back(bed_.MakeRequest(number, i % 2 == 0 ? short_ : long_));
      live_.push_back({requests.back().attempt, requests.back().nonce,
                       requests.back().run_dir});
    }
    // By turns while launches are under way and long after them.
    LaunchAndDie(requests, round % 2 == 0 ? 1 : slowness_);
    bed_.RestartLauncher();
    if (round % 3 == 0) KillSupervisors(requests);
    Settle(requests);
  }

  std::set<std::string> nonces() const {
    std::set<std::string> nonces;
    for (const LiveAttempt& attempt : live_) nonces.insert(attempt.nonce);
    return nonces;
  }

  void CheckInvariants() {
    const std::string notes = ReadText(bed_.notes());
    std::set<std::string> nonces;
    for (const LiveAttempt& attempt : live_) {
      nonces.insert(attempt.nonce);
      const int starts = CountLines(notes, "master 0 " + attempt.nonce);
      EXPECT_LE(starts, 1) << attempt.run_dir << " was started twice";
      const AttemptObservation& end = ends_.at(attempt.attempt);
      if (end.kind == Kind::kNeverStarted) {
        EXPECT_EQ(starts, 0) << attempt.run_dir << " started after all";
      }
      if (end.kind == Kind::kEnded && end.exit_code == 0) {
        EXPECT_EQ(starts, 1) << attempt.run_dir;
      }
      ++counts_[end.kind];
    }
    EXPECT_TRUE(SweepProcesses(nonces).empty()) << "a process was left behind";
    // Each way to end was exercised.
    EXPECT_GT(counts_[Kind::kEnded], 0);
    EXPECT_GT(counts_[Kind::kLost], 0);
    EXPECT_GT(counts_[Kind::kNeverStarted], 0);
  }

 private:
  // What a service that is killed leaves: some of the launches.
  void LaunchAndDie(const std::vector<LaunchRequest>& requests, int slowness) {
    const pid_t service = ::fork();
    if (service == 0) {
      for (const LaunchRequest& request : requests) {
        bed_.launcher().Launch(request).IgnoreError();
      }
      while (true) bed_.launcher().Wait(std::chrono::seconds(1));
    }
    Pause(25000 * slowness);
    ::kill(service, SIGKILL);
    ::waitpid(service, nullptr, 0);
  }

  void KillSupervisors(const std::vector<LaunchRequest>& requests) {
    for (const LaunchRequest& request : requests) {
      Pause(4000 * slowness_);
      bed_.LoseGang(request);
    }
  }

  // The next service: looks, stops what runs on, waits for every end.
  void Settle(const std::vector<LaunchRequest>& requests) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const LiveAttempt attempt{requests[i].attempt, requests[i].nonce,
                                requests[i].run_dir};
      AttemptObservation seen = bed_.launcher().Observe({attempt}).at(0);
      if (i % 2 == 1) {
        EXPECT_TRUE(
            bed_.launcher().Kill(attempt, std::chrono::seconds(20)).ok());
      }
      EXPECT_TRUE(AwaitCondition([&] {
        seen = bed_.launcher().Observe({attempt}).at(0);
        return seen.kind != Kind::kStarting && seen.kind != Kind::kRunning;
      })) << requests[i].run_dir;
      ends_[attempt.attempt] = seen;
    }
  }

  void Pause(int at_most_us) {
    ::usleep(
        static_cast<useconds_t>(rng_() % static_cast<unsigned>(at_most_us)));
  }

  const int slowness_;
  LocalTestBed bed_;
  const ParsedJob short_;
  const ParsedJob long_;
  std::mt19937 rng_{kSeed};
  std::vector<LiveAttempt> live_;
  std::map<AttemptKey, AttemptObservation> ends_;
  std::map<Kind, int> counts_;
};

TEST(KillLoopTest, StartsAtMostOncePerNonceAndLeavesNothing) {
  KillLoop loop;
  for (int round = 0; round < kRounds; ++round) loop.RunRound(round);
  loop.CheckInvariants();
}

TEST(KillLoopTest, DoesSoInContainers) {
  const ContainerImageForTests& image = ContainerImageForTests::Get();
  if (!image.unavailable().empty()) GTEST_SKIP() << image.unavailable();
  constexpr int kContainerRounds = 9;
  constexpr int kSlowness = 40;
  LocalLauncherOptions options;
  options.containers = image.settings();
  KillLoop loop(options, image.name(), kSlowness);
  for (int round = 0; round < kContainerRounds; ++round) loop.RunRound(round);
  loop.CheckInvariants();
  for (const std::string& nonce : loop.nonces()) {
    EXPECT_EQ(image.ContainersOf(nonce), "");
  }
}

}  // namespace
}  // namespace vernier
