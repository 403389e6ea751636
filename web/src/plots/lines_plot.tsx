// A few named lines over a common axis: curves of one trial, of several, best values of several jobs.
import { useCallback, useMemo, useState } from 'preact/hooks';
import { formatDuration, formatNumber } from '../format';
import { Toggle } from '../ui/button';
import { drawXAxis, drawYAxis, plotArea, type Area, type Frame } from './axes';
import { Plot, type Hover } from './plot';
import { elapsedScale, extent, linearScale, logScale, padded, wholeScale, type Scale } from './scale';
import { palette, seriesColours } from './colour';

export interface Series {
  name: string;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  /** A value holds until the next one. */
  isStepped?: boolean;
  isDashed?: boolean;
  /** What a click on a point does. */
  pick?: () => void;
}

interface Props {
  name: string;
  title: string;
  series: readonly Series[];
  xTitle: string;
  yTitle: string;
  /** `linear`: whole numbers, such as steps; `elapsed`: seconds. */
  xKind?: 'linear' | 'elapsed';
  height?: number;
  tools?: preact.ComponentChildren;
}

interface Layout {
  area: Area;
  x: Scale;
  y: Scale;
}

const kNear = 24;

export function LinesPlot(props: Props) {
  const { series, xKind = 'linear', height = 260 } = props;
  const [isLog, setLog] = useState(false);
  const colours = seriesColours(palette.value.dark);
  const colourOf = (index: number) => colours[index % colours.length]!;
  const canLog = useMemo(() => series.some(({ y }) => extent(y, true) !== null), [series]);
  const useLog = isLog && canLog;

  const layout = useMemo(() => {
    const xs = series.map(({ x }) => extent(x)).filter((range) => range !== null);
    const ys = series.map(({ y }) => extent(y, useLog)).filter((range) => range !== null);
    const low = Math.min(...ys.map(([a]) => a));
    const high = Math.max(...ys.map(([, b]) => b));
    const right = Math.max(...xs.map(([, b]) => b));
    const left = xKind === 'elapsed' ? 0 : Math.min(...xs.map(([a]) => a));
    return (frame: Frame): Layout | null => {
      if (!ys.length || !xs.length) return null;
      const [yLow, yHigh] = padded([low, high], 0.05, useLog);
      const makeY = useLog ? logScale : linearScale;
      const area = plotArea(frame, makeY(yLow, yHigh, frame.height - 30, 20));
      const span = right > left ? right : left + 1;
      return {
        area,
        x: xKind === 'elapsed' ? elapsedScale(span, area.left, area.right) : wholeScale(left, span, area.left, area.right),
        y: makeY(yLow, yHigh, area.bottom, area.top),
      };
    };
  }, [series, useLog, xKind]);

  const [last] = useState<{ layout: Layout | null }>({ layout: null });
  const draw = useCallback(
    (frame: Frame) => {
      const now = (last.layout = layout(frame));
      if (!now) return;
      const { g } = frame;
      drawYAxis(frame, now.area, now.y, props.yTitle);
      drawXAxis(frame, now.area, now.x, props.xTitle);
      g.lineWidth = 1.75;
      g.lineJoin = 'round';
      series.forEach((line, index) => {
        g.strokeStyle = colourOf(index);
        g.setLineDash(line.isDashed ? [5, 4] : []);
        g.beginPath();
        let before = NaN;
        let count = 0;
        for (let i = 0; i < line.x.length; ++i) {
          const x = now.x.place(line.x[i]!);
          const y = now.y.place(line.y[i]!);
          if (Number.isNaN(y)) {
            before = NaN;
            continue;
          }
          if (Number.isNaN(before)) g.moveTo(x, y);
          else {
            if (line.isStepped) g.lineTo(x, before);
            g.lineTo(x, y);
          }
          before = y;
          ++count;
        }
        g.stroke();
        if (count === 1 && !line.isStepped) {
          const at = Array.from(line.y).findIndex((value) => !Number.isNaN(value));
          g.beginPath();
          g.arc(now.x.place(line.x[at]!), now.y.place(line.y[at]!), 3, 0, 2 * Math.PI);
          g.fillStyle = colourOf(index);
          g.fill();
        }
      });
      g.setLineDash([]);
    },
    [layout, props.xTitle, props.yTitle, colours[0]],
  );

  const xText = (value: number) => (xKind === 'elapsed' ? formatDuration(value) : formatNumber(value, 6));
  const hoverAt = (line: number, i: number): Hover => {
    const now = last.layout!;
    const { name, x, y, pick } = series[line]!;
    const text = `${name}: ${formatNumber(y[i]!)} at ${props.xTitle} ${xText(x[i]!)}`;
    return {
      x: now.x.place(x[i]!),
      y: now.y.place(y[i]!),
      key: `${line}/${i}`,
      text,
      pick,
      content: (
        <dl>
          <dt>{name}</dt>
          <dd>{formatNumber(y[i]!)}</dd>
          <dt>{props.xTitle}</dt>
          <dd>{xText(x[i]!)}</dd>
        </dl>
      ),
    };
  };
  const hover = (px: number, py: number): Hover | null => {
    const now = last.layout;
    if (!now) return null;
    let nearest = kNear * kNear;
    let found: [number, number] | null = null;
    series.forEach(({ x, y }, line) => {
      for (let i = 0; i < x.length; ++i) {
        const dx = now.x.place(x[i]!) - px;
        const dy = now.y.place(y[i]!) - py;
        const distance = dx * dx + dy * dy;
        if (distance < nearest) {
          nearest = distance;
          found = [line, i];
        }
      }
    });
    return found ? hoverAt(found[0], found[1]) : null;
  };
  const step = (by: number, from: Hover | null): Hover | null => {
    const [line, i] = from ? String(from.key).split('/').map(Number) : [0, by > 0 ? -1 : (series[0]?.x.length ?? 0)];
    const next = i! + by;
    if (next >= 0 && next < (series[line!]?.x.length ?? 0)) return hoverAt(line!, next);
    const other = line! + by;
    if (!series[other]?.x.length) return from;
    return hoverAt(other, by > 0 ? 0 : series[other]!.x.length - 1);
  };

  return (
    <Plot
      name={props.name}
      title={props.title}
      label={`${props.title}: ${props.yTitle} by ${props.xTitle} of ${series.map(({ name }) => name).join(', ')}. The arrow keys go from point to point.`}
      height={height}
      draw={draw}
      hover={hover}
      step={step}
      tools={
        <>
          {props.tools}
          <Toggle text="Log" label="Logarithmic axis" on={useLog} onChange={setLog} />
        </>
      }
      table={() => ({
        head: ['line', props.xTitle, props.yTitle],
        rows: series.flatMap(({ name, x, y }) => Array.from(x, (value, i) => [name, value, y[i]!] as const)),
      })}
    >
      {series.length > 1 && (
        <ul class="legend">
          {series.map(({ name }, index) => (
            <li>
              <span class="swatch" style={{ background: colourOf(index) }} />
              {name}
            </li>
          ))}
        </ul>
      )}
    </Plot>
  );
}
