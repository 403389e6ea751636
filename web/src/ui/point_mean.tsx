import { formatNumber, plural } from '../format';
import type { PointMean } from '../messages';

/** The mean of the results at a point, its interval, and how many there are. */
export function PointMeanText({ point: { count = 0, mean = 0, low, high } }: { point: PointMean }) {
  return (
    <span class="muted" title="The mean of the results at this point, and its 95 % interval">
      mean {formatNumber(Number(mean))}
      {low !== undefined && high !== undefined && ` (${formatNumber(Number(low))} to ${formatNumber(Number(high))})`} of {plural(count, 'result')}
    </span>
  );
}
