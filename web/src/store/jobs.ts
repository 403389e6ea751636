// The list of jobs and studies, as long as a view shows it.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { asError, getJson, type ApiError } from '../api';
import { onChange } from '../live';
import { changesUnseen, kLookAgain } from '../job_state';
import type { JobSummary } from '../types';
import { Refresher } from './refresher';

/** Newest first; null before the first answer. */
export const jobs = signal<readonly JobSummary[] | null>(null);
export const jobsError = signal<ApiError | null>(null);

let watchers = 0;
let isStale = true;

async function load(): Promise<void> {
  try {
    const answer = await getJson<{ jobs: JobSummary[] }>('api/jobs');
    jobs.value = answer.jobs;
    jobsError.value = null;
    isStale = false;
  } catch (error) {
    jobsError.value = asError(error);
  }
}

let refresher: Refresher | null = null;

export function refreshJobs(): void {
  refresher ??= new Refresher(load, () => ((jobs.peek()?.length ?? 0) > 200 ? 3000 : 1000));
  refresher.ask();
}

onChange(() => {
  if (watchers) refreshJobs();
  else isStale = true;
});

/** Keeps the list fresh while a component is there. */
export function useJobs(): void {
  useEffect(() => {
    ++watchers;
    if (isStale) refreshJobs();
    const timer = setInterval(() => jobs.peek()?.some(changesUnseen) && refreshJobs(), kLookAgain);
    return () => {
      clearInterval(timer);
      --watchers;
    };
  }, []);
}
