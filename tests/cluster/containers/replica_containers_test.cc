// When a container is asked to end, with a script in the engine's place.

#include "cluster/containers/replica_containers.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "tests/cluster/local_test_bed.h"
#include "tests/support/await_condition.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

class ReplicaContainersTest : public testing::Test {
 protected:
  ReplicaContainersTest() {
    WriteText(engine_, "#!/bin/sh\necho $1 >> '" + (dir_ / "asked") +
                           "'\ncase $1 in\ninspect) cat '" + (dir_ / "state") +
                           "' ;;\nkill) test -e '" + (dir_ / "running") +
                           "' ;;\nesac\n");
    ::chmod(engine_.c_str(), 0700);
    WriteText(dir_ / "running", "");
    MakeContainers();
  }
  ~ReplicaContainersTest() override {
    for (const pid_t pid : inits_) {
      ::kill(-pid, SIGKILL);
      ::waitpid(pid, nullptr, 0);
    }
  }

  void MakeContainers() {
    ContainerSpec spec;
    spec.name = "vernier-1-master-0";
    ContainerEngine engine;
    engine.path = engine_;
    containers_.emplace(engine, EngineEnvironment(environ), dir_.path(),
                        std::vector<std::optional<ContainerSpec>>{spec});
  }
  void SayPid(pid_t pid) {
    WriteText(dir_ / "state", "a warning\nvernier-state running false " +
                                  std::to_string(pid) +
                                  " 2026-11-27T09:00:00Z\n");
  }
  // Stands for the first process of a container.
  pid_t StartInit(bool has_child) {
    int ready[2];
    if (::pipe(ready) != 0) std::abort();
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::setpgid(0, 0);
      const bool is_child = has_child && ::fork() == 0;
      if (!is_child && ::write(ready[1], "", 1) != 1) std::abort();
      while (true) ::pause();
    }
    char byte = 1;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
    inits_.push_back(pid);
    return pid;
  }
  // What the supervisor does until `verb` was said `times` times.
  void Drive(const std::string& verb, int times) {
    EXPECT_TRUE(AwaitCondition([&] {
      int status = 0;
      for (pid_t pid = 1; pid > 0;) {
        pid = ::waitpid(-1, &status, WNOHANG);
        if (pid > 0) containers_->TakeChild(pid, status == 0);
      }
      if (Count(verb) >= times) return true;
      containers_->RepeatRequests();
      return false;
    }));
  }
  int Count(const std::string& verb) const {
    return CountLines(ReadText(dir_ / "asked"), verb);
  }

  const ScratchFolder dir_;
  const std::string engine_ = dir_ / "podman";
  std::optional<ReplicaContainers> containers_;
  std::vector<pid_t> inits_;
};

TEST_F(ReplicaContainersTest, AsksOnceWhenTheProgramRuns) {
  SayPid(StartInit(/*has_child=*/true));
  containers_->RequestEnd(0);
  Drive("kill", 1);
  EXPECT_EQ(Count("inspect"), 1);
  EXPECT_EQ(Count("kill"), 1);
}

// Its kernel would drop the signal.
TEST_F(ReplicaContainersTest, WaitsForAnInitThatStarts) {
  SayPid(StartInit(/*has_child=*/false));
  containers_->RequestEnd(0);
  Drive("inspect", 4);
  EXPECT_EQ(Count("kill"), 0);
  SayPid(StartInit(/*has_child=*/true));
  Drive("kill", 1);
  EXPECT_LE(Count("inspect"), 6);
}

TEST_F(ReplicaContainersTest, WaitsForAContainerThatIsNotStarted) {
  WriteText(dir_ / "state",
            "vernier-state created false 0 0001-01-01T00:00:00Z\n");
  containers_->RequestEnd(0);
  Drive("inspect", 15);
  EXPECT_EQ(Count("kill"), 0);
}

TEST_F(ReplicaContainersTest, DoesNotWaitForEverForAnInit) {
  SayPid(StartInit(/*has_child=*/false));
  containers_->RequestEnd(0);
  Drive("kill", 1);
  EXPECT_EQ(Count("inspect"), 10);
}

TEST_F(ReplicaContainersTest, AsksWhereNothingIsKnown) {
  for (const char* state :
       {"Error: no such format\n",
        "vernier-state running false 2000000000 2026-11-27T09:00:00Z\n"}) {
    // The request before this may not have been answered yet.
    MakeContainers();
    WriteText(dir_ / "state", state);
    const int before = Count("kill");
    containers_->RequestEnd(0);
    Drive("kill", before + 1);
    EXPECT_EQ(Count("inspect"), Count("kill")) << state;
  }
}

TEST_F(ReplicaContainersTest, AsksAgainWhatCouldNotBeAsked) {
  SayPid(StartInit(/*has_child=*/true));
  std::filesystem::remove(dir_ / "running");
  containers_->RequestEnd(0);
  Drive("kill", 2);
  WriteText(dir_ / "running", "");
  Drive("kill", 3);
}

}  // namespace
}  // namespace vernier
