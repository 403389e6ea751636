// What changed at the service, as it happens. One tab of the browser holds the
// stream of events and tells the others, since browsers limit connections per host.
import { signal } from '@preact/signals';

export interface Change {
  sequence: number;
  studies: string[];
  deleted: string[];
}

export type Connection = 'connecting' | 'live' | 'offline';

export const connection = signal<Connection>('connecting');

/** `null`: anything may have changed, for example after a pause of the connection. */
type Listener = (change: Change | null) => void;

type Message =
  | { type: 'change'; change: Change }
  | { type: 'state'; connection: Connection }
  | { type: 'again' }
  | { type: 'hello' };

const kFirstDelay = 500;
const kLongestDelay = 15_000;

const listeners = new Set<Listener>();
let channel: BroadcastChannel | null = null;
let sequence = 0;
let isLeader = false;
let isStarted = false;
let reopen: () => void = () => {};
let checkSession: () => void = () => {};

export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(change: Change | null): void {
  for (const listener of listeners) listener(change);
}

function setConnection(next: Connection): void {
  connection.value = next;
  if (isLeader) channel?.postMessage({ type: 'state', connection: next } satisfies Message);
}

/** Holds the stream for ever, with growing pauses after failures. */
function openStream(): void {
  let delay = kFirstDelay;
  let wasOffline = false;
  let timer = 0;
  let stream: EventSource | null = null;

  const open = () => {
    clearTimeout(timer);
    stream?.close();
    stream = new EventSource('/ui/api/changes' + (sequence ? `?since=${sequence}` : ''));
    stream.onopen = () => {
      delay = kFirstDelay;
      setConnection('live');
      if (!wasOffline) return;
      wasOffline = false;
      tell(null);
      channel?.postMessage({ type: 'again' } satisfies Message);
    };
    stream.addEventListener('change', (event) => {
      const change = JSON.parse((event as MessageEvent<string>).data) as Change;
      sequence = Math.max(sequence, change.sequence);
      tell(change);
      channel?.postMessage({ type: 'change', change } satisfies Message);
    });
    stream.onerror = () => {
      stream?.close();
      if (!wasOffline) checkSession(); // A stream does not tell a 401 from a lost connection.
      wasOffline = true;
      setConnection('offline');
      timer = window.setTimeout(open, delay);
      delay = Math.min(delay * 2, kLongestDelay);
    };
  };
  open();
  reopen = open;
  window.addEventListener('online', open);
}

/** Call once, when a session is there. `whenBroken` finds out whether the session has ended. */
export function startLive(whenBroken: () => void): void {
  if (isStarted) {
    reopen(); // Somebody has signed in again.
    return;
  }
  isStarted = true;
  checkSession = whenBroken;
  if (typeof BroadcastChannel === 'undefined' || !navigator.locks) {
    // Outside of secure contexts there are no locks: each tab has its own stream.
    isLeader = true;
    openStream();
    return;
  }
  channel = new BroadcastChannel('vernier-live');
  channel.onmessage = (event: MessageEvent<Message>) => {
    const message = event.data;
    if (message.type === 'hello') {
      if (isLeader) setConnection(connection.peek());
    } else if (isLeader) {
      return;
    } else if (message.type === 'change') {
      sequence = Math.max(sequence, message.change.sequence);
      tell(message.change);
    } else if (message.type === 'state') {
      connection.value = message.connection;
    } else {
      tell(null);
    }
  };
  channel.postMessage({ type: 'hello' } satisfies Message);
  void navigator.locks.request('vernier-live', () => {
    isLeader = true;
    openStream();
    return new Promise<never>(() => {}); // The lock is held until the tab is gone.
  });
}
