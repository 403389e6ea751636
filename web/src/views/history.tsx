// The value of every trial in the order of time, and the best so far. Failures
// are ticks at the lower edge; a drag selects.
import { useMemo, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../format';
import { robustExtent } from '../order';
import { drawXAxis, drawYAxis, plotArea, type Area, type Frame } from '../plots/axes';
import { Plot, type Drag, type Hover } from '../plots/plot';
import { extent, linearScale, logScale, padded, timeScale, wholeScale, type Scale } from '../plots/scale';
import { brushes, setBrushes } from '../store/filter_state';
import type { Study } from '../store/study';
import type { StudyInfo } from '../types';
import { Choice, Toggle } from '../ui/button';
import { cellText, columnTitle } from './columns_of';
import { trialHover } from './trial_hover';

interface Layout {
  area: Area;
  x: Scale;
  y: Scale;
}

const kNear = 14;
const kFailureBand = 12;

/** Draws each point unless one was drawn at the same pixels: many thousands look the same, and take no time. */
class PointSieve {
  private readonly seen: Uint8Array;
  private readonly columns: number;

  constructor(width: number, height: number, private readonly cell: number) {
    this.columns = Math.ceil(width / cell) + 1;
    this.seen = new Uint8Array(this.columns * (Math.ceil(height / cell) + 1));
  }

  isNew(x: number, y: number): boolean {
    const at = Math.floor(y / this.cell) * this.columns + Math.floor(x / this.cell);
    if (at < 0 || at >= this.seen.length || this.seen[at]) return false;
    this.seen[at] = 1;
    return true;
  }
}

export function HistoryPlot({ study, info, height = 300 }: { study: Study; info: StudyInfo; height?: number }) {
  const [isLog, setLog] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const [by, setBy] = useState<'id' | 'started'>('id');
  const [dragged, setDragged] = useState<Drag | null>(null);
  const last = useRef<Layout | null>(null);
  const version = study.version.value;
  const mask = study.mask.value;
  const best = study.best.value;
  const { table } = study;
  const bestTrial = info.best?.trial ?? 0;

  const ranges = useMemo(() => {
    const values = table.column('value');
    return { robust: robustExtent(values), whole: extent(values), positive: extent(values, true), x: extent(table.column(by)) };
  }, [version, by]);
  const canLog = ranges.positive !== null && (ranges.whole?.[0] ?? 0) > 0;
  const useLog = isLog && canLog;

  const draw = useMemo(
    () => (frame: Frame) => {
      const { g, palette } = frame;
      const range = useLog ? ranges.positive : isWhole || !ranges.robust ? ranges.whole : ([ranges.robust.low, ranges.robust.high] as [number, number]);
      const [low, high] = padded(range ?? [0, 1], 0.06, useLog);
      const makeY = useLog ? logScale : linearScale;
      const area = plotArea(frame, makeY(low, high, frame.height - 40, 20));
      const plotBottom = area.bottom - kFailureBand;
      const [from, to] = padded(ranges.x ?? [1, 2], 0.012);
      const x = (by === 'id' ? wholeScale : timeScale)(from, to, area.left, area.right);
      const y = makeY(low, high, plotBottom, area.top);
      last.current = { area, x, y };
      if (range) drawYAxis(frame, { ...area, bottom: plotBottom }, y, columnTitle('value', info));
      drawXAxis(frame, area, x, by === 'id' ? 'trial' : 'time');

      const places = table.column(by);
      const values = table.column('value');
      const isFinal = table.column('final');
      const states = table.column('state');
      const failed = table.stateIndex('failed');
      const stopped = table.stateIndex('stopped');
      const running = [table.stateIndex('active'), table.stateIndex('stopping')];
      const n = table.rows;
      const radius = n > 5000 ? 1.5 : n > 800 ? 2.2 : 3;
      const bits = mask.bits;
      const pass = (isSelected: boolean, kind: 'ended' | 'stopped' | 'running') => {
        const sieve = new PointSieve(frame.width, frame.height, n > 2000 ? 1.5 : 0.5);
        g.beginPath();
        for (let row = 0; row < n; ++row) {
          if ((bits ? bits[row] === 1 : true) !== isSelected) continue;
          const state = states[row]!;
          const isRunning = running.includes(state);
          if (kind === 'running' ? !isRunning : isRunning || (kind === 'stopped') !== (state === stopped)) continue;
          const px = x.place(places[row]!);
          let py = y.place(values[row]!);
          if (Number.isNaN(py)) continue;
          py = Math.min(plotBottom, Math.max(area.top, py)); // Beyond the range: at its edge.
          if (!sieve.isNew(px, py)) continue;
          if (radius < 2) g.rect(px - radius, py - radius, 2 * radius, 2 * radius);
          else {
            g.moveTo(px + radius, py);
            g.arc(px, py, radius, 0, 2 * Math.PI);
          }
        }
      };
      if (bits) {
        g.fillStyle = palette.dim;
        g.globalAlpha = 0.6;
        for (const kind of ['ended', 'stopped'] as const) {
          pass(false, kind);
          g.fill();
        }
      }
      g.fillStyle = palette.muted;
      g.globalAlpha = bits ? 1 : n > 5000 ? 0.5 : 0.75;
      pass(true, 'ended');
      g.fill();
      if (radius >= 2) g.globalAlpha = 1;
      g.strokeStyle = palette.muted;
      g.lineWidth = 1;
      pass(true, 'stopped');
      if (radius < 2) g.fill(); // Too small to be hollow.
      else g.stroke();
      g.globalAlpha = 1;

      // The best so far; its steps only, however many trials there are.
      g.strokeStyle = palette.text;
      g.lineWidth = 1.75;
      g.beginPath();
      let before = NaN;
      for (let row = 0; row < n; ++row) {
        const value = best[row]!;
        if (Number.isNaN(value) || value === before) continue;
        const px = x.place(places[row]!);
        const py = Math.min(plotBottom, Math.max(area.top, y.place(value)));
        if (Number.isNaN(before)) g.moveTo(px, py);
        else {
          g.lineTo(px, Math.min(plotBottom, Math.max(area.top, y.place(before))));
          g.lineTo(px, py);
        }
        before = value;
      }
      if (!Number.isNaN(before) && ranges.x) g.lineTo(x.place(ranges.x[1]), Math.min(plotBottom, y.place(before)));
      g.stroke();

      g.strokeStyle = palette.accent;
      g.lineWidth = 1.75;
      pass(true, 'running');
      g.stroke();

      g.strokeStyle = palette.bad;
      g.lineWidth = n > 2000 ? 1 : 1.5;
      g.beginPath();
      const ticks = new PointSieve(frame.width, 1, 1);
      for (let row = 0; row < n; ++row) {
        if (states[row] !== failed || (bits && !bits[row])) continue;
        const px = x.place(places[row]!);
        if (!ticks.isNew(px, 0)) continue;
        g.moveTo(px, area.bottom - 8);
        g.lineTo(px, area.bottom - 1);
      }
      g.stroke();

      const row = table.rowOf(bestTrial);
      if (row >= 0 && isFinal[row]) {
        const px = x.place(places[row]!);
        const py = y.place(values[row]!);
        g.beginPath();
        g.arc(px, py, 5, 0, 2 * Math.PI);
        g.fillStyle = palette.accent;
        g.fill();
        g.strokeStyle = palette.surface;
        g.lineWidth = 1.5;
        g.stroke();
      }
    },
    [version, mask, best, useLog, isWhole, by, info.metric, info.goal, bestTrial],
  );

  const brushed = brushes.value;
  const overlay = useMemo(
    () => (frame: Frame) => {
      const now = last.current;
      if (!now) return;
      const { g, palette } = frame;
      let box: [number, number, number, number] | null = null;
      if (dragged) box = [dragged.x0, dragged.y0, dragged.x1, dragged.y1];
      else {
        const bx = brushed.get(by);
        const by_ = brushed.get('value');
        if (bx?.kind !== 'range' && by_?.kind !== 'range') return;
        const limit = (at: number, low: number, high: number) => Math.min(high, Math.max(low, at));
        const { area, x, y } = now;
        const side = (brush: typeof bx, scale: Scale, low: number, high: number): [number, number] => {
          if (brush?.kind !== 'range') return [low, high];
          const ends = [brush.low, brush.high].map((value) => (Number.isFinite(value) ? scale.place(value) : value < 0 ? scale.from : scale.to));
          return [limit(Math.min(...ends), low, high), limit(Math.max(...ends), low, high)];
        };
        const [x0, x1] = side(bx, x, area.left, area.right);
        const [y0, y1] = side(by_, y, area.top, area.bottom);
        box = [x0, y0, x1, y1];
      }
      g.globalAlpha = 0.12;
      g.fillStyle = palette.accent;
      g.fillRect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
      g.globalAlpha = 1;
      g.strokeStyle = palette.accent;
      g.lineWidth = 1;
      g.strokeRect(Math.round(box[0]) + 0.5, Math.round(box[1]) + 0.5, Math.round(box[2] - box[0]), Math.round(box[3] - box[1]));
    },
    [dragged, brushed, by, draw],
  );

  const at = (row: number): Hover | null => {
    const now = last.current;
    if (!now) return null;
    const py = now.y.place(table.column('value')[row]!);
    return trialHover(study, info, row, now.x.place(table.column(by)[row]!), Number.isNaN(py) ? now.area.bottom - 5 : Math.min(now.area.bottom - kFailureBand, Math.max(now.area.top, py)));
  };
  const hover = (px: number, py: number): Hover | null => {
    const now = last.current;
    if (!now) return null;
    const places = table.column(by);
    const values = table.column('value');
    let nearest = kNear * kNear;
    let found = -1;
    for (let row = 0; row < table.rows; ++row) {
      if (mask.bits && !mask.bits[row]) continue;
      const dx = now.x.place(places[row]!) - px;
      if (dx > kNear || dx < -kNear) continue;
      let y = now.y.place(values[row]!);
      y = Number.isNaN(y) ? now.area.bottom - 5 : Math.min(now.area.bottom - kFailureBand, Math.max(now.area.top, y));
      const distance = dx * dx + (y - py) ** 2;
      if (distance < nearest) {
        nearest = distance;
        found = row;
      }
    }
    return found < 0 ? null : at(found);
  };
  const step = (by_: number, from: Hover | null): Hover | null => {
    let row = from ? Number(from.key) : by_ > 0 ? -1 : table.rows;
    do row += by_;
    while (row >= 0 && row < table.rows && mask.bits && !mask.bits[row]);
    return row >= 0 && row < table.rows ? at(row) : from;
  };
  const onDrag = (drag: Drag, isDone: boolean) => {
    const now = last.current;
    if (!isDone || !now) {
      setDragged(drag);
      return;
    }
    setDragged(null);
    const { area, x, y } = now;
    const inside = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
    const xs = [x.value(inside(drag.x0, area.left, area.right)), x.value(inside(drag.x1, area.left, area.right))].sort((a, b) => a - b);
    const top = Math.min(drag.y0, drag.y1);
    const bottom = Math.max(drag.y0, drag.y1);
    const ys = [y.value(bottom), y.value(top)].sort((a, b) => a - b);
    const isTall = bottom - top > (area.bottom - area.top) * 0.85;
    const isOut = (edge: number) => edge <= area.top + 2;
    setBrushes({
      [by === 'id' ? 'started' : 'id']: null,
      [by]: { kind: 'range', low: by === 'id' ? Math.ceil(xs[0]!) : xs[0]!, high: by === 'id' ? Math.floor(xs[1]!) : xs[1]! },
      value: isTall ? null : { kind: 'range', low: bottom >= area.bottom - kFailureBand ? -Infinity : ys[0]!, high: isOut(top) ? Infinity : ys[1]! },
    });
  };

  return (
    <Plot
      name={`${info.name}-history`}
      title="History"
      label={`History: ${info.metric} of ${table.rows} trials, the best so far is ${info.best ? `${formatNumber(info.best.value)} of trial ${info.best.trial}` : 'not known yet'}. The arrow keys go from trial to trial; Enter opens one.`}
      height={height}
      draw={draw}
      overlay={overlay}
      hover={hover}
      step={step}
      onDrag={onDrag}
      onDoubleClick={() => setBrushes({ id: null, started: null, value: null })}
      tools={
        <>
          <Choice
            label="Axis"
            value={by}
            options={[
              { value: 'id', text: 'By trial' },
              { value: 'started', text: 'By time' },
            ]}
            onChange={setBy}
          />
          {ranges.robust?.isCut && !useLog && <Toggle text="Outliers" label="Show values that are far away from the others" on={isWhole} onChange={setWhole} />}
          {canLog && <Toggle text="Log" label="Logarithmic axis" on={useLog} onChange={setLog} />}
        </>
      }
      table={() => ({
        head: ['trial', 'state', 'started', columnTitle('value', info), 'best so far'],
        rows: Array.from({ length: table.rows }, (_, row) => row)
          .filter((row) => !mask.bits || mask.bits[row])
          .map((row) => [table.idOf(row), table.stateOf(row), cellText(table, 'started', row), table.column('value')[row]!, best[row]!]),
      })}
    />
  );
}
