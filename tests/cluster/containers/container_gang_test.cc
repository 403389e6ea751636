// Gangs in containers of a real engine: what is particular to containers. The
// laws of all launchers are tested by launcher_conformance_test.cc.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/cluster/container_image_for_tests.h"
#include "tests/cluster/local_test_bed.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;
using testing::HasSubstr;

class ContainerGangTest : public testing::Test {
 protected:
  void SetUp() override {
    const ContainerImageForTests& image = ContainerImageForTests::Get();
    if (!image.unavailable().empty()) GTEST_SKIP() << image.unavailable();
    Use(image.settings());
  }
  void Use(const ContainerSettings& settings) {
    LocalLauncherOptions options;
    options.containers = settings;
    bed_ = std::make_unique<LocalTestBed>(options,
                                          ContainerImageForTests::Get().name());
  }
  static std::string Image(const std::string& uri = "") {
    return "\"scaleTier\":\"BASIC\",\"masterConfig\":{\"imageUri\":\"" +
           (uri.empty() ? ContainerImageForTests::Get().name() : uri) + "\"}";
  }
  AttemptObservation Await(const LaunchRequest& request) {
    AttemptObservation seen;
    EXPECT_TRUE(AwaitCondition([&] {
      seen = bed_->launcher()
                 .Observe({{request.attempt, request.nonce, request.run_dir}})
                 .at(0);
      return IsOver(seen.kind);
    }));
    return seen;
  }
  AttemptObservation RunJob(const ParsedJob& job, int number = 1) {
    const LaunchRequest request = bed_->MakeRequest(number, job);
    EXPECT_TRUE(bed_->launcher().Launch(request).ok());
    return Await(request);
  }
  static std::string ContainersOf(const std::string& nonce) {
    return ContainerImageForTests::Get().ContainersOf(nonce);
  }

  std::unique_ptr<LocalTestBed> bed_;
};

TEST_F(ContainerGangTest, KeepsTheOutputAndLeavesNothing) {
  const LaunchRequest request = bed_->MakeRequest(
      1, MakeJob(TrialCommand({"print", "2", "hello", "exit", "0"}), Image()));
  ASSERT_TRUE(bed_->launcher().Launch(request).ok());
  const AttemptObservation end = Await(request);
  EXPECT_EQ(end.exit_code, 0) << end.message;
  EXPECT_EQ(ReadText(request.run_dir + "/logs/master-replica-0.log"),
            "hello\nhello\n");
  EXPECT_EQ(ContainersOf(request.nonce), "");
}

TEST_F(ContainerGangTest, TellsASignalFromAStatus) {
  const AttemptObservation killed =
      RunJob(MakeJob(TrialCommand({"raise", "11"}), Image()));
  EXPECT_EQ(killed.signal, SIGSEGV) << killed.message;
  const AttemptObservation failed =
      RunJob(MakeJob(TrialCommand({"exit", "125"}), Image()), 2);
  EXPECT_EQ(failed.exit_code, 125) << failed.message;
  EXPECT_FALSE(failed.launch_failed) << "it is the program's own status";
}

TEST_F(ContainerGangTest, RemovesTheContainersOfALostSupervisor) {
  const LaunchRequest request = bed_->MakeRequest(1);
  ASSERT_TRUE(bed_->launcher().Launch(request).ok());
  ASSERT_TRUE(AwaitCondition([&] { return bed_->CountStarts(request) == 1; }));
  EXPECT_THAT(ContainersOf(request.nonce), HasSubstr("master-0"));
  bed_->LoseGang(request);
  EXPECT_EQ(Await(request).kind, Kind::kLost);
  EXPECT_EQ(ContainersOf(request.nonce), "");
}

TEST_F(ContainerGangTest, RemovesContainersAfterTheMachineWasRestarted) {
  const LaunchRequest request = bed_->MakeRequest(1);
  ASSERT_TRUE(bed_->launcher().Launch(request).ok());
  ASSERT_TRUE(AwaitCondition([&] { return bed_->CountStarts(request) == 1; }));
  bed_->LoseGang(request);
  ASSERT_TRUE(AwaitCondition([&] {
    return !absl::IsUnavailable(ClaimFile::Lock(request.run_dir).status());
  }));
  // As if it had been claimed in an earlier boot.
  std::string claim = ReadText(request.run_dir + "/claim");
  const std::size_t boot = claim.find(request.nonce) + request.nonce.size() + 1;
  claim[boot] = claim[boot] == '0' ? '1' : '0';
  WriteText(request.run_dir + "/claim", claim);
  bed_->RestartLauncher();
  const AttemptObservation end = Await(request);
  EXPECT_EQ(end.kind, Kind::kLost);
  EXPECT_THAT(end.message, HasSubstr("restarted"));
  EXPECT_EQ(ContainersOf(request.nonce), "");
}

// A description of devices, as NVIDIA's tools write them.
class FakeGpu {
 public:
  FakeGpu() : made_folder_(::mkdir("/run/cdi", 0755) == 0) {
    WriteText(kFile,
              R"({"cdiVersion":"0.3.0","kind":"nvidia.com/gpu","devices":[)"
              R"({"name":"GPU-of-a-test","containerEdits":{"deviceNodes":[)"
              R"({"path":"/dev/gpu-of-a-test","hostPath":"/dev/null",)"
              R"("type":"c","major":1,"minor":3}]}}]})");
  }
  ~FakeGpu() {
    ::unlink(kFile);
    if (made_folder_) ::rmdir("/run/cdi");
  }

 private:
  static constexpr char kFile[] = "/run/cdi/vernier-test.json";
  const bool made_folder_;
};

TEST_F(ContainerGangTest, GivesTheLeasedGpu) {
  if (::access("/run", W_OK) != 0) GTEST_SKIP() << "devices need root";
  const FakeGpu gpu;
  // The program waits until it can open the device, in which it finds nothing.
  LaunchRequest request = bed_->MakeRequest(
      1, MakeJob(TrialCommand({"await", "/dev/gpu-of-a-test"}), Image(),
                 "\"gpusPerReplica\":1"));
  request.devices = {"GPU-of-a-test"};
  ASSERT_TRUE(bed_->launcher().Launch(request).ok());
  EXPECT_EQ(Await(request).exit_code, 0);
}

TEST_F(ContainerGangTest, SaysThatThereIsNoSuchImage) {
  const AttemptObservation end = RunJob(MakeJob(
      TrialCommand({"exit", "0"}), Image("localhost/vernier-no-such-image:1")));
  EXPECT_TRUE(end.launch_failed);
  EXPECT_THAT(end.message, HasSubstr("localhost/vernier-no-such-image:1"));
}

TEST_F(ContainerGangTest, NeverRunsOnTheHostWithoutAnEngine) {
  ContainerSettings settings;
  settings.engine = "none";
  Use(settings);
  const LaunchRequest request = bed_->MakeRequest(
      1, MakeJob(TrialCommand({"note", bed_->notes()}), Image()));
  ASSERT_TRUE(bed_->launcher().Launch(request).ok());
  const AttemptObservation end = Await(request);
  EXPECT_TRUE(end.launch_failed);
  EXPECT_THAT(end.message, HasSubstr("runs no containers"));
  EXPECT_EQ(bed_->CountStarts(request), 0);
}

}  // namespace
}  // namespace vernier
