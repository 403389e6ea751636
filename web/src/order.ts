// Orders of rows and ranges of values for large tables. Pure.

/**
 * Rows by ascending value, equal ones in their own order; NaN comes last, also
 * if `isDown`. A radix sort over the bits of the numbers: 100,000 rows take some milliseconds.
 */
export function orderBy(values: ArrayLike<number>, rows: ArrayLike<number>, isDown = false): Int32Array {
  const n = rows.length;
  const bits = new Uint32Array(2);
  const float = new Float64Array(bits.buffer);
  const low = new Uint32Array(n);
  const high = new Uint32Array(n);
  for (let i = 0; i < n; ++i) {
    const value = values[rows[i]!]!;
    if (Number.isNaN(value)) {
      low[i] = high[i] = 0xffffffff;
      continue;
    }
    float[0] = value + 0; // -0 and 0 are the same.
    // Bits of floats are in the order of their values, once the negative ones are turned around.
    const isNegative = bits[1]! >>> 31;
    let h = isNegative ? ~bits[1]! >>> 0 : (bits[1]! | 0x80000000) >>> 0;
    let l = isNegative ? ~bits[0]! >>> 0 : bits[0]!;
    if (isDown) {
      h = ~h >>> 0;
      l = ~l >>> 0;
    }
    low[i] = l;
    high[i] = h;
  }
  let order = Int32Array.from({ length: n }, (_, i) => i);
  let next = new Int32Array(n);
  const counts = new Uint32Array(65537);
  for (let pass = 0; pass < 4; ++pass) {
    const keys = pass < 2 ? low : high;
    const shift = pass % 2 ? 16 : 0;
    counts.fill(0);
    for (let i = 0; i < n; ++i) counts[((keys[i]! >>> shift) & 0xffff) + 1]!++;
    if (n && counts[((keys[0]! >>> shift) & 0xffff) + 1] === n) continue; // All the same.
    for (let i = 0; i < 65536; ++i) counts[i + 1]! += counts[i]!;
    for (let i = 0; i < n; ++i) {
      const at = order[i]!;
      next[counts[(keys[at]! >>> shift) & 0xffff]!++] = at;
    }
    [order, next] = [next, order];
  }
  for (let i = 0; i < n; ++i) order[i] = rows[order[i]!]!;
  return order;
}

/** The value below which a share of the finite values lies; NaN if there are none. O(n log n) on at most 5,000 of them. */
export function quantiles(values: ArrayLike<number>, shares: readonly number[]): number[] {
  const every = Math.max(1, Math.floor(values.length / 5000));
  const sample: number[] = [];
  for (let i = 0; i < values.length; i += every) if (Number.isFinite(values[i]!)) sample.push(values[i]!);
  const sorted = Float64Array.from(sample).sort();
  return shares.map((share) => (sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]! : NaN));
}

/**
 * The range in which the values are, without those so far out that the rest
 * would be a line: beyond four times the distance between the quartiles.
 */
export function robustExtent(values: ArrayLike<number>, isLog = false): { low: number; high: number; isCut: boolean } | null {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    if (!Number.isFinite(value) || (isLog && value <= 0)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return null;
  if (isLog) return { low, high, isCut: false };
  const [first, last] = quantiles(values, [0.25, 0.75]);
  const reach = 4 * (last! - first!);
  if (!(reach > 0)) return { low, high, isCut: false };
  const [from, to] = [Math.max(low, first! - reach), Math.min(high, last! + reach)];
  return { low: from, high: to, isCut: from > low || to < high };
}

export interface Goodness {
  /** Values that are 1 and 0; NaN without values. */
  best: number;
  worst: number;
  /** How good a value is, from 0 to 1; NaN for NaN. */
  of: (value: number) => number;
}

/** The best value is 1; a quarter of all are as bad as 0, so that colours tell the better ones apart. */
export function goodness(values: ArrayLike<number>, isMax: boolean): Goodness {
  let best = NaN;
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]!;
    if (Number.isFinite(value) && (Number.isNaN(best) || (isMax ? value > best : value < best))) best = value;
  }
  const worst = quantiles(values, [isMax ? 0.25 : 0.75])[0]!;
  const span = worst - best;
  const of = (value: number) => {
    if (Number.isNaN(value)) return NaN;
    return span ? Math.min(1, Math.max(0, 1 - (value - best) / span)) : 1;
  };
  return { best, worst, of };
}

/** The row with the best value among those that `counts` admits; -1 if there is none. The first of equal ones. */
export function bestRow(values: ArrayLike<number>, isMax: boolean, counts: (row: number) => boolean): number {
  let best = -1;
  for (let row = 0; row < values.length; ++row) {
    const value = values[row]!;
    if (!Number.isFinite(value) || !counts(row)) continue;
    if (best < 0 || (isMax ? value > values[best]! : value < values[best]!)) best = row;
  }
  return best;
}
