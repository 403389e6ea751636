// The study at a glance: the best trial, how far it is, what runs, what failed.
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { formatCount, formatDuration, formatName, formatNumber, plural } from '../format';
import { keptPieces } from '../names';
import { bestRow } from '../order';
import { formatPath } from '../router';
import { setBrushes } from '../store/filter_state';
import type { Study } from '../store/study';
import type { TrialTable } from '../store/trial_table';
import type { StudyInfo } from '../types';
import { Name } from '../ui/name';
import { PointMeanText } from '../ui/point_mean';
import { ended, Progress } from '../ui/progress';

// styles/views/study.css hides those beyond.
const kMostParameters = 8;
const kFewParameters = 3; // On a phone.

/** The parameters of the best trial. Of many the first few are shown, so that they do not push the trials out of sight. */
function BestParameters({ parameters }: { parameters: Readonly<Record<string, string>> }) {
  const [isAll, setAll] = useState(false);
  const names = Object.keys(parameters);
  const kept = keptPieces(names);
  return (
    <>
      <ul class={isAll ? 'parameters all' : 'parameters'}>
        {names.map((name) => (
          <li title={`${name} ${parameters[name]}`}>
            <span class="muted">
              <Name text={name} kept={kept.get(name)} />
            </span>
            <span class="value">{parameters[name]}</span>
          </li>
        ))}
      </ul>
      {names.length > kFewParameters && (
        <button type="button" class={names.length > kMostParameters ? 'link more-parameters' : 'link more-parameters narrow-only'} aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? 'Fewer' : `All ${names.length} parameters`}
        </button>
      )}
    </>
  );
}

/** What is best by each of several metrics: no trial need be the best of all. */
function BestOfEach({ study, info }: { study: Study; info: StudyInfo }) {
  const version = study.version.value;
  const bests = useMemo(() => {
    const { table } = study;
    const mayBeBest = table.column('mayBeBest');
    return info.metricSpecs.map(({ name, goal }) => {
      const values = table.column('m:' + name);
      const row = bestRow(values, goal === 'MAXIMIZE', (each) => mayBeBest[each] !== 0);
      return { name, goal, row, value: row < 0 ? NaN : values[row]! };
    });
  }, [version, info.metricSpecs]);
  return (
    <>
      {bests.map(({ name, goal, row, value }) => (
        <div class="figure metric-figure" key={name}>
          <dt>
            Best <Name text={name} />, {goal === 'MAXIMIZE' ? 'maximized' : 'minimized'}
          </dt>
          <dd>
            {row < 0 ? (
              <span class="muted">No trial has a value yet.</span>
            ) : (
              <>
                <span class="big">{formatNumber(value)}</span> <a href={formatPath({ view: 'trial', study: info.id, trial: study.table.idOf(row) })}>trial {study.table.idOf(row)}</a>
              </>
            )}
          </dd>
        </div>
      ))}
    </>
  );
}

function Best({ info }: { info: StudyInfo }) {
  const { best } = info;
  if (!best) {
    return (
      <div class="figure best-figure">
        <dt>
          Best <Name text={info.metric} />
        </dt>
        <dd>
          <span class="big muted">–</span> <span class="muted">No trial has completed with a value yet.</span>
        </dd>
      </div>
    );
  }
  return (
    <div class="figure best-figure">
      <dt>
        Best <Name text={info.metric} />, {info.goal === 'MAXIMIZE' ? 'maximized' : 'minimized'}
      </dt>
      <dd>
        <span class="big">{formatNumber(best.value)}</span>
        <a href={formatPath({ view: 'trial', study: info.id, trial: best.trial })}>trial {best.trial}</a>
        {best.point && <PointMeanText point={best.point} />}
        <BestParameters parameters={best.parameters} />
      </dd>
    </div>
  );
}

/** Why trials of a state ended: cause and number, the most frequent first. */
function causesOf(table: TrialTable, state: string): [string, number][] {
  const wanted = table.stateIndex(state);
  const states = table.column('state');
  const counts = new Map<string, number>();
  for (let row = 0; row < table.rows; ++row) {
    if (states[row] !== wanted) continue;
    const cause = table.causeOf(row);
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** How many trials ended in one state, and by what. */
function Ended({ title, state, count, table, version, tone = '', children }: { title: string; state: string; count: number; table: TrialTable; version: number; tone?: string; children?: ComponentChildren }) {
  const causes = useMemo(() => causesOf(table, state), [version, state]);
  if (count === 0) return null;
  return (
    <div class="figure">
      <dt>{title}</dt>
      <dd>
        <button type="button" class={`big link ${tone}`} onClick={() => setBrushes({ state: { kind: 'set', labels: [state] } })} title="Show these trials">
          {formatCount(count)}
        </button>
        {children}
        <div class="causes">
          {causes.slice(0, 3).map(([cause, each]) => (
            <button type="button" class="link" onClick={() => setBrushes({ cause: { kind: 'set', labels: [cause] } })}>
              {formatName(cause).toLowerCase()} {formatCount(each)}
            </button>
          ))}
        </div>
      </dd>
    </div>
  );
}

export function StudyStrip({ study, info }: { study: Study; info: StudyInfo }) {
  const { counts } = info;
  const version = study.version.value;
  const each = { table: study.table, version };
  return (
    <dl class="strip">
      {info.metrics > 1 ? <BestOfEach study={study} info={info} /> : <Best info={info} />}
      <div class="figure">
        <dt>Trials</dt>
        <dd>
          <span class="big">{formatCount(ended(counts) + counts.failed)}</span>
          {counts.max !== null && <span class="muted"> of {formatCount(counts.max)}</span>}
          <Progress counts={counts} />
        </dd>
      </div>
      <div class="figure">
        <dt>Running</dt>
        <dd>
          <span class={counts.running ? 'big running-number' : 'big muted'}>{formatCount(counts.running)}</span>
          {info.parallel && counts.running > 0 && <span class="muted"> of {info.parallel}</span>}
          {counts.waiting > 0 && <div class="muted">{formatCount(counts.waiting)} to start again</div>}
          {info.gpus > 0 && <div class="muted">{plural(info.gpus, 'GPU')}</div>}
        </dd>
      </div>
      {info.etaSeconds !== null && info.etaSeconds !== undefined && (
        <div class="figure">
          <dt>Done in about</dt>
          <dd>
            <span class="big">{formatDuration(info.etaSeconds)}</span>
          </dd>
        </div>
      )}
      <Ended title="Failed" state="failed" count={counts.failed} tone="bad" {...each} />
      <Ended title="Infeasible" state="infeasible" count={counts.infeasible} {...each} />
      <Ended title="Stopped" state="stopped" count={counts.stopped} {...each}>
        {!!info.epochsSaved && <div class="muted">{plural(info.epochsSaved, 'step')} saved</div>}
      </Ended>
    </dl>
  );
}
