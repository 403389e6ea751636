// What the tabs that show the model have in common.
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { focusRange, type Insights } from '../insights';
import { formatNumber, plural } from '../format';
import { formatPath, navigate } from '../router';
import { selection } from '../store/filter_state';
import { useInsights } from '../store/insights';
import type { Study } from '../store/study';
import type { StudyInfo } from '../types';
import { Empty, ErrorBox, ErrorLine, Loading } from '../ui/states';
import { parametersOf } from './columns_of';

/** Shows its child once there is a model; else why there is none. */
export function WithInsights(props: {
  info: StudyInfo;
  pair?: readonly [string, string];
  /** One of several metrics; without, the first. */
  metric?: string;
  /** Show the child also without a model, for example the results alone. */
  always?: boolean;
  children: (insights: Insights) => ComponentChildren;
}) {
  const store = useInsights(props.info, props.pair, props.metric);
  const insights = store.insights.value;
  const error = store.error.value;
  if (!insights) return error ? <ErrorBox error={error} onRetry={() => store.refresh(-1)} /> : <Loading text="The model looks at the results" />;
  if (!insights.hasModel && !props.always) {
    return (
      <Empty title="There is no model yet">
        <p>{insights.reason}</p>
        <p>So far {insights.observationCount === 1 ? 'there is 1 result' : `there are ${plural(insights.observationCount, 'result')}`} of trials that ran to their end.</p>
      </Empty>
    );
  }
  return (
    <>
      {error && <ErrorLine text={`These insights may be old: ${error.message}`} />}
      {props.children(insights)}
    </>
  );
}

const kShownPoints = 6000;

export interface TrialPoints {
  rows: Int32Array;
  value: Float64Array;
  bright: Uint8Array;
  tone: Float64Array;
  range: { low: number; high: number; beyond: number } | null;
  ring: ReadonlySet<number>;
  /** How many trials there are, of which `rows` may be a sample. */
  total: number;
}

/** The trials that have a final value, thinned out if there are too many to tell apart. */
export function useTrialPoints(study: Study, info: StudyInfo): TrialPoints {
  const version = study.version.value;
  const mask = study.mask.value;
  const picked = selection.value;
  return useMemo(() => {
    const { table } = study;
    const values = table.column('value');
    const final = table.column('final');
    const all: number[] = [];
    for (let row = 0; row < table.rows; ++row) if (final[row] && Number.isFinite(values[row]!)) all.push(row);
    const every = Math.ceil(all.length / kShownPoints);
    const rows = Int32Array.from(every > 1 ? all.filter((_, i) => i % every === 0) : all);
    const value = Float64Array.from(rows, (row) => values[row]!);
    const range = focusRange(value);
    const isMax = info.goal === 'MAXIMIZE';
    return {
      rows,
      value,
      bright: Uint8Array.from(rows, (row) => (mask.bits ? mask.bits[row]! : 1)),
      tone: value.map((v) => toneOf(v, range, isMax)),
      range,
      ring: new Set(picked.map((id) => table.rowOf(id))),
      total: all.length,
    };
  }, [version, mask, picked.join(), info.goal]);
}

/** 0 for the worst of a range, 1 for the best. */
export function toneOf(value: number, range: { low: number; high: number } | null, isMax: boolean): number {
  if (!range || !(range.high > range.low)) return 1;
  const t = Math.min(1, Math.max(0, (value - range.low) / (range.high - range.low)));
  return isMax ? t : 1 - t;
}

const kShownParameters = 8;

/** What the tooltip of a trial says, and where a click goes. */
export function trialTip(study: Study, info: StudyInfo, row: number, more: readonly [string, string][] = []) {
  const { table } = study;
  const id = table.idOf(row);
  const value = table.column('value')[row]!;
  const parameters = parametersOf(table, info, row).slice(0, kShownParameters);
  const lines: [string, string][] = [[info.metric || 'value', formatNumber(value)], ...more, ...parameters];
  return {
    content: (
      <>
        <strong>Trial {id}</strong>
        <dl>
          {lines.map(([name, text]) => (
            <>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </>
          ))}
        </dl>
      </>
    ),
    text: `Trial ${id}: ${lines.map((line) => line.join(' ')).join(', ')}`,
    pick: () => navigate(formatPath({ view: 'trial', study: info.id, trial: id })),
  };
}

/** What a reader should know of points that are not drawn as they are. */
export function PointNotes({ points }: { points: TrialPoints }) {
  const notes: string[] = [];
  if (points.rows.length < points.total) notes.push(`${plural(points.rows.length, 'trial')} of ${points.total} are drawn.`);
  if (points.range?.beyond) notes.push(`${plural(points.range.beyond, 'trial')} with values far off ${points.range.beyond === 1 ? 'is' : 'are'} at the edge.`);
  return notes.length ? <p class="muted note">{notes.join(' ')}</p> : null;
}
