// Addresses below /ui by the History API. The path chooses the view; the query
// holds what the view shows: filter, selection, options of plots.
import { signal } from '@preact/signals';
import { decodePart } from './format';

export type StudyTab =
  | 'overview' | 'table' | 'parallel' | 'curves' | 'importance' | 'slices' | 'contours'
  | 'calibration' | 'pareto' | 'timeline' | 'queue' | 'events';

export type Place =
  | { view: 'jobs' }
  | { view: 'study'; study: string; tab: StudyTab }
  | { view: 'trial'; study: string; trial: number }
  | { view: 'compare'; study: string }
  | { view: 'new' }
  | { view: 'machine' }
  | { view: 'login' }
  | { view: 'unknown'; path: string };

export interface Route {
  place: Place;
  query: Readonly<Record<string, string>>;
}

export const kStudyTabs: readonly StudyTab[] = [
  'overview', 'table', 'parallel', 'curves', 'importance', 'slices', 'contours',
  'calibration', 'pareto', 'timeline', 'queue', 'events',
];

const kBase = '/ui';
/** What stays in the address when another view of the same study is opened. */
export const kStudyQuery = ['q', 'b', 'sel'] as const;

export function parsePath(pathname: string): Place {
  const parts = pathname
    .replace(/^\/ui\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(decodePart);
  const [head, study, tab, last] = parts;
  if (parts.length === 0 || (head === 'jobs' && parts.length === 1)) return { view: 'jobs' };
  if (parts.length === 1 && (head === 'new' || head === 'machine' || head === 'login')) return { view: head };
  if (head === 'jobs' && study) {
    if (parts.length === 2) return { view: 'study', study, tab: 'overview' };
    if (parts.length === 3 && tab === 'compare') return { view: 'compare', study };
    if (parts.length === 3 && (kStudyTabs as readonly string[]).includes(tab!)) {
      return { view: 'study', study, tab: tab as StudyTab };
    }
    if (parts.length === 4 && tab === 'trials' && /^\d{1,9}$/.test(last!)) {
      return { view: 'trial', study, trial: Number(last) };
    }
  }
  return { view: 'unknown', path: pathname };
}

export function formatPath(place: Place): string {
  switch (place.view) {
    case 'jobs':
      return kBase + '/jobs';
    case 'study':
      return `${kBase}/jobs/${encodeURIComponent(place.study)}${place.tab === 'overview' ? '' : '/' + place.tab}`;
    case 'trial':
      return `${kBase}/jobs/${encodeURIComponent(place.study)}/trials/${place.trial}`;
    case 'compare':
      return `${kBase}/jobs/${encodeURIComponent(place.study)}/compare`;
    case 'unknown':
      return place.path;
    default:
      return `${kBase}/${place.view}`;
  }
}

export function formatQuery(query: Readonly<Record<string, string>>): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== '') search.set(key, value);
  const text = search.toString();
  return text && '?' + text;
}

export function parseQuery(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

const inPage = typeof location !== 'undefined';

function current(): Route {
  return inPage
    ? { place: parsePath(location.pathname), query: parseQuery(location.search) }
    : { place: { view: 'jobs' }, query: {} };
}

export const route = signal<Route>(current());

/**
 * The address of a place. Within one study the filter and the selection stay,
 * unless `query` says otherwise.
 */
export function href(place: Place, query: Record<string, string> = {}): string {
  const kept: Record<string, string> = {};
  const here = route.value;
  if ('study' in place && 'study' in here.place && place.study === here.place.study) {
    for (const key of kStudyQuery) if (here.query[key]) kept[key] = here.query[key]!;
  }
  return formatPath(place) + formatQuery({ ...kept, ...query });
}

export function navigate(address: string, replace = false): void {
  flushQuery();
  history[replace ? 'replaceState' : 'pushState'](null, '', address);
  route.value = current();
  if (!replace) {
    window.scrollTo(0, 0);
    // A screen reader goes on with the new view.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true }));
  }
}

let queryTimer = 0;

function flushQuery(): void {
  if (!queryTimer) return;
  clearTimeout(queryTimer);
  queryTimer = 0;
  history.replaceState(null, '', formatPath(route.value.place) + formatQuery(route.value.query));
}

/**
 * Changes the query; '' or null removes a key. The signal changes at once, the
 * address a moment later, because browsers limit how often it may change.
 */
export function setQuery(changes: Record<string, string | null>): void {
  const query: Record<string, string> = { ...route.value.query };
  for (const [key, value] of Object.entries(changes)) {
    if (value) query[key] = value;
    else delete query[key];
  }
  route.value = { place: route.value.place, query };
  clearTimeout(queryTimer);
  queryTimer = window.setTimeout(flushQuery, 200);
}

/** Follows links below /ui without loading the page again. */
export function startRouter(): void {
  window.addEventListener('popstate', () => {
    clearTimeout(queryTimer);
    queryTimer = 0;
    route.value = current();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element).closest?.('a[href]');
    if (!link || link.hasAttribute('download') || link.getAttribute('target')) return;
    const address = link.getAttribute('href')!;
    if (!address.startsWith(kBase + '/') || /^\/ui\/(api|assets|rpc|session)\b/.test(address)) return;
    event.preventDefault();
    navigate(address);
  });
}
