// The messages of JobService, StudyService and ProjectService in proto3's JSON form, in which
// the service leaves out what is 0 or empty. scripts/page writes this file from proto/vernier/v1,
// which says what each field means.

/** A whole number of 64 bits; the service takes a number for it, too. */
export type Int64 = string;
/** NaN and infinity are texts. */
export type Double = number | string;

export interface Trial {
  jobId?: string;
  trialId?: Int64;
  state?: Trial.State;
  parameters?: Trial.Parameter[];
  finalMeasurement?: Trial.FinalMeasurement;
  lastMeasurement?: Trial.FinalMeasurement;
  createTime?: string;
  startTime?: string;
  endTime?: string;
  endCause?: string;
  message?: string;
  waitingFor?: string;
  attempts?: Attempt[];
  jobDir?: string;
  suggester?: string;
  metrics?: string[];
  finalMetrics?: Record<string, Double>;
  breaksConstraint?: boolean;
  metricProblems?: string[];
  suggestion?: Trial.Suggestion;
  attributes?: Record<string, string>;
  note?: string;
  paused?: boolean;
  point?: PointMean;
  brokenConstraints?: string[];
  filesDir?: string;
}
export namespace Trial {
  export interface Parameter {
    name?: string;
    value?: string;
    isText?: boolean;
    isBoolean?: boolean;
  }
  export interface FinalMeasurement {
    step?: Int64;
    value?: Double;
  }
  export interface Suggestion {
    method?: string;
    completedCount?: Int64;
    pendingCount?: Int64;
    fittedCount?: Int64;
    prediction?: Prediction;
    acquisition?: Double;
    fallback?: string;
    instructionSet?: string;
    seenEventSequence?: Int64;
    milliseconds?: Double;
    text?: string;
    repeatOf?: Int64;
    repeat?: number;
    successProbability?: Double;
    learnedFrom?: string[];
    followsBeliefs?: boolean;
    source?: string;
  }
  export type State = 'REQUESTED' | 'ACTIVE' | 'STOPPING' | 'COMPLETED' | 'STOPPED' | 'INFEASIBLE' | 'FAILED';
}

export interface Prediction {
  mean?: Double;
  low?: Double;
  high?: Double;
}

export interface PointMean {
  trialId?: Int64;
  count?: number;
  mean?: Double;
  low?: Double;
  high?: Double;
}

export interface Attempt {
  number?: number;
  state?: Attempt.State;
  intendTime?: string;
  startTime?: string;
  endTime?: string;
  exitCode?: number;
  signal?: number;
  endCause?: string;
  message?: string;
  devices?: string[];
  waitingFor?: string;
  runDir?: string;
  codeVersion?: number;
}
export namespace Attempt {
  export type State = 'INTENDED' | 'LAUNCHING' | 'RUNNING' | 'EXITED' | 'KILLED' | 'LOST';
}

export interface Measurement {
  metric?: string;
  step?: Int64;
  reportTime?: string;
  value?: Double;
  source?: string;
}

