// The launcher with the answers of a real control plane, which were recorded by
//   VERNIER_KUBERNETES_CONFIG=... VERNIER_KUBERNETES_RECORD=FOLDER
//   vernier_cluster_test --gtest_filter='*KubernetesTranscript*'

#include "tests/cluster/kubernetes/transcript.h"

#include <gtest/gtest.h>

#include <sstream>

#include "cluster/replica_log.h"
#include "tests/cluster/kubernetes/kubernetes_test_bed.h"
#include "tests/support/await_condition.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

// The same for ever, so that names are.
constexpr char kInstance[] = "7ea5c01d";

struct Case {
  const char* file;
  GangKind kind;
  const char* nonce;
  const char* script;  ///< Of master and worker.
  int exit_code;
  const char* log;  ///< The master's.
};
constexpr Case kCases[] = {
    {"jobset.jsonl", GangKind::kJobSet, "fedcba98765432100123456789abcdef",
     "if [ $RANK = 0 ]; then seq 1 3; sleep 2; echo end; exit 5; fi; sleep 30",
     5, "1\n2\n3\nend\n"},
    {"jobs.jsonl", GangKind::kJobs, "0123456789abcdeffedcba9876543210",
     "if [ $RANK = 0 ]; then seq 1 3; sleep 2; echo end; fi; sleep 0", 0,
     "1\n2\n3\nend\n"},
};

std::vector<Json> ReadTranscript(const std::string& name) {
  std::istringstream file(ReadText(std::string(VERNIER_TESTDATA_DIR) +
                                   "/cluster/kubernetes/transcripts/" + name));
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);) {
    lines.push_back(ParseJson(line).value());
  }
  return lines;
}

class KubernetesTranscriptTest : public testing::TestWithParam<Case> {
 protected:
  std::unique_ptr<KubernetesApi> MakeApi(std::string* name_space) const {
    const std::string folder = EnvironmentVariable("VERNIER_KUBERNETES_RECORD");
    if (folder.empty()) {
      return std::make_unique<ReplayApi>(ReadTranscript(GetParam().file));
    }
    const auto access = FindKubernetesAccess(ClusterConfig(), "", {});
    EXPECT_TRUE(access.ok()) << access.status();
    *name_space = access->name_space;
    auto api = CurlApi::Create(*access, std::chrono::seconds(15));
    return std::make_unique<RecordingApi>(*std::move(api),
                                          folder + "/" + GetParam().file);
  }

  const SystemClock clock_{};
  const ScratchFolder dir_;
};

INSTANTIATE_TEST_SUITE_P(Recorded, KubernetesTranscriptTest,
                         testing::ValuesIn(kCases));

TEST_P(KubernetesTranscriptTest, AGangRunsToItsEnd) {
  const Case& test = GetParam();
  KubernetesLauncherOptions options;
  options.instance = kInstance;
  options.name_space = "vernier-test";
  options.settings.objects = "auto";
  if (test.kind == GangKind::kJobs) options.settings.objects = "jobs";
  auto api = MakeApi(&options.name_space);
  auto launcher = MakeKubernetesLauncher(options, std::move(api), clock_);
  ASSERT_TRUE(launcher.ok()) << launcher.status();
  const ParsedJob job =
      MakeJob("[\"sh\",\"-c\",\"" + std::string(test.script) + "\"]",
              "\"scaleTier\":\"CUSTOM\",\"masterType\":\"standard\","
              "\"workerType\":\"standard\",\"workerCount\":\"1\","
              "\"masterConfig\":{\"imageUri\":\"localhost/host:1\"}",
              "\"killGrace\":\"1s\"");
  LaunchRequest request;
  request.attempt = {StudyId{1}, TrialId{1}, 1};
  request.nonce = test.nonce;
  request.spec = std::make_shared<JobSpec>(job.spec);
  request.spec_json = job.json;
  request.run_dir = dir_ / "run";
  ASSERT_TRUE((*launcher)->Launch(request).ok());
  AttemptObservation end;
  EXPECT_TRUE(AwaitCondition([&] {
    end = (*launcher)
              ->Observe({{request.attempt, request.nonce, request.run_dir}})
              .at(0);
    return IsOver(end.kind);
  }));
  EXPECT_EQ(end.kind, Kind::kEnded) << end.message;
  EXPECT_EQ(end.exit_code, test.exit_code) << end.message;
  EXPECT_EQ(ReadReplicaLog(request.run_dir, "master-replica-0", 0, 1000)->data,
            test.log);
  (*launcher)->Forget(request.attempt);
  // What follows belongs to the transcript, too.
  const bool is_recorded = !ClusterConfig().empty();
  for (int i = 0; is_recorded && i < 30; ++i) {
    (*launcher)->Wait(std::chrono::milliseconds(100));
  }
}

}  // namespace
}  // namespace vernier
