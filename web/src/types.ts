// What GET /ui/api answers, as JSON. Times are milliseconds since 1970. These shapes are the
// page's own and no messages, since a page that shows thousands of trials asks for little and
// often: src/faces/dashboard writes them, dashboard_api_test.cc compares the members, and words
// that messages have, too, are theirs.
import type { HyperparameterSpec, Job, ParameterSpec, PointMean, Study, Trial } from './messages';

export type Goal = HyperparameterSpec.GoalType;

export interface Session {
  name: string;
  /** Not empty: only this project is seen. */
  project: string;
  canWrite: boolean;
  canRun: boolean;
  version: string;
  csrf: string;
  now: number;
}

export interface Counts {
  max: number | null;
  total: number;
  running: number;
  /** Started before, and wait to start again. */
  waiting: number;
  completed: number;
  stopped: number;
  infeasible: number;
  failed: number;
}

export interface BestTrial {
  trial: number;
  value: number;
  /** As the program gets them. */
  parameters: Record<string, string>;
  /** The results at its point, if the study repeats points. */
  point: PointMean | null;
}

export interface JobSummary {
  id: string;
  name: string;
  project: string;
  /** A study's trials are run by clients; a job's by the service. */
  kind: 'job' | 'study';
  state: Job.State | Study.State;
  wanted: 'RUN' | 'PAUSE' | 'STOP' | 'FAIL';
  waitingFor: string;
  /** Of an open study that nobody works on: since when. */
  idleSince: number | null;
  algorithm: string;
  metric: string;
  goal: Goal;
  metrics: number;
  best: BestTrial | null;
  counts: Counts;
  created: number;
  started: number | null;
  ended: number | null;
  gpus: number;
  labels: Record<string, string>;
  /** What people wrote about it. */
  note: string;
  error: string;
  /** Best so far, at most 40 numbers. */
  spark: number[];
}

export type ParameterType = ParameterSpec.ParameterType;
export type ScaleName = 'LINEAR' | 'LOG' | 'REVERSE_LOG';

export interface Parameter {
  name: string;
  type: ParameterType;
  min?: number;
  max?: number;
  scale?: ScaleName;
  /** Of CATEGORICAL (texts) and DISCRETE (numbers). */
  values?: (string | number)[];
  default?: string | number;
  parent?: string | null;
  parentValues?: (string | number)[];
}

export interface QueuedPoint {
  trial: number;
  parameters: Record<string, string>;
}

export interface StudyInfo extends JobSummary {
  space: Parameter[];
  /** Between parameters. */
  constraints: string[];
  /** Whether the space may be another from now on. */
  mayBeEdited: boolean;
  metricSpecs: { name: string; goal: Goal }[];
  /** Why trials failed: cause and number. */
  causes: Record<string, number>;
  /** Of a job: how many trials run at once at most. */
  parallel?: number;
  etaSeconds: number | null;
  epochsSaved: number | null;
  seed: string | number | null;
  /** Metrics that have curves. */
  metricNames: string[];
  queued: QueuedPoint[];
  /** A job's file, as JSON. */
  spec?: string;
  /** What users and programs say about it: JSON by name. */
  attributes: Record<string, string>;
  /** About the copy of a job's code, a sentence each. */
  codeNotes?: string[];
  /** Where a job's trials leave their files. */
  outputDir?: string;
}

export interface ServiceEvent {
  sequence: number;
  time: number;
  kind: string;
  trial: number;
  attempt: number;
  payload: Record<string, unknown>;
  /** The same for people, as `vernier events` says it. */
  words: EventWords;
}

export interface EventWords {
  /** Who or what; of a trial the page has a link instead. */
  subject: string;
  what: string;
  /** Particulars, in one or more lines. */
  more: string;
  isBad: boolean;
}

/** States of a trial, as the dictionary `state` of trials names them. */
export type TrialState = Lowercase<Trial.State> | 'deleted' | 'paused';

export const kFinalJobStates: ReadonlySet<JobSummary['state']> = new Set(['SUCCEEDED', 'FAILED', 'CANCELLED']);
