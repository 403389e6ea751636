// Engines that are scripts stand for those that this machine does not have.

#include "cluster/containers/engine_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "cluster/containers/container_image.h"
#include "cluster/containers/probe_program.h"
#include "cluster/process/command_run.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class EngineProbeTest : public testing::Test {
 protected:
  void Install(const std::string& name, const std::string& script) {
    const std::string path = dir_ / name;
    WriteText(path, "#!/bin/sh\necho \"$@\" >> " + calls() + "\n" + script);
    ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  }
  std::string calls() const { return dir_ / "calls"; }
  ContainerSettings Settings(const std::string& engine = "") const {
    return {.engine = engine, .state_dir = dir_ / "state", .mounts = {}};
  }
  absl::StatusOr<ContainerEngine> Find(const std::string& engine = "") const {
    return FindEngine(Settings(engine), {{"PATH", dir_.path()}});
  }

  const ScratchFolder dir_;
};

TEST_F(EngineProbeTest, TakesTheFirstThatRunsContainers) {
  Install("podman", "echo 'Error: it is broken' >&2; exit 125");
  Install("docker", "echo 20.10.24");
  const auto engine = Find();
  ASSERT_TRUE(engine.ok()) << engine.status();
  EXPECT_EQ(engine->kind, EngineKind::kDocker);
  EXPECT_EQ(engine->version, "20.10.24");
  EXPECT_EQ(engine->path, dir_ / "docker");
}

TEST_F(EngineProbeTest, FindsTheOptionsThatThisMachineNeeds) {
  Install("runc", "");
  Install("podman",
          "case \"$*\" in\n"
          "--version) echo podman version 4.3.1; exit 0;;\n"
          "*--init*) echo 'Error: no catatonit' >&2; exit 125;;\n"
          "--runtime\\ runc*nproc*) exit 0;;\n"
          "--runtime\\ runc*) echo 'Error: setting rlimit' >&2; exit 126;;\n"
          "esac\n"
          "echo 'Error: unknown cgroup' >&2; exit 126\n");
  const auto engine = Find("podman");
  ASSERT_TRUE(engine.ok()) << engine.status();
  EXPECT_EQ(engine->version, "4.3.1");
  EXPECT_THAT(engine->global_options, ElementsAre("--runtime", "runc"));
  EXPECT_THAT(
      engine->create_options,
      ElementsAre(HasSubstr("--ulimit=nofile="), HasSubstr("--ulimit=nproc=")));
}

TEST_F(EngineProbeTest, RemembersWhatItFound) {
  Install("docker", "echo 20.10.24");
  ASSERT_TRUE(Find().ok());
  const std::string before = ReadText(calls());
  ASSERT_TRUE(Find().ok());
  EXPECT_EQ(ReadText(calls()), before);
  // What was found for another setting is no answer.
  EXPECT_FALSE(Find("podman").ok());
}

TEST_F(EngineProbeTest, SaysWhatEachLacks) {
  Install("docker", "echo 'Cannot connect to the daemon' >&2; exit 1");
  const absl::Status none = Find().status();
  EXPECT_TRUE(absl::IsFailedPrecondition(none));
  EXPECT_EQ(none.message(),
            "no container engine works on this machine (podman is not "
            "installed; docker: Cannot connect to the daemon)");
  EXPECT_THAT(std::string(Find("none").status().message()),
              HasSubstr("--container-engine none"));
}

TEST_F(EngineProbeTest, TheProbeProgramRunsByItself) {
  const std::string program = ProbeProgram();
  if (program.empty()) GTEST_SKIP() << "not made for this processor";
  const std::string path = dir_ / "probe";
  WriteText(path, program);
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  const auto end =
      RunCommand({.path = path, .argv = {"probe"}, .environment = {}});
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_EQ(end->exit_code, 0);
}

class ContainerImageTest : public EngineProbeTest {
 protected:
  absl::StatusOr<ContainerImage> Get(const std::string& uri) {
    const ContainerEngine engine{
        EngineKind::kDocker, dir_ / "docker", "1", {}, {}};
    return GetImage(uri, engine, Settings(), {{"PATH", "/usr/bin:/bin"}},
                    [this](const std::string& text) { heard_ += text + "\n"; });
  }
  std::string heard_;
};

TEST_F(ContainerImageTest, PullsWhatIsNotHereAndTellsHowFarItIs) {
  Install("docker",
          "case \"$1\" in\n"
          "image) if [ -e " +
              (dir_ / "pulled") +
              " ]; then\n"
              "  echo 'vernier-image sha256:1 entry '; exit 0; fi\n"
              "  echo 'Error: No such image: r/i:1' >&2; exit 1;;\n"
              "pull) echo 'a1: Pulling fs layer'; touch " +
              (dir_ / "pulled") + ";;\nesac\n");
  const auto image = Get("r/i:1");
  ASSERT_TRUE(image.ok()) << image.status();
  EXPECT_EQ(image->id, "sha256:1");
  EXPECT_TRUE(image->has_entry_point);
  EXPECT_FALSE(image->has_command);
  EXPECT_THAT(heard_, HasSubstr("pulling the image r/i:1"));
  EXPECT_THAT(heard_, HasSubstr("(a1: Pulling fs layer)"));
  heard_.clear();
  EXPECT_TRUE(Get("r/i:1").ok());
  EXPECT_EQ(heard_, "") << "it was here";
}

TEST_F(ContainerImageTest, LoadsAnArchiveOnceUntilItChanges) {
  const std::string archive = dir_ / "i.tar";
  WriteText(archive, "1");
  Install("docker",
          "case \"$1\" in\n"
          "image) echo 'vernier-image sha256:1  command';;\n"
          "load) echo 'Loaded image: i:1';;\nesac\n");
  ASSERT_TRUE(Get(archive).ok()) << Get(archive).status();
  WriteText(calls(), "");
  ASSERT_TRUE(Get("docker-archive:" + archive).ok());
  EXPECT_THAT(ReadText(calls()), testing::Not(HasSubstr("load")));
  WriteText(archive, "22");
  ASSERT_TRUE(Get(archive).ok());
  EXPECT_THAT(ReadText(calls()), HasSubstr("load"));
  EXPECT_TRUE(absl::IsNotFound(Get("/no/such.tar").status()));
}

TEST(ImageErrorTest, TellsApartWhatCanBeDone) {
  struct Case {
    const char* output;
    absl::StatusCode code;
    const char* meaning;
  };
  const Case cases[] = {
      {"Error: writing blob: no space left on device",
       absl::StatusCode::kResourceExhausted, "no space left"},
      {"x\nError: reading manifest 3 in r/i: manifest unknown\n",
       absl::StatusCode::kNotFound, "no such image"},
      {"Error: reading manifest: unauthorized: access denied",
       absl::StatusCode::kPermissionDenied, "credentials"},
      {"Error: pinging container registry r: dial tcp: connection refused",
       absl::StatusCode::kUnavailable, "cannot be reached"},
      {"Error: short-name \"i\" did not resolve to an alias and no",
       absl::StatusCode::kNotFound, "says no registry"},
      {"Error: strange", absl::StatusCode::kFailedPrecondition, "strange"},
      {"", absl::StatusCode::kFailedPrecondition, "no reason"},
  };
  for (const Case& one : cases) {
    const absl::Status status = ImageError("r/i:3", one.output);
    EXPECT_EQ(status.code(), one.code) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("the image r/i:3 "));
    EXPECT_THAT(std::string(status.message()), HasSubstr(one.meaning));
  }
}

}  // namespace
}  // namespace vernier
