// What happened, the newest first.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { asError, getJson, studyPath, type ApiError } from '../api';
import { eventWords } from '../event_words';
import { formatTime, plural } from '../format';
import { onChange } from '../live';
import { href } from '../router';
import { Refresher } from '../store/refresher';
import type { ServiceEvent } from '../types';
import { Button, Toggle } from '../ui/button';
import { Empty, ErrorBox, ErrorLine, Loading } from '../ui/states';
import type { TabProps } from './registry';

const kPage = 200;
const kMost = 1000;

interface State {
  /** By sequence, the newest first. */
  events: ServiceEvent[];
  /** There are none before. */
  isComplete: boolean;
}

export function EventsTab({ info }: TabProps) {
  const id = info.id;
  const [state, setState] = useState<State | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isShort, setShort] = useState(true);

  const ask = async (after: number, limit: number) => (await getJson<{ events: ServiceEvent[] }>(studyPath(id, 'events', { after, limit }))).events.reverse();
  const refresher = useMemo(() => {
    let newest = 0;
    return new Refresher(
      async () => {
        try {
          const isFirst = newest === 0;
          const events = await ask(isFirst ? -kPage : newest, isFirst ? kPage : kMost);
          newest = Math.max(newest, events[0]?.sequence ?? 0);
          setState((now) => (isFirst || !now ? { events, isComplete: events.length < kPage } : { ...now, events: [...events, ...now.events] }));
          setError(null);
        } catch (caught) {
          setError(asError(caught));
        }
      },
      () => 1000,
    );
  }, [id]);
  useEffect(() => {
    refresher.ask();
    return onChange((change) => {
      if (!change || change.studies.includes(id)) refresher.ask();
    });
  }, [refresher]);

  /** Sequences count over the whole service, so ever longer stretches before the oldest are looked at. */
  const older = async () => {
    if (!state) return;
    setBusy(true);
    try {
      const oldest = state.events[state.events.length - 1]?.sequence ?? 1;
      let found: ServiceEvent[] = [];
      let after = oldest - 1;
      for (let length = kPage; found.length === 0 && after > 0; length *= 4) {
        const end = after;
        after = Math.max(0, oldest - 1 - length);
        // The answer is cut at its end, so the stretch is read in pieces.
        let from = after;
        for (;;) {
          const piece = await ask(from, kMost);
          found = [...piece.filter(({ sequence }) => sequence < oldest && sequence <= end), ...found];
          const last = piece[0]?.sequence ?? Infinity;
          if (piece.length < kMost || last >= end) break;
          from = last;
        }
      }
      setState({ events: [...state.events, ...found], isComplete: after === 0 });
    } catch (caught) {
      setError(asError(caught));
    }
    setBusy(false);
  };

  if (!state) return error ? <ErrorBox error={error} onRetry={() => refresher.ask()} /> : <Loading text="Loading the events" />;
  if (state.events.length === 0) return <Empty title="Nothing has happened yet" />;
  // The steps of each attempt are of interest when something goes wrong there.
  const shown = isShort
    ? state.events.filter(({ kind, payload }) => !/^attempt\.(intended|launching|running)$|^trial\.(created|active)$/.test(kind) && !(kind === 'attempt.exited' && payload.cause === 'success'))
    : state.events;
  return (
    <section class="panel events-panel">
      <div class="panel-head">
        <h2>Events</h2>
        <Toggle text="All steps" label="All steps of trials and attempts" on={!isShort} onChange={(on) => setShort(!on)} />
      </div>
      {error && <ErrorLine text={error.message} />}
      <ol class="events">
        {shown.map((event) => {
          const { subject, what, more, isBad } = eventWords(event);
          return (
            <li key={event.sequence}>
              <time class="muted" dateTime={new Date(event.time).toISOString()}>
                {formatTime(event.time)}
              </time>
              {event.trial > 0 ? <a href={href({ view: 'trial', study: id, trial: event.trial })}>Trial {event.trial}</a> : <span>{subject}</span>}
              <span class={isBad ? 'bad' : undefined}>
                {event.trial > 0 && subject.toLowerCase()} {what}
              </span>
              <span class="muted more">{more}</span>
            </li>
          );
        })}
      </ol>
      <p class="note">
        {state.isComplete ? (
          <span class="muted">These are all, {plural(state.events.length, 'event')}.</span>
        ) : (
          <Button disabled={isBusy} onClick={() => void older()}>
            Load older
          </Button>
        )}
      </p>
    </section>
  );
}
