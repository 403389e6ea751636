// Trials over two metrics, and those that no other trial beats in both.
import { useCallback, useMemo } from 'preact/hooks';
import { formatNumber, plural } from '../format';
import { paretoFront } from '../pareto';
import type { Frame } from '../plots/axes';
import { PointsPlot, type Layout, type Points } from '../plots/points_plot';
import { extent, linearScale, padded } from '../plots/scale';
import { formatPath, route, setQuery } from '../router';
import { selection } from '../store/filter_state';
import type { StudyInfo } from '../types';
import { Name } from '../ui/name';
import { Empty } from '../ui/states';
import { trialTip } from './insight_parts';
import type { TabProps } from './tab_props';

const kListed = 100;

export interface Front {
  specs: StudyInfo['metricSpecs'];
  first: StudyInfo['metricSpecs'][number];
  second: StudyInfo['metricSpecs'][number];
  points: Points & { x: Float64Array; y: Float64Array; row: Int32Array };
  /** Indexes of points. */
  front: Int32Array;
  words: string;
}

/** The front of two of the metrics, which the address names; null without two of them. */
export function useFront({ study, info }: TabProps): Front | null {
  const specs = info.metricSpecs.filter(({ name }) => study.table.has('m:' + name));
  const { x: wantedX, y: wantedY } = route.value.query;
  const first = specs.find(({ name }) => name === wantedX) ?? specs[0];
  const second = specs.find(({ name }) => name === wantedY && name !== first?.name) ?? specs.find(({ name }) => name !== first?.name);
  const version = study.version.value;
  const mask = study.mask.value;
  const picked = selection.value;
  const data = useMemo(() => {
    if (!first || !second) return null;
    const { table } = study;
    const xs = table.column('m:' + first.name);
    const ys = table.column('m:' + second.name);
    const rows = Int32Array.from({ length: table.rows }, (_, row) => row).filter((row) => Number.isFinite(xs[row]!) && Number.isFinite(ys[row]!));
    const x = Float64Array.from(rows, (row) => xs[row]!);
    const y = Float64Array.from(rows, (row) => ys[row]!);
    const bright = Uint8Array.from(rows, (row) => (mask.bits ? mask.bits[row]! : 1));
    // The front of what the filter selects, of trials that meet the constraints.
    const mayBeBest = table.column('mayBeBest');
    const front = paretoFront(x.map((value, i) => (bright[i] && mayBeBest[rows[i]!] ? value : NaN)), y, first.goal === 'MAXIMIZE', second.goal === 'MAXIMIZE');
    const isFront = new Uint8Array(rows.length);
    for (const i of front) isFront[i] = 1;
    const tone = Float64Array.from(rows, (_, i) => (isFront[i] ? 1 : NaN));
    return { points: { row: rows, x, y, bright, tone, ring: new Set(picked.map((id) => table.rowOf(id))) }, front };
  }, [version, mask, first?.name, second?.name, picked.join()]);
  if (!first || !second || !data) return null;
  const count = data.front.length;
  const words = `${plural(count, 'trial')} of ${data.points.row.length} ${count === 1 ? 'is' : 'are'} on the front: no other trial${mask.bits ? ' that the filter selects' : ''} is better in one metric without being worse in the other.`;
  return { specs, first, second, ...data, words };
}

const goalText = (goal: string) => (goal === 'MAXIMIZE' ? 'larger is better' : 'smaller is better');

export function FrontPlot({ study, info, front: shown, height }: TabProps & { front: Front; height: number }) {
  const { points, front, first, second, specs, words } = shown;
  const scaleOf = (values: ArrayLike<number>) => {
    const [low, high] = padded(extent(values) ?? [0, 1], 0.05);
    return (from: number, to: number) => linearScale(low, high, from, to);
  };
  const xScale = useMemo(() => scaleOf(points.x), [points]);
  const yScale = useMemo(() => scaleOf(points.y), [points]);
  const behind = useCallback(
    ({ g, palette }: Frame, { x, y }: Layout) => {
      g.strokeStyle = palette.accent;
      g.lineWidth = 1.5;
      g.beginPath();
      let before = NaN;
      front.forEach((i) => {
        const [px, py] = [x.place(points.x[i]!), y.place(points.y[i]!)];
        if (Number.isNaN(before)) g.moveTo(px, py);
        else {
          g.lineTo(px, before);
          g.lineTo(px, py);
        }
        before = py;
      });
      g.stroke();
    },
    [points, front],
  );
  const tip = (row: number) =>
    trialTip(study, info, row, specs.filter(({ name }) => name !== info.metric).map(({ name }) => [name, formatNumber(study.table.column('m:' + name)[row]!)]));
  return (
    <PointsPlot
      name={`${info.id}-pareto-${first.name}-${second.name}`}
      title="Pareto front"
      label={`${second.name} over ${first.name}. ${words}`}
      height={height}
      points={points}
      x={{ title: `${first.name}, ${goalText(first.goal)}`, scale: xScale, column: 'm:' + first.name }}
      y={{ title: `${second.name}, ${goalText(second.goal)}`, scale: yScale, column: 'm:' + second.name }}
      behind={behind}
      tooltip={tip}
      table={() => ({
        head: ['trial', first.name, second.name, 'front'],
        rows: Array.from(points.row, (row, i) => [study.table.idOf(row), points.x[i]!, points.y[i]!, front.includes(i) ? 'yes' : '']),
      })}
    >
      <p class="note">{words}</p>
    </PointsPlot>
  );
}

export function FrontTable({ study, info, front: { points, front, first, second } }: TabProps & { front: Front }) {
  return (
    <table class="plain-table front-table">
      <thead>
        <tr>
          <th scope="col">Trial</th>
          {[first, second].map(({ name }) => (
            <th scope="col" class="number">
              <Name text={name} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {Array.from(front.slice(0, kListed), (i) => {
          const id = study.table.idOf(points.row[i]!);
          return (
            <tr key={id}>
              <td>
                <a href={formatPath({ view: 'trial', study: info.id, trial: id })}>{id}</a>
              </td>
              <td class="number">{formatNumber(points.x[i]!)}</td>
              <td class="number">{formatNumber(points.y[i]!)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Which two metrics are shown, where there are more. */
export function FrontChoice({ front: { specs, first, second } }: { front: Front }) {
  const select = (id: string, label: string, value: string, other: string, key: 'x' | 'y') => (
    <span class="inline-field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => setQuery({ [key]: event.currentTarget.value, [key === 'x' ? 'y' : 'x']: other })}>
        {specs.map(({ name }) => (
          <option value={name} disabled={name === other}>
            {name}
          </option>
        ))}
      </select>
    </span>
  );
  return (
    <>
      {select('pareto-x', 'Across', first.name, second.name, 'x')}
      {select('pareto-y', 'Up', second.name, first.name, 'y')}
    </>
  );
}

export function ParetoTab(props: TabProps) {
  const front = useFront(props);
  if (!front) return <Empty title="There is one metric only">With two or more, this shows what one costs in terms of the other.</Empty>;
  if (front.points.row.length === 0) return <Empty title="No trial has values of both metrics yet" />;
  return (
    <>
      <div class="tab-tools">
        <h2 class="off-screen">Pareto front</h2>
        <FrontChoice front={front} />
      </div>
      <div class="panels wide-first">
        <section class="panel">
          <FrontPlot {...props} front={front} height={440} />
        </section>
        <section class="panel scroll-panel" tabIndex={0} role="region" aria-label="Trials on the front">
          <FrontTable {...props} front={front} />
        </section>
      </div>
    </>
  );
}
