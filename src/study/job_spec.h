#ifndef VERNIER_STUDY_JOB_SPEC_H_
#define VERNIER_STUDY_JOB_SPEC_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/belief.h"
#include "study/early_stopping.h"
#include "study/ends/end_rule.h"
#include "study/engines/kubernetes_options.h"
#include "study/engines/launcher_name.h"
#include "study/engines/slurm_options.h"
#include "study/metrics/former_names.h"
#include "study/metrics/metric_goal.h"
#include "study/metrics/metric_road.h"
#include "study/parameter.h"
#include "study/parameter_constraint.h"
#include "study/prior_study_settings.h"
#include "study/repeats.h"

namespace vernier {

enum class Algorithm {
  kDefault = 1,  ///< Gaussian-process Bayesian optimisation.
  kGridSearch = 2,
  kRandomSearch = 3,
  kQuasiRandomSearch = 4,   ///< Ours: Owen-scrambled Sobol.
  kShuffledGridSearch = 5,  ///< Ours: a grid in an order that the seed decides.
};

/// AI Platform's HyperparameterSpec (docs/job-file.md).
struct HyperparameterSpec {
  Goal goal = Goal::kMaximize;
  std::vector<ParameterSpec> params;  ///< >= 1 unless a job is resumed.
  int max_trials = 1;                 ///< >= 1.
  int max_parallel_trials = 1;        ///< 1 .. max_trials.
  /// 0 .. max_trials; 0: vernier.max_consecutive_failures decides.
  int max_failed_trials = 0;
  std::string metric_tag = "training/hptuning/metric";
  std::string resume_previous_job_id;  ///< Empty: none.
  bool enable_trial_early_stopping = false;
  Algorithm algorithm = Algorithm::kDefault;
};

enum class ScaleTier {
  kBasic = 1,
  kStandard1 = 2,
  kPremium1 = 3,
  kBasicGpu = 4,
  kBasicTpu = 5,
  kCustom = 6,
};

/// The program and machine of one role's replicas (AI Platform's
/// ReplicaConfig).
struct ReplicaConfig {
  std::string image_uri;
  std::vector<std::string> container_command;
  std::vector<std::string> container_args;
  std::string accelerator_type;  ///< E.g. "NVIDIA_TESLA_V100"; empty: none.
  int accelerator_count = 0;     ///< Per replica.
};

/// One role of a gang after the scale tier was applied.
struct RoleSpec {
  int count = 0;
  std::string machine_type;
  ReplicaConfig config;
};

/// AI Platform's TrainingInput (docs/job-file.md), with the scale tier
/// resolved into replica counts.
struct TrainingInput {
  ScaleTier scale_tier = ScaleTier::kBasic;
  RoleSpec master;  ///< count is 1.
  RoleSpec worker;
  RoleSpec parameter_server;
  RoleSpec evaluator;
  std::vector<std::string> package_uris;
  std::string python_module;
  std::vector<std::string> args;
  std::optional<HyperparameterSpec> hyperparameters;  ///< Set: a tuning job.
  std::string region;
  std::string job_dir;          ///< Empty: none.
  std::string runtime_version;  ///< Text: "1.10" stays "1.10".
  std::string python_version;
  bool use_chief_in_tf_config = false;
  std::chrono::seconds max_running_time{604800};      ///< Of the job; > 0.
  std::optional<std::chrono::seconds> max_wait_time;  ///< >= 1800 s if set.
  int priority = 0;                                   ///< 0 .. 1000.
};

/// The choice of a trial's final measurement among its measurements.
enum class ObjectiveReduction { kLast = 1, kBest = 2 };

/// The result of a training whose last value is not finite.
enum class NotFiniteEnd {
  kInfeasible = 1,  ///< Its parameters cannot be evaluated.
  kIgnore = 2,      ///< Its value is that of its finite measurements.
};

enum class ArgStyle {
  kSpace = 1,   ///< `--name value`, two tokens (AI Platform).
  kEquals = 2,  ///< `--name=value`, one token (Vertex).
  /// As kSpace, but a parameter that IsSwitch is `--name` if it is true, and
  /// left out if it is false (argparse's store_true).
  kFlags = 3,
  /// The words {NAME} of the command and its arguments are the parameter's
  /// value; a parameter without such a place is as with kSpace.
  kPlaceholders = 4,
  /// No parameter is an argument: the program takes them from its environment
  /// (VERNIER_PARAMETERS, or W&B's WANDB_SWEEP_PARAM_PATH).
  kNone = 5,
};

/// The form in which a program gets a jobDir that is a bucket's folder.
enum class JobDirForm {
  kLocalPath = 1,  ///< The folder's path on this machine.
  kUri = 2,        ///< gs://BUCKET/..., as the job has it.
};

/// The form in which a program gets those of its own arguments that are
/// gs://BUCKET/...
enum class GsArgs {
  kPath = 1,  ///< The path on this machine, if the bucket is here.
  kUri = 2,   ///< As they are.
};

/// The number of times that a trial is launched again, by cause of the failure.
struct RetryPolicy {
  int max_infrastructure_retries = 3;  ///< The machine's faults; 0 .. 100.
  int max_transient_retries = 3;       ///< E.g. SIGABRT, SIGSEGV; 0 .. 100.
  int max_user_error_retries = 0;      ///< Other failures; 0 .. 100.
};

/// A regular expression for the chief's output; see MetricPattern.
struct MetricPatternSpec {
  std::string pattern;
  std::string metric;  ///< Empty: the group `name` says it.

