// What the colours of values mean: the scale with its ends.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../format';
import { palette, valueColour } from './colour';

export function ColourKey({ worst, best, name }: { worst: number; best: number; name: string }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const { dark } = palette.value;
  useLayoutEffect(() => {
    const g = ref.current!.getContext('2d')!;
    for (let x = 0; x < 64; ++x) {
      g.fillStyle = valueColour(x / 63, dark);
      g.fillRect(x, 0, 1, 1);
    }
  }, [dark]);
  if (Number.isNaN(best)) return null;
  return (
    <span class="colour-key" title={`Colours of ${name}`}>
      {formatNumber(worst, 3)}
      <canvas ref={ref} width={64} height={1} aria-hidden="true" />
      {formatNumber(best, 3)}
    </span>
  );
}
