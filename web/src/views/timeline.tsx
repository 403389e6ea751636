// What ran where and when, and where nothing did.
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { getColumns, studyPath } from '../api';
import { formatDuration, formatName, formatNumber, formatShare, formatTime, plural } from '../format';
import { drawXAxis, fitText, useFont, type Frame } from '../plots/axes';
import { palette, valueColours, type Palette } from '../plots/colour';
import { Plot, type Drag, type Hover } from '../plots/plot';
import { timeScale, type Scale } from '../plots/scale';
import { formatPath, navigate } from '../router';
import { serviceNow } from '../store/session';
import { barKind, bySlot, firstAfter, idleTime, zoomed, type BarKind, type Bars } from '../timeline';
import { focusRange } from '../insights';
import { Button, Choice } from '../ui/button';
import { useRefreshed } from '../ui/refreshed';
import { Empty, ErrorBox, Loading } from '../ui/states';
import { toneOf } from './insight_parts';
import type { TabProps } from './tab_props';

interface Loaded extends Bars {
  kind: BarKind[];
  cause: string[];
  slots: readonly string[];
  lists: Int32Array[];
}

const kStates = ['', 'intended', 'launching', 'running', 'exited', 'killed', 'lost'];
const kRow = 24;
const kBar = 16;
const kTop = 6;
const kBottom = 26;
const kNamed = 500;
const kTones = 24;

const kKinds: { kind: BarKind; text: string }[] = [
  { kind: 'running', text: 'running' },
  { kind: 'completed', text: 'completed' },
  { kind: 'stopped', text: 'stopped' },
  { kind: 'infeasible', text: 'infeasible' },
  { kind: 'failed', text: 'failed' },
  { kind: 'other', text: 'ended otherwise' },
];

const colourOf = (kind: BarKind, colours: Palette): string =>
  ({ running: colours.accent, completed: colours.muted, stopped: colours.surface, infeasible: colours.dim, failed: colours.bad, other: colours.dim })[kind];

function useTimeline({ study }: TabProps) {
  const { value, error, ask } = useRefreshed<Loaded>(
    async () => {
      const { header, data } = await getColumns(studyPath(study.id, 'timeline'));
      const column = (name: string) => data.get(name) ?? new Float64Array(0);
      const bars = { trial: column('trial'), attempt: column('attempt'), start: column('start'), end: column('end'), slot: column('slot') };
      const states = header.dictionaries?.state ?? kStates;
      const causes = header.dictionaries?.cause ?? study.table.labels('cause') ?? [];
      const cause = Array.from(column('cause'), (index) => causes[index] ?? '');
      const slots = header.slots ?? [];
      return {
        ...bars,
        cause,
        kind: cause.map((name, i) => barKind(!Number.isNaN(bars.end[i]!), states[column('state')[i]!] ?? '', name)),
        slots,
        lists: bySlot(bars, slots.length),
      };
    },
    2000,
    [study],
  );
  const version = study.version.value;
  useEffect(ask, [ask, version]);
  return { loaded: value, error, retry: ask };
}