export interface Insights {
  observationCount?: Int64;
  hasModel?: boolean;
  reason?: string;
  importance?: Insights.Importance[];
  interactions?: Insights.Interaction[];
  slices?: Insights.Slice[];
  contours?: Insights.Contour[];
  calibration?: Insights.Calibration;
  predictedBest?: Insights.PredictedBest;
  expectedGain?: Double;
  improvementProbability?: Double;
  advice?: Insights.Advice[];
  metric?: string;
  goal?: string;
  tradeOffs?: string[];
  frontGrowth?: Insights.FrontGrowth;
  points?: PointMean[];
  failures?: Insights.Failures[];
}
export namespace Insights {
  export interface Importance {
    parameter?: string;
    share?: Double;
    low?: Double;
    high?: Double;
  }
  export interface Interaction {
    first?: string;
    second?: string;
    share?: Double;
  }
  export interface Slice {
    parameter?: string;
    x?: Double[];
    labels?: string[];
    mean?: Double[];
    low?: Double[];
    high?: Double[];
  }
  export interface Contour {
    first?: string;
    second?: string;
    x?: Double[];
    y?: Double[];
    xLabels?: string[];
    yLabels?: string[];
    mean?: Double[];
    deviation?: Double[];
  }
  export interface Calibration {
    trials?: Int64[];
    observed?: Double[];
    mean?: Double[];
    low?: Double[];
    high?: Double[];
    coverage?: Double;
    logScore?: Double;
  }
  export interface PredictedBest {
    parameters?: Trial.Parameter[];
    prediction?: Prediction;
  }
  export interface Advice {
    parameter?: string;
    kind?: string;
    text?: string;
  }
  export interface FrontGrowth {
    trials?: Int64[];
    hypervolume?: Double[];
  }
  export interface Failures {
    kind?: string;
    count?: number;
    share?: Double;
    medianTimeToDeath?: string;
    medianTimeOfSuccess?: string;
    boundary?: Insights.Failures.Boundary;
    text?: string;
  }
  export namespace Failures {
    export interface Boundary {
      parameters?: string[];
      quantity?: string;
      relation?: string;
      threshold?: Double;
      category?: string;
      insideCount?: number;
      insideFailedCount?: number;
      outsideCount?: number;
      outsideFailedCount?: number;
    }
  }
}

export interface GetInsightsRequest {
  study?: string;
  contours?: GetInsightsRequest.Pair[];
  metric?: string;
}
export namespace GetInsightsRequest {
  export interface Pair {
    first?: string;
    second?: string;
  }
}

export interface Job {
  jobId?: string;
  trainingInput?: TrainingInput;
  createTime?: string;
  startTime?: string;
  endTime?: string;
  state?: Job.State;
  errorMessage?: string;
  trainingOutput?: TrainingOutput;
  labels?: Record<string, string>;
  etag?: string;
  vernier?: VernierSection;
}
export namespace Job {
  export type State = 'QUEUED' | 'PREPARING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELLING' | 'CANCELLED';
}

export interface TrainingInput {
  scaleTier?: TrainingInput.ScaleTier;
  masterType?: string;
  workerType?: string;
  parameterServerType?: string;
  evaluatorType?: string;
  masterConfig?: ReplicaConfig;
  workerConfig?: ReplicaConfig;
  parameterServerConfig?: ReplicaConfig;
  evaluatorConfig?: ReplicaConfig;
  workerCount?: Int64;
  parameterServerCount?: Int64;
  evaluatorCount?: Int64;
  packageUris?: string[];
  pythonModule?: string;
  args?: string[];
  hyperparameters?: HyperparameterSpec;
  region?: string;
  jobDir?: string;
  runtimeVersion?: string;
  pythonVersion?: string;
  encryptionConfig?: EncryptionConfig;
  scheduling?: Scheduling;
  network?: string;
  serviceAccount?: string;
  useChiefInTfConfig?: boolean;
  enableWebAccess?: boolean;
}
export namespace TrainingInput {
  export type ScaleTier = 'BASIC' | 'STANDARD_1' | 'PREMIUM_1' | 'BASIC_GPU' | 'BASIC_TPU' | 'CUSTOM';
}

export interface ReplicaConfig {
  acceleratorConfig?: AcceleratorConfig;
  imageUri?: string;
  tpuTfVersion?: string;
  diskConfig?: DiskConfig;
  containerCommand?: string[];
  containerArgs?: string[];
}

export interface AcceleratorConfig {
  count?: Int64;
  type?: string;
}

export interface DiskConfig {
  bootDiskType?: string;
  bootDiskSizeGb?: number;
}

export interface EncryptionConfig {
  kmsKeyName?: string;
}

export interface Scheduling {
  maxRunningTime?: string;
  maxWaitTime?: string;
  priority?: number;
}

export interface HyperparameterSpec {
  goal?: HyperparameterSpec.GoalType;
  params?: ParameterSpec[];
  maxTrials?: number;
  maxParallelTrials?: number;
  maxFailedTrials?: number;
  hyperparameterMetricTag?: string;
  resumePreviousJobId?: string;
  enableTrialEarlyStopping?: boolean;
  algorithm?: HyperparameterSpec.Algorithm;
}
export namespace HyperparameterSpec {
  export type GoalType = 'MAXIMIZE' | 'MINIMIZE';
  export type Algorithm = 'GRID_SEARCH' | 'RANDOM_SEARCH';
}

