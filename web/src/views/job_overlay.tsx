// The best values of several jobs over each other, by trial or by time.
import { useMemo, useState } from 'preact/hooks';
import { LinesPlot, type Series } from '../plots/lines_plot';
import { formatPath, navigate } from '../router';
import { useStudies, type Study } from '../store/study';
import type { JobSummary } from '../types';
import { Choice } from '../ui/button';
import { Loading } from '../ui/states';

/** Pure: only where the best value changes, and the end. `order` are rows in the order of x. */
export function bestLine(
  order: ArrayLike<number>,
  x: (row: number, at: number) => number,
  values: ArrayLike<number>,
  mayBeBest: ArrayLike<number> | undefined,
  isMax: boolean,
): { x: number[]; y: number[] } {
  const line = { x: [] as number[], y: [] as number[] };
  let best = NaN;
  for (let at = 0; at < order.length; ++at) {
    const row = order[at]!;
    const value = values[row]!;
    if (Number.isNaN(value) || (mayBeBest && !mayBeBest[row])) continue;
    if (!Number.isNaN(best) && (isMax ? value <= best : value >= best)) continue;
    best = value;
    line.x.push(x(row, at));
    line.y.push(value);
  }
  return line;
}

function seriesOf(study: Study, by: 'trial' | 'time'): Series | null {
  const info = study.info.value;
  study.version.value;
  if (!info) return null;
  const { table } = study;
  const ended = table.column('ended');
  const start = info.started ?? info.created;
  const order = Int32Array.from({ length: table.rows }, (_, row) => row);
  if (by === 'time') order.sort((a, b) => ended[a]! - ended[b]! || a - b);
  const line = bestLine(
    order,
    by === 'trial' ? (row) => table.idOf(row) : (row) => (ended[row]! - start) / 1000,
    table.column('value'),
    table.numbers('mayBeBest'),
    info.goal === 'MAXIMIZE',
  );
  if (line.y.length) {
    // The line ends where the job's last trial is.
    let last = 0;
    for (let row = 0; row < table.rows; ++row) {
      const x = by === 'trial' ? table.idOf(row) : (ended[row]! - start) / 1000;
      if (x > last) last = x;
    }
    line.x.push(last);
    line.y.push(line.y[line.y.length - 1]!);
  }
  return {
    name: info.id,
    ...line,
    isStepped: true,
    pick: () => navigate(formatPath({ view: 'study', study: info.id, tab: 'overview' })),
  };
}

export function JobOverlay({ ids, jobs }: { ids: readonly string[]; jobs: readonly JobSummary[] }) {
  const known = ids.filter((id) => jobs.some((job) => job.id === id));
  const studies = useStudies(known);
  const [by, setBy] = useState<'trial' | 'time'>('trial');
  const versions = studies.map((study) => study.version.value).join();
  const series = useMemo(
    () => studies.map((study) => seriesOf(study, by)).filter((line): line is Series => line !== null),
    [versions, by, known.join('\n')],
  );
  const metrics = [...new Set(jobs.filter((job) => known.includes(job.id)).map((job) => job.metric))];
  return (
    <section class="panel overlay" aria-label="Selected jobs">
      {series.length === 0 ? (
        <Loading text="Loading the selected jobs" />
      ) : (
        <LinesPlot
          name="jobs"
          title="Best so far"
          series={series}
          xKind={by === 'time' ? 'elapsed' : 'linear'}
          xTitle={by === 'time' ? 'since the start' : 'trial'}
          yTitle={metrics.join(', ')}
          height={240}
          tools={
            <Choice
              label="Axis"
              value={by}
              options={[
                { value: 'trial', text: 'By trial' },
                { value: 'time', text: 'By time' },
              ]}
              onChange={setBy}
            />
          }
        />
      )}
    </section>
  );
}