function Chart({ study, info, bars }: TabProps & { bars: Loaded }) {
  const [range, setRange] = useState<[number, number] | null>(null);
  const [colouring, setColouring] = useState<'end' | 'value'>('end');
  const [drag, setDrag] = useState<Drag | null>(null);
  const scale = useRef<Scale | null>(null);
  const holder = useRef<HTMLDivElement>(null);
  const mask = study.mask.value;
  const n = bars.trial.length;
  const counts = useMemo(
    () => kKinds.map(({ kind, text }) => ({ kind, text, count: bars.kind.filter((other) => other === kind).length })).filter(({ count }) => count > 0),
    [bars],
  );
  const isRunning = counts[0]?.kind === 'running';
  const now = serviceNow();
  const whole = useMemo<[number, number]>(() => {
    let from = Infinity;
    let to = -Infinity;
    for (let i = 0; i < n; ++i) {
      from = Math.min(from, bars.start[i]!);
      to = Math.max(to, Number.isNaN(bars.end[i]!) ? now : bars.end[i]!);
    }
    return [from, Math.max(to, from + 1000)];
  }, [bars]);
  const [from, to] = range ?? whole;
  const table = study.table;
  const tones = useMemo(() => {
    const values = table.column('value');
    const limits = focusRange(values);
    return Float64Array.from(bars.trial, (id) => {
      const row = table.rowOf(id);
      return row < 0 || Number.isNaN(values[row]!) ? NaN : toneOf(values[row]!, limits, info.goal === 'MAXIMIZE');
    });
  }, [bars]);
  const isBright = (i: number) => {
    const row = mask.bits ? table.rowOf(bars.trial[i]!) : -1;
    return row < 0 || !!mask.bits![row];
  };
  const idle = useMemo(() => bars.lists.map((list) => idleTime(bars, list, from, to)), [bars, from, to]);

  const draw = useCallback(
    (frame: Frame) => {
      const { g, palette: colours, width, height } = frame;
      useFont(frame);
      const names = Math.max(...bars.slots.map((name) => g.measureText(name).width));
      const left = Math.min(names + 12, width * 0.3);
      const right = width - 68;
      const area = { left, right, top: kTop, bottom: height - kBottom };
      const x = (scale.current = timeScale(from, to, left, right));
      drawXAxis(frame, area, x, '', { grid: true });
      const valueTones = valueColours(kTones, colours.dark);
      const edge = (time: number) => Math.max(left, Math.min(right, x.place(time)));
      bars.lists.forEach((list, slot) => {
        const y = kTop + slot * kRow + (kRow - kBar) / 2;
        g.textBaseline = 'middle';
        g.textAlign = 'right';
        g.fillStyle = colours.text;
        g.fillText(fitText(g, bars.slots[slot]!, left - 12), left - 10, y + kBar / 2);
        g.fillStyle = colours.muted;
        g.fillText(`${formatShare(idle[slot]! / (to - from))} idle`, width, y + kBar / 2);
        // Where nothing ran, this stays to be seen.
        g.fillStyle = colours.line;
        g.globalAlpha = 0.4;
        const [a, b] = [edge(whole[0]), edge(whole[1])];
        g.fillRect(a, y, b - a, kBar);
        g.globalAlpha = 1;
        const end = firstAfter(bars, list, to);
        let lastPixel = -1;
        const first = Math.max(0, firstAfter(bars, list, from) - 1);
        const canName = end - first < kNamed;
        const perMs = (right - left) / (to - from);
        for (let place = first; place < end; ++place) {
          const i = list[place]!;
          const stop = Number.isNaN(bars.end[i]!) ? to : bars.end[i]!;
          if (stop < from) continue;
          const x0 = left + Math.max(0, bars.start[i]! - from) * perMs;
          const x1 = Math.max(x0 + 1, Math.min(right, left + (stop - from) * perMs));
          const kind = bars.kind[i]!;
          // Bars too narrow to be told apart share a pixel; a failure is not to be lost among them.
          if (x1 - x0 <= 1.5) {
            const pixel = Math.floor(x0);
            if (pixel === lastPixel && kind !== 'failed') continue;
            lastPixel = pixel;
          }
          const bright = isBright(i);
          const tone = tones[i]!;
          const byValue = colouring === 'value' && kind !== 'failed';
          const fill = byValue ? (Number.isNaN(tone) ? colours.dim : valueTones[Math.min(kTones - 1, Math.floor(tone * kTones))]!) : colourOf(kind, colours);
          g.globalAlpha = bright ? 1 : 0.22;
          g.fillStyle = fill;
          // A hair of room tells neighbours apart.
          const w = x1 - x0 > 4 ? x1 - x0 - 1 : x1 - x0;
          g.fillRect(x0, y, w, kBar);
          if (kind === 'stopped' && !byValue) {
            g.strokeStyle = colours.muted;
            g.lineWidth = 1;
            g.strokeRect(x0 + 0.5, y + 0.5, Math.max(0.5, w - 1), kBar - 1);
          }
          const text = String(bars.trial[i]);
          if (canName && w > 14 && g.measureText(text).width + 6 < w) {
            g.textAlign = 'left';
            g.fillStyle = kind === 'stopped' && !byValue ? colours.text : kind === 'other' && !byValue ? colours.text : byValue && Number.isNaN(tone) ? colours.text : byValue ? (tone > 0.45 !== colours.dark ? '#fff' : '#111') : colours.surface;
            g.fillText(text, x0 + 4, y + kBar / 2 + 0.5);
          }
          g.globalAlpha = 1;
        }
      });
    },
    [bars, from, to, colouring, mask, tones, palette.value],
  );

  const hoverOf = (i: number): Hover | null => {
    const x = scale.current;
    if (!x) return null;
    const end = Number.isNaN(bars.end[i]!) ? serviceNow() : bars.end[i]!;
    const seconds = (end - bars.start[i]!) / 1000;
    const row = table.rowOf(bars.trial[i]!);
    const value = row < 0 ? NaN : table.column('value')[row]!;
    const state = bars.kind[i] === 'running' ? 'runs' : bars.cause[i]!.replace(/_/g, ' ') || 'ended';
    const middle = (Math.max(bars.start[i]!, from) + Math.min(end, to)) / 2;
    const lines: [string, string][] = [
      ['end', state],
      ['started', formatTime(bars.start[i]!)],
      ['duration', formatDuration(seconds)],
      ...(Number.isNaN(value) ? [] : [[info.metric, formatNumber(value)] as [string, string]]),
    ];
    const name = `Trial ${bars.trial[i]}${bars.attempt[i]! > 1 ? `, attempt ${bars.attempt[i]}` : ''}`;
    return {
      x: x.place(middle),
      y: kTop + bars.slot[i]! * kRow + kRow / 2,
      key: i,
      text: `${name} on ${bars.slots[bars.slot[i]!]}: ${lines.map((line) => line.join(' ')).join(', ')}`,
      pick: () => navigate(formatPath({ view: 'trial', study: info.id, trial: bars.trial[i]! })),
      content: (
        <>
          <strong>{name}</strong>
          <dl>
            {lines.map(([what, text]) => (
              <>
                <dt>{what}</dt>
                <dd>{text}</dd>
              </>
            ))}
          </dl>
        </>
      ),
    };
  };
  const hover = (px: number, py: number): Hover | null => {
    const list = bars.lists[Math.floor((py - kTop) / kRow)];
    const x = scale.current;
    if (!list || !x || px < x.from || px > x.to) return null;
    const slack = x.value(px + 2) - x.value(px);
    const time = x.value(px);
    const place = firstAfter(bars, list, time + slack) - 1;
    const i = list[place];
    if (i === undefined || bars.end[i]! + slack < time) return null;
    return hoverOf(i);
  };
  const step = (by: number, before: Hover | null): Hover | null => {
    const i = before ? Number(before.key) + by : by > 0 ? 0 : n - 1;
    if (i < 0 || i >= n) return before;
    // What is gone to is brought into sight.
    if (bars.start[i]! < from || bars.start[i]! > to) {
      const span = to - from;
      const start = Math.max(whole[0], Math.min(whole[1] - span, bars.start[i]! - span / 2));
      setRange([start, start + span]);
    }
    return hoverOf(i);
  };
  const zoom = (factor: number, at = (from + to) / 2) => {
    const next = zoomed([from, to], at, factor, whole);
    setRange(next[0] <= whole[0] && next[1] >= whole[1] ? null : next);
  };

  // The wheel zooms around the pointer; at the full extent it is the page's again.
  const zoomRef = useRef(zoom);
  zoomRef.current = zoom;
  const isWhole = useRef(true);
  isWhole.current = range === null;
  useEffect(() => {
    const element = holder.current!;
    const onWheel = (event: WheelEvent) => {
      const body = (event.target as Element).closest('.plot-body');
      if (!body || !scale.current || event.shiftKey || (event.deltaY > 0 && isWhole.current) || event.deltaY === 0) return;
      event.preventDefault();
      zoomRef.current(Math.exp(Math.max(-1, Math.min(1, event.deltaY / 300))), scale.current.value(event.clientX - body.getBoundingClientRect().left));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  const onDrag = (next: Drag, isDone: boolean) => {
    setDrag(isDone ? null : next);
    const x = scale.current;
    if (!isDone || !x) return;
    const clamp = (pixel: number) => x.value(Math.max(x.from, Math.min(x.to, pixel)));
    const [a, b] = [clamp(Math.min(next.x0, next.x1)), clamp(Math.max(next.x0, next.x1))];
    if (b > a) setRange(zoomed([a, b], (a + b) / 2, 1, whole));
  };
  const overlay = useCallback(
    ({ g, height, palette: colours }: Frame) => {
      const x = scale.current;
      if (!drag || !x) return;
      const a = Math.max(x.from, Math.min(drag.x0, drag.x1));
      const b = Math.min(x.to, Math.max(drag.x0, drag.x1));
      g.fillStyle = colours.accent;
      g.globalAlpha = 0.14;
      g.fillRect(a, 0, b - a, height - kBottom);
      g.globalAlpha = 1;
    },
    [drag],
  );

  const total = idle.reduce((sum, each) => sum + each, 0);
  const share = total / ((to - from) * Math.max(1, idle.length));
  const most = idle.indexOf(Math.max(...idle));
  const words =
    `${range ? 'In this stretch' : 'From the first start to ' + (isRunning ? 'now' : 'the last end')}, ${plural(bars.slots.length, 'row')} stood idle for ${formatShare(share)} of the time, ${formatDuration(total / 1000)} together` +
    (bars.slots.length > 1 && total > 0 ? `; most of all ${bars.slots[most]} with ${formatDuration(idle[most]! / 1000)}.` : '.');
  return (
    <div ref={holder} class="panel">
      <Plot
        name={`${info.id}-timeline`}
        title="Timeline"
        label={`${plural(n, 'attempt')} in ${plural(bars.slots.length, 'row')}. ${words}`}
        height={kTop + kBottom + bars.slots.length * kRow}
        draw={draw}
        overlay={overlay}
        hover={hover}
        step={step}
        onDrag={onDrag}
        onDoubleClick={() => setRange(null)}
        tools={
          <>
            <Choice
              label="What the colours say"
              value={colouring}
              options={[
                { value: 'end', text: 'End' },
                { value: 'value', text: 'Value' },
              ]}
              onChange={setColouring}
            />
            <Button kind="quiet" icon="plus" label="Zoom in" onClick={() => zoom(0.5)} />
            <Button kind="quiet" disabled={!range} onClick={() => setRange(null)}>
              All
            </Button>
          </>
        }
        table={() => ({
          head: ['trial', 'attempt', 'where', 'started', 'ended', 'seconds', 'end'],
          rows: Array.from(bars.trial, (trial, i) => [
            trial,
            bars.attempt[i]!,
            bars.slots[bars.slot[i]!] ?? '',
            formatTime(bars.start[i]!),
            formatTime(bars.end[i]!),
            (bars.end[i]! - bars.start[i]!) / 1000,
            bars.kind[i] === 'running' ? 'running' : bars.cause[i]!,
          ]),
        })}
      >
        {colouring === 'end' && (
          <ul class="legend bars">
            {counts.map(({ kind, text, count }) => (
              <li>
                <span class={`swatch ${kind}`} />
                {formatName(text)} {count}
              </li>
            ))}
          </ul>
        )}
        <p class="note">{words}</p>
        <p class="muted note">Drag or turn the wheel to zoom, double-click for all.</p>
      </Plot>
    </div>
  );
}

export function TimelineTab(props: TabProps) {
  const { loaded, error, retry } = useTimeline(props);
  if (!loaded) return error ? <ErrorBox error={error} onRetry={retry} /> : <Loading text="Loading the timeline" />;
  if (loaded.trial.length === 0) return <Empty title="Nothing has run yet">Each attempt of a trial will be a bar, in the row of the GPU that it ran on.</Empty>;
  return (
    <>
      <h2 class="off-screen">Timeline</h2>
      <Chart {...props} bars={loaded} />
    </>
  );
}