export interface ParameterSpec {
  parameterName?: string;
  type?: ParameterSpec.ParameterType;
  minValue?: Double;
  maxValue?: Double;
  categoricalValues?: string[];
  booleanValues?: boolean;
  discreteValues?: Double[];
  scaleType?: ParameterSpec.ScaleType;
  defaultValue?: unknown;
  childParameterSpecs?: ParameterSpec[];
  parentIntValues?: ParameterSpec.IntegerValues;
  parentDiscreteValues?: ParameterSpec.DiscreteValues;
  parentCategoricalValues?: ParameterSpec.CategoricalValues;
}
export namespace ParameterSpec {
  export interface IntegerValues {
    values?: Int64[];
  }
  export interface DiscreteValues {
    values?: Double[];
  }
  export interface CategoricalValues {
    values?: string[];
  }
  export type ParameterType = 'DOUBLE' | 'INTEGER' | 'CATEGORICAL' | 'DISCRETE';
  export type ScaleType = 'NONE' | 'UNIT_LINEAR_SCALE' | 'UNIT_LOG_SCALE' | 'UNIT_REVERSE_LOG_SCALE';
}

export interface TrainingOutput {
  completedTrialCount?: Int64;
  trials?: HyperparameterOutput[];
  consumedMlUnits?: Double;
  isHyperparameterTuningJob?: boolean;
  hyperparameterMetricTag?: string;
}

export interface HyperparameterOutput {
  trialId?: string;
  hyperparameters?: Record<string, string>;
  finalMetric?: HyperparameterOutput.HyperparameterMetric;
  isTrialStoppedEarly?: boolean;
  startTime?: string;
  endTime?: string;
  state?: Job.State;
}
export namespace HyperparameterOutput {
  export interface HyperparameterMetric {
    trainingStep?: Int64;
    objectiveValue?: Double;
  }
}

