// What one wants to know first: how it went, the best trials, what runs now.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Attributes } from '../ui/attributes';
import { Name } from '../ui/name';
import { Empty } from '../ui/states';
import { formatAge, formatNumber } from '../format';
import { keptPieces, shortName } from '../names';
import { orderBy } from '../order';
import { formatPath, href } from '../router';
import { selection, toggleSelected } from '../store/filter_state';
import { serviceNow } from '../store/session';
import type { Study } from '../store/study';
import type { StudyInfo } from '../types';
import { parametersOf } from './columns_of';
import { HistoryPlot } from './history';
import { LearningCurves } from './learning_curves';
import { FrontChoice, FrontPlot, FrontTable, useFront } from './pareto';
import type { TabProps } from './tab_props';
import { Workers } from './workers';

const kBest = 8;
const kRunning = 12;
const kShortName = 20;

function Parameters({ study, info, row }: { study: Study; info: StudyInfo; row: number }) {
  const values = parametersOf(study.table, info, row);
  const kept = keptPieces(info.space.map(({ name }) => name));
  return (
    <td class="muted" title={values.map((each) => each.join(' ')).join('  ')}>
      {values.map(([name, value]) => `${shortName(name, kept.get(name)!, kShortName)} ${value}`).join('  ')}
    </td>
  );
}

