// A trial as JobService.GetTrial answers it. proto3 JSON leaves out what is 0 or empty.
import type { Prediction } from './insights';

export interface AttemptMessage {
  number?: number;
  state?: string;
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

export interface TrialMessage {
  trialId?: string;
  state?: string;
  parameters?: { name: string; value?: string; isText?: boolean }[];
  finalMeasurement?: { step?: string; value?: number | string };
  lastMeasurement?: { step?: string; value?: number | string };
  createTime?: string;
  startTime?: string;
  endTime?: string;
  endCause?: string;
  message?: string;
  waitingFor?: string;
  /** Active, but nothing of it runs until it is started again. */
  paused?: boolean;
  attempts?: AttemptMessage[];
  jobDir?: string;
  suggester?: string;
  metrics?: string[];
  metricProblems?: string[];
  suggestion?: {
    method?: string;
    completedCount?: string;
    pendingCount?: string;
    fittedCount?: string;
    prediction?: Partial<Prediction>;
    fallback?: string;
    text?: string;
  };
  /** What users and its program say about it: JSON by name. */
  attributes?: Record<string, string>;
  note?: string;
}

export const isFinalTrial = (state: string | undefined): boolean => !!state && !['REQUESTED', 'ACTIVE', 'STOPPING'].includes(state);

/** Seconds between two times; up to `now` (in milliseconds) while it is not over. NaN before the start. */
export function secondsBetween(start: string | undefined, end: string | undefined, now: number): number {
  if (!start) return NaN;
  return ((end ? Date.parse(end) : now) - Date.parse(start)) / 1000;
}

/** Signals that people meet. */
const kSignals: Record<number, string> = { 1: 'SIGHUP', 2: 'SIGINT', 4: 'SIGILL', 6: 'SIGABRT', 7: 'SIGBUS', 8: 'SIGFPE', 9: 'SIGKILL', 11: 'SIGSEGV', 13: 'SIGPIPE', 15: 'SIGTERM' };

export function exitText({ exitCode, signal }: AttemptMessage): string {
  if (signal) return kSignals[signal] ?? `signal ${signal}`;
  return exitCode === undefined ? '' : `exit code ${exitCode}`;
}

/** Attributes by name, their values as people read them: a text without quotes, other JSON as it is. Pure. */
export function shownAttributes(attributes: Record<string, string> | undefined): [string, string][] {
  const shown = ([name, json]: [string, string]): [string, string] => {
    try {
      const value: unknown = JSON.parse(json);
      return [name, typeof value === 'string' ? value : json];
    } catch {
      return [name, json];
    }
  };
  return Object.entries(attributes ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)).map(shown);
}

/** What Explain says, without what the page shows beside it: the parameters, and why they were chosen. */
export function ownWords(text: string, suggestion: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('Parameters: ') && !(suggestion && line === suggestion))
    .join('\n')
    .trim();
}
