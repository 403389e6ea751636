// What happened, the newest first.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { asError, getJson, studyPath, type ApiError } from '../api';
import { formatTime, plural } from '../format';
import { onChange } from '../live';
import { href } from '../router';
import { Refresher } from '../store/refresher';
import type { ServiceEvent } from '../types';
import { Button, Toggle } from '../ui/button';
import { Empty, ErrorBox, ErrorLine, Loading } from '../ui/states';
import type { TabProps } from './tab_props';

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

  const ask = async (query: Record<string, number>) => (await getJson<{ events: ServiceEvent[] }>(studyPath(id, 'events', query))).events.reverse();
  const refresher = useMemo(() => {
    let newest = 0;
    return new Refresher(
      async () => {
        try {
          const isFirst = newest === 0;
          const events = await ask(isFirst ? { after: -kPage } : { after: newest, limit: kMost });
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
    const stop = onChange((change) => {
      if (!change || change.studies.includes(id)) refresher.ask();
    });
    return () => {
      stop();
      refresher.stop();
    };
  }, [refresher]);

  const older = async () => {
    const oldest = state?.events.at(-1)?.sequence;
    if (!oldest) return;
    setBusy(true);
    try {
      const found = await ask({ before: oldest, limit: kPage });
      setState((now) => now && { events: [...now.events, ...found], isComplete: found.length < kPage });
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
          const { subject, what, more, isBad } = event.words;
          return (
            <li key={event.sequence}>
              <time class="muted" dateTime={new Date(event.time).toISOString()}>
                {formatTime(event.time)}
              </time>
              {event.trial > 0 ? <a href={href({ view: 'trial', study: id, trial: event.trial })}>Trial {event.trial}</a> : <span>{subject}</span>}
              <span class={isBad ? 'bad' : undefined}>
                {event.attempt > 0 && `attempt ${event.attempt} `}
                {what}
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
