// A study: what it is doing, and tabs that look at its trials through one filter.
import { ActionWindow, actionItems, actionText, possibleActions, startAction, type ActionName } from '../actions';
import { shellWord } from '../format';
import { shownReason, shownState } from '../job_state';
import { formatPath, href, navigate, type StudyTab } from '../router';
import { canRun, canWrite, serviceNow } from '../store/session';
import { useStudy } from '../store/study';
import type { StudyInfo } from '../types';
import { Button } from '../ui/button';
import { Command } from '../ui/command';
import { useShortcuts } from '../ui/keys';
import { Menu } from '../ui/menu';
import { StateMark } from '../ui/state_mark';
import { Empty, ErrorBox, Loading } from '../ui/states';
import { Tabs } from '../ui/tabs';
import { FilterBar } from './filter_bar';
import { kTabs } from './registry';
import { StudyStrip } from './study_strip';

/** Tabs that are not about the trials that the filter selects. */
const kUnfiltered: ReadonlySet<StudyTab> = new Set(['queue', 'events'] as const);
const kFirst: ActionName[] = ['pause', 'resume', 'extend'];
const kMore: ActionName[] = ['add', 'edit', 'labels', 'note', 'pauseNow', 'cancel', 'delete'];

function Actions({ info }: { info: StudyInfo }) {
  if (!canWrite()) return null;
  const possible = possibleActions(info);
  // A job's edit may change what its program gets.
  const more = actionItems(info, kMore.filter((name) => name !== 'edit' || info.kind === 'study' || canRun()));
  if (canRun() && info.kind === 'job') {
    more.unshift({
      text: 'Start another from this',
      note: 'Its job file, under a new name',
      onPick: () => navigate(href({ view: 'new' }, { from: info.id })),
    });
  }
  return (
    <div class="view-actions">
      {kFirst
        .filter((name) => possible.has(name))
        .map((name) => (
          <Button key={name} icon={name === 'pause' ? 'pause' : name === 'resume' ? 'play' : 'plus'} label={actionText(name)} onClick={() => startAction(name, info)}>
            <span class="narrow-off">{actionText(name)}</span>
          </Button>
        ))}
      {more.length > 0 && <Menu label="More actions" icon="more" items={more} />}
    </div>
  );
}

/** The name, the state and what can be done; also the head of a trial's page. */
export function StudyHead({ info }: { info: StudyInfo }) {
  const why = shownReason(info, serviceNow());
  return (
    <header class="view-head">
      <h1>
        <a href={formatPath({ view: 'study', study: info.id, tab: 'overview' })}>{info.name}</a>
      </h1>
      <StateMark state={shownState(info)} />
      {info.project !== 'default' && <span class="muted">{info.project}</span>}
      {Object.entries(info.labels).map(([key, value]) => (
        <span class="label">
          {key}={value}
        </span>
      ))}
      <Actions info={info} />
      {info.note && <p class="study-note">{info.note}</p>}
      {why && (
        <p class={info.error ? 'why-line bad' : 'why-line muted'} tabIndex={why.includes('\n') ? 0 : undefined}>
          {why}
        </p>
      )}
    </header>
  );
}

/** In every view of trials, so that none of them has to draw nothing. */
function NoTrials({ info }: { info: StudyInfo }) {
  return (
    <Empty title="No trial has started yet">
      <p>{info.waitingFor || 'Results appear here as they come.'}</p>
      {info.kind === 'job' && <Command text={`vernier why ${shellWord(info.id)}`} />}
    </Empty>
  );
}

export function StudyView({ study: id, tab }: { study: string; tab: StudyTab }) {
  const study = useStudy(id);
  const info = study.info.value;
  const error = study.error.value;
  useShortcuts(() => [{ keys: 'f', does: 'Filter the trials', run: () => document.querySelector<HTMLInputElement>('#filter')?.focus() }], []);
  if (error && (!info || error.code === 404)) {
    return error.code === 404 ? (
      <Empty title="There is no such job" isPage>
        <p>{error.message}</p>
        <p>
          <a href="/ui/jobs">All jobs</a>
        </p>
      </Empty>
    ) : (
      <ErrorBox error={error} onRetry={() => study.refresh()} />
    );
  }
  if (!info) return <Loading text="Loading the trials" />;
  const entry = kTabs.find((other) => other.tab === tab)!;
  const Tab = entry.component;
  return (
    <>
      <StudyHead info={info} />
      <StudyStrip study={study} info={info} />
      <Tabs
        label="Views of the study"
        items={kTabs
          .filter((other) => other === entry || (other.isShown?.(info) ?? true))
          .map((other) => ({
            text: other.text,
            href: href({ view: 'study', study: id, tab: other.tab }),
            isCurrent: other === entry,
            count: other.tab === 'queue' ? info.queued.length : undefined,
          }))}
      />
      {study.table.rows > 0 && !kUnfiltered.has(tab) && <FilterBar study={study} info={info} />}
      <div class="tab-body">
        {study.table.rows === 0 && !kUnfiltered.has(tab) ? <NoTrials info={info} /> : <Tab study={study} info={info} />}
      </div>
      <ActionWindow />
    </>
  );
}
