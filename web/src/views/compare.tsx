// Trials of a study, or whole studies, beside each other. What differs comes first.
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { flatten, formatIds, parseIds, rowsOfMaps, type Row } from '../flatten';
import { formatCount, formatDuration, formatName, formatNumber, plural } from '../format';
import { palette, seriesColours } from '../plots/colour';
import { LinesPlot, type Series } from '../plots/lines_plot';
import { formatPath, href, navigate, route, setQuery } from '../router';
import { useCurves } from '../store/curves';
import { selection, setSelection } from '../store/filter_state';
import { jobs, useJobs } from '../store/jobs';
import { useStudies, useStudy, type Study } from '../store/study';
import type { StudyInfo } from '../types';
import { Button, Toggle } from '../ui/button';
import { StateMark } from '../ui/state_mark';
import { Empty, ErrorBox, ErrorLine, Loading } from '../ui/states';
import { Tabs } from '../ui/tabs';
import { cellText } from './columns_of';
import { JobOverlay } from './job_overlay';

const kMost = 12;

interface Column {
  id: string;
  head: ComponentChildren;
  onRemove: () => void;
  name: string;
}

/** A table with a column for each compared thing; rows that are the same may be left out. */
function CompareTable(props: { label: string; columns: readonly Column[]; groups: readonly { title: string; rows: readonly Row[]; best?: (row: Row) => number }[] }) {
  const [isAll, setAll] = useState(false);
  const colours = seriesColours(palette.value.dark);
  const same = props.groups.reduce((sum, { rows }) => sum + rows.filter(({ differs }) => !differs).length, 0);
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>{props.label}</h2>
        {same > 0 && <Toggle text={`Show ${plural(same, 'row')} that ${same === 1 ? 'is' : 'are'} the same`} on={isAll} onChange={setAll} />}
      </div>
      <div class="scroll-x" tabIndex={0} role="region" aria-label={props.label}>
        <table class="plain-table compare-table">
          <thead>
            <tr>
              <td />
              {props.columns.map((column, i) => (
                <th scope="col" key={column.id}>
                  <span class="compare-head">
                    <span class="swatch" style={{ background: colours[i % colours.length] }} />
                    {column.head}
                    {props.columns.length > 1 && <Button kind="quiet" icon="close" label={`Leave out ${column.name}`} onClick={column.onRemove} />}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          {props.groups.map(({ title, rows, best }) => {
            const shown = rows.filter(({ differs }) => isAll || differs);
            if (shown.length === 0) return null;
            return (
              <tbody key={title}>
                <tr>
                  <th scope="rowgroup" colSpan={props.columns.length + 1} class="group">
                    {title}
                  </th>
                </tr>
                {shown.map((row) => {
                  const winner = best?.(row) ?? -1;
                  return (
                    <tr key={row.name} class={row.differs ? 'differs' : undefined}>
                      <th scope="row">{row.name}</th>
                      {row.cells.map((cell, i) => (
                        <td class={i === winner ? 'winner' : undefined}>
                          {cell || <span class="muted">–</span>}
                          {i === winner && <span class="off-screen">, the best</span>}
                        </td>
                      ))}
                    </tr>
                  );
                })}
              </tbody>
            );
          })}
        </table>
      </div>
    </section>
  );
}

function TrialCurves({ study, info, ids }: { study: Study; info: StudyInfo; ids: readonly number[] }) {
  const wanted = route.value.query.metric;
  const metric = info.metricNames.includes(wanted ?? '') ? wanted! : (info.metricNames[0] ?? '');
  const curves = useCurves(study, metric, ids);
  const version = curves.version.value;
  const series = useMemo<Series[]>(
    () =>
      ids.map((id) => {
        const curve = curves.curves.get(id);
        return {
          name: `trial ${id}`,
          x: curve?.step ?? [],
          y: curve?.value ?? [],
          pick: () => navigate(formatPath({ view: 'trial', study: info.id, trial: id })),
        };
      }),
    [version, curves, ids.join()],
  );
  if (!metric) return null;
  return (
    <section class="panel">
      {curves.error.value && <ErrorLine text={curves.error.value.message} />}
      <LinesPlot
        name={`${info.id}-compare-${metric}`}
        title="Curves"
        series={series}
        xTitle="step"
        yTitle={metric}
        height={300}
        tools={
          info.metricNames.length > 1 ? (
            <select aria-label="Metric" value={metric} onChange={(event) => setQuery({ metric: event.currentTarget.value })}>
              {info.metricNames.map((name) => (
                <option value={name}>{name}</option>
              ))}
            </select>
          ) : undefined
        }
      />
    </section>
  );
}

function CompareTrials({ study, info }: { study: Study; info: StudyInfo }) {
  const [text, setText] = useState('');
  study.version.value;
  const { table } = study;
  const chosen = selection.value;
  const ids = chosen.filter((id) => table.rowOf(id) >= 0).slice(0, kMost);
  const missing = chosen.filter((id) => table.rowOf(id) < 0);
  const wanted = Number(text);
  const canAdd = Number.isInteger(wanted) && table.rowOf(wanted) >= 0 && !ids.includes(wanted);
  const add = (
    <form
      class="tab-tools"
      onSubmit={(event) => {
        event.preventDefault();
        if (!canAdd) return;
        setSelection([...ids, wanted]);
        setText('');
      }}
    >
      <span class="inline-field">
        <label for="compare-add">Add trial</label>
        <input id="compare-add" inputMode="numeric" size={6} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </span>
      <Button type="submit" disabled={!canAdd}>
        Add
      </Button>
      {info.best && !ids.includes(info.best.trial) && (
        <Button kind="quiet" onClick={() => setSelection([...ids, info.best!.trial])}>
          Add the best, {info.best.trial}
        </Button>
      )}
      {missing.length > 0 && <span class="muted">There is no trial {missing.join(', ')}.</span>}
      {chosen.length > kMost && <span class="muted">These are the first {kMost} of {chosen.length}.</span>}
    </form>
  );
  if (ids.length === 0) {
    return (
      <>
        {add}
        <Empty title="No trials are chosen">
          Pick some in the <a href={href({ view: 'study', study: info.id, tab: 'table' })}>table of trials</a>, or add their numbers here.
        </Empty>
      </>
    );
  }
  const cells = (column: string, digits = 5) => ids.map((id) => cellText(table, column, table.rowOf(id), digits));
  const row = (name: string, found: string[]): Row => ({ name, cells: found, differs: new Set(found).size > 1 });
  const parameters = info.space.map(({ name }) => row(name, cells('p:' + name)));
  const values = table.column('value');
  const metrics = info.metricSpecs.length > 1 ? info.metricSpecs.map(({ name }) => row(name, cells('m:' + name))) : [row(info.metric || 'value', cells('value'))];
  const outcome: Row[] = [
    ...metrics,
    row('predicted', ids.map((id) => {
      const at = table.rowOf(id);
      const mean = table.column('mean')[at]!;
      return Number.isNaN(mean) ? '' : `${formatNumber(mean, 4)} (${formatNumber(table.column('low')[at]!, 4)} to ${formatNumber(table.column('high')[at]!, 4)})`;
    })),
    row('state', ids.map((id) => table.stateOf(table.rowOf(id)))),
    row('end', cells('cause')),
    row('step', cells('step')),
    row('duration', cells('seconds')),
    row('attempts', cells('attempts')),
    row('method', cells('method').map((name) => name && formatName(name))),
    row('started', cells('started')),
  ].filter(({ cells: found }) => found.some(Boolean));
  const winner = (of: Row): number => {
    if (of !== metrics[0] || ids.length < 2) return -1;
    const mayBeBest = table.column('mayBeBest');
    const numbers = ids.map((id) => (mayBeBest[table.rowOf(id)] ? values[table.rowOf(id)]! : NaN));
    const known = numbers.filter((value) => !Number.isNaN(value));
    return known.length ? numbers.indexOf(info.goal === 'MAXIMIZE' ? Math.max(...known) : Math.min(...known)) : -1;
  };
  return (
    <>
      {add}
      <div class="stack">
        <CompareTable
          label="Trials"
          columns={ids.map((id) => ({
            id: String(id),
            name: `trial ${id}`,
            head: <a href={href({ view: 'trial', study: info.id, trial: id })}>Trial {id}</a>,
            onRemove: () => setSelection(ids.filter((other) => other !== id)),
          }))}
          groups={[
            { title: 'Parameters', rows: [...parameters.filter(({ differs }) => differs), ...parameters.filter(({ differs }) => !differs)] },
            { title: 'Outcome', rows: outcome.map((each) => ({ ...each, differs: each.differs || each === metrics[0] })), best: (each) => winner(metrics.find(({ name }) => name === each.name) ?? each) },
          ]}
        />
        <TrialCurves study={study} info={info} ids={ids} />
      </div>
    </>
  );
}

function settingsOf(info: StudyInfo): Map<string, string> {
  try {
    const map = flatten(info.spec ? JSON.parse(info.spec) : {});
    map.delete('jobId');
    // The search space has rows of its own; what the submitter's shell had says little.
    for (const key of [...map.keys()]) if (/^(vernier\.callerEnvironment|vernier\.codeNotes|trainingInput\.hyperparameters\.params\b)/.test(key)) map.delete(key);
    return map;
  } catch {
    return new Map();
  }
}

function spaceText(info: StudyInfo): Map<string, string> {
  return new Map(
    info.space.map(({ name, type, min, max, scale, values }) => [
      name,
      values ? `one of ${values.join(', ')}` : `${formatNumber(min ?? NaN)} to ${formatNumber(max ?? NaN)}${type === 'INTEGER' ? ', whole' : ''}${scale === 'LOG' ? ', logarithmic' : ''}`,
    ]),
  );
}

function CompareStudies({ ids }: { ids: readonly string[] }) {
  useJobs();
  const [text, setText] = useState('');
  const studies = useStudies(ids);
  const infos = studies.map((study) => study.info.value);
  const errors = studies.map((study) => study.error.value).filter((error) => error !== null);
  const list = jobs.value ?? [];
  const set = (next: readonly string[]) => setQuery({ studies: formatIds(next) });
  const there = infos.filter((info) => info !== null);
  const specs = infos.map((info) => info?.spec).join('\n');
  const settings = useMemo(() => rowsOfMaps(there.map(settingsOf)), [specs]);
  const spaces = useMemo(() => rowsOfMaps(there.map(spaceText)), [specs, there.length]);
  const canAdd = list.some(({ id }) => id === text) && !ids.includes(text);
  const row = (name: string, cells: string[]): Row => ({ name, cells, differs: new Set(cells).size > 1 });
  const results: Row[] = [
    row('best', there.map(({ best }) => (best ? formatNumber(best.value) : ''))),
    row('metric', there.map(({ metric, goal }) => `${metric}, ${goal === 'MAXIMIZE' ? 'maximized' : 'minimized'}`)),
    row('best trial', there.map(({ best }) => (best ? String(best.trial) : ''))),
    row('trials', there.map(({ counts }) => formatCount(counts.total) + (counts.max ? ` of ${formatCount(counts.max)}` : ''))),
    row('failed', there.map(({ counts }) => formatCount(counts.failed))),
    row('stopped', there.map(({ counts }) => formatCount(counts.stopped))),
    row('infeasible', there.map(({ counts }) => formatCount(counts.infeasible))),
    row('time', there.map(({ started, ended }) => (started ? formatDuration(((ended ?? Date.now()) - started) / 1000) : ''))),
    row('algorithm', there.map(({ algorithm }) => algorithm)),
    row('seed', there.map(({ seed }) => String(seed ?? ''))),
    row('at once', there.map(({ parallel }) => (parallel ? String(parallel) : ''))),
  ];
  const metrics = new Set(there.map(({ metric, goal }) => `${metric}/${goal}`));
  return (
    <>
      <form
        class="tab-tools"
        onSubmit={(event) => {
          event.preventDefault();
          if (!canAdd) return;
          set([...ids, text]);
          setText('');
        }}
      >
        <span class="inline-field">
          <label for="compare-study">Add a job</label>
          <input id="compare-study" list="compare-studies" autocomplete="off" spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </span>
        <datalist id="compare-studies">
          {list.filter(({ id }) => !ids.includes(id)).slice(0, 200).map(({ id }) => (
            <option value={id} />
          ))}
        </datalist>
        <Button type="submit" disabled={!canAdd}>
          Add
        </Button>
        {metrics.size > 1 && <span class="muted">They have different metrics or goals, so their values may not compare.</span>}
      </form>
      {errors.map((error) => (
        <ErrorLine text={error.message} />
      ))}
      {there.length === 0 ? (
        errors.length === 0 && <Loading text="Loading the jobs" />
      ) : (
        <div class="stack">
          <h2 class="off-screen">Best values</h2>
          <JobOverlay ids={ids} jobs={list} />
          <CompareTable
            label="Jobs"
            columns={there.map((info) => ({
              id: info.id,
              name: info.id,
              head: (
                <>
                  <a href={formatPath({ view: 'study', study: info.id, tab: 'overview' })}>{info.id}</a>
                  <StateMark state={info.state} short />
                </>
              ),
              onRemove: () => set(ids.filter((id) => id !== info.id)),
            }))}
            groups={[
              { title: 'Results', rows: results },
              { title: 'Search space', rows: spaces },
              { title: 'Settings', rows: settings },
            ]}
          />
        </div>
      )}
    </>
  );
}

export function CompareView({ study: id }: { study: string }) {
  const study = useStudy(id);
  const info = study.info.value;
  const { studies } = route.value.query;
  const others = studies === undefined ? null : parseIds(studies);
  if (!info) return study.error.value ? <ErrorBox error={study.error.value} onRetry={() => study.refresh()} /> : <Loading text="Loading the trials" />;
  const here = { view: 'compare', study: id } as const;
  return (
    <>
      <header class="view-head">
        <h1>Compare</h1>
        <a href={href({ view: 'study', study: id, tab: 'overview' })}>{info.name}</a>
      </header>
      <Tabs
        label="What is compared"
        items={[
          { text: 'Trials', href: href(here), isCurrent: others === null, count: others === null ? selection.value.length : undefined },
          { text: 'Jobs', href: href(here, { studies: formatIds(others ?? [id]) }), isCurrent: others !== null, count: others?.length },
        ]}
      />
      <div class="tab-body compare-body">{others ? <CompareStudies ids={others.slice(0, kMost)} /> : <CompareTrials study={study} info={info} />}</div>
    </>
  );
}
