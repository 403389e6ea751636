// Job files as people have them parse to what their text says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "study/job_file/job_parser.h"
#include "tests/study/test_files.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

ParsedJob ParseFile(const std::string& name, bool require_job_id) {
  ParseJobOptions options;
  options.file_name = name;
  options.require_job_id = require_job_id;
  auto job = ParseJob(ReadText(StudyTestPath("job_files/" + name)), options);
  EXPECT_TRUE(job.ok()) << job.status();
  return job.ok() ? *std::move(job) : ParsedJob();
}

TEST(JobFilesTest, DistributedCustomTier) {
  const ParsedJob job = ParseFile("distributed_custom_tier.yaml", false);
  const TrainingInput& input = job.spec.training_input;
  EXPECT_EQ(input.scale_tier, ScaleTier::kCustom);
  EXPECT_EQ(input.master.count, 1);
  EXPECT_EQ(input.master.machine_type, "complex_model_m");
  EXPECT_EQ(input.worker.count, 9);
  EXPECT_EQ(input.worker.machine_type, "complex_model_m");
  EXPECT_EQ(input.parameter_server.count, 3);
  EXPECT_EQ(input.parameter_server.machine_type, "large_model");
  EXPECT_EQ(input.evaluator.count, 0);
  ASSERT_TRUE(input.hyperparameters);
  const HyperparameterSpec& tuning = *input.hyperparameters;
  EXPECT_EQ(tuning.goal, Goal::kMaximize);
  EXPECT_EQ(tuning.metric_tag, "metric1");
  EXPECT_EQ(tuning.max_trials, 30);
  EXPECT_EQ(tuning.max_parallel_trials, 1);
  EXPECT_TRUE(tuning.enable_trial_early_stopping);
  EXPECT_EQ(tuning.algorithm, Algorithm::kDefault);
  ParameterSpec hidden;
  hidden.name = "hidden1";
  hidden.type = ParameterType::kInteger;
  hidden.min_value = 40;
  hidden.max_value = 400;
  hidden.scale = ScaleType::kLinear;
  ParameterSpec cell;
  cell.name = "rnnCellType";
  cell.type = ParameterType::kCategorical;
  cell.categorical_values = {"BasicLSTMCell", "GRUCell"};
  EXPECT_THAT(tuning.params, ElementsAre(hidden, cell));
  EXPECT_TRUE(job.ignored_fields.empty());
}

TEST(JobFilesTest, HptuningConfig) {
  const ParsedJob job = ParseFile("hptuning_config.yaml", false);
  const TrainingInput& input = job.spec.training_input;
  EXPECT_EQ(input.scale_tier, ScaleTier::kCustom);
  EXPECT_EQ(input.worker.count, 1);
  const HyperparameterSpec& tuning = input.hyperparameters.value();
  EXPECT_EQ(tuning.metric_tag, "accuracy");
  EXPECT_EQ(tuning.max_trials, 32);
  EXPECT_EQ(tuning.max_parallel_trials, 2);
  EXPECT_EQ(tuning.max_failed_trials, 0);
  ASSERT_EQ(tuning.params.size(), 1u);
  EXPECT_EQ(tuning.params[0].name, "lr");
  EXPECT_EQ(tuning.params[0].min_value, 1e-4);
  EXPECT_EQ(tuning.params[0].max_value, 1);
  EXPECT_EQ(tuning.params[0].scale, ScaleType::kLog);
}

TEST(JobFilesTest, ResumeNeedsNoParams) {
  const ParsedJob job = ParseFile("resume_only.yaml", false);
  const HyperparameterSpec& tuning =
      job.spec.training_input.hyperparameters.value();
  EXPECT_EQ(tuning.resume_previous_job_id, "first_tuning_job");
  EXPECT_THAT(tuning.params, IsEmpty());
  EXPECT_TRUE(tuning.enable_trial_early_stopping);
}

TEST(JobFilesTest, ScaleTierOnly) {
  const ParsedJob job = ParseFile("scale_tier_only.yaml", false);
  const TrainingInput& input = job.spec.training_input;
  EXPECT_EQ(input.worker.count, 4);
  EXPECT_EQ(input.parameter_server.count, 3);
  EXPECT_FALSE(input.hyperparameters);
  EXPECT_EQ(job.json, R"({"trainingInput":{"scaleTier":"STANDARD_1"}})");
}

