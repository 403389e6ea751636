// Which jobs the list shows, and in which order. Pure.
import { shownState } from '../job_state';
import type { JobSummary } from '../types';

export type JobGroup = 'all' | 'running' | 'waiting' | 'done' | 'failed';
export type JobSort = 'name' | 'state' | 'progress' | 'best' | 'gpus' | 'age' | 'project';

export const kGroups: readonly { value: JobGroup; text: string }[] = [
  { value: 'all', text: 'All' },
  { value: 'running', text: 'Running' },
  { value: 'waiting', text: 'Waiting' },
  { value: 'done', text: 'Ended' },
  { value: 'failed', text: 'Failed' },
];

export function groupOf(job: JobSummary): Exclude<JobGroup, 'all'> {
  switch (shownState(job)) {
    case 'FAILED':
      return 'failed';
    case 'SUCCEEDED':
    case 'CANCELLED':
    case 'COMPLETED':
      return 'done';
    case 'RUNNING':
    case 'PAUSING':
    case 'CANCELLING':
    case 'ACTIVE':
      return 'running';
    default:
      return 'waiting';
  }
}

const progress = (job: JobSummary) => {
  const { counts } = job;
  const ended = counts.completed + counts.stopped + counts.infeasible + counts.failed;
  return ended / Math.max(1, counts.max ?? counts.total);
};

const kOrder = { running: 0, waiting: 1, failed: 2, done: 3 };

const kCompare: Record<JobSort, (a: JobSummary, b: JobSummary) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  state: (a, b) => kOrder[groupOf(a)] - kOrder[groupOf(b)],
  progress: (a, b) => progress(a) - progress(b),
  best: (a, b) => (a.best?.value ?? Infinity) - (b.best?.value ?? Infinity),
  gpus: (a, b) => a.gpus - b.gpus,
  age: (a, b) => b.created - a.created,
  project: (a, b) => a.project.localeCompare(b.project),
};

export function parseSort(text: string | undefined): { key: JobSort; isDown: boolean } {
  const key = (text ?? '').replace(/^-/, '');
  return key in kCompare ? { key: key as JobSort, isDown: text!.startsWith('-') } : { key: 'age', isDown: false };
}

/** Jobs whose id, project, metric or labels contain all words of `text`. */
export function chooseJobs(jobs: readonly JobSummary[], text: string, group: JobGroup, sort: { key: JobSort; isDown: boolean }): JobSummary[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = jobs.filter((job) => {
    if (group !== 'all' && groupOf(job) !== group) return false;
    if (!words.length) return true;
    const labels = Object.entries(job.labels).map(([key, value]) => `${key}=${value}`);
    const all = [job.id, job.project, job.metric, ...labels].join(' ').toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const compare = kCompare[sort.key];
  return found.sort((a, b) => (sort.isDown ? compare(b, a) : compare(a, b)) || b.created - a.created);
}
