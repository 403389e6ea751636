// One axis: what the model expected of a trial, what it got, and the best so far.
import { useCallback, useMemo, useRef } from 'preact/hooks';
import { formatNumber } from '../format';
import type { Prediction } from '../insights';
import { drawXAxis, useFont, type Frame } from '../plots/axes';
import { Plot, type Hover } from '../plots/plot';
import { linearScale, padded, type Scale } from '../plots/scale';

interface Props {
  name: string;
  metric: string;
  prediction: Prediction;
  /** NaN: none yet. */
  got: number;
  isFinal: boolean;
  best: number;
}

export function PredictionPlot({ name, metric, prediction, got, isFinal, best }: Props) {
  const { mean, low, high } = prediction;
  const scale = useRef<Scale | null>(null);
  const marks = useMemo(
    () =>
      [
        { key: 'expected', value: mean, text: `${formatNumber(mean, 4)} (${formatNumber(low, 4)} to ${formatNumber(high, 4)})` },
        { key: isFinal ? 'got' : 'so far', value: got, text: formatNumber(got, 4) },
        { key: 'best', value: best, text: formatNumber(best, 4) },
      ].filter(({ value }) => Number.isFinite(value)),
    [mean, low, high, got, isFinal, best],
  );
  const draw = useCallback(
    (frame: Frame) => {
      const { g, palette, width, height } = frame;
      const values = [low, high, ...marks.map(({ value }) => value)];
      const [from, to] = padded([Math.min(...values), Math.max(...values)], 0.08);
      const x = (scale.current = linearScale(from, to, 8, width - 8));
      const bottom = height - 20;
      const middle = bottom - 14;
      drawXAxis(frame, { left: 0, right: width, top: 0, bottom }, x);
      g.fillStyle = palette.accent;
      g.globalAlpha = 0.18;
      g.fillRect(x.place(low), middle - 7, Math.max(2, x.place(high) - x.place(low)), 14);
      g.globalAlpha = 1;
      g.fillRect(x.place(mean) - 1, middle - 7, 2, 14);
      if (Number.isFinite(best)) {
        g.strokeStyle = palette.muted;
        g.lineWidth = 1;
        g.setLineDash([2, 2]);
        g.beginPath();
        g.moveTo(x.place(best), middle - 13);
        g.lineTo(x.place(best), bottom);
        g.stroke();
        g.setLineDash([]);
      }
      if (Number.isFinite(got)) {
        g.beginPath();
        g.arc(x.place(got), middle, 4.5, 0, 2 * Math.PI);
        g.fillStyle = isFinal ? palette.text : palette.accent;
        g.fill();
      }
      // Names above, as far as they do not touch.
      useFont(frame);
      g.textBaseline = 'top';
      g.textAlign = 'center';
      const taken: [number, number][] = [];
      for (const { key, value } of [...marks].sort((a, b) => Number(b.key !== 'best') - Number(a.key !== 'best'))) {
        const half = g.measureText(key).width / 2 + 3;
        const at = Math.min(Math.max(x.place(value), half), width - half);
        if (taken.some(([a, b]) => at + half > a && at - half < b)) continue;
        taken.push([at - half, at + half]);
        g.fillStyle = palette.muted;
        g.fillText(key, at, 0);
      }
    },
    [marks],
  );
  const hoverOf = (i: number): Hover | null => {
    const mark = marks[i];
    if (!mark || !scale.current) return null;
    return {
      x: scale.current.place(mark.value),
      y: 28,
      key: i,
      text: `${mark.key}: ${mark.text}`,
      content: (
        <dl>
          <dt>{mark.key}</dt>
          <dd>{mark.text}</dd>
        </dl>
      ),
    };
  };
  return (
    <Plot
      name={name}
      title="Prediction and outcome"
      label={`${metric}: ${marks.map(({ key, text }) => `${key} ${text}`).join(', ')}.`}
      height={62}
      draw={draw}
      hover={(x) => {
        const distances = marks.map(({ value }) => Math.abs((scale.current?.place(value) ?? NaN) - x));
        const least = Math.min(...distances);
        return least < 24 ? hoverOf(distances.indexOf(least)) : null;
      }}
      step={(by, from) => hoverOf(from ? Number(from.key) + by : by > 0 ? 0 : marks.length - 1) ?? from}
      table={() => ({ head: ['what', metric], rows: [...marks.map(({ key, value }) => [key, value] as const), ['low', low], ['high', high]] })}
    />
  );
}
