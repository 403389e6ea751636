// Who works on a study whose trials programs run themselves.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { rpc } from '../api';
import { formatAge, plural } from '../format';
import { onChange } from '../live';
import type { Study } from '../messages';
import { Refresher } from '../store/refresher';
import { serviceNow } from '../store/session';
import type { StudyInfo } from '../types';

/** Pure: what a worker does, in words. */
export function workerText({ presence, openTrialCount, lastSeenTime }: Study.Worker, now: number): string {
  const seen = lastSeenTime ? `last heard ${formatAge((now - Date.parse(lastSeenTime)) / 1000)} ago` : '';
  const open = plural(openTrialCount ?? 0, 'open trial');
  if (presence === 'GONE') return `has ended, and left ${open}`;
  return [open, seen].filter((part) => part).join(', ');
}

/** Pure: one line for a study that nobody works on. */
export function idleText(activity: Study, now: number): string {
  const last = activity.lastActivityTime ? Date.parse(activity.lastActivityTime) : NaN;
  return Number.isNaN(last) ? 'Nobody has worked on it yet.' : `Nobody works on it. The last sign of life was ${formatAge((now - last) / 1000)} ago.`;
}

export function Workers({ info }: { info: StudyInfo }) {
  const [activity, setActivity] = useState<Study | null>(null);
  const refresher = useMemo(
    () => new Refresher(async () => setActivity(await rpc('StudyService', 'GetStudy', { study: info.id }).catch(() => null)), () => 3000),
    [info.id],
  );
  useEffect(() => {
    refresher.ask();
    const stop = onChange((change) => {
      if (!change || change.studies.includes(info.id)) refresher.ask();
    });
    return () => {
      stop();
      refresher.stop();
    };
  }, [refresher]);
  if (!activity || info.kind !== 'study') return null;
  const workers = activity.workers ?? [];
  return (
    <section class="panel told" aria-label="Who works on it">
      <h2>Who works on it</h2>
      {workers.length === 0 ? (
        <p class="muted">{idleText(activity, serviceNow())}</p>
      ) : (
        workers.map((worker) => (
          <p key={worker.name}>
            {worker.name} <span class="muted">{workerText(worker, serviceNow())}</span>
          </p>
        ))
      )}
    </section>
  );
}
