// Parallel coordinates: one line for each trial, one axis for each parameter and
// for the results. A drag along an axis selects; axes can be moved.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Brush } from '../filter';
import { formatNumber } from '../format';
import { keptPieces } from '../names';
import { goodness, robustExtent } from '../order';
import { fitText, useFont, type Frame } from '../plots/axes';
import { palette, valueColours } from '../plots/colour';
import { ColourKey } from '../plots/colour_key';
import { LinePainter } from '../plots/line_painter';
import { axisCells, moved, orderedColumns } from '../plots/parallel_layout';
import { Plot, type Drag, type Hover } from '../plots/plot';
import { categoryScale, linearScale, logScale, padded, parameterScale, type Scale } from '../plots/scale';
import { route, setQuery } from '../router';
import { brushes, selection, setBrush } from '../store/filter_state';
import type { Study } from '../store/study';
import type { Parameter, StudyInfo } from '../types';
import { Name } from '../ui/name';
import { AxisWindow } from './axis_window';
import { columnTitle } from './columns_of';
import { useRoomBelow } from './curves';
import type { TabProps } from './tab_props';
import { trialHover } from './trial_hover';

const kCells = 254; // One more for rows without a value: 255 in all, a byte.
const kSide = 44;
const kTop = 10;
const kBottom = 26;
const kNearAxis = 14;
const kNearLine = 8;
const kMinGap = 76;

interface Axis {
  column: string;
  title: string;
  parameter: Parameter | null;
  scale: (from: number, to: number) => Scale;
  canLog: boolean;
  isLog: boolean;
  labels: readonly string[] | undefined;
}

function axisOf(study: Study, info: StudyInfo, column: string, logs: readonly string[]): Axis {
  const title = columnTitle(column, info);
  const labels = study.table.labels(column);
  const toggled = logs.includes(column);
  if (column.startsWith('p:')) {
    const parameter = info.space.find(({ name }) => 'p:' + name === column)!;
    const canLog = parameter.type !== 'CATEGORICAL' && Math.min(parameter.min ?? Infinity, ...(parameter.values ?? []).map(Number)) > 0;
    const isLog = canLog && (parameter.scale === 'LOG') !== toggled;
    return { column, title, parameter, labels, canLog, isLog, scale: (from, to) => parameterScale({ ...parameter, scale: isLog ? 'LOG' : parameter.scale === 'REVERSE_LOG' && !toggled ? 'REVERSE_LOG' : 'LINEAR' }, from, to) };
  }
  if (labels) return { column, title, parameter: null, labels, canLog: false, isLog: false, scale: (from, to) => categoryScale(labels, from, to) };
  const values = study.table.column(column);
  const whole = robustExtent(values, true);
  const isLog = toggled && whole !== null;
  const range = robustExtent(values, isLog);
  const [low, high] = padded(range ? [range.low, range.high] : [0, 1], 0.02, isLog);
  return { column, title, parameter: null, labels, canLog: (robustExtent(values)?.low ?? 0) > 0, isLog, scale: (from, to) => (isLog ? logScale : linearScale)(low, high, from, to) };
}

/** Pure: the labels whose bands a stretch of a category axis touches. */
export function labelsBetween(scale: Scale, labels: readonly string[], a: number, b: number): string[] {
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  const half = labels.length ? Math.abs(scale.to - scale.from) / labels.length / 2 : 0;
  return labels.filter((_, i) => scale.place(i) + half > low && scale.place(i) - half < high);
}

function brushOf(axis: Axis, scale: Scale, a: number, b: number): Brush {
  if (axis.labels) return { kind: 'set', labels: labelsBetween(scale, axis.labels, a, b) };
  const inside = (y: number) => Math.min(Math.max(scale.from, scale.to), Math.max(Math.min(scale.from, scale.to), y));
  const ends = [scale.value(inside(a)), scale.value(inside(b))].sort((x, y) => x - y);
  return { kind: 'range', low: ends[0]!, high: ends[1]! };
}

