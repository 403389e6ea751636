// Points over two axes: trials, coloured by their value, with what a model says
// behind or before them. A drag chooses trials by what the axes show.
import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import type { Brush } from '../filter';
import { setBrushes } from '../store/filter_state';
import { drawXAxis, drawYAxis, plotArea, type Area, type Frame } from './axes';
import { palette, valueColours } from './colour';
import type { PlotTable } from './export';
import { Plot, type Drag, type Hover } from './plot';
import type { Scale } from './scale';

export interface Points {
  /** What identifies each point to the hover: rows of the trial table, or any other index. */
  row: ArrayLike<number>;
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  /** 0: the filter does not select it. */
  bright: ArrayLike<number>;
  /** 0 the worst, 1 the best; NaN without colour. */
  tone?: ArrayLike<number>;
  /** Chosen ones get a ring. */
  ring?: ReadonlySet<number>;
}

export interface Layout {
  area: Area;
  x: Scale;
  y: Scale;
}

export interface Axis {
  title: string;
  /** A new function lays the plot out anew. */
  scale: (from: number, to: number) => Scale;
  /** The column that a drag filters by. */
  column?: string;
  /** Of a column with categories. */
  labels?: readonly string[];
}

interface Props {
  name: string;
  title: string;
  label: string;
  height: number;
  points: Points;
  x: Axis;
  y: Axis;
  right?: number;
  behind?: (frame: Frame, layout: Layout) => void;
  front?: (frame: Frame, layout: Layout) => void;
  /** An outline that lets points stand out from what is behind them. */
  outlined?: boolean;
  tooltip: (row: number) => { content: ComponentChildren; text: string; pick?: () => void };
  table: () => PlotTable;
  tools?: ComponentChildren;
  children?: ComponentChildren;
}

const kTones = 24;
const kNear = 18;

/** The values between two pixels of an axis; of categories, those whose middle is there. */
export function brushBetween(axis: Axis, scale: Scale, a: number, b: number): Brush {
  const low = Math.min(scale.value(a), scale.value(b));
  const high = Math.max(scale.value(a), scale.value(b));
  if (!axis.labels) return { kind: 'range', low, high };
  const labels = axis.labels.filter((_, index) => index >= low && index <= high);
  return { kind: 'set', labels: labels.length ? labels : [axis.labels[Math.max(0, Math.min(axis.labels.length - 1, Math.round((low + high) / 2)))]!] };
}

/** The index of the point nearest to a place, at most `limit` pixels away, or -1. Selected points go before others. */
export function nearestPoint(points: Points, { x: xs, y: ys }: Layout, px: number, py: number, limit: number): number {
  let best = -1;
  let least = limit * limit;
  for (let i = 0; i < points.row.length; ++i) {
    const dx = xs.place(points.x[i]!) - px;
    const dy = ys.place(points.y[i]!) - py;
    const distance = (dx * dx + dy * dy) * (points.bright[i] ? 1 : 2);
    if (distance < least) {
      least = distance;
      best = i;
    }
  }
  return best;
}