TEST(JobFilesTest, TrailingCommasAndQuotedNumbers) {
  const ParsedJob job =
      ParseFile("trailing_commas_and_quoted_numbers.json", false);
  const TrainingInput& input = job.spec.training_input;
  EXPECT_EQ(input.scale_tier, ScaleTier::kBasicGpu);
  EXPECT_EQ(GpusPerReplica(job.spec, input.master), 1);
  const HyperparameterSpec& tuning = input.hyperparameters.value();
  EXPECT_EQ(tuning.goal, Goal::kMinimize);
  EXPECT_EQ(tuning.max_trials, 500);
  EXPECT_EQ(tuning.max_parallel_trials, 5);
  ASSERT_EQ(tuning.params.size(), 2u);
  EXPECT_EQ(tuning.params[0].min_value, 0.001);
  EXPECT_EQ(tuning.params[0].max_value, 10);
  EXPECT_EQ(tuning.params[1].scale, ScaleType::kReverseLog);
  EXPECT_THAT(tuning.params[1].discrete_values, IsEmpty());
}

TEST(JobFilesTest, OddButValid) {
  const ParsedJob job = ParseFile("odd_but_valid.yaml", false);
  const TrainingInput& input = job.spec.training_input;
  EXPECT_EQ(input.runtime_version, "1.10");
  EXPECT_EQ(input.python_version, "3.5");
  const HyperparameterSpec& tuning = input.hyperparameters.value();
  ASSERT_EQ(tuning.params.size(), 3u);
  EXPECT_THAT(tuning.params[0].discrete_values, ElementsAre(16, 32, 1024));
  EXPECT_EQ(tuning.params[0].scale, ScaleType::kLinear);
  EXPECT_THAT(tuning.params[1].categorical_values,
              ElementsAre("256 128 16", "64"));
  EXPECT_EQ(tuning.params[2].name, "n.trees");
  EXPECT_EQ(tuning.params[2].scale, ScaleType::kNone);
}

TEST(JobFilesTest, ADescribedJobCanBeSubmittedAgain) {
  const ParsedJob job = ParseFile("described_job.json", true);
  EXPECT_EQ(job.spec.job_id, "hpt_1");
  EXPECT_EQ(job.spec.training_input.python_module, "trainer.task");
  EXPECT_THAT(
      job.spec.training_input.hyperparameters->params[0].discrete_values,
      ElementsAre(0.001, 0.01, 0.1));
  EXPECT_THAT(job.ignored_fields,
              ElementsAre("createTime", "startTime", "endTime", "state", "etag",
                          "trainingOutput", "jobPosition",
                          "trainingInput.enableWebAccess"));
  EXPECT_EQ(job.json.find("SUCCEEDED"), std::string::npos);
}

TEST(JobFilesTest, EveryFieldIsRead) {
  const ParsedJob job = ParseFile("every_field.yaml", true);
  EXPECT_THAT(job.spec.labels,
              ElementsAre(Pair("phase", ""), Pair("team", "ml")));
  const TrainingInput& input = job.spec.training_input;
  EXPECT_EQ(input.worker.count, 2);
  EXPECT_EQ(input.parameter_server.count, 1);
  EXPECT_EQ(input.evaluator.count, 1);
  EXPECT_EQ(input.evaluator.machine_type, "n1-standard-4");
  EXPECT_EQ(input.master.config.accelerator_count, 2);
  EXPECT_EQ(input.master.config.accelerator_type, "NVIDIA_TESLA_V100");
  EXPECT_EQ(input.worker.config.accelerator_count, 2) << "the alias";
  EXPECT_EQ(input.parameter_server.config.accelerator_count, 0) << "the merge";
  EXPECT_THAT(input.parameter_server.config.container_command,
              ElementsAre("python3", "train.py"));
  EXPECT_EQ(input.evaluator.config.image_uri, "gcr.io/project/other");
  EXPECT_THAT(input.package_uris,
              ElementsAre("gs://bucket/a.tar.gz", "gs://bucket/b.tar.gz"));
  EXPECT_THAT(input.args, ElementsAre("--steps", "10", "--name=a b"));
  EXPECT_EQ(input.region, "us-central1");
  EXPECT_EQ(input.job_dir, "/data/out");
  EXPECT_EQ(input.python_version, "3.7");
  EXPECT_TRUE(input.use_chief_in_tf_config);
  EXPECT_EQ(input.max_running_time, std::chrono::seconds(7200));
  EXPECT_EQ(input.max_wait_time, std::chrono::seconds(1801)) << "rounded up";
  EXPECT_EQ(input.priority, 7);
  const HyperparameterSpec& tuning = input.hyperparameters.value();
  EXPECT_EQ(tuning.max_failed_trials, 5);
  EXPECT_EQ(tuning.metric_tag, "Taxi Model Accuracy");
  EXPECT_EQ(tuning.resume_previous_job_id, "earlier");
  EXPECT_EQ(tuning.algorithm, Algorithm::kRandomSearch);
  EXPECT_EQ(tuning.params.size(), 4u);
  EXPECT_THAT(tuning.params[2].categorical_values,
              ElementsAre("adam", "null", "1"));
  EXPECT_EQ(tuning.params[3].scale, ScaleType::kReverseLog);
  EXPECT_THAT(
      job.ignored_fields,
      ElementsAre("trainingInput.masterConfig.tpuTfVersion",
                  "trainingInput.masterConfig.diskConfig",
                  "trainingInput.workerConfig.tpuTfVersion",
                  "trainingInput.workerConfig.diskConfig",
                  "trainingInput.parameterServerConfig.tpuTfVersion",
                  "trainingInput.parameterServerConfig.diskConfig",
                  "trainingInput.encryptionConfig", "trainingInput.network",
                  "trainingInput.serviceAccount",
                  "trainingInput.enableWebAccess"));
}

