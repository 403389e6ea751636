#include "cluster/containers/engine_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_join.h"

namespace vernier {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const ContainerEngine kPodman{EngineKind::kPodman,
                              "/usr/bin/podman",
                              "4.3.1",
                              {"--runtime", "runc"},
                              {"--ulimit=nofile=9:9", "--init"}};
const ContainerEngine kDocker{
    EngineKind::kDocker, "/usr/bin/docker", "20.10", {}, {"--init"}};

std::string Line(const Words& words) { return absl::StrJoin(words, " "); }

ContainerSpec Spec() {
  ContainerSpec spec;
  spec.name = ContainerName("0123", {ReplicaRole::kParameterServer, 2});
  spec.nonce = "0123";
  spec.job = "j";
  spec.trial = "7";
  spec.image = "sha256:ab";
  return spec;
}

TEST(EngineCommandTest, MakesAContainerOfTheImagesOwnProgram) {
  EXPECT_EQ(Line(CreateWords(kPodman, Spec(), "")),
            "podman --runtime runc create --name vernier-0123-ps-2 --label "
            "vernier.attempt=0123 --label vernier.job=j --label "
            "vernier.trial=7 --network host --mount "
            "type=bind,source=/dev/shm,target=/dev/shm --log-driver none "
            "--security-opt label=disable --ulimit=nofile=9:9 --init "
            "sha256:ab");
}

TEST(EngineCommandTest, PutsTheProgramInPlaceOfTheEntryPoint) {
  ContainerSpec spec = Spec();
  spec.arguments = {"--lr", "0.1"};
  EXPECT_THAT(Line(CreateWords(kPodman, spec, "")),
              HasSubstr(" sha256:ab --lr 0.1"));
  spec.entry_point = {"python3", "-m", "t"};
  EXPECT_THAT(Line(CreateWords(kPodman, spec, "")),
              HasSubstr(" --entrypoint python3 sha256:ab -m t --lr 0.1"));
}

TEST(EngineCommandTest, GivesTheLeasedGpusOnly) {
  ContainerSpec spec = Spec();
  for (const ContainerEngine& engine : {kPodman, kDocker}) {
    const std::string none = Line(CreateWords(engine, spec, ""));
    EXPECT_THAT(none, Not(HasSubstr("--device")));
    EXPECT_THAT(none, Not(HasSubstr("--gpus")));
  }
  spec.gpus = {"GPU-a", "GPU-b"};
  EXPECT_THAT(
      Line(CreateWords(kPodman, spec, "")),
      HasSubstr("--device nvidia.com/gpu=GPU-a --device nvidia.com/gpu=GPU-b"));
  EXPECT_THAT(Line(CreateWords(kDocker, spec, "")),
              HasSubstr("--gpus \"device=GPU-a,GPU-b\""));
}

TEST(EngineCommandTest, MountsFoldersAtTheSamePath) {
  ContainerSpec spec = Spec();
  spec.folders = {"/out", "/a,\"b"};
  spec.mounts = {"/data:ro", "/x", "/y:/z:ro"};
  spec.work_dir = "/out";
  EXPECT_THAT(
      Line(CreateWords(kPodman, spec, "")),
      HasSubstr("--mount type=bind,source=/out,target=/out --mount "
                "type=bind,\"source=/a,\"\"b\",\"target=/a,\"\"b\" --volume "
                "/data:/data:ro --volume /x:/x --volume /y:/z:ro --workdir "
                "/out sha256:ab"));
}

TEST(EngineCommandTest, LimitsWhatIsToBeLimited) {
  ContainerSpec spec = Spec();
  spec.limits = {1 << 20, 1.5};
  EXPECT_THAT(
      Line(CreateWords(kPodman, spec, "")),
      HasSubstr("--memory 1048576b --memory-swap 1048576b --cpus 1.5 "));
}

TEST(EngineCommandTest, NoticesThatAnEngineGoesWithoutTheLimits) {
  const ContainerLimits memory{1 << 20, 0};
  const ContainerLimits processors{0, 1.5};
  for (const char* warning :
       {"Resource limits are not supported and ignored on cgroups V1 rootless "
        "systems\n0123abcd\n",
        "WARNING: Your kernel does not support memory limit capabilities or "
        "the "
        "cgroup is not mounted. Limitation discarded.\n0123abcd\n"}) {
    EXPECT_THAT(CheckLimitsAreKept(memory, warning).message(),
                HasSubstr("--container-limits cannot be kept"));
    EXPECT_FALSE(CheckLimitsAreKept(processors, warning).ok());
    EXPECT_TRUE(CheckLimitsAreKept({}, warning).ok());
  }
  EXPECT_TRUE(CheckLimitsAreKept(
                  memory,
                  "WARNING: Your kernel does not support swap limit "
                  "capabilities. Memory limited without swap.\n0123abcd\n")
                  .ok());
}

TEST(EngineCommandTest, RunsByHandWhatAnAttemptRuns) {
  ContainerSpec spec = Spec();
  spec.entry_point = {"python3", "-m", "t"};
  spec.arguments = {"--lr", "0.1"};
  spec.environment = {{"TOKEN", "hush"}};
  spec.folders = {"/out"};
  spec.work_dir = "/out";
  spec.gpus = {"GPU-a"};
  const RunByHand run = RunWords(kPodman, spec);
  EXPECT_EQ(Line(run.verb), "podman --runtime runc run");
  EXPECT_EQ(Line(run.options),
            "--rm --network host --mount "
            "type=bind,source=/dev/shm,target=/dev/shm --log-driver none "
            "--security-opt label=disable --ulimit=nofile=9:9 --init --device "
            "nvidia.com/gpu=GPU-a --mount type=bind,source=/out,target=/out "
            "--workdir /out --entrypoint python3");
  EXPECT_EQ(Line(run.program), "sha256:ab -m t --lr 0.1");
}

TEST(EngineCommandTest, ShowsNoValueOfAVariable) {
  ContainerSpec spec = Spec();
  spec.environment = {{"TOKEN", "hush"}, {"PATH", "/hush"}};
  const Words words = CreateWords(kPodman, spec, "/run/x.env");
  EXPECT_THAT(Line(words), HasSubstr("--env-file /run/x.env --env TOKEN "));
  EXPECT_THAT(Line(words), Not(HasSubstr("hush")));
}

TEST(EngineCommandTest, KeepsVariablesFromTheEngineThatItWouldTakeForItsOwn) {
  const auto split = Split({{"TOKEN", "a\nb"},
                            {"PATH", "/p"},
                            {"LD_PRELOAD", "/l"},
                            {"CONTAINERS_CONF", "/c"},
                            {"DOCKER_HOST", "d"},
                            {"XDG_RUNTIME_DIR", "/x"}});
  ASSERT_TRUE(split.ok());
  EXPECT_EQ(split->passed, (Environment{{"TOKEN", "a\nb"}}));
  EXPECT_EQ(split->file,
            "CONTAINERS_CONF=/c\nDOCKER_HOST=d\nLD_PRELOAD=/l\nPATH=/p\n"
            "XDG_RUNTIME_DIR=/x\n");
  EXPECT_TRUE(absl::IsInvalidArgument(Split({{"HOME", "a\nb"}}).status()));
}

TEST(EngineCommandTest, NamesWhatEachVerbNeeds) {
  EXPECT_THAT(StartWords(kPodman, "n"),
              ElementsAre("podman", "--runtime", "runc", "start", "--attach",
                          "--sig-proxy=false", "n"));
  // It has no such flag.
  EXPECT_EQ(Line(StartWords(kDocker, "n")), "docker start --attach n");
  EXPECT_EQ(Line(TerminateWords(kDocker, "n")), "docker kill --signal TERM n");
  EXPECT_EQ(Line(RemoveWords(kPodman, {"a", "b"})),
            "podman --runtime runc rm --force --volumes --ignore --time 0 a b");
  EXPECT_EQ(Line(RemoveWords(kDocker, {"a"})), "docker rm --force --volumes a");
}

TEST(EngineCommandTest, ReadsTheStateOfAContainer) {
  struct Case {
    const char* output;
    bool has_started;
    bool is_out_of_memory;
    pid_t pid;
  };
  const Case cases[] = {
      {"vernier-state created false 0 0001-01-01 00:00:00 +0000 UTC\n", false,
       false, 0},
      {"warning\nvernier-state exited true 0 2026-11-23 09:51:16 +0000 UTC\n",
       true, true, 0},
      {"vernier-state exited false 0 0001-01-01T00:00:00Z\n", false, false, 0},
      {"vernier-state running false 417 2026-11-23T09:51:16Z\n", true, false,
       417},
  };
  for (const Case& one : cases) {
    const auto state = ParseContainerState(one.output);
    ASSERT_TRUE(state.ok()) << one.output;
    EXPECT_EQ(state->has_started, one.has_started) << one.output;
    EXPECT_EQ(state->is_out_of_memory, one.is_out_of_memory) << one.output;
    EXPECT_EQ(state->pid, one.pid) << one.output;
  }
  EXPECT_TRUE(absl::IsDataLoss(ParseContainerState("Error: no").status()));
  EXPECT_TRUE(absl::IsDataLoss(
      ParseContainerState("vernier-state running false many now").status()));
}

}  // namespace
}  // namespace vernier
