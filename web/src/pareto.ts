// Which trials no other trial beats in all metrics. Pure.

/** Rows of the front of two columns, in the order of the first; NaN does not count. O(n log n). */
export function paretoFront(x: ArrayLike<number>, y: ArrayLike<number>, xUp: boolean, yUp: boolean): Int32Array {
  const rows: number[] = [];
  for (let i = 0; i < x.length; ++i) if (Number.isFinite(x[i]!) && Number.isFinite(y[i]!)) rows.push(i);
  const sx = xUp ? -1 : 1;
  const sy = yUp ? -1 : 1;
  rows.sort((a, b) => sx * (x[a]! - x[b]!) || sy * (y[a]! - y[b]!) || a - b);
  const front: number[] = [];
  let best = Infinity;
  for (const row of rows) {
    const value = sy * y[row]!;
    if (value < best) {
      best = value;
      front.push(row);
    }
  }
  return Int32Array.from(front);
}
