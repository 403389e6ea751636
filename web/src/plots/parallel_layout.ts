// Parallel coordinates without a screen: axes, and lines merged into few segments. Pure.

export interface ParallelAxis {
  column: string;
  title: string;
  /** Places of the ends, in pixels: `bottom` of the least value. */
  place: (value: number) => number;
}

/** Where a row without a value goes: below the axis. */
export const kNone = -1;

/**
 * Places of all rows on an axis as whole cells from the top, 255 cells at most;
 * kNone becomes the last cell. One byte a row: 100,000 rows on ten axes are 1 MB.
 */
export function axisCells(values: ArrayLike<number>, place: (value: number) => number, top: number, bottom: number, cells: number): Uint8Array {
  const result = new Uint8Array(values.length);
  const factor = (cells - 1) / (bottom - top);
  for (let i = 0; i < values.length; ++i) {
    const y = place(values[i]!);
    result[i] = Number.isNaN(y) ? cells : Math.min(cells - 1, Math.max(0, Math.round((y - top) * factor)));
  }
  return result;
}

/**
 * Segments between two axes, each pair of cells once, with the best rank of the
 * rows that it stands for: `ranks` are 1 (worst) to 255 (best), 0 leaves a row out.
 * Returns pairs in the order of rank, best first, as from * 256 + to, and where each rank ends.
 */
export function mergeSegments(from: Uint8Array, to: Uint8Array, ranks: Uint8Array, best: Uint8Array): { pairs: Uint16Array; ends: Uint32Array } {
  best.fill(0);
  for (let i = 0; i < from.length; ++i) {
    const rank = ranks[i]!;
    if (!rank) continue;
    const at = (from[i]! << 8) | to[i]!;
    if (best[at]! < rank) best[at] = rank;
  }
  const ends = new Uint32Array(257);
  for (let at = 0; at < 65536; ++at) if (best[at]) ends[256 - best[at]!]!++;
  for (let i = 1; i < 257; ++i) ends[i]! += ends[i - 1]!;
  const pairs = new Uint16Array(ends[256]!);
  const next = Uint32Array.from(ends);
  next.copyWithin(1, 0, 256);
  next[0] = 0;
  for (let at = 0; at < 65536; ++at) if (best[at]) pairs[next[256 - best[at]!]!++] = at;
  return { pairs, ends };
}

/** Moves the element at `from` by one or more places. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const result = [...list];
  const [item] = result.splice(from, 1);
  result.splice(Math.min(result.length, Math.max(0, to)), 0, item!);
  return result;
}

/** The columns in the order that the address holds, unknown ones left out and new ones behind. */
export function orderedColumns(all: readonly string[], text: string): string[] {
  const wanted = text.split('~').filter((column) => all.includes(column));
  const unique = [...new Set(wanted)];
  return [...unique, ...all.filter((column) => !unique.includes(column))];
}
