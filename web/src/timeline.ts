// Attempts over time, by the GPU or slot that they ran on. Pure.

export interface Bars {
  trial: ArrayLike<number>;
  attempt: ArrayLike<number>;
  start: ArrayLike<number>;
  /** NaN: it runs. */
  end: ArrayLike<number>;
  slot: ArrayLike<number>;
}

/** How a bar is drawn. */
export type BarKind = 'running' | 'completed' | 'stopped' | 'infeasible' | 'failed' | 'other';

/** What attempts end by, as docs/ends.md has it. */
const kKinds: Readonly<Record<string, BarKind>> = {
  success: 'completed', no_metric: 'completed', not_finite: 'infeasible', infeasible: 'infeasible', out_of_memory: 'infeasible',
  stopped_early: 'stopped', stopped_by_user: 'stopped', cancelled: 'stopped', user_error: 'failed', transient: 'failed',
  infrastructure: 'failed', time_limit: 'failed', launch_failed: 'failed',
};

export function barKind(isOver: boolean, state: string, cause: string): BarKind {
  if (!isOver) return 'running';
  return kKinds[cause] ?? (state === 'lost' ? 'failed' : 'other');
}

/** The bars of each slot, by start. */
export function bySlot(bars: Bars, slots: number): Int32Array[] {
  const lists: number[][] = Array.from({ length: slots }, () => []);
  for (let i = 0; i < bars.slot.length; ++i) lists[bars.slot[i]!]?.push(i);
  return lists.map((list) => Int32Array.from(list).sort((a, b) => bars.start[a]! - bars.start[b]! || a - b));
}

/** The first place in a slot's list whose bar begins after `time`. O(log n). */
export function firstAfter(bars: Bars, list: Int32Array, time: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bars.start[list[middle]!]! > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How long nothing ran in a slot between two times, in milliseconds. */
export function idleTime(bars: Bars, list: Int32Array, from: number, to: number): number {
  if (!(to > from)) return 0;
  let idle = 0;
  let busyUntil = from;
  for (const i of list) {
    const start = bars.start[i]!;
    if (start >= to) break;
    if (start > busyUntil) idle += start - busyUntil;
    const end = bars.end[i]!;
    busyUntil = Math.max(busyUntil, Number.isNaN(end) ? to : end);
    if (busyUntil >= to) return idle;
  }
  return idle + Math.max(0, to - busyUntil);
}

/** A stretch of time made shorter or longer around a place; within the limits, and at least a second. */
export function zoomed([from, to]: [number, number], at: number, factor: number, [least, most]: [number, number]): [number, number] {
  const span = Math.min(most - least, Math.max(1000, (to - from) * factor));
  const start = at - ((at - from) / (to - from)) * span;
  const low = Math.max(least, Math.min(most - span, start));
  return [low, low + span];
}
