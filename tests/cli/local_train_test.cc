#include "cli/submission/local_train.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace vernier {
namespace {

TEST(LocalTrainTest, OneProcessGetsGcloudsTfConfig) {
  LocalTrain train;
  train.module_name = "trainer.task";
  train.args = {"--steps", "5"};
  train.job_dir = "out";
  const auto processes = LocalProcesses(train);
  ASSERT_EQ(processes.size(), 1u);
  EXPECT_EQ(processes[0].argv,
            std::vector<std::string>({"python3", "-m", "trainer.task",
                                      "--steps", "5", "--job-dir", "out"}));
  EXPECT_EQ(processes[0].tf_config,
            R"({"job":{"job_name":"trainer.task","args":["--steps","5"]},)"
            R"("task":{},"cluster":{},"environment":"cloud"})");
}

TEST(LocalTrainTest, DistributedPortsAreContiguousFrom27182) {
  LocalTrain train;
  train.module_name = "t";
  train.distributed = true;
  train.primary = "chief";
  train.evaluators = 1;
  const auto processes = LocalProcesses(train);
  ASSERT_EQ(processes.size(), 6u);
  EXPECT_EQ(
      processes[0].tf_config,
      R"({"job":{"job_name":"t","args":[]},"task":{"type":"chief","index":0},)"
      R"("cluster":{"chief":["localhost:27182"],)"
      R"("ps":["localhost:27183","localhost:27184"],)"
      R"("worker":["localhost:27185","localhost:27186"]},)"
      R"("environment":"cloud"})");
  EXPECT_NE(processes[2].tf_config.find(R"({"type":"ps","index":1})"),
            std::string::npos);
  EXPECT_NE(processes[5].tf_config.find(R"({"type":"evaluator","index":0})"),
            std::string::npos);
}

}  // namespace
}  // namespace vernier
