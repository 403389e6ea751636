#include "cluster/slurm/job_submission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cluster/slurm/gang_plan.h"
#include "cluster/slurm/slurm_settings.h"
#include "cluster/slurm/submission_answer.h"
#include "study/job_file/job_parser.h"

namespace vernier {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using AnswerKind = SubmissionAnswer::Kind;

JobSpec MakeSpec(const std::string& training_input) {
  const auto job =
      ParseJob("{\"jobId\":\"j\",\"trainingInput\":{\"region\":\"local\"," +
                   training_input + "},\"vernier\":{\"command\":[\"true\"]}}",
               {});
  EXPECT_TRUE(job.ok()) << job.status();
  return job.ok() ? job->spec : JobSpec{};
}

constexpr char kGang[] =
    "\"scaleTier\":\"CUSTOM\",\"masterType\":\"standard\",\"workerType\":"
    "\"standard\",\"workerCount\":\"2\",\"parameterServerType\":\"standard\","
    "\"parameterServerCount\":\"1\"";

TEST(GangShapeTest, GivesReplicasOfOneShapeOneAllocation) {
  const auto components = ShapeGang(MakeSpec(kGang), {}, {});
  ASSERT_TRUE(components.ok());
  ASSERT_EQ(components->size(), 1u);
  EXPECT_EQ(components->front().replicas(), 4);
  EXPECT_THAT(components->front().steps,
              ElementsAre(RoleStep{ReplicaRole::kMaster, 1},
                          RoleStep{ReplicaRole::kWorker, 2},
                          RoleStep{ReplicaRole::kParameterServer, 1}));
}

TEST(GangShapeTest, GivesOtherGpusAComponentOfTheirOwn) {
  const JobSpec spec = MakeSpec(
      "\"scaleTier\":\"CUSTOM\",\"masterType\":\"n1-standard-4\","
      "\"workerType\":\"n1-standard-4\",\"workerCount\":\"2\","
      "\"parameterServerType\":\"n1-standard-4\",\"parameterServerCount\":"
      "\"1\",\"masterConfig\":{\"acceleratorConfig\":{\"count\":\"1\","
      "\"type\":\"NVIDIA_TESLA_V100\"}},\"workerConfig\":{"
      "\"acceleratorConfig\":{\"count\":\"1\",\"type\":"
      "\"NVIDIA_TESLA_V100\"}}");
  const auto components = ShapeGang(spec, {}, {});
  ASSERT_TRUE(components.ok()) << components.status();
  ASSERT_EQ(components->size(), 2u);
  EXPECT_EQ((*components)[0].replicas(), 3);
  EXPECT_EQ((*components)[0].shape, (ReplicaShape{1, 0, 1, "v100"}));
  EXPECT_EQ((*components)[1].shape, ReplicaShape{});
  const auto named = ShapeGang(spec, {}, {{"NVIDIA_TESLA_V100", "tesla_v100"}});
  EXPECT_EQ(named->front().shape.gpu_type, "tesla_v100");
  SlurmOptions options;
  options.gpu_type = "v100-32gb";
  EXPECT_EQ(ShapeGang(spec, options, {})->front().shape.gpu_type, "v100-32gb");
}

TEST(GangShapeTest, RefusesImages) {
  const auto components = ShapeGang(
      MakeSpec("\"masterConfig\":{\"imageUri\":\"some/image\"}"), {}, {});
  EXPECT_TRUE(absl::IsInvalidArgument(components.status()));
  EXPECT_THAT(std::string(components.status().message()),
              HasSubstr("cannot have an image: some/image"));
}

TEST(GangShapeTest, NamesGpusAsSitesDo) {
  EXPECT_EQ(DefaultGpuType("NVIDIA_TESLA_T4"), "t4");
  EXPECT_EQ(DefaultGpuType("NVIDIA_A100_80GB"), "a100_80gb");
  EXPECT_EQ(DefaultGpuType(""), "");
}

JobSubmission MakeSubmission() {
  JobSubmission submission;
  submission.name = "vernier-0badf00d-1";
  submission.attempt = {StudyId{3}, TrialId{7}, 2};
  submission.run_dir = "/shared/run";
  submission.components = {{{2, 0, 0, ""}, {{ReplicaRole::kMaster, 1}}}};
  return submission;
}

TEST(JobSubmissionTest, IdentifiesTheJobAndNeverRunsItTwice) {
  const auto words = CallFor(MakeSubmission()).words;
  EXPECT_THAT(
      words,
      ElementsAre("--parsable", "--no-requeue", "--open-mode=append",
                  "--export=ALL", "--comment=vernier 3/7/2",
                  "--chdir=/shared/run", "--output=/shared/run/slurm/job.log",
                  "--job-name=vernier-0badf00d-1", "--dependency=singleton",
                  "--ntasks=1", "--cpus-per-task=2",
                  "/shared/run/slurm/job.sh"));
}

TEST(JobSubmissionTest, PassesOnWhatTheSiteWants) {
  JobSubmission submission = MakeSubmission();
  submission.options.partition = "gpu";
  submission.options.account = "lab";
  submission.options.qos = "high";
  submission.options.constraint = "a100&ib";
  submission.options.nice = 10;
  submission.options.extra_args = {"--mail-type=END"};
  submission.trial_time_limit = std::chrono::seconds(61);
  submission.components.front().shape.memory_mb = 3001;
  submission.components.push_back(
      {{1, 0, 2, "v100"}, {{ReplicaRole::kWorker, 3}}});
  const auto words = CallFor(submission).words;
  for (const char* word :
       {"--partition=gpu", "--account=lab", "--qos=high",
        "--constraint=a100&ib", "--nice=10", "--mail-type=END", "--time=4"}) {
    EXPECT_EQ(std::count(words.begin(), words.end(), word), 2) << word;
  }
  for (const char* word : {":", "--job-name=vernier-0badf00d-1.1", "--ntasks=3",
                           "--gpus-per-task=v100:2", "--mem-per-cpu=1501M"}) {
    EXPECT_EQ(std::count(words.begin(), words.end(), word), 1) << word;
  }
}

TEST(JobSubmissionTest, StepsNameNoTypeOfGpu) {
  const GangPlan plan =
      PlanGang("/bin/vernier", "nodeaddr",
               {{{1, 0, 2, "v100"}, {{ReplicaRole::kWorker, 3}}}});
  EXPECT_THAT(plan.steps.front().words, testing::Contains("--gpus-per-task=2"));
}

TEST(JobSubmissionTest, AvoidsNodesBesideThoseOfTheUser) {
  JobSubmission submission = MakeSubmission();
  submission.avoided_nodes = {"n1", "n2"};
  EXPECT_THAT(CallFor(submission).words, testing::Contains("--exclude=n1,n2"));
  submission.options.extra_args = {"--exclude=n[7-9]"};
  const auto words = CallFor(submission).words;
  // sbatch takes the last of two.
  EXPECT_EQ(words[words.size() - 2], "--exclude=n1,n2,n[7-9]");
}

TEST(JobSubmissionTest, QuotesPathsInTheScript) {
  EXPECT_EQ(JobScript("/opt/my vernier", "/run/it's"),
            "#!/bin/sh\nexec '/opt/my vernier' slurm-gang '/run/it'\\''s'\n");
}

TEST(GangPlanTest, MakesAStepOfEachRole) {
  const auto components = ShapeGang(MakeSpec(kGang), {}, {});
  const GangPlan plan = PlanGang("/bin/vernier", "nodeaddr", *components);
  ASSERT_EQ(plan.steps.size(), 3u);
  EXPECT_EQ(plan.steps[1].count, 2);
  EXPECT_THAT(plan.steps[1].words, Contains("--ntasks=2"));
  EXPECT_THAT(plan.steps[1].words, Contains("--nodes=1-2"));
  EXPECT_THAT(plan.steps[1].words, Contains("--mem=0"));
  EXPECT_THAT(plan.steps[1].words, Not(Contains(StartsWith("--het-group"))));
}

CommandEnd EndedJob(int exit_code, const std::string& output) {
  CommandEnd end;
  end.exit_code = exit_code;
  end.output = output;
  return end;
}

TEST(SubmissionAnswerTest, TakesTheLastNumber) {
  const auto answer = JudgeSubmission(
      EndedJob(0, "Welcome to our site!\n12 nodes are idle\n4711;cluster\n"));
  EXPECT_EQ(answer.kind, AnswerKind::kAccepted);
  EXPECT_EQ(answer.number, 4711);
}

TEST(SubmissionAnswerTest, TellsErrorsApart) {
  const struct {
    int exit_code;
    const char* output;
    AnswerKind kind;
  } kCases[] = {
      {1,
       "sbatch: error: Batch job submission failed: Invalid account or "
       "account/partition combination specified\n",
       AnswerKind::kRefused},
      {1, "sbatch: error: invalid partition specified: nope\n",
       AnswerKind::kRefused},
      {1, "sbatch: unrecognized option '--nope'\n", AnswerKind::kRefused},
      {1,
       "sbatch: error: Batch job submission failed: Invalid node name "
       "specified\n",
       AnswerKind::kRefused},
      {1,
       "sbatch: error: AssocMaxSubmitJobLimit\nsbatch: error: Batch job "
       "submission failed: Job violates accounting/QOS policy (job submit "
       "limit, user's size and/or time limits)\n",
       AnswerKind::kThrottled},
      {1,
       "sbatch: error: Batch job submission failed: Unable to contact "
       "slurm controller (connect failure)\n",
       AnswerKind::kThrottled},
      {1,
       "sbatch: error: Batch job submission failed: Socket timed out on "
       "send/recv operation\n",
       AnswerKind::kAmbiguous},
      {1, "", AnswerKind::kAmbiguous},
      {0, "no number\n", AnswerKind::kAmbiguous},
  };
  for (const auto& test : kCases) {
    const auto answer = JudgeSubmission(EndedJob(test.exit_code, test.output));
    EXPECT_EQ(answer.kind, test.kind) << test.output;
    EXPECT_NE(answer.words, "");
  }
  CommandEnd killed;
  killed.is_timed_out = true;
  EXPECT_EQ(JudgeSubmission(killed).kind, AnswerKind::kAmbiguous);
}

TEST(SlurmSettingsTest, JobsGoBeforeTheService) {
  SlurmOptions defaults;
  defaults.partition = "main";
  defaults.account = "lab";
  defaults.extra_args = {"--a=1"};
  SlurmOptions job;
  job.partition = "gpu";
  job.extra_args = {"--b=2"};
  const SlurmOptions both = WithDefaults(job, defaults);
  EXPECT_EQ(both.partition, "gpu");
  EXPECT_EQ(both.account, "lab");
  EXPECT_THAT(both.extra_args, ElementsAre("--a=1", "--b=2"));
}

TEST(SlurmSettingsTest, DefaultsAreValid) {
  SlurmSettings settings;
  settings.program = "/bin/vernier";
  EXPECT_TRUE(Validate(settings).ok());
  settings.address = "interface:";
  EXPECT_FALSE(Validate(settings).ok());
  settings.address = "interface:ib0";
  EXPECT_TRUE(Validate(settings).ok());
  settings.max_pending = 0;
  EXPECT_FALSE(Validate(settings).ok());
}

}  // namespace
}  // namespace vernier