  friend bool operator==(const MetricPatternSpec&,
                         const MetricPatternSpec&) = default;
};

/// SHA-256 of packages, 64 lower-case hex digits, by their packageUri.
using PackageHashes = std::map<std::string, std::string>;

/// Our own additions: the `vernier` section beside `trainingInput`.
struct VernierSection {
  std::optional<std::int64_t> seed;    ///< >= 0; unset: drawn at submission.
  std::optional<Algorithm> algorithm;  ///< Overrides hyperparameters.algorithm.
  /// Program and leading arguments; argv[0] is looked up in PATH. Overrides
  /// masterConfig.containerCommand and pythonModule. Empty: not given.
  std::vector<std::string> command;
  /// Folder copied at submission; the trials run in the copy. Relative to the
  /// job file. Empty: not given.
  std::string code_dir;
  std::map<std::string, std::string> environment;
  /// The variables that programs may inherit (docs/training-program.md), as
  /// they were in the submitter's own environment. If not empty, they replace
  /// those of the service.
  std::map<std::string, std::string> caller_environment;
  /// Set by the service: the file that holds the job's secret variables, and
  /// their names, sorted. Empty: it has none.
  std::string secrets_file;
  std::vector<std::string> secret_names;
  /// A stored job lists all its packages here, and only those bytes are ever
  /// installed for it.
  PackageHashes package_sha256;
  std::optional<int> gpus_per_replica;  ///< 0 .. 64; unset: from accelerators.
  /// The memory that a replica needs of its one GPU, which it then shares with
  /// others: >= 1. Unset: its GPUs are its own. Clusters do not share GPUs.
  std::optional<std::int64_t> gpu_memory_mb;
  /// The place where the replicas run. Unset: on this machine; a service with
  /// another default sets it when the job is submitted.
  std::optional<LauncherName> launcher;
  SlurmOptions slurm;            ///< For the launcher kSlurm.
  KubernetesOptions kubernetes;  ///< For the launcher kKubernetes.
  /// The sources from which metrics are read. Empty: all.
  std::vector<MetricSourceKind> metric_sources;
  /// The patterns for metrics in the chief's output. Empty: `name=value` and
  /// `name: value` for the study's metrics.
  std::vector<MetricPatternSpec> metric_patterns;
  RetryPolicy retry;
  /// Consequences of ends, before BuiltInEndRules; the first that applies
  /// counts.
  std::vector<EndRule> end_rules;
  /// Trials of the job may be ended to make room for a job with a higher
  /// priority; they start again later.
  bool is_preemptible = false;
  ObjectiveReduction objective_reduction = ObjectiveReduction::kLast;
  NotFiniteEnd not_finite_end = NotFiniteEnd::kInfeasible;
  ArgStyle arg_style = ArgStyle::kSpace;
  JobDirForm job_dir_form = JobDirForm::kLocalPath;
  std::optional<GsArgs> gs_args;  ///< Unset: as job_dir_form.
  std::chrono::seconds kill_grace{
      10};  ///< Between SIGTERM and SIGKILL; 0..3600.
  std::optional<std::chrono::seconds>
      trial_time_limit;  ///< Of an attempt; > 0.
  /// The number of first trials that fail at once or report no value of the
  /// metric, after which the job is paused; 1 .. 1000. See JobPause.
  int max_instant_failures = 3;
  /// The number of failures in a row after which the job fails, and then also
  /// by a majority of failures; 0: neither; unset: AI Platform's rule. See
  /// JobFailure.
  std::optional<int> max_consecutive_failures;
  /// Overrides hyperparameters.enableTrialEarlyStopping.
  std::optional<StoppingRule> early_stopping;
  EarlyStoppingOptions early_stopping_options;
  /// The program continues from its checkpoint when it is started again, so
  /// that a trial may be paused and resumed.
  bool can_resume = false;
  StudyLimits limits;
  /// The search maximizes the expected gain divided by the time that a trial
  /// takes.
  bool is_per_cost = false;
  Repeats repeats;                   ///< As StudySpec::repeats.
  PriorStudySettings prior_studies;  ///< As StudySpec::prior_studies.
  std::vector<Belief> beliefs;       ///< As StudySpec::beliefs.
  /// Constraints on the values of a trial together; empty without tuning.
  std::vector<ParameterConstraint> parameter_constraints;
  /// All objectives of the search; the first has the hyperparameters' goal and
  /// metric_tag. Empty: those alone.
  std::vector<MetricGoal> objectives;
  std::vector<OutcomeConstraint> metric_constraints;
  FormerNames renamed_from;  ///< As StudySpec::renamed_from.
  /// The first trials, in this order: complete, and in the order of the space.
  /// At most max_trials; empty without tuning.
  std::vector<Parameters> initial_points;
};

/// A validated job: what a user submits.
struct JobSpec {
  /// ^[A-Za-z][A-Za-z0-9_]{0,127}$: its name in its project.
  std::string job_id;
  std::map<std::string, std::string> labels;
  TrainingInput training_input;
  VernierSection vernier;
};

/// Returns the algorithm in force: the vernier section's, else the
/// hyperparameters'.
Algorithm EffectiveAlgorithm(const JobSpec& spec);

/// Returns the tuned parameters; empty without tuning.
const std::vector<ParameterSpec>& SearchSpaceOf(const JobSpec& spec);

/// Returns the largest number of trials: hyperparameters.maxTrials, or 1
/// without tuning.
int MaxTrials(const JobSpec& spec);

/// Returns the form in which programs get their gs:// arguments:
/// vernier.gsArgs, else paths unless jobDirForm is URI.
GsArgs EffectiveGsArgs(const JobSpec& spec);

/// True if the job's replicas use the processors and GPUs of the service's own
/// machine rather than those of a cluster.
bool RunsOnThisMachine(const JobSpec& spec);

/// Returns a variable of the job's own environment: vernier.environment's, else
/// the submitter's; "" if neither has it. Secrets are not considered.
std::string JobVariable(const JobSpec& spec, const std::string& name);

/// Returns "{NAME}", the place of a parameter in a command for
/// ArgStyle::kPlaceholders.
std::string PlaceOf(const std::string& parameter_name);

/// Returns the number of GPUs that each replica of `role` gets:
/// vernier.gpusPerReplica, else the role's NVIDIA accelerator count, else the
/// count implied by its legacy machine type (docs/job-file.md, scale tiers),
/// else 0.
int GpusPerReplica(const JobSpec& spec, const RoleSpec& role);

}  // namespace vernier

#endif  // VERNIER_STUDY_JOB_SPEC_H_
