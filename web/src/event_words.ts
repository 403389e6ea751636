// Events of the service in words. Pure.
import { formatDuration, formatNumber } from './format';
import type { ServiceEvent } from './types';

type Payload = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const spaced = (value: unknown): string => text(value).replace(/_/g, ' ').toLowerCase();

function values(value: unknown): string {
  const list: [string, unknown][] = Array.isArray(value)
    ? (value as { name?: string; value?: unknown }[]).map((each) => [String(each.name ?? ''), each.value])
    : Object.entries((value ?? {}) as Payload);
  const shown = list.map(([name, each]) => `${name} ${typeof each === 'number' ? formatNumber(each, 4) : String(each)}`);
  return shown.length > 6 ? shown.slice(0, 6).join(', ') + ', …' : shown.join(', ');
}

/** What happened: a verb that goes after "Trial 3" or "The job". */
const kWords: Record<string, string> = {
  'job.created': 'was submitted', 'job.queued': 'was taken up again', 'job.preparing': 'is being prepared', 'job.running': 'runs',
  'job.cancelling': 'is being cancelled', 'job.succeeded': 'succeeded', 'job.failed': 'failed', 'job.cancelled': 'was cancelled',
  'job.labels': 'has new labels', 'job.extended': 'may have more trials', 'job.revised': 'has a new version', 'job.deleted': 'was deleted',
  'point.queued': 'A point was queued', 'study.created': 'was created', 'study.moved': 'was moved', 'study.note': 'has a new note', 'study.metadata': 'has new metadata',
  'study.suggested': 'Points were suggested', 'study.deleted': 'was deleted',
  'trial.created': 'was created', 'trial.active': 'started', 'trial.stopping': 'is being stopped', 'trial.completed': 'completed',
  'trial.stopped': 'was stopped', 'trial.infeasible': 'is infeasible', 'trial.failed': 'failed', 'trial.deleted': 'was deleted',
  'attempt.intended': 'is planned', 'attempt.launching': 'is being launched', 'attempt.running': 'runs', 'attempt.kill_wanted': 'is being ended',
  'attempt.exited': 'ended', 'attempt.killed': 'was ended', 'attempt.lost': 'was lost',
};

/** A message without AI Platform's words for an exit, whose code stands beside it. */
function plainMessage(message: string): string {
  return message
    .replace(/^The replica master 0 exited with a non-zero status of [^.]*\. Termination reason: Error\.\s*/, '')
    .replace(/^The replica (?:master 0|(\S+ \d+)) was stopped on request and ended with status [^.]*\./, (_, who?: string) => `${who ? `its ${who}` : 'its program'} was stopped on request`)
    .replace(/^The replica (\S+ \d+) exited with a non-zero status of ([^.]*)\. Termination reason: Error\./, 'its $1 ended with status $2.')
    .replace(/^The replica master 0 could not be started: /, 'its program could not be started: ');
}

export interface EventWords {
  /** Who or what: a trial is a link of its own. */
  subject: string;
  what: string;
  /** Particulars, in one or more lines. */
  more: string;
  isBad: boolean;
}

export function eventWords({ kind, attempt, payload, trial }: ServiceEvent): EventWords {
  const head = kind.split('.')[0]!;
  let what = kWords[kind] ?? kind.replace(/[._]/g, ' ');
  let subject = head === 'job' ? 'The job' : head === 'study' ? 'The study' : '';
  if (attempt) subject = `Attempt ${attempt}`;
  if (kind === 'study.suggested') subject = '';
  if (kind === 'job.wanted') {
    const wanted = text(payload.wanted).toUpperCase();
    what = wanted === 'PAUSE' ? 'is to pause' : wanted === 'RUN' ? 'is to run' : 'is to end';
  }
  const more: string[] = [];
  const cause = spaced(payload.cause);
  if (cause && cause !== 'success') more.push(cause);
  if (typeof payload.exit_code === 'number' && payload.exit_code !== 0) more.push(`exit code ${payload.exit_code}`);
  if (payload.signal) more.push(`signal ${String(payload.signal)}`);
  if (typeof payload.lasted_us === 'number') more.push(`after ${formatDuration(payload.lasted_us / 1e6)}`);
  const final = payload.final_measurement as { value?: number; step?: number } | undefined;
  const value = final?.value ?? payload.value;
  if (typeof value === 'number') more.push(`with ${formatNumber(value)}${final?.step !== undefined ? ` at step ${final.step}` : ''}`);
  if (typeof payload.max_trials === 'number') more.push(`${payload.max_trials} trials at most`);
  if (payload.parameters) more.push(values(payload.parameters));
  if (Array.isArray(payload.devices) && payload.devices.length) more.push(`on ${payload.devices.join(', ')}`);
  if (payload.labels && kind === 'job.labels') more.push(values(payload.labels));
  if (Array.isArray(payload.changes)) more.push(payload.changes.join('; '));
  else if (text(payload.changes)) more.push(text(payload.changes));
  for (const field of ['reason', 'message', 'error_message']) {
    const message = plainMessage(text(payload[field]));
    if (message) more.push(message);
  }
  const isBad = kind === 'trial.failed' || kind === 'job.failed' || kind === 'attempt.lost' || (kind === 'attempt.exited' && (payload.exit_code ?? 0) !== 0);
  return { subject: trial && !attempt ? '' : subject, what, more: more.join(', '), isBad };
}
