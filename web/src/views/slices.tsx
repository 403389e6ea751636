// What the model expects along each parameter, with the trials' values over it.
import { useCallback, useMemo, useState } from 'preact/hooks';
import { formatNumber } from '../format';
import type { Insights, Slice } from '../insights';
import type { Frame } from '../plots/axes';
import { PointsPlot, type Layout } from '../plots/points_plot';
import { linearScale, logScale, padded, parameterScale } from '../plots/scale';
import { href, route } from '../router';
import type { Study } from '../store/study';
import type { Parameter, StudyInfo } from '../types';
import { Toggle } from '../ui/button';
import { PointNotes, trialTip, useTrialPoints, WithInsights, type TrialPoints } from './insight_parts';
import type { TabProps } from './tab_props';

const kMany = 500;

/** A band with its middle line; of categories a box for each. */
export function drawBand({ g, palette }: Frame, { x, y }: Layout, slice: Slice, isCategory: boolean, isLineOnly = false): void {
  const n = slice.x.length;
  // A log axis ends above 0; the band goes on below.
  const place = (value: number) => {
    const at = y.place(value);
    return Number.isNaN(at) ? y.from : at;
  };
  if (isCategory) {
    const half = Math.min(26, Math.abs(x.place(1) - x.place(0)) * 0.35);
    slice.x.forEach((at, i) => {
      const [centre, top, bottom] = [x.place(at), place(slice.high[i]!), place(slice.low[i]!)];
      g.fillStyle = palette.accent;
      g.globalAlpha = isLineOnly ? 0 : 0.16;
      g.fillRect(centre - half, Math.min(top, bottom), 2 * half, Math.abs(bottom - top));
      g.globalAlpha = 1;
      g.fillRect(centre - half, place(slice.mean[i]!) - 1, 2 * half, 2);
    });
    return;
  }
  g.beginPath();
  for (let i = 0; i < n; ++i) g[i ? 'lineTo' : 'moveTo'](x.place(slice.x[i]!), place(slice.high[i]!));
  for (let i = n; i-- > 0; ) g.lineTo(x.place(slice.x[i]!), place(slice.low[i]!));
  g.closePath();
  g.globalAlpha = isLineOnly ? 0 : 0.16;
  g.fillStyle = palette.accent;
  g.fill();
  g.globalAlpha = 1;
  g.beginPath();
  for (let i = 0; i < n; ++i) g[i ? 'lineTo' : 'moveTo'](x.place(slice.x[i]!), place(slice.mean[i]!));
  g.strokeStyle = palette.accent;
  g.lineWidth = 1.75;
  g.stroke();
}

