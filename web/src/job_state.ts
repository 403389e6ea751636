// The state of a job as people see it, and why it is in it. Pure.
import { kFinalJobStates, type JobSummary } from './types';

/** A pause is what is wanted of a job, which the service keeps apart from its state. */
export function shownState(job: Pick<JobSummary, 'state' | 'wanted' | 'counts'>): string {
  if (job.wanted === 'PAUSE' && !kFinalJobStates.has(job.state) && job.state !== 'CANCELLING') {
    return job.counts.running > 0 ? 'PAUSING' : 'PAUSED';
  }
  return job.state;
}

/** What a job waits for, or why it failed; '' while it simply runs. */
export function shownReason(job: Pick<JobSummary, 'state' | 'wanted' | 'counts' | 'error' | 'waitingFor'>): string {
  if (job.error) return job.error;
  return shownState(job) === 'RUNNING' && job.counts.running > 0 ? '' : job.waitingFor;
}