export interface VernierSection {
  seed?: Int64;
  algorithm?: string;
  command?: string[];
  codeDir?: string;
  environment?: Record<string, string>;
  gpusPerReplica?: number;
  metricSource?: string;
  metricSources?: string[];
  metricPatterns?: VernierSection.MetricPattern[];
  retry?: VernierSection.Retry;
  endRules?: VernierSection.EndRule[];
  preemptible?: boolean;
  objectiveReduction?: string;
  notFiniteEnd?: string;
  argStyle?: string;
  killGrace?: string;
  trialTimeLimit?: string;
  maxInstantFailures?: number;
  maxConsecutiveFailures?: number;
  wanted?: string;
  waitingFor?: string;
  ignoredFields?: string[];
  maxTrials?: number;
  trialCounts?: Record<string, number>;
  runningTrials?: number;
  pausedTrials?: number;
  timeLeft?: string;
  initialPoints?: Record<string, unknown>[];
  parameterConstraints?: string[];
  earlyStopping?: VernierSection.EarlyStopping;
  canResume?: boolean;
  limits?: VernierSection.Limits;
  objective?: VernierSection.Objective;
  repeats?: unknown;
  priorStudies?: string[];
  priorRename?: Record<string, string>;
  renamedFrom?: Record<string, unknown[]>;
  beliefs?: Record<string, VernierSection.Belief>;
  objectives?: VernierSection.MetricGoal[];
  metricConstraints?: VernierSection.MetricConstraint[];
  jobDirForm?: string;
  pythonInterpreter?: string;
  callerEnvironment?: Record<string, string>;
  secretNames?: string[];
  secretsFile?: string;
  gsArgs?: string;
  queuedPoints?: Record<string, unknown>[];
  versions?: JobVersion[];
  packageSha256?: Record<string, string>;
  launcher?: string;
  slurm?: VernierSection.Slurm;
  kubernetes?: VernierSection.Kubernetes;
  gpuMemoryPerReplica?: string;
  codeNotes?: string[];
  outputDir?: string;
}
export namespace VernierSection {
  export interface Retry {
    maxInfrastructureRetries?: number;
    maxTransientRetries?: number;
    maxUserErrorRetries?: number;
  }
  export interface MetricPattern {
    metric?: string;
    pattern?: string;
  }
  export interface EndRule {
    exitCodes?: number[];
    signals?: string[];
    logPattern?: string;
    action?: string;
    reason?: string;
  }
  export interface EarlyStopping {
    rule?: string;
    minSteps?: Int64;
    maxSteps?: Int64;
    reductionFactor?: Double;
    brackets?: number;
    minWinProbability?: Double;
    stoppedTrials?: number;
    savedSteps?: Int64;
    trainedSteps?: Int64;
    text?: string;
  }
  export interface Limits {
    target?: Double;
    noProgress?: VernierSection.Limits.NoProgress;
    maxTime?: string;
    maxSteps?: Int64;
    maxGpuTime?: string;
  }
  export namespace Limits {
    export interface NoProgress {
      trials?: number;
      gain?: Double;
    }
  }
  export interface Objective {
    perCost?: boolean;
  }
  export interface Belief {
    near?: unknown;
    within?: unknown;
  }
  export interface MetricGoal {
    metric?: string;
    goal?: string;
    reference?: Double;
  }
  export interface MetricConstraint {
    metric?: string;
    min?: Double;
    max?: Double;
  }
  export interface Slurm {
    partition?: string;
    account?: string;
    qos?: string;
    reservation?: string;
    constraint?: string;
    nice?: number;
    cpusPerReplica?: number;
    memoryPerReplica?: string;
    gpuType?: string;
    timeLimit?: string;
    extraArgs?: string[];
  }
  export interface Kubernetes {
    namespace?: string;
    queue?: string;
    scheduler?: string;
    serviceAccount?: string;
    priorityClass?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    nodeSelector?: Record<string, string>;
    tolerations?: string[];
    imagePullSecrets?: string[];
    cpusPerReplica?: string;
    memoryPerReplica?: string;
    shmSize?: string;
    gpuResource?: string;
    volumes?: VernierSection.Kubernetes.Volume[];
  }
  export namespace Kubernetes {
    export interface Volume {
      claim?: string;
      mountPath?: string;
      subPath?: string;
      readOnly?: boolean;
    }
  }
}

export interface JobVersion {
  number?: number;
  createTime?: string;
  changes?: string;
}

export interface CreateJobRequest {
  job?: Job;
  requestId?: string;
  validateOnly?: boolean;
  project?: string;
  secrets?: Record<string, string>;
}

export interface GetJobRequest {
  jobId?: string;
  withoutTrials?: boolean;
}

export interface ListJobsRequest {
  filter?: string;
  pageSize?: number;
  pageToken?: string;
  project?: string;
}

export interface ListJobsResponse {
  jobs?: Job[];
  nextPageToken?: string;
}

export interface CancelJobRequest {
  jobId?: string;
}

export interface PauseJobRequest {
  jobId?: string;
  preempt?: boolean;
}

export interface ResumeJobRequest {
  jobId?: string;
}

export interface ExtendJobRequest {
  jobId?: string;
  maxTrials?: number;
}

export interface AddTrialsRequest {
  jobId?: string;
  points?: Record<string, unknown>[];
  requestId?: string;
}

export interface ReviseJobRequest {
  jobId?: string;
  job?: Job;
  codeDir?: string;
  goesOn?: boolean;
  restart?: boolean;
  validateOnly?: boolean;
  requestId?: string;
  secrets?: Record<string, string>;
  edit?: Record<string, unknown>;
}

export interface ReviseJobResponse {
  job?: Job;
  changes?: string[];
  codeVersion?: number;
  isReplaced?: boolean;
  restarted?: number;
  madeUpTrials?: number;
  hasMoreTrials?: boolean;
}

export interface DeleteJobRequest {
  jobId?: string;
  withOutputs?: boolean;
  validateOnly?: boolean;
}

export interface DeleteJobResponse {
  outputFiles?: Int64;
  outputBytes?: Int64;
  isLowerBound?: boolean;
  outputDir?: string;
  text?: string;
}