function SlicePlot(props: {
  study: Study;
  info: StudyInfo;
  parameter: Parameter;
  slice: Slice | undefined;
  points: TrialPoints;
  isLog: boolean;
  isLarge: boolean;
}) {
  const { study, info, parameter, slice, points, isLog } = props;
  const isCategory = parameter.type === 'CATEGORICAL';
  const column = 'p:' + parameter.name;
  const data = useMemo(() => {
    const values = study.table.column(column);
    return { row: points.rows, x: Float64Array.from(points.rows, (row) => values[row]!), y: points.value, bright: points.bright, tone: points.tone, ring: points.ring };
  }, [points, column]);
  const yScale = useMemo(() => {
    let low = points.range?.low ?? Infinity;
    let high = points.range?.high ?? -Infinity;
    if (slice) {
      low = Math.min(low, ...(isLog ? slice.mean.filter((value) => value > 0) : slice.low));
      high = Math.max(high, ...slice.high);
    }
    if (isLog && !(low > 0)) low = Math.min(...points.value.filter((value) => value > 0));
    const [a, b] = padded(low <= high ? [low, high] : [0, 1], 0.05, isLog);
    return (from: number, to: number) => (isLog ? logScale : linearScale)(a, b, from, to);
  }, [points, slice, isLog]);
  const xScale = useMemo(() => {
    // Points at the ends are not to be cut by the frame.
    return (from: number, to: number) => parameterScale(parameter, from + 6, to - 6);
  }, [JSON.stringify(parameter)]);
  const behind = useCallback(
    (frame: Frame, layout: Layout) => {
      if (slice) drawBand(frame, layout, slice, isCategory);
    },
    [slice],
  );
  // Many points would hide the line.
  const front = useCallback(
    (frame: Frame, layout: Layout) => {
      if (slice && points.rows.length > kMany) drawBand(frame, layout, slice, isCategory, true);
    },
    [slice, points],
  );
  const lowest = slice && (info.goal === 'MAXIMIZE' ? Math.max(...slice.mean) : Math.min(...slice.mean));
  const best = slice ? slice.mean.indexOf(lowest!) : -1;
  const bestText = best < 0 ? '' : isCategory ? slice!.labels[best]! : formatNumber(parameter.type === 'INTEGER' ? Math.round(slice!.x[best]!) : slice!.x[best]!, 3);
  return (
    <PointsPlot
      name={`${info.id}-slice-${parameter.name}`}
      title={parameter.name}
      label={`${info.metric} along ${parameter.name}. ${best < 0 ? 'There is no model.' : `The model expects the best value, ${formatNumber(lowest!, 3)}, at ${bestText}.`}`}
      height={props.isLarge ? 420 : 230}
      points={data}
      x={{
        title: '',
        scale: xScale,
        column,
        labels: isCategory ? (parameter.values ?? []).map(String) : undefined,
      }}
      y={{ title: info.metric, scale: yScale, column: 'value' }}
      behind={behind}
      front={front}
      tooltip={(row) => trialTip(study, info, row)}
      tools={best < 0 ? undefined : <span class="muted">best at {bestText}</span>}
      table={() => ({
        head: [parameter.name, 'expected', 'low', 'high'],
        rows: slice ? slice.x.map((x, i) => [slice.labels[i] ?? x, slice.mean[i]!, slice.low[i]!, slice.high[i]!]) : [],
      })}
    />
  );
}

function Slices({ study, info, insights }: TabProps & { insights: Insights }) {
  const [isLog, setLog] = useState(false);
  const points = useTrialPoints(study, info);
  const one = route.value.query.p;
  const canLog = points.value.some((value) => value > 0) && (points.range?.low ?? 0) > 0;
  // In the order of importance, as the service gives the slices.
  const order = insights.slices.map(({ parameter }) => parameter);
  const place = (name: string) => (order.indexOf(name) + order.length + 1) % (order.length + 1);
  const shown = [...info.space].sort((a, b) => place(a.name) - place(b.name)).filter(({ name }) => !one || name === one);
  return (
    <>
      <div class="tab-tools">
        <h2 class="off-screen">Slices</h2>
        {one && <a href={href({ view: 'study', study: info.id, tab: 'slices' })}>All parameters</a>}
        <p class="muted">
          {insights.hasModel
            ? 'The line is what the model expects along each parameter, with all others as in the predicted best; the band is one standard deviation. The points are trials.'
            : `The points are trials. ${insights.reason}`}
        </p>
        {canLog && <Toggle text="Log" label="Log axis of values" on={isLog} onChange={setLog} />}
      </div>
      <div class={one ? undefined : 'plots'}>
        {shown.map((parameter) => (
          <section class="panel" key={parameter.name}>
            <SlicePlot
              study={study}
              info={info}
              parameter={parameter}
              slice={insights.slices.find((slice) => slice.parameter === parameter.name)}
              points={points}
              isLog={isLog && canLog}
              isLarge={!!one}
            />
          </section>
        ))}
      </div>
      <PointNotes points={points} />
    </>
  );
}

export function SlicesTab(props: TabProps) {
  return (
    <WithInsights info={props.info} always={props.info.best !== null}>
      {(insights) => <Slices {...props} insights={insights} />}
    </WithInsights>
  );
}
