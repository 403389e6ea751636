// The state of a job as people see it, and why it is in it. Pure.
import { formatAge } from './format';
import { kFinalJobStates, type JobSummary } from './types';

/**
 * A pause is what is wanted of a job, which the service keeps apart from its state; an open study
 * that nobody works on is idle.
 */
export function shownState(job: Pick<JobSummary, 'state' | 'wanted' | 'counts' | 'idleSince'>): string {
  if (job.idleSince !== null) return 'IDLE';
  if (job.wanted === 'PAUSE' && !kFinalJobStates.has(job.state) && job.state !== 'CANCELLING') {
    return job.counts.running > 0 ? 'PAUSING' : 'PAUSED';
  }
  return job.state;
}

/** What a job waits for, why it failed, or for how long nobody has worked on a study; '' while it simply runs. */
export function shownReason(job: Pick<JobSummary, 'state' | 'wanted' | 'counts' | 'idleSince' | 'error' | 'waitingFor'>, now: number): string {
  if (job.error) return job.error;
  if (job.idleSince !== null) return `Nobody has worked on it for ${formatAge((now - job.idleSince) / 1000)}.`;
  return shownState(job) === 'RUNNING' && job.counts.running > 0 ? '' : job.waitingFor;
}

/** Programs that end, or fall silent, tell nobody; then the page looks again, after so many milliseconds. */
export const kLookAgain = 15_000;

/** Whether it may come to rest without an event: the programs that work on a study just end. */
export const changesUnseen = (job: Pick<JobSummary, 'kind' | 'state' | 'idleSince'>): boolean => job.kind === 'study' && job.state === 'ACTIVE' && job.idleSince === null;