TEST(JobFilesTest, EveryFieldOfTheVernierSectionIsRead) {
  const VernierSection vernier =
      ParseFile("every_field.yaml", true).spec.vernier;
  EXPECT_EQ(vernier.seed, INT64_MAX);
  EXPECT_EQ(vernier.algorithm, Algorithm::kQuasiRandomSearch);
  EXPECT_THAT(vernier.command, ElementsAre("python3", "-u", "train.py"));
  EXPECT_EQ(vernier.code_dir, "src");
  EXPECT_THAT(vernier.environment,
              ElementsAre(Pair("EMPTY", ""), Pair("OMP_NUM_THREADS", "1")));
  EXPECT_EQ(vernier.gpus_per_replica, 1);
  EXPECT_THAT(
      vernier.metric_sources,
      ElementsAre(MetricSourceKind::kReport, MetricSourceKind::kMetricFile,
                  MetricSourceKind::kHypertuneFile,
                  MetricSourceKind::kTensorBoard, MetricSourceKind::kWandb,
                  MetricSourceKind::kTrackio, MetricSourceKind::kCsvFile,
                  MetricSourceKind::kStdout));
  EXPECT_THAT(vernier.metric_patterns,
              ElementsAre(MetricPatternSpec{"loss is (?P<value>\\S+)", "loss"},
                          MetricPatternSpec{"(?P<name>\\w+) after "
                                            "(?P<step>\\d+): (?P<value>\\S+)",
                                            ""}));
  EXPECT_EQ(vernier.retry.max_infrastructure_retries, 1);
  EXPECT_EQ(vernier.retry.max_transient_retries, 2);
  EXPECT_EQ(vernier.retry.max_user_error_retries, 4);
  EXPECT_EQ(vernier.objective_reduction, ObjectiveReduction::kBest);
  EXPECT_EQ(vernier.not_finite_end, NotFiniteEnd::kIgnore);
  EXPECT_EQ(vernier.arg_style, ArgStyle::kEquals);
  EXPECT_EQ(vernier.job_dir_form, JobDirForm::kUri);
  EXPECT_EQ(vernier.kill_grace, std::chrono::seconds(30));
  EXPECT_EQ(vernier.trial_time_limit, std::chrono::seconds(3600));
  EXPECT_EQ(vernier.max_instant_failures, 5);
  EXPECT_EQ(vernier.max_consecutive_failures, 7);
  EXPECT_THAT(
      vernier.initial_points,
      ElementsAre(
          Parameters{
              {"a", 1e-5}, {"b", std::int64_t{3}}, {"c", "adam"}, {"d", 0.5}},
          Parameters{
              {"a", 0.1}, {"b", std::int64_t{-3}}, {"c", "1"}, {"d", 2.0}}));
}

}  // namespace
}  // namespace vernier
