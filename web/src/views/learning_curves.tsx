// Learning curves of all trials: the best are lit, what runs is in the accent's colour, the rest is dim.
import { useMemo, useRef, useState } from 'preact/hooks';
import { robustExtent } from '../order';
import { drawXAxis, drawYAxis, plotArea, type Area, type Frame } from '../plots/axes';
import { valueColour } from '../plots/colour';
import { Plot, type Hover } from '../plots/plot';
import { linearScale, logScale, padded, wholeScale, type Scale } from '../plots/scale';
import { remember, remembered } from '../store/preferences';
import { selection } from '../store/filter_state';
import { useCurves, type Curve } from '../store/curves';
import type { Study } from '../store/study';
import type { StudyInfo } from '../types';
import { Toggle } from '../ui/button';
import { Empty, ErrorLine, Loading } from '../ui/states';
import { trialHover } from './trial_hover';

const kLit = 5;
const kNear = 18;

interface Layout {
  area: Area;
  x: Scale;
  y: Scale;
}

/** Pure: ids of the best trials among those given, best first. */
export function bestOf(ids: Iterable<number>, valueOf: (id: number) => number, isMax: boolean, count: number): number[] {
  return [...ids]
    .map((id) => [id, valueOf(id)] as const)
    .filter(([, value]) => !Number.isNaN(value))
    .sort((a, b) => (isMax ? b[1] - a[1] : a[1] - b[1]))
    .slice(0, count)
    .map(([id]) => id);
}

function trace(frame: Frame, { area, x, y }: Layout, curve: Curve): void {
  const { g } = frame;
  let isOpen = false;
  for (let i = 0; i < curve.step.length; ++i) {
    const py = y.place(curve.value[i]!);
    if (Number.isNaN(py)) {
      isOpen = false;
      continue;
    }
    const px = x.place(curve.step[i]!);
    const inside = Math.min(area.bottom + 40, Math.max(area.top - 40, py));
    if (isOpen) g.lineTo(px, inside);
    else g.moveTo(px, inside);
    isOpen = true;
  }
}

