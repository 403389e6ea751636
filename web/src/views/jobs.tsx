// All jobs and studies: what runs, what waits and for what, what failed, how good it is.
import { useMemo, useRef, useState } from 'preact/hooks';
import { formatIds, parseIds } from '../flatten';
import { shownReason, shownState } from '../job_state';
import { formatAge, formatCount, formatNumber, plural } from '../format';
import { keptPieces, type Kept } from '../names';
import { formatPath, href, navigate, route, setQuery } from '../router';
import { jobs, jobsError, refreshJobs, useJobs } from '../store/jobs';
import { canRun, serviceNow } from '../store/session';
import type { JobSummary } from '../types';
import { Button, Choice } from '../ui/button';
import { Command } from '../ui/command';
import { useShortcuts } from '../ui/keys';
import { Name } from '../ui/name';
import { ended, Progress } from '../ui/progress';
import { Sparkline } from '../ui/sparkline';
import { StateMark } from '../ui/state_mark';
import { Empty, ErrorBox, Loading } from '../ui/states';
import { useRem, useVirtual } from '../ui/virtual';
import { JobOverlay } from './job_overlay';
import { chooseJobs, groupOf, kGroups, parseSort, type JobGroup, type JobSort } from './jobs_list';

const kRowRem = 2.77;

const addressOf = (job: JobSummary) => formatPath({ view: 'study', study: job.id, tab: 'overview' });

function parseSelected(): string[] {
  return parseIds(route.value.query.jobs ?? '');
}

function setSelected(ids: readonly string[]): void {
  setQuery({ jobs: formatIds(ids) });
}