export interface UpdateJobRequest {
  jobId?: string;
  labels?: Record<string, string>;
  etag?: string;
}

export interface GetTrialRequest {
  jobId?: string;
  trialId?: Int64 | number;
}

export interface StopTrialRequest {
  jobId?: string;
  trialId?: Int64 | number;
}

export interface ListTrialsRequest {
  jobId?: string;
  filter?: string;
  sort?: string;
  limit?: number;
}

export interface ListTrialsResponse {
  trials?: Trial[];
}

export interface ListMeasurementsRequest {
  jobId?: string;
  trialId?: Int64 | number;
  metric?: string;
  limit?: number;
}

export interface ListMeasurementsResponse {
  measurements?: Measurement[];
}

export interface RecommendTrialRequest {
  jobId?: string;
  onlyIfReady?: boolean;
}

export interface RecommendTrialResponse {
  trialId?: Int64;
  prediction?: Prediction;
  notReady?: boolean;
  point?: PointMean;
}

export interface GetTrialCommandRequest {
  jobId?: string;
  trialId?: Int64 | number;
}

export interface GetTrialCommandResponse {
  line?: string;
  note?: string;
}

export interface ExplainRequest {
  jobId?: string;
  trialId?: Int64 | number;
}

export interface ExplainResponse {
  text?: string;
}

export interface GetServiceInfoRequest {
  project?: string;
}

export interface ServiceInfo {
  version?: string;
  dataDir?: string;
  processId?: Int64;
  devices?: ServiceInfo.Device[];
  openJobs?: number;
  httpUrl?: string;
  maxConcurrentReplicas?: number;
  waitingFor?: string;
  notes?: string[];
  codeCopies?: ServiceInfo.CodeCopy[];
}
export namespace ServiceInfo {
  export interface Device {
    id?: string;
    model?: string;
    memoryBytes?: Int64;
    leasedBy?: string;
    unusableBecause?: string;
    sick?: boolean;
    parent?: string;
    links?: string[];
  }
  export interface CodeCopy {
    folder?: string;
    files?: Int64;
    ofFiles?: Int64;
  }
}

export interface Quota {
  maxParallelTrials?: number;
  maxGpus?: number;
  maxStudies?: number;
  maxBucketBytes?: Int64;
  maxBucketObjects?: Int64;
}

export interface Project {
  projectId?: string;
  quota?: Quota;
  use?: Project.Use;
}
export namespace Project {
  export interface Use {
    parallelTrials?: number;
    gpus?: number;
    studies?: number;
    bucketBytes?: Int64;
    bucketObjects?: Int64;
  }
}

export interface ListProjectsRequest {
  project?: string;
}

export interface ListProjectsResponse {
  projects?: Project[];
}

export interface GetProjectRequest {
  project?: string;
}

export interface SetQuotaRequest {
  project?: string;
  quota?: Quota;
}

export interface Study {
  studyId?: Int64;
  name?: string;
  runByClients?: boolean;
  state?: Study.State;
  stateReason?: string;
  metrics?: Study.Metric[];
  algorithm?: string;
  stoppingRule?: string;
  createTime?: string;
  trialCount?: number;
  openTrialCount?: number;
  bestTrial?: Trial;
  seed?: Int64;
  note?: string;
  attributes?: Record<string, string>;
  workers?: Study.Worker[];
  runningTrialCount?: number;
  lastActivityTime?: string;
  idle?: boolean;
  front?: Study.Front;
  versions?: Study.Version[];
  parameterConstraints?: string[];
  proposedPoints?: Study.ProposedPoint[];
  metricConstraints?: VernierSection.MetricConstraint[];
}
export namespace Study {
  export interface Metric {
    name?: string;
    goal?: string;
  }
  export interface Worker {
    name?: string;
    presence?: Study.Worker.Presence;
    openTrialCount?: number;
    lastSeenTime?: string;
  }
  export namespace Worker {
    export type Presence = 'RUNS' | 'GONE' | 'NOT_KNOWN';
  }
  export interface Front {
    trials?: Int64[];
    kneeTrial?: Int64;
    hypervolume?: Double;
    reference?: Record<string, Double>;
  }
  export interface Version {
    number?: number;
    createTime?: string;
    changes?: string;
  }
  export interface ProposedPoint {
    source?: string;
    parameters?: Record<string, unknown>;
  }
  export type State = 'ACTIVE' | 'INACTIVE' | 'COMPLETED';
}

