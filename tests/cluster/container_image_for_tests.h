#ifndef VERNIER_TESTS_CLUSTER_CONTAINER_IMAGE_FOR_TESTS_H_
#define VERNIER_TESTS_CLUSTER_CONTAINER_IMAGE_FOR_TESTS_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "base/small_file.h"
#include "cluster/containers/engine_probe.h"
#include "cluster/process/command_run.h"
#include "tests/support/scratch_folder.h"
#include "tests/trials/jobs/launcher_test_bed.h"

namespace vernier {

/// An image with vernier_trial_for_tests, made when it is first asked for and
/// removed when the program ends.
class ContainerImageForTests {
 public:
  static const ContainerImageForTests& Get() {
    static const ContainerImageForTests image;
    return image;
  }
  ~ContainerImageForTests() {
    if (unavailable_.empty()) {
      Run("podman image rm --force " + name_ + " >/dev/null");
    }
  }

  /// Says why containers do not run here; empty if they do.
  const std::string& unavailable() const { return unavailable_; }
  const std::string& name() const { return name_; }
  const ContainerEngine& engine() const { return engine_; }
  /// Remembers the engine, so that not every test probes again.
  ContainerSettings settings() const {
    return {.engine = "podman", .state_dir = state_.path(), .mounts = {}};
  }
  /// Returns the names of the attempt's containers that the engine has, running
  /// or not, and the command lines of processes that name one of them.
  std::string ContainersOf(const std::string& nonce) const {
    Command command;
    command.path = engine_.path;
    command.argv = {"podman",
                    "ps",
                    "-a",
                    "--filter",
                    "label=vernier.attempt=" + nonce,
                    "--format",
                    "{{.Names}}"};
    command.environment = EngineEnvironment(environ);
    auto end = RunCommand(command);
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      // A process may end in between; what is read is a status then.
      auto words = ReadSmallFile(entry.path() / "cmdline");
      if (!words.ok()) continue;
      if (words->find("vernier-" + nonce) == std::string::npos) continue;
      std::replace(words->begin(), words->end(), '\0', ' ');
      if (end.ok()) end->output += *words + "\n";
    }
    return end.ok() ? end->output : std::string(end.status().message());
  }

 private:
  ContainerImageForTests()
      : name_("localhost/vernier-test-" + std::to_string(::getpid()) + ":1") {
    const absl::StatusOr<ContainerEngine> engine =
        FindEngine(settings(), EngineEnvironment(environ));
    if (!engine.ok()) {
      unavailable_ = std::string(engine.status().message());
      return;
    }
    engine_ = *engine;
    if (Run("python3 " VERNIER_TESTDATA_DIR
            "/../scripts/lib/make_image.py podman " +
            name_ + " " VERNIER_TRIAL " 2>/dev/null") != 0) {
      // Where containers run, this is a fault and not a machine without
      // containers.
      unavailable_ = "an image for tests cannot be made";
      ADD_FAILURE() << unavailable_;
    }
  }

  static int Run(const std::string& command) {
    return std::system(command.c_str());
  }

  const ScratchFolder state_;
  const std::string name_;
  ContainerEngine engine_;
  std::string unavailable_;
};

/// Stands for a bed that this machine cannot run.
class UnavailableTestBed final : public LauncherTestBed {
 public:
  explicit UnavailableTestBed(std::string why) : why_(std::move(why)) {}
  std::string Unavailable() const override { return why_; }
  Launcher& launcher() override { std::abort(); }
  void RestartLauncher() override {}
  LaunchRequest MakeRequest(int) override { return {}; }
  LaunchRequest MakeUnrunnable(int) override { return {}; }
  void EndGang(const LaunchRequest&, int) override {}
  void LoseGang(const LaunchRequest&) override {}
  int CountStarts(const LaunchRequest&) override { return 0; }

 private:
  const std::string why_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_CLUSTER_CONTAINER_IMAGE_FOR_TESTS_H_