function SortHead(props: { sort: JobSort; text: string; number?: boolean; class?: string }) {
  const now = parseSort(route.value.query.sort);
  const isMine = now.key === props.sort;
  return (
    <th
      scope="col"
      class={`${props.class ?? ''} ${props.number ? 'number' : ''}`}
      aria-sort={isMine ? (now.isDown ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" class="sort" onClick={() => setQuery({ sort: isMine && !now.isDown ? '-' + props.sort : props.sort })}>
        {props.text}
        <span aria-hidden="true">{isMine ? (now.isDown ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  );
}

function Row(props: { job: JobSummary; kept: Kept | undefined; index: number; hasProjects: boolean; isSelected: boolean; isCurrent: boolean; onSelect: () => void }) {
  const { job } = props;
  const { counts } = job;
  const why = shownReason(job, serviceNow());
  const parameters = Object.entries(job.best?.parameters ?? {}).map(([name, value]) => `${name} ${value}`).join('  ');
  return (
    <tr
      class={props.isCurrent ? 'current' : undefined}
      aria-rowindex={props.index + 2}
      data-row={props.index}
      onClick={(event) => {
        if (!(event.target as Element).closest('a, button, input, label')) navigate(addressOf(job));
      }}
    >
      <td class="pick">
        <label>
          <input type="checkbox" checked={props.isSelected} aria-label={`Select ${job.id}`} onChange={props.onSelect} />
        </label>
      </td>
      <td class="state">
        <StateMark state={shownState(job)} />
      </td>
      <td class="name">
        <div class="name-line">
          <a href={addressOf(job)}>
            <Name text={job.name} kept={props.kept} />
          </a>
          {why && (
            <span class={job.error ? 'why failed' : 'why'} title={why}>
              {why}
            </span>
          )}
        </div>
      </td>
      {props.hasProjects && <td class="project">{job.project}</td>}
      <td class="bar">
        <Progress counts={counts} />
      </td>
      <td class="number trials">
        {formatCount(ended(counts) + counts.failed)}
        <span class="muted">{counts.max ? ` / ${formatCount(counts.max)}` : ''}</span>
      </td>
      <td class="number failures">{counts.failed > 0 && <span class="bad">{formatCount(counts.failed)}</span>}</td>
      <td class="number best" title={job.best ? `${job.metric} of trial ${job.best.trial}` : undefined}>
        {job.best ? formatNumber(job.best.value, 4) : ''}
      </td>
      <td class="metric muted" title={job.metrics > 1 ? `${job.metric} and ${plural(job.metrics - 1, 'more metric')}` : job.metric}>
        <span class="goal">
          <Name text={job.metric} />
          <span>
            {job.goal === 'MAXIMIZE' ? '↑' : '↓'}
            {job.metrics > 1 && ` +${job.metrics - 1}`}
          </span>
        </span>
      </td>
      <td class="params muted" title={parameters}>
        {parameters}
      </td>
      <td class="spark">
        <Sparkline values={job.spark} />
      </td>
      <td class="number gpus">{job.gpus || ''}</td>
      <td class="number age">{formatAge((serviceNow() - job.created) / 1000)}</td>
    </tr>
  );
}

export function JobsView() {
  useJobs();
  const all = jobs.value;
  const { query } = route.value;
  const group = (kGroups.find(({ value }) => value === query.state)?.value ?? 'all') as JobGroup;
  const text = query.find ?? '';
  const shown = useMemo(() => (all ? chooseJobs(all, text, group, parseSort(query.sort)) : []), [all, text, group, query.sort]);
  const counts = useMemo(() => {
    const byGroup: Record<string, number> = { all: all?.length ?? 0 };
    for (const job of all ?? []) byGroup[groupOf(job)] = (byGroup[groupOf(job)] ?? 0) + 1;
    return byGroup;
  }, [all]);
  const hasProjects = useMemo(() => new Set(all?.map((job) => job.project)).size > 1, [all]);
  const kept = useMemo(() => keptPieces((all ?? []).map((job) => job.name)), [all]);
  const selected = parseSelected();
  const toggle = (id: string) => setSelected(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id]);

  const body = useRef<HTMLTableSectionElement>(null);
  const rowHeight = useRem(kRowRem);
  const { first, end } = useVirtual(body, shown.length, rowHeight, { isWindow: true });
  const [current, setCurrent] = useState(-1);
  const move = (to: number) => {
    if (!shown.length) return;
    const next = Math.min(shown.length - 1, Math.max(0, to));
    setCurrent(next);
    const box = body.current!.getBoundingClientRect();
    const top = box.top + next * rowHeight;
    if (top < 120) window.scrollBy(0, top - 120);
    else if (top + rowHeight > window.innerHeight) window.scrollBy(0, top + rowHeight - window.innerHeight + 8);
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>(`[data-row="${next}"] a`)?.focus({ preventScroll: true }));
  };
  useShortcuts(
    () => [
      { keys: 'j', does: 'The next job', run: () => move(current + 1) },
      { keys: 'k', does: 'The job before', run: () => move(current - 1) },
      { keys: 'Enter', does: 'Open the job', run: () => shown[current] && navigate(addressOf(shown[current]!)) },
      { keys: 'x', does: 'Select the job', run: () => shown[current] && toggle(shown[current]!.id) },
      { keys: 'f', does: 'Filter the jobs', run: () => document.querySelector<HTMLInputElement>('#find-jobs')?.focus() },
    ],
    [current, shown, selected.join()],
  );

  if (!all) return jobsError.value ? <ErrorBox error={jobsError.value} onRetry={refreshJobs} /> : <Loading text="Loading the jobs" />;
  if (all.length === 0) {
    return (
      <Empty title="There are no jobs yet" isPage>
        <p>A job tries parameters for your program and finds the best. Start one with</p>
        <Command text="vernier run --config config.yaml -- python3 train.py" />
        {canRun() && (
          <p>
            or <a href="/ui/new">write one here</a>.
          </p>
        )}
      </Empty>
    );
  }
  return (
    <>
      <header class="view-head jobs-head">
        <h1>Jobs</h1>
        <input
          id="find-jobs"
          type="search"
          aria-label="Show jobs whose name, project, metric or labels contain"
          placeholder="Name, project, metric, label"
          spellcheck={false}
          value={text}
          onInput={(event) => setQuery({ find: event.currentTarget.value })}
        />
        <Choice
          label="State"
          value={group}
          options={kGroups.map(({ value, text: words }) => ({ value, text: value === 'all' ? words : `${words} ${counts[value] ?? 0}` }))}
          onChange={(value) => setQuery({ state: value === 'all' ? null : value })}
        />
        {selected.length > 0 && (
          <span class="selected-note">
            {selected.length} selected
            {selected.length > 1 && (
              <a href={href({ view: 'compare', study: selected[0]! }, { studies: formatIds(selected) })}>Compare</a>
            )}
            <Button kind="quiet" onClick={() => setSelected([])}>
              Clear
            </Button>
          </span>
        )}
      </header>
      {selected.length > 0 && <JobOverlay ids={selected} jobs={all} />}
      {shown.length === 0 ? (
        <Empty title={text ? `No job fits “${text}”` : 'No job fits'}>
          <Button onClick={() => setQuery({ find: null, state: null })}>Show all jobs</Button>
        </Empty>
      ) : (
        <table class="jobs" aria-rowcount={shown.length + 1} aria-label="Jobs">
          <thead>
            <tr aria-rowindex={1}>
              <th scope="col" class="pick">
                <span class="off-screen">Select</span>
              </th>
              <SortHead sort="state" text="State" class="state" />
              <SortHead sort="name" text="Name" class="name" />
              {hasProjects && <SortHead sort="project" text="Project" class="project" />}
              <SortHead sort="progress" text="Progress" class="bar" />
              <th scope="col" class="number trials">
                Trials
              </th>
              <th scope="col" class="number failures">
                Failed
              </th>
              <SortHead sort="best" text="Best" number class="best" />
              <th scope="col" class="metric">
                Metric
              </th>
              <th scope="col" class="params">
                Best parameters
              </th>
              <th scope="col" class="spark">
                Best so far
              </th>
              <SortHead sort="gpus" text="GPUs" number class="gpus" />
              <SortHead sort="age" text="Age" number class="age" />
            </tr>
          </thead>
          <tbody ref={body}>
            {first > 0 && (
              <tr class="space" aria-hidden="true">
                <td style={{ height: `${first * rowHeight}px` }} />
              </tr>
            )}
            {shown.slice(first, end).map((job, i) => (
              <Row
                key={job.id}
                job={job}
                kept={kept.get(job.name)}
                index={first + i}
                hasProjects={hasProjects}
                isSelected={selected.includes(job.id)}
                isCurrent={first + i === current}
                onSelect={() => toggle(job.id)}
              />
            ))}
            {end < shown.length && (
              <tr class="space" aria-hidden="true">
                <td style={{ height: `${(shown.length - end) * rowHeight}px` }} />
              </tr>
            )}
          </tbody>
        </table>
      )}
    </>
  );
}
