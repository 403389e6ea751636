// How far a job is: ended, running and failed trials of the most it may have.
import { formatCount, plural } from '../format';
import type { Counts } from '../types';

export function ended(counts: Counts): number {
  return counts.completed + counts.stopped + counts.infeasible;
}

export function progressText(counts: Counts): string {
  const parts = [`${formatCount(ended(counts))} done`];
  if (counts.running) parts.push(`${formatCount(counts.running)} running`);
  if (counts.failed) parts.push(`${formatCount(counts.failed)} failed`);
  return counts.max ? `${parts.join(', ')} of ${plural(counts.max, 'trial')}` : parts.join(', ');
}

export function Progress({ counts }: { counts: Counts }) {
  const whole = Math.max(1, counts.max ?? counts.total, counts.total);
  const width = (count: number) => ({ width: `${(100 * count) / whole}%` });
  return (
    <span class="progress" role="img" aria-label={progressText(counts)} title={progressText(counts)}>
      <span class="done" style={width(ended(counts))} />
      <span class="failed" style={width(counts.failed)} />
      <span class="running" style={width(counts.running)} />
    </span>
  );
}
