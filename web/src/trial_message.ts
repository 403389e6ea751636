// What is said of a trial as JobService.GetTrial answers it.
import type { Attempt } from './messages';

export const isFinalTrial = (state: string | undefined): boolean => !!state && !['REQUESTED', 'ACTIVE', 'STOPPING'].includes(state);

/** Seconds between two times; up to `now` (in milliseconds) while it is not over. NaN before the start. */
export function secondsBetween(start: string | undefined, end: string | undefined, now: number): number {
  if (!start) return NaN;
  return ((end ? Date.parse(end) : now) - Date.parse(start)) / 1000;
}

/** Signals that people meet. */
const kSignals: Record<number, string> = { 1: 'SIGHUP', 2: 'SIGINT', 4: 'SIGILL', 6: 'SIGABRT', 7: 'SIGBUS', 8: 'SIGFPE', 9: 'SIGKILL', 11: 'SIGSEGV', 13: 'SIGPIPE', 15: 'SIGTERM' };

export function exitText({ exitCode, signal }: Attempt): string {
  if (signal) return kSignals[signal] ?? `signal ${signal}`;
  return exitCode === undefined ? '' : `exit code ${exitCode}`;
}

/** Attributes by name, their values as people read them: a text without quotes, other JSON as it is. Pure. */
export function shownAttributes(attributes: Record<string, string> | undefined): [string, string][] {
  const shown = ([name, json]: [string, string]): [string, string] => {
    try {
      const value: unknown = JSON.parse(json);
      return [name, typeof value === 'string' ? value : json];
    } catch {
      return [name, json];
    }
  };
  return Object.entries(attributes ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)).map(shown);
}

/** What Explain says, without what the page shows beside it: the parameters, and why they were chosen. */
export function ownWords(text: string, suggestion: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('Parameters: ') && !(suggestion && line === suggestion))
    .join('\n')
    .trim();
}