export interface ListStudiesRequest {
  parent?: string;
  project?: string;
  onlyWorkedOn?: boolean;
}

export interface ListStudiesResponse {
  studies?: Study[];
}

export interface GetStudyRequest {
  study?: string;
}

export interface DeleteStudyRequest {
  study?: string;
}

export type DeleteStudyResponse = Record<string, never>;

export interface WriteNoteRequest {
  study?: string;
  note?: string;
  trialId?: Int64 | number;
}

export interface ClientTrial {
  trialId?: Int64;
  clientId?: string;
  finalMetrics?: Record<string, Double>;
  attributes?: Record<string, string>;
}

export interface ListClientTrialsRequest {
  study?: string;
  trialIds?: (Int64 | number)[];
}

export interface ListClientTrialsResponse {
  trials?: ClientTrial[];
}

export interface SetAttributesRequest {
  study?: string;
  trialId?: Int64 | number;
  attributes?: Record<string, string>;
}

export type SetAttributesResponse = Record<string, never>;

export interface SetStudyStateRequest {
  study?: string;
  state?: Study.State;
  reason?: string;
}

export interface EditStudyRequest {
  study?: string;
  edit?: Record<string, unknown>;
  validateOnly?: boolean;
  requestId?: string;
  clientData?: string;
}

export interface ProposePointsRequest {
  study?: string;
  source?: string;
  points?: Record<string, unknown>[];
  requestId?: string;
}

export interface EditStudyResponse {
  study?: Study;
  changes?: string[];
  version?: number;
}

/** The methods of each service: what is sent, and what is answered. */
export interface Methods {
  JobService: {
    CreateJob: [CreateJobRequest, Job];
    GetJob: [GetJobRequest, Job];
    ListJobs: [ListJobsRequest, ListJobsResponse];
    CancelJob: [CancelJobRequest, Job];
    PauseJob: [PauseJobRequest, Job];
    ResumeJob: [ResumeJobRequest, Job];
    ExtendJob: [ExtendJobRequest, Job];
    AddTrials: [AddTrialsRequest, Job];
    DeleteJob: [DeleteJobRequest, DeleteJobResponse];
    ReviseJob: [ReviseJobRequest, ReviseJobResponse];
    UpdateJob: [UpdateJobRequest, Job];
    GetTrial: [GetTrialRequest, Trial];
    StopTrial: [StopTrialRequest, Trial];
    ListTrials: [ListTrialsRequest, ListTrialsResponse];
    RecommendTrial: [RecommendTrialRequest, RecommendTrialResponse];
    GetTrialCommand: [GetTrialCommandRequest, GetTrialCommandResponse];
    ListMeasurements: [ListMeasurementsRequest, ListMeasurementsResponse];
    Explain: [ExplainRequest, ExplainResponse];
    GetServiceInfo: [GetServiceInfoRequest, ServiceInfo];
  };
  StudyService: {
    ListStudies: [ListStudiesRequest, ListStudiesResponse];
    GetStudy: [GetStudyRequest, Study];
    DeleteStudy: [DeleteStudyRequest, DeleteStudyResponse];
    WriteNote: [WriteNoteRequest, Study];
    ListClientTrials: [ListClientTrialsRequest, ListClientTrialsResponse];
    SetAttributes: [SetAttributesRequest, SetAttributesResponse];
    SetStudyState: [SetStudyStateRequest, Study];
    EditStudy: [EditStudyRequest, EditStudyResponse];
    ProposePoints: [ProposePointsRequest, Study];
    GetInsights: [GetInsightsRequest, Insights];
  };
  ProjectService: {
    ListProjects: [ListProjectsRequest, ListProjectsResponse];
    GetProject: [GetProjectRequest, Project];
    SetQuota: [SetQuotaRequest, Project];
  };
}