/** The stretches of an axis that a brush covers. */
function stretches(axis: Axis, scale: Scale, brush: Brush): [number, number][] {
  if (brush.kind === 'range') {
    const ends = [brush.low, brush.high].map((value) => (Number.isFinite(value) ? scale.place(value) : value < 0 ? scale.from : scale.to));
    return [[Math.min(...ends), Math.max(...ends)]];
  }
  const half = Math.abs(scale.to - scale.from) / Math.max(1, axis.labels?.length ?? 1) / 2;
  return brush.labels.map((label) => {
    const at = scale.place(axis.labels?.indexOf(label) ?? 0);
    return [at - half + 1, at + half - 1];
  });
}

export function ParallelTab({ study, info }: TabProps) {
  const { table } = study;
  const version = study.version.value;
  const mask = study.mask.value;
  const brushed = brushes.value;
  const picked = selection.value;
  const colours = palette.value;
  const { query } = route.value;
  const room = useRoomBelow(430);
  const height = Math.min(room, 720);
  const logs = (query.log ?? '').split('~');
  const [edited, setEdited] = useState<string | null>(null);
  const [dragged, setDragged] = useState<{ column: string; x: number } | null>(null);
  const [hoverRow, setHoverRow] = useState(-1);

  const columns = useMemo(() => {
    const all = info.space.map(({ name }) => 'p:' + name);
    for (const { name } of info.metrics > 1 ? info.metricSpecs : []) if (table.has('m:' + name)) all.push('m:' + name);
    if (info.metrics <= 1) all.push('value');
    return orderedColumns(all, query.axes ?? '');
  }, [info.space, info.metrics, info.metricSpecs, query.axes]);
  const axes = useMemo(() => columns.map((column) => axisOf(study, info, column, logs)), [columns, version, query.log]);

  // Where everything is; the width is that of the plot.
  const [width, setWidth] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () => setWidth(Math.max(element.clientWidth, columns.length * kMinGap));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [columns.length]);
  const [top, bottom] = [kTop, height - kBottom];
  const places = useMemo(
    () => columns.map((_, i) => (columns.length > 1 ? kSide + ((width - 2 * kSide) * i) / (columns.length - 1) : width / 2)),
    [columns, width],
  );
  const scales = useMemo(() => axes.map((axis) => axis.scale(bottom, top)), [axes, top, bottom]);
  const cells = useMemo(
    () => axes.map((axis, i) => axisCells(table.column(axis.column), scales[i]!.place, top, bottom, kCells)),
    [axes, scales],
  );
  const cellPlace = useMemo(() => {
    const factor = (bottom - top) / (kCells - 1);
    return (cell: number) => (cell === kCells ? bottom + 12 : top + cell * factor);
  }, [top, bottom]);

  const values = table.column('value');
  const scaleOfGood = useMemo(() => goodness(values, info.goal === 'MAXIMIZE'), [version, info.goal]);
  const good = useMemo(() => {
    const ranks = new Uint8Array(table.rows);
    for (let row = 0; row < table.rows; ++row) {
      const t = scaleOfGood.of(values[row]!);
      ranks[row] = Number.isNaN(t) ? 1 : 2 + Math.round(t * 253);
    }
    return ranks;
  }, [scaleOfGood]);

  // Two layers of lines: all, dim, which changes seldom; and what is selected.
  const dimCanvas = useRef<HTMLCanvasElement>(null);
  const litCanvas = useRef<HTMLCanvasElement>(null);
  const [painters] = useState(() => ({ dim: new LinePainter(), lit: new LinePainter() }));
  const isFiltered = mask.bits !== null;
  const ramp = useMemo(() => valueColours(64, colours.dark), [colours]);
  const colourOf = (rank: number) => (rank <= 1 ? colours.dim : ramp[Math.round(((rank - 2) / 253) * 63)]!);
  useEffect(() => {
    if (!width || !isFiltered) {
      painters.dim.cancel();
      return;
    }
    painters.dim.paint({
      canvas: dimCanvas.current!, width, height, places, cells, cellPlace,
      ranks: new Uint8Array(table.rows).fill(1), colour: () => colours.dim, alpha: table.rows > 2000 ? 0.3 : 0.5,
    });
  }, [isFiltered, width, height, places, cells, colours]);
  useEffect(() => {
    if (!width) return;
    const ranks = mask.bits ? good.map((rank, row) => (mask.bits![row] ? rank : 0)) : good;
    painters.lit.paint(
      { canvas: litCanvas.current!, width, height, places, cells, cellPlace, ranks, colour: colourOf, alpha: mask.count > 1000 ? 0.85 : 1 },
      () => performance.mark('parallel-drawn'),
    );
  }, [mask, good, width, height, places, cells, colours]);
  useEffect(() => () => void (painters.dim.cancel(), painters.lit.cancel()), []);

  const draw = useMemo(
    () => (frame: Frame) => {
      const { g, palette: p } = frame;
      if (frame.isFile) {
        // A file has every line exactly, the best last.
        const rows = Array.from({ length: table.rows }, (_, row) => row).filter((row) => !mask.bits || mask.bits[row]);
        rows.sort((a, b) => good[a]! - good[b]!);
        g.lineWidth = 1;
        for (const row of rows) {
          g.strokeStyle = colourOf(good[row]!);
          g.beginPath();
          axes.forEach((axis, i) => {
            const y = scales[i]!.place(table.column(axis.column)[row]!);
            g.lineTo(places[i]!, Number.isNaN(y) ? bottom + 12 : y);
          });
          g.stroke();
        }
      }
      useFont(frame);
      axes.forEach((axis, i) => {
        const x = Math.round(places[i]!) + 0.5;
        g.strokeStyle = p.muted;
        g.lineWidth = 1;
        g.beginPath();
        g.moveTo(x, top);
        g.lineTo(x, bottom);
        g.stroke();
        g.textBaseline = 'middle';
        const isLast = i === axes.length - 1;
        g.textAlign = isLast ? 'left' : 'right';
        const gap = i > 0 ? places[i]! - places[i - 1]! : places[0]! * 2;
        const keptLabels = keptPieces(axis.labels ?? []);
        let used = Infinity;
        for (const tick of scales[i]!.ticks()) {
          const y = scales[i]!.place(tick.value);
          if (!tick.text || y < top - 1 || y > bottom + 1 || Math.abs(used - y) < p.fontSize * (axis.labels ? 1.1 : 2.2)) continue;
          used = y;
          // A number is shown whole; a category's name gives way.
          const most = isLast ? kSide - 8 : Math.min(gap, 110) - 16;
          const text = axis.labels ? fitText(g, tick.text, most, keptLabels.get(tick.text)) : tick.text;
          const w = g.measureText(text).width;
          g.globalAlpha = 0.82;
          g.fillStyle = p.surface;
          g.fillRect(isLast ? x + 4 : x - w - 8, y - p.fontSize * 0.6, w + 4, p.fontSize * 1.2);
          g.globalAlpha = 1;
          g.fillStyle = p.text;
          g.fillText(text, isLast ? x + 6 : x - 6, y);
          g.beginPath();
          g.moveTo(x - 3, Math.round(y) + 0.5);
          g.lineTo(x + 3, Math.round(y) + 0.5);
          g.stroke();
        }
        if (frame.isFile) {
          g.textAlign = 'center';
          g.textBaseline = 'alphabetic';
          g.fillStyle = p.text;
          g.fillText(axis.title, x, frame.height - 2);
        }
      });
      if (!frame.isFile) {
        g.textAlign = 'left';
        g.textBaseline = 'middle';
        g.fillStyle = p.muted;
        g.fillText('none', 2, bottom + 12);
      }
    },
    [axes, scales, places, colours, mask, good],
  );

  const lineY = (row: number, i: number): number => {
    const y = scales[i]!.place(table.column(axes[i]!.column)[row]!);
    return Number.isNaN(y) ? bottom + 12 : y;
  };
  const overlay = useMemo(
    () => (frame: Frame) => {
      const { g, palette: p } = frame;
      axes.forEach((axis, i) => {
        const brush = brushed.get(axis.column);
        if (!brush) return;
        for (const [from, to] of stretches(axis, scales[i]!, brush)) {
          g.globalAlpha = 0.25;
          g.fillStyle = p.accent;
          g.fillRect(places[i]! - 7, from, 14, Math.max(3, to - from));
          g.globalAlpha = 1;
          g.strokeStyle = p.accent;
          g.lineWidth = 1.5;
          g.strokeRect(places[i]! - 7, from, 14, Math.max(3, to - from));
        }
      });
      g.lineJoin = 'round';
      for (const row of [...picked.map((id) => table.rowOf(id)), hoverRow]) {
        if (row < 0 || row >= table.rows) continue;
        for (const [colour, w] of [[p.surface, 5], [p.text, 2]] as const) {
          g.strokeStyle = colour;
          g.lineWidth = w;
          g.beginPath();
          axes.forEach((_, i) => g.lineTo(places[i]!, lineY(row, i)));
          g.stroke();
        }
      }
    },
    [brushed, axes, scales, places, picked.join(), hoverRow, version],
  );

  const axisAt = (x: number) => {
    let found = -1;
    places.forEach((place, i) => {
      if (Math.abs(place - x) <= kNearAxis) found = i;
    });
    return found;
  };
  const hover = (x: number, y: number): Hover | null => {
    let i = 0;
    while (i < places.length - 2 && places[i + 1]! < x) ++i;
    if (places.length < 2 || axisAt(x) >= 0 || x < places[0]! || x > places[places.length - 1]!) {
      setHoverRow(-1);
      return null;
    }
    const t = (x - places[i]!) / (places[i + 1]! - places[i]!);
    const [a, b] = [cells[i]!, cells[i + 1]!];
    let nearest = kNearLine;
    let found = -1;
    for (let row = 0; row < table.rows; ++row) {
      if (mask.bits && !mask.bits[row]) continue;
      const distance = Math.abs(cellPlace(a[row]!) * (1 - t) + cellPlace(b[row]!) * t - y);
      // Of lines over each other, the best is on top.
      if (distance < nearest - 1 || (distance < nearest + 1 && found >= 0 && distance < kNearLine && good[row]! > good[found]!)) {
        nearest = Math.min(nearest, distance);
        found = row;
      }
    }
    setHoverRow(found);
    if (found < 0) return null;
    return trialHover(study, info, found, x, lineY(found, i) * (1 - t) + lineY(found, i + 1) * t);
  };
  const step = (by: number, from: Hover | null): Hover | null => {
    let row = from ? Number(from.key) : by > 0 ? -1 : table.rows;
    do row += by;
    while (row >= 0 && row < table.rows && mask.bits && !mask.bits[row]);
    if (row < 0 || row >= table.rows) return from;
    setHoverRow(row);
    const last = axes.length - 1;
    return trialHover(study, info, row, places[last]!, lineY(row, last));
  };
  const drag = (d: Drag) => {
    const i = axisAt(d.x0);
    if (i < 0) return;
    const brush = brushOf(axes[i]!, scales[i]!, d.y0, d.y1);
    setBrush(axes[i]!.column, brush.kind === 'set' && brush.labels.length === 0 ? null : brush);
  };
  const move = (from: number, to: number) => setQuery({ axes: moved(columns, from, to).join('~') });
  const toggleLog = (column: string) => {
    const next = logs.includes(column) ? logs.filter((other) => other !== column) : [...logs, column];
    setQuery({ log: next.filter(Boolean).join('~') });
  };

  const keptTitles = keptPieces(axes.map(({ title }) => title));
  const heads = (
    <div class="axis-heads">
      {axes.map((axis, i) => (
        <button
          key={axis.column}
          type="button"
          class={brushed.has(axis.column) ? 'axis-head brushed' : 'axis-head'}
          style={{ left: `${dragged?.column === axis.column ? dragged.x : places[i]}px`, maxWidth: `${Math.max(60, (places[1]! - places[0]!) - 6)}px` }}
          title={`${axis.title}: click for its range and scale; drag, or press the left and right arrows, to move it`}
          aria-label={`Axis ${axis.title}, ${i + 1} of ${axes.length}`}
          onClick={() => dragged === null && setEdited(axis.column)}
          onKeyDown={(event) => {
            const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!by) return;
            event.preventDefault();
            move(i, i + by);
          }}
          onPointerDown={(event) => {
            const button = event.currentTarget;
            const start = event.clientX;
            let last = places[i]!;
            let isMoved = false;
            button.setPointerCapture(event.pointerId);
            const onMove = (moving: PointerEvent) => {
              if (!isMoved && Math.abs(moving.clientX - start) < 5) return;
              isMoved = true;
              last = places[i]! + moving.clientX - start;
              setDragged({ column: axis.column, x: last });
            };
            const onUp = () => {
              button.removeEventListener('pointermove', onMove);
              button.removeEventListener('pointerup', onUp);
              button.removeEventListener('pointercancel', onUp);
              if (!isMoved) return;
              const others = places.filter((_, other) => other !== i);
              move(i, others.filter((place) => place < last).length);
              setTimeout(() => setDragged(null)); // After the click that follows.
            };
            button.addEventListener('pointermove', onMove);
            button.addEventListener('pointerup', onUp);
            button.addEventListener('pointercancel', onUp);
          }}
        >
          <Name text={axis.title} kept={keptTitles.get(axis.title)} />
        </button>
      ))}
    </div>
  );
  const edit = axes.find(({ column }) => column === edited);
  return (
    <div class="panel parallel">
      <div class="parallel-scroll" ref={box}>
        <div style={{ width: `${width}px` }}>
          <Plot
            name={`${info.name}-parallel`}
            title="Parallel coordinates"
            label={`Parallel coordinates of ${mask.count} trials over ${axes.map(({ title }) => title).join(', ')}. The arrow keys go from trial to trial. The axes' buttons choose ranges.`}
            height={height}
            draw={draw}
            overlay={overlay}
            hover={hover}
            step={step}
            onDrag={drag}
            canDrag={(x) => axisAt(x) >= 0}
            onDoubleClick={() => axes.forEach(({ column }) => brushed.has(column) && setBrush(column, null))}
            above={heads}
            background={
              <>
                <canvas ref={dimCanvas} aria-hidden="true" hidden={!isFiltered} />
                <canvas ref={litCanvas} aria-hidden="true" />
              </>
            }
            tools={<ColourKey name={info.metric} worst={scaleOfGood.worst} best={scaleOfGood.best} />}
            table={() => ({
              head: ['trial', ...axes.map(({ title }) => title)],
              rows: Array.from({ length: table.rows }, (_, row) => row)
                .filter((row) => !mask.bits || mask.bits[row])
                .map((row) => [
                  table.idOf(row),
                  ...axes.map(({ column, labels }) => {
                    const value = table.column(column)[row]!;
                    return labels ? (labels[value] ?? '') : value;
                  }),
                ]),
            })}
          />
        </div>
      </div>
      <p class="muted hint">
        Drag along an axis to select; double-click to select all again. Drag an axis’ name to move it; click it for an exact range
        {Number.isNaN(scaleOfGood.best) ? '.' : `. The ${colours.dark ? 'brightest' : 'darkest'} line has ${info.metric} ${formatNumber(scaleOfGood.best, 4)}.`}
      </p>
      {edit && (
        <AxisWindow
          title={edit.title}
          labels={edit.labels}
          brush={brushed.get(edit.column)}
          canLog={edit.canLog}
          isLog={edit.isLog}
          onLog={() => toggleLog(edit.column)}
          onBrush={(brush) => setBrush(edit.column, brush)}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  );
}