function BestTrials({ study, info }: TabProps) {
  const { table } = study;
  const version = study.version.value;
  const mask = study.mask.value;
  const picked = selection.value;
  const rows = useMemo(() => {
    const mayBeBest = table.column('mayBeBest');
    const values = table.column('value');
    const ended: number[] = [];
    for (let row = 0; row < table.rows; ++row) {
      if (mayBeBest[row] && !Number.isNaN(values[row]!) && (!mask.bits || mask.bits[row])) ended.push(row);
    }
    return orderBy(values, ended, info.goal === 'MAXIMIZE').subarray(0, kBest);
  }, [version, mask, info.goal]);
  if (!rows.length) return null;
  return (
    <section class="panel">
      <h2>Best trials</h2>
      <table class="small-table">
        <thead>
          <tr>
            <th scope="col">
              <span class="off-screen">Pick</span>
            </th>
            <th scope="col" class="number">
              Trial
            </th>
            <th scope="col" class="number">
              <Name text={info.metric} />
            </th>
            <th scope="col">Parameters</th>
          </tr>
        </thead>
        <tbody>
          {Array.from(rows, (row) => {
            const id = table.idOf(row);
            return (
              <tr key={id}>
                <td>
                  <input type="checkbox" aria-label={`Pick trial ${id}`} checked={picked.includes(id)} onChange={() => toggleSelected(id)} />
                </td>
                <td class="number">
                  <a href={formatPath({ view: 'trial', study: study.id, trial: id })}>{id}</a>
                </td>
                <td class="number">
                  <strong>{formatNumber(table.column('value')[row]!)}</strong>
                </td>
                <Parameters study={study} info={info} row={row} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function RunningTrials({ study, info }: TabProps) {
  const { table } = study;
  const version = study.version.value;
  const rows = useMemo(() => {
    const states = table.column('state');
    const wanted = [table.stateIndex('active'), table.stateIndex('stopping')];
    const found: number[] = [];
    for (let row = table.rows - 1; row >= 0 && found.length < kRunning; --row) if (wanted.includes(states[row]!)) found.push(row);
    return found;
  }, [version]);
  // What a program that has ended left open does not run.
  if (!rows.length || info.counts.running === 0) return null;
  return (
    <section class="panel">
      <h2>Running now</h2>
      <table class="small-table">
        <thead>
          <tr>
            <th scope="col" class="number">
              Trial
            </th>
            <th scope="col" class="number">
              <Name text={info.metric} />
            </th>
            <th scope="col" class="number">
              Step
            </th>
            <th scope="col" class="number">
              For
            </th>
            <th scope="col">Parameters</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const id = table.idOf(row);
            return (
              <tr key={id}>
                <td class="number">
                  <a href={formatPath({ view: 'trial', study: study.id, trial: id })}>{id}</a>
                </td>
                <td class="number">{formatNumber(table.column('value')[row]!, 4)}</td>
                <td class="number">{formatNumber(table.column('step')[row]!, 7)}</td>
                <td class="number">{formatAge((serviceNow() - table.column('started')[row]!) / 1000)}</td>
                <Parameters study={study} info={info} row={row} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Pure: how high plots are: all that is left if they stand beside each other, else more than half. */
export function plotHeight(width: number, height: number): number {
  const room = height - 400;
  return Math.round(width >= 2000 ? Math.min(1000, Math.max(320, room)) : Math.min(460, Math.max(280, room * 0.62)));
}

/** With several metrics the front comes first: it is what such a study is for. */
function FrontOverview(props: TabProps & { height: number }) {
  const front = useFront(props);
  const { study, info, height } = props;
  if (!front || front.points.row.length === 0) {
    return (
      <div class="panel history">
        <Empty title="No trial has values of both metrics yet">
          {info.metricSpecs.map(({ name, goal }) => `${name}, ${goal === 'MAXIMIZE' ? 'maximized' : 'minimized'}`).join('; ')}
        </Empty>
      </div>
    );
  }
  return (
    <>
      <div class="panel history">
        {front.specs.length > 2 && (
          <div class="tab-tools">
            <FrontChoice front={front} />
          </div>
        )}
        <FrontPlot study={study} info={info} front={front} height={height} />
      </div>
      <div class="stack side">
        <RunningTrials study={study} info={info} />
        <section class="panel scroll-panel" tabIndex={0} role="region" aria-label="Trials on the front">
          <h2>On the front</h2>
          <FrontTable study={study} info={info} front={front} />
        </section>
        <AllTrials study={study} />
      </div>
    </>
  );
}

function AllTrials({ study }: { study: Study }) {
  return (
    <p class="muted">
      <a href={href({ view: 'study', study: study.id, tab: 'table' })}>All trials</a>
    </p>
  );
}

/** What happened to a job's code, and where its trials' files are. */
function CodeAndFiles({ info }: { info: StudyInfo }) {
  if (!info.outputDir) return null;
  return (
    <section class="panel told" aria-label="Code and files">
      <h2>Code and files</h2>
      {(info.codeNotes ?? []).map((note) => (
        <p class="muted">{note}</p>
      ))}
      <p class="muted">
        Files of its trials: <code>{info.outputDir}</code>
      </p>
    </section>
  );
}

export function OverviewTab({ study, info }: TabProps) {
  const [height, setHeight] = useState(() => plotHeight(window.innerWidth, window.innerHeight));
  useEffect(() => {
    const update = () => setHeight(plotHeight(window.innerWidth, window.innerHeight));
    window.addEventListener('resize', update);
    return () => window.removeEventListener('resize', update);
  }, []);
  study.version.value;
  const hasFront = info.metrics > 1;
  const history = <HistoryPlot study={study} info={info} height={height} />;
  return (
    <div class="overview">
      {hasFront ? (
        <FrontOverview study={study} info={info} height={height} />
      ) : (
        <>
          <div class="panel history">{history}</div>
          <div class="stack side">
            <RunningTrials study={study} info={info} />
            <BestTrials study={study} info={info} />
            <AllTrials study={study} />
          </div>
        </>
      )}
      <div class="stack curves">
        {hasFront && <div class="panel">{history}</div>}
        {info.metricNames.length > 0 && (
          <div class="panel">
            <LearningCurves study={study} info={info} height={height} />
          </div>
        )}
        {Object.keys(info.attributes ?? {}).length > 0 && (
          <section class="panel told" aria-label="Attributes">
            <h2>Attributes</h2>
            <Attributes attributes={info.attributes} />
          </section>
        )}
        {info.kind === 'study' ? <Workers info={info} /> : <CodeAndFiles info={info} />}
      </div>
    </div>
  );
}