export function PointsPlot(props: Props) {
  const { points, x: xAxis, y: yAxis } = props;
  const last = useRef<Layout | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const { dark } = palette.value;

  const draw = useCallback(
    (frame: Frame) => {
      const { top, bottom } = plotArea(frame, 0, { right: props.right });
      const area = plotArea(frame, yAxis.scale(bottom, top), { right: props.right });
      const layout: Layout = { area, x: xAxis.scale(area.left, area.right), y: yAxis.scale(area.bottom, area.top) };
      last.current = layout;
      const { g } = frame;
      drawYAxis(frame, area, layout.y, yAxis.title);
      drawXAxis(frame, area, layout.x, xAxis.title);
      g.save();
      g.beginPath();
      g.rect(area.left - 4, area.top - 4, area.right - area.left + 8, area.bottom - area.top + 8);
      g.clip();
      props.behind?.(frame, layout);
      drawPoints(frame, layout, points, props.outlined ?? false);
      props.front?.(frame, layout);
      g.restore();
    },
    [points, xAxis.scale, yAxis.scale, xAxis.title, yAxis.title, props.behind, props.front, props.right, dark],
  );

  // The order of the arrow keys: from left to right.
  const order = useMemo(() => {
    let sorted: Int32Array | null = null;
    return () => {
      sorted ??= Int32Array.from({ length: points.row.length }, (_, i) => i)
        .filter((i) => Number.isFinite(points.x[i]!) && Number.isFinite(points.y[i]!))
        .sort((a, b) => points.x[a]! - points.x[b]! || points.y[a]! - points.y[b]!);
      return sorted;
    };
  }, [points]);

  const hoverOf = (i: number): Hover => ({
    x: last.current!.x.place(points.x[i]!),
    y: Math.max(last.current!.area.top, Math.min(last.current!.area.bottom, last.current!.y.place(points.y[i]!))),
    key: i,
    ...props.tooltip(points.row[i]!),
  });
  const hover = (px: number, py: number): Hover | null => {
    if (!last.current) return null;
    const i = nearestPoint(points, last.current, px, py, kNear);
    return i < 0 ? null : hoverOf(i);
  };
  const step = (by: number, from: Hover | null): Hover | null => {
    const sorted = order();
    if (!last.current || sorted.length === 0) return null;
    const at = from ? sorted.indexOf(Number(from.key)) + by : by > 0 ? 0 : sorted.length - 1;
    return at < 0 || at >= sorted.length ? from : hoverOf(sorted[at]!);
  };

  const canBrush = !!(xAxis.column || yAxis.column);
  const onDrag = (now: Drag, isDone: boolean) => {
    setDrag(isDone ? null : now);
    const layout = last.current;
    if (!isDone || !layout) return;
    const changes: Record<string, Brush> = {};
    // A drag along one axis only is of that axis.
    const isWide = Math.abs(now.x1 - now.x0) > 8;
    const isHigh = Math.abs(now.y1 - now.y0) > 8;
    if (xAxis.column && (isWide || !yAxis.column)) changes[xAxis.column] = brushBetween(xAxis, layout.x, now.x0, now.x1);
    if (yAxis.column && (isHigh || !xAxis.column)) changes[yAxis.column] = brushBetween(yAxis, layout.y, now.y0, now.y1);
    setBrushes(changes);
  };
  const overlay = useCallback(
    (frame: Frame) => {
      const layout = last.current;
      if (!drag || !layout) return;
      const { area } = layout;
      const isWide = xAxis.column && (Math.abs(drag.x1 - drag.x0) > 8 || !yAxis.column);
      const isHigh = yAxis.column && (Math.abs(drag.y1 - drag.y0) > 8 || !xAxis.column);
      const left = isWide ? Math.max(area.left, Math.min(drag.x0, drag.x1)) : area.left;
      const right = isWide ? Math.min(area.right, Math.max(drag.x0, drag.x1)) : area.right;
      const top = isHigh ? Math.max(area.top, Math.min(drag.y0, drag.y1)) : area.top;
      const bottom = isHigh ? Math.min(area.bottom, Math.max(drag.y0, drag.y1)) : area.bottom;
      const { g } = frame;
      g.fillStyle = frame.palette.accent;
      g.globalAlpha = 0.12;
      g.fillRect(left, top, right - left, bottom - top);
      g.globalAlpha = 1;
      g.strokeStyle = frame.palette.accent;
      g.lineWidth = 1;
      g.strokeRect(left, top, right - left, bottom - top);
    },
    [drag],
  );

  return (
    <Plot
      name={props.name}
      title={props.title}
      label={props.label}
      height={props.height}
      draw={draw}
      overlay={overlay}
      hover={hover}
      step={step}
      onDrag={canBrush ? onDrag : undefined}
      onDoubleClick={
        canBrush
          ? () => setBrushes(Object.fromEntries([xAxis.column, yAxis.column].filter(Boolean).map((column) => [column!, null])))
          : undefined
      }
      table={props.table}
      tools={props.tools}
    >
      {props.children}
    </Plot>
  );
}

function drawPoints(frame: Frame, { area, x, y }: Layout, points: Points, isOutlined: boolean): void {
  const { g, palette: colours } = frame;
  const n = points.row.length;
  const groups: number[][] = Array.from({ length: kTones + 1 }, () => []);
  const px = new Float64Array(n);
  const py = new Float64Array(n);
  const radius = n > 3000 ? 1.5 : n > 600 ? 2.25 : 3;
  g.fillStyle = colours.dim;
  g.globalAlpha = isOutlined ? 0.6 : 0.8;
  for (let i = 0; i < n; ++i) {
    px[i] = x.place(points.x[i]!);
    // Values beyond the axis are drawn at its edge.
    py[i] = Math.max(area.top, Math.min(area.bottom, y.place(points.y[i]!)));
    if (Number.isNaN(px[i]!) || Number.isNaN(py[i]!)) continue;
    if (!points.bright[i]) g.fillRect(px[i]! - 1, py[i]! - 1, 2, 2);
    else {
      const tone = points.tone?.[i] ?? NaN;
      groups[Number.isNaN(tone) ? kTones : Math.min(kTones - 1, Math.floor(tone * kTones))]!.push(i);
    }
  }
  g.globalAlpha = 1;
  const tones = valueColours(kTones, colours.dark);
  const dots = (members: readonly number[], size: number) => {
    g.beginPath();
    for (const i of members) {
      g.moveTo(px[i]! + size, py[i]!);
      g.arc(px[i]!, py[i]!, size, 0, 2 * Math.PI);
    }
    g.fill();
  };
  groups.forEach((members, tone) => {
    if (members.length === 0) return;
    if (isOutlined) {
      g.fillStyle = colours.surface;
      dots(members, radius + 1.25);
    }
    g.fillStyle = tone === kTones ? colours.muted : tones[tone]!;
    dots(members, radius);
  });
  if (!points.ring?.size) return;
  g.strokeStyle = colours.accent;
  g.lineWidth = 1.5;
  for (let i = 0; i < n; ++i) {
    if (!points.ring.has(points.row[i]!)) continue;
    g.beginPath();
    g.arc(px[i]!, py[i]!, radius + 2.5, 0, 2 * Math.PI);
    g.stroke();
  }
}
