#include "study/job_spec.h"

#include <gtest/gtest.h>

namespace vernier {
namespace {

TEST(JobSpecTest, VernierAlgorithmWins) {
  JobSpec spec;
  EXPECT_EQ(EffectiveAlgorithm(spec), Algorithm::kDefault);
  spec.training_input.hyperparameters.emplace();
  spec.training_input.hyperparameters->algorithm = Algorithm::kGridSearch;
  EXPECT_EQ(EffectiveAlgorithm(spec), Algorithm::kGridSearch);
  spec.vernier.algorithm = Algorithm::kQuasiRandomSearch;
  EXPECT_EQ(EffectiveAlgorithm(spec), Algorithm::kQuasiRandomSearch);
}

TEST(JobSpecTest, AJobWithoutTuningHasOneTrial) {
  JobSpec spec;
  EXPECT_EQ(MaxTrials(spec), 1);
  spec.training_input.hyperparameters.emplace();
  spec.training_input.hyperparameters->max_trials = 30;
  EXPECT_EQ(MaxTrials(spec), 30);
}

TEST(JobSpecTest, GpusComeFromOverrideThenAcceleratorsThenMachine) {
  JobSpec spec;
  RoleSpec role;
  EXPECT_EQ(GpusPerReplica(spec, role), 0);
  role.machine_type = "complex_model_m_gpu";
  EXPECT_EQ(GpusPerReplica(spec, role), 4);
  role.config.accelerator_type = "TPU_V2";
  role.config.accelerator_count = 8;
  EXPECT_EQ(GpusPerReplica(spec, role), 4) << "a TPU is no GPU";
  role.config.accelerator_type = "NVIDIA_TESLA_T4";
  role.config.accelerator_count = 2;
  EXPECT_EQ(GpusPerReplica(spec, role), 2);
  spec.vernier.gpus_per_replica = 0;
  EXPECT_EQ(GpusPerReplica(spec, role), 0);
}

TEST(JobSpecTest, LegacyMachinesHaveTheirDocumentedGpus) {
  const struct {
    const char* machine_type;
    int gpus;
  } kCases[] = {{"standard", 0},
                {"large_model", 0},
                {"complex_model_s", 0},
                {"complex_model_m", 0},
                {"complex_model_l", 0},
                {"standard_gpu", 1},
                {"complex_model_m_gpu", 4},
                {"complex_model_l_gpu", 8},
                {"standard_p100", 1},
                {"complex_model_m_p100", 4},
                {"standard_v100", 1},
                {"large_model_v100", 1},
                {"complex_model_m_v100", 4},
                {"complex_model_l_v100", 8},
                {"cloud_tpu", 0},
                {"n1-standard-4", 0},
                {"a2-highgpu-2g", 2}};
  for (const auto& c : kCases) {
    RoleSpec role;
    role.machine_type = c.machine_type;
    EXPECT_EQ(GpusPerReplica(JobSpec(), role), c.gpus) << c.machine_type;
  }
}

}  // namespace
}  // namespace vernier
