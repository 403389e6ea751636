// Who is signed in, and what they may do.
import { signal } from '@preact/signals';
import { ApiError, asError, configureApi, getJson, sendJson } from '../api';
import type { Session } from '../types';

export type SessionState =
  | { kind: 'loading' }
  | { kind: 'in'; session: Session }
  /** `ended`: there was a session, and the page behind still shows its data. */
  | { kind: 'out'; ended: boolean }
  | { kind: 'error'; error: ApiError };

export const sessionState = signal<SessionState>({ kind: 'loading' });

/** How far this machine's clock is from the service's, in milliseconds. */
let clockOffset = 0;

/** The service's time; ages on the page count from it. */
export function serviceNow(): number {
  return Date.now() + clockOffset;
}

export function session(): Session | null {
  const state = sessionState.value;
  return state.kind === 'in' ? state.session : null;
}

export const canWrite = (): boolean => session()?.canWrite ?? false;
export const canRun = (): boolean => session()?.canRun ?? false;

function enter(info: Session): void {
  configureApi({ csrf: info.csrf });
  clockOffset = info.now - Date.now();
  sessionState.value = { kind: 'in', session: info };
}

configureApi({
  onSignedOut: () => {
    if (sessionState.peek().kind === 'in') sessionState.value = { kind: 'out', ended: true };
  },
});

export async function loadSession(): Promise<void> {
  try {
    enter(await getJson<Session>('session'));
  } catch (caught) {
    const error = asError(caught);
    const before = sessionState.peek();
    if (error.code === 401) sessionState.value = { kind: 'out', ended: before.kind === 'in' };
    else if (before.kind !== 'in') sessionState.value = { kind: 'error', error };
  }
}

export async function signIn(proof: { code: string } | { token: string }): Promise<void> {
  enter(await sendJson<Session>('POST', 'session', proof));
}

export async function signOut(): Promise<void> {
  await sendJson('DELETE', 'session');
  configureApi({ csrf: '' });
  sessionState.value = { kind: 'out', ended: false };
}
