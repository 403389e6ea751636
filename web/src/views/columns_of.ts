// What the columns of a study's trials are called, and how their values read. Pure.
import { exactNumber, formatDuration, formatNumber, formatTime } from '../format';
import type { TrialTable } from '../store/trial_table';
import type { StudyInfo } from '../types';

const kTitles: Record<string, string> = {
  id: 'trial', state: 'state', cause: 'cause', method: 'method', step: 'step', created: 'created', started: 'started', ended: 'ended',
  seconds: 'duration', attempts: 'attempts', mean: 'predicted', low: 'predicted low', high: 'predicted high', final: 'final',
  mayBeBest: 'may be best',
};

export function columnTitle(column: string, info: StudyInfo): string {
  if (column === 'value') return info.metric || 'objective';
  return /^[pm]:/.test(column) ? column.slice(2) : (kTitles[column] ?? column);
}

export function isTimeColumn(column: string): boolean {
  return column === 'created' || column === 'started' || column === 'ended';
}

/** The value of a cell as text; '' if there is none. */
export function cellText(table: TrialTable, column: string, row: number, digits = 5): string {
  const value = table.numbers(column)?.[row] ?? NaN;
  const labels = table.labels(column);
  if (labels) return (Number.isNaN(value) ? '' : (labels[value] ?? '')).replace(/_/g, ' ');
  if (isTimeColumn(column)) return formatTime(value);
  if (column === 'seconds') return formatDuration(value);
  return column.startsWith('p:') ? exactNumber(value) : formatNumber(value, digits);
}

/** The parameters of a row that are active: name and text. */
export function parametersOf(table: TrialTable, info: StudyInfo, row: number): [string, string][] {
  const found: [string, string][] = [];
  for (const { name } of info.space) {
    const text = cellText(table, 'p:' + name, row);
    if (text) found.push([name, text]);
  }
  return found;
}