export function LearningCurves({ study, info, height = 300 }: { study: Study; info: StudyInfo; height?: number }) {
  const names = info.metricNames;
  const [chosen, choose] = useState(names.includes(info.metric) ? info.metric : (names[0] ?? ''));
  const metric = names.includes(chosen) ? chosen : (names[0] ?? '');
  const [isLog, setLog] = useState(remembered('curves.log') === '1');
  const [hovered, setHovered] = useState(0);
  const last = useRef<Layout | null>(null);
  const curves = useCurves(study, metric);
  const version = curves.version.value;
  const mask = study.mask.value;
  const picked = selection.value;
  const { table } = study;

  const shown = useMemo(() => {
    const list = [...curves.curves.values()].filter(({ step }) => step.length > 0);
    if (!mask.bits) return list;
    return list.filter(({ trial }) => mask.bits![table.rowOf(trial)] === 1);
  }, [version, mask]);

  const ranges = useMemo(() => {
    let points = 0;
    let right = 1;
    let left = Infinity;
    for (const { step } of shown) {
      points += step.length;
      right = Math.max(right, step[step.length - 1]!);
      left = Math.min(left, step[0]!);
    }
    const all = new Float32Array(points);
    points = 0;
    for (const { value } of shown) {
      all.set(value, points);
      points += value.length;
    }
    const linear = robustExtent(all);
    return { left: Number.isFinite(left) ? left : 0, right, linear, log: robustExtent(all, true), isPositive: all.every((value) => !(value <= 0)) };
  }, [shown]);
  const useLog = isLog && ranges.isPositive;

  const lit = useMemo(() => {
    const value = table.column('value');
    const mayBeBest = table.column('mayBeBest');
    return bestOf(
      shown.map(({ trial }) => trial).filter((id) => mayBeBest[table.rowOf(id)]),
      (id) => value[table.rowOf(id)]!,
      info.goal === 'MAXIMIZE',
      kLit,
    );
  }, [shown, info.goal]);

  const draw = useMemo(
    () => (frame: Frame) => {
      const { g, palette } = frame;
      const range = (useLog ? ranges.log : ranges.linear) ?? { low: 0, high: 1 };
      const [low, high] = padded([range.low, range.high], 0.04, useLog);
      const makeY = useLog ? logScale : linearScale;
      const area = plotArea(frame, makeY(low, high, frame.height - 30, 20));
      const layout = (last.current = {
        area,
        x: wholeScale(Math.min(ranges.left, ranges.right - 1), ranges.right, area.left, area.right),
        y: makeY(low, high, area.bottom, area.top),
      });
      drawYAxis(frame, area, layout.y, metric);
      drawXAxis(frame, area, layout.x, 'step');
      g.save();
      g.beginPath();
      g.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
      g.clip();
      g.lineJoin = 'round';
      const ranks = new Map(lit.map((id, rank) => [id, rank]));
      const active = [table.stateIndex('active'), table.stateIndex('stopping')];
      const states = table.column('state');
      const isRunning = (id: number) => active.includes(states[table.rowOf(id)]!);

      g.strokeStyle = palette.dim;
      g.lineWidth = 1;
      g.globalAlpha = shown.length > 200 ? 0.35 : shown.length > 40 ? 0.55 : 0.8;
      for (const curve of shown) {
        if (ranks.has(curve.trial) || isRunning(curve.trial)) continue;
        g.beginPath();
        trace(frame, layout, curve);
        g.stroke();
      }
      g.globalAlpha = 1;
      for (const curve of shown) {
        if (!isRunning(curve.trial)) continue;
        g.strokeStyle = palette.accent;
        g.lineWidth = 1.75;
        g.beginPath();
        trace(frame, layout, curve);
        g.stroke();
        const end = curve.step.length - 1;
        g.beginPath();
        g.arc(layout.x.place(curve.step[end]!), layout.y.place(curve.value[end]!), 3, 0, 2 * Math.PI);
        g.fillStyle = palette.accent;
        g.fill();
      }
      for (const id of [...lit].reverse()) {
        g.strokeStyle = valueColour(1 - (ranks.get(id)! / kLit) * 0.7, palette.dark);
        g.lineWidth = ranks.get(id) === 0 ? 2.5 : 1.75;
        g.beginPath();
        trace(frame, layout, curves.curves.get(id)!);
        g.stroke();
      }
      g.restore();
    },
    [shown, lit, ranges, useLog, metric],
  );

  const overlay = useMemo(
    () => (frame: Frame) => {
      const layout = last.current;
      if (!layout) return;
      const { g, palette } = frame;
      g.save();
      g.beginPath();
      g.rect(layout.area.left, layout.area.top, layout.area.right - layout.area.left, layout.area.bottom - layout.area.top);
      g.clip();
      for (const id of [...picked, hovered]) {
        const curve = curves.curves.get(id);
        if (!curve) continue;
        g.strokeStyle = palette.text;
        g.lineWidth = 2;
        g.beginPath();
        trace(frame, layout, curve);
        g.stroke();
      }
      g.restore();
    },
    [hovered, picked.join(), draw],
  );

  const at = (curve: Curve, i: number): Hover => {
    const layout = last.current!;
    const hover = trialHover(study, info, table.rowOf(curve.trial), layout.x.place(curve.step[i]!), layout.y.place(curve.value[i]!));
    return { ...hover, key: `${curve.trial}/${i}` };
  };
  const hover = (px: number, py: number): Hover | null => {
    const layout = last.current;
    if (!layout) return null;
    const { x, y } = layout;
    let nearest = kNear * kNear;
    let found: Curve | null = null;
    let point = 0;
    for (const curve of shown) {
      for (let i = 0; i < curve.step.length; ++i) {
        const dx = x.place(curve.step[i]!) - px;
        if (dx > kNear) break; // Steps ascend.
        if (dx < -kNear) continue;
        const distance = dx * dx + (y.place(curve.value[i]!) - py) ** 2;
        if (distance < nearest) {
          nearest = distance;
          found = curve;
          point = i;
        }
      }
    }
    setHovered(found?.trial ?? 0);
    return found ? at(found, point) : null;
  };
  // By keyboard from the best trial on.
  const step = (by: number, from: Hover | null): Hover | null => {
    const order = [...lit, ...shown.map(({ trial }) => trial).filter((id) => !lit.includes(id))];
    const now = from ? order.indexOf(parseInt(String(from.key), 10)) : by > 0 ? -1 : order.length;
    const curve = curves.curves.get(order[now + by]!);
    if (!curve) return from;
    setHovered(curve.trial);
    return at(curve, curve.step.length - 1);
  };

  if (curves.error.value && !curves.isLoaded.value) return <ErrorLine text={curves.error.value.message} />;
  if (!curves.isLoaded.value) return <Loading text="Loading the curves" />;
  if (!curves.curves.size) return <Empty title="There are no curves yet">They appear as soon as trials report {metric || 'a metric'} more than once.</Empty>;
  return (
    <Plot
      name={`${info.name}-curves`}
      title="Learning curves"
      label={`Learning curves: ${metric} by step of ${shown.length} trials; the best is trial ${lit[0] ?? 'not known yet'}. The arrow keys go from trial to trial, the best first; Enter opens one.`}
      height={height}
      draw={draw}
      overlay={overlay}
      hover={hover}
      step={step}
      tools={
        <>
          {names.length > 1 && (
            <select aria-label="Metric" value={metric} onChange={(event) => choose(event.currentTarget.value)}>
              {names.map((name) => (
                <option value={name}>{name}</option>
              ))}
            </select>
          )}
          {ranges.isPositive && (
            <Toggle
              text="Log"
              label="Logarithmic axis"
              on={useLog}
              onChange={(on) => {
                setLog(on);
                remember('curves.log', on ? '1' : '0');
              }}
            />
          )}
        </>
      }
      table={() => ({
        head: ['trial', 'step', metric],
        rows: shown.flatMap(({ trial, step: steps, value }) => Array.from(steps, (at_, i) => [trial, at_, value[i]!] as const)),
      })}
    />
  );
}
