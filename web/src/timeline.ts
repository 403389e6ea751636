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
export type BarKind = 'running' | 'completed' | 'stopped' | 'failed' | 'other';

const kFailures = new Set(['user_error', 'out_of_memory', 'infrastructure', 'time_limit', 'timeout', 'launch_failed', 'no_metric', 'not_finite']);

export function barKind(isOver: boolean, state: string, cause: string): BarKind {
  if (!isOver) return 'running';
  if (cause === 'success') return 'completed';
  if (cause === 'stopped_early' || cause === 'early_stopping') return 'stopped';
  if (kFailures.has(cause) || state === 'lost') return 'failed';
  return 'other';
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
