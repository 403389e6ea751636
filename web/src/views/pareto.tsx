// Trials over two metrics, and those that no other trial beats in both.
import { useCallback, useMemo } from 'preact/hooks';
import { formatNumber, plural } from '../format';
import { paretoFront } from '../pareto';
import type { Frame } from '../plots/axes';
import { PointsPlot, type Layout } from '../plots/points_plot';
import { extent, linearScale, padded } from '../plots/scale';
import { formatPath, route, setQuery } from '../router';
import { selection } from '../store/filter_state';
import { Empty } from '../ui/states';
import { trialTip } from './insight_parts';
import type { TabProps } from './registry';

const kListed = 100;

export function ParetoTab({ study, info }: TabProps) {
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
    // The front of what the filter selects.
    const front = paretoFront(x.map((value, i) => (bright[i] ? value : NaN)), y, first.goal === 'MAXIMIZE', second.goal === 'MAXIMIZE');
    const isFront = new Uint8Array(rows.length);
    for (const i of front) isFront[i] = 1;
    const tone = Float64Array.from(rows, (_, i) => (isFront[i] ? 1 : NaN));
    return { points: { row: rows, x, y, bright, tone, ring: new Set(picked.map((id) => table.rowOf(id))) }, front };
  }, [version, mask, first?.name, second?.name, picked.join()]);
  const scaleOf = (values: ArrayLike<number>) => {
    const [low, high] = padded(extent(values) ?? [0, 1], 0.05);
    return (from: number, to: number) => linearScale(low, high, from, to);
  };
  const xScale = useMemo(() => scaleOf(data?.points.x ?? []), [data]);
  const yScale = useMemo(() => scaleOf(data?.points.y ?? []), [data]);
  const behind = useCallback(
    ({ g, palette }: Frame, { x, y }: Layout) => {
      if (!data) return;
      g.strokeStyle = palette.accent;
      g.lineWidth = 1.5;
      g.beginPath();
      let before = NaN;
      data.front.forEach((i) => {
        const [px, py] = [x.place(data.points.x[i]!), y.place(data.points.y[i]!)];
        if (Number.isNaN(before)) g.moveTo(px, py);
        else {
          g.lineTo(px, before);
          g.lineTo(px, py);
        }
        before = py;
      });
      g.stroke();
    },
    [data],
  );
  if (!first || !second || !data) return <Empty title="There is one metric only">With two or more, this shows what one costs in terms of the other.</Empty>;
  if (data.points.row.length === 0) return <Empty title="No trial has values of both metrics yet" />;
  const words = `${plural(data.front.length, 'trial')} of ${data.points.row.length} ${data.front.length === 1 ? 'is' : 'are'} on the front: no other trial${mask.bits ? ' that the filter selects' : ''} is better in one metric without being worse in the other.`;
  const goalText = (goal: string) => (goal === 'MAXIMIZE' ? 'larger is better' : 'smaller is better');
  const tip = (row: number) =>
    trialTip(study, info, row, specs.filter(({ name }) => name !== info.metric).map(({ name }) => [name, formatNumber(study.table.column('m:' + name)[row]!)]));
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
      <div class="tab-tools">
        <h2 class="off-screen">Pareto front</h2>
        {select('pareto-x', 'Across', first.name, second.name, 'x')}
        {select('pareto-y', 'Up', second.name, first.name, 'y')}
      </div>
      <div class="panels wide-first">
        <section class="panel">
          <PointsPlot
            name={`${info.id}-pareto-${first.name}-${second.name}`}
            title="Pareto front"
            label={`${second.name} over ${first.name}. ${words}`}
            height={440}
            points={data.points}
            x={{ title: `${first.name}, ${goalText(first.goal)}`, scale: xScale, column: 'm:' + first.name }}
            y={{ title: `${second.name}, ${goalText(second.goal)}`, scale: yScale, column: 'm:' + second.name }}
            behind={behind}
            tooltip={tip}
            table={() => ({
              head: ['trial', first.name, second.name, 'front'],
              rows: Array.from(data.points.row, (row, i) => [study.table.idOf(row), data.points.x[i]!, data.points.y[i]!, data.front.includes(i) ? 'yes' : '']),
            })}
          >
            <p class="note">{words}</p>
          </PointsPlot>
        </section>
        <section class="panel scroll-panel" tabIndex={0} role="region" aria-label="Trials on the front">
          <table class="plain-table">
            <thead>
              <tr>
                <th scope="col">Trial</th>
                <th scope="col" class="number">{first.name}</th>
                <th scope="col" class="number">{second.name}</th>
              </tr>
            </thead>
            <tbody>
              {Array.from(data.front.slice(0, kListed), (i) => {
                const id = study.table.idOf(data.points.row[i]!);
                return (
                  <tr key={id}>
                    <td>
                      <a href={formatPath({ view: 'trial', study: info.id, trial: id })}>{id}</a>
                    </td>
                    <td class="number">{formatNumber(data.points.x[i]!)}</td>
                    <td class="number">{formatNumber(data.points.y[i]!)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      </div>
    </>
  );
}
