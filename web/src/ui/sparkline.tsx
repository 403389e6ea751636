// A small line without axes: the course of the best value.

/** Pure: the points of the line in a box of the given size; '' for fewer than two numbers. */
export function sparkPoints(values: readonly number[], width: number, height: number): string {
  const finite = values.filter((value) => Number.isFinite(value));
  if (finite.length < 2) return '';
  const low = Math.min(...finite);
  const high = Math.max(...finite);
  const y = (value: number) => (high > low ? height - ((value - low) / (high - low)) * height : height / 2);
  return finite.map((value, i) => `${((i / (finite.length - 1)) * width).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
}

export function Sparkline({ values }: { values: readonly number[] }) {
  const points = sparkPoints(values, 84, 16);
  return (
    <svg class="sparkline" viewBox="-2 -2 88 20" aria-hidden="true" focusable="false" preserveAspectRatio="none">
      {points && <polyline points={points} vector-effect="non-scaling-stroke" />}
    </svg>
  );
}
