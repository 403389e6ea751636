// What is around every view: where one can go, search, the theme, the connection.
import type { ComponentChildren } from 'preact';
import { connection } from '../live';
import { href, navigate, route, type Place } from '../router';
import { theme } from '../store/preferences';
import { canRun, session, signOut } from '../store/session';
import { Button } from './button';
import { openHelp, ShortcutHelp } from './help';
import { useShortcuts } from './keys';
import { Menu } from './menu';
import { JobSearch } from './search';

const kGoals: { place: Place; text: string; keys: string; isShown?: () => boolean }[] = [
  { place: { view: 'jobs' }, text: 'Jobs', keys: 'g j' },
  { place: { view: 'machine' }, text: 'Machine', keys: 'g m' },
  { place: { view: 'new' }, text: 'New job', keys: 'g n', isShown: canRun },
];

const kSection: Partial<Record<Place['view'], Place['view']>> = { study: 'jobs', trial: 'jobs', compare: 'jobs' };

const kThemes = { system: 'dark', dark: 'light', light: 'system' } as const;

function ConnectionMark() {
  const state = connection.value;
  const text = { live: 'Live', connecting: 'Connecting', offline: 'Offline' }[state];
  const title = {
    live: 'Changes appear as they happen.',
    connecting: 'The page is connecting to the service.',
    offline: 'The service does not answer. The page shows what it knew last, and tries again by itself.',
  }[state];
  return (
    <span class={`connection ${state}`} role="status" title={title}>
      <span class="dot" aria-hidden="true" />
      <span class={state === 'live' ? 'narrow-off' : undefined}>{text}</span>
    </span>
  );
}

export function Shell({ children }: { children: ComponentChildren }) {
  const { place } = route.value;
  const section = kSection[place.view] ?? place.view;
  const who = session();
  useShortcuts(
    () => [
      ...kGoals.map((goal) => ({ keys: goal.keys, does: `Go to ${goal.text.toLowerCase()}`, run: () => navigate(href(goal.place)) })),
      { keys: '/', does: 'Search', run: () => document.querySelector<HTMLInputElement>('input[data-search]')?.focus() },
      { keys: '?', does: 'Show the keys', run: openHelp },
    ],
    [],
  );
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <header class="shell">
        <a class="brand" href="/ui/jobs" aria-label="Vernier: all jobs">
          <svg viewBox="0 0 16 16" class="icon" aria-hidden="true" focusable="false">
            <path d="M2 3h12M4 3v4M8 3v7M12 3v4M2 13h12" />
          </svg>
          <span class="narrow-off">Vernier</span>
        </a>
        <nav aria-label="Main">
          {kGoals
            .filter((goal) => goal.isShown?.() ?? true)
            .map((goal) => (
              <a href={href(goal.place)} aria-current={goal.place.view === section ? 'page' : undefined}>
                {goal.text}
              </a>
            ))}
        </nav>
        <JobSearch />
        <ConnectionMark />
        <Button
          kind="quiet"
          icon={theme.value === 'light' ? 'sun' : theme.value === 'dark' ? 'moon' : 'sun'}
          label={`Theme: ${theme.value}. Change to ${kThemes[theme.value]}`}
          onClick={() => (theme.value = kThemes[theme.value])}
        />
        <Menu
          label="Session"
          icon="more"
          kind="quiet"
          items={[
            { text: 'Keyboard', note: '?', onPick: openHelp },
            ...(who ? [{ text: `Sign out ${who.name}`, onPick: () => void signOut() }] : []),
            { text: `Version ${who?.version ?? ''}`, disabled: true, onPick: () => {} },
          ]}
        />
      </header>
      {connection.value === 'offline' && who && (
        <p class="offline-bar" role="status">
          The service does not answer. You see what was known last; the page goes on as soon as it is back.
        </p>
      )}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <ShortcutHelp />
    </>
  );
}
