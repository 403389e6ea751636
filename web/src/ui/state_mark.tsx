// The state of a job or a trial: a shape and a word, so that no meaning is in colour alone.
import { formatName } from '../format';

const kMarks: Record<string, { path: string; kind: string }> = {
  // Trials.
  requested: { path: 'M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8z', kind: 'waiting' },
  active: { path: 'M4 2.5v11l9-5.5z', kind: 'running' },
  stopping: { path: 'M4 4h8v8H4z', kind: 'running' },
  completed: { path: 'M3 8.5l3.5 3.5L13 4.5', kind: 'done' },
  stopped: { path: 'M4 4h8v8H4z', kind: 'hollow' },
  infeasible: { path: 'M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM5 11l6-6', kind: 'hollow' },
  failed: { path: 'M4 4l8 8M12 4l-8 8', kind: 'failed' },
};
// Jobs, studies, attempts.
Object.assign(kMarks, {
  running: kMarks.active,
  preparing: kMarks.requested,
  queued: kMarks.requested,
  paused: { path: 'M5.5 3.5v9M10.5 3.5v9', kind: 'hollow' },
  pausing: { path: 'M5.5 3.5v9M10.5 3.5v9', kind: 'running' },
  succeeded: kMarks.completed,
  cancelled: kMarks.stopped,
  cancelling: kMarks.stopping,
  exited: kMarks.completed,
  killed: kMarks.stopped,
  lost: kMarks.failed,
  idle: { path: 'M5.5 3.5v9M10.5 3.5v9', kind: 'hollow' },
  inactive: { path: 'M5.5 3.5v9M10.5 3.5v9', kind: 'hollow' },
});

export function StateMark({ state, text, short }: { state: string; text?: string; short?: boolean }) {
  const mark = kMarks[state.toLowerCase()] ?? kMarks.requested!;
  const words = text ?? formatName(state);
  return (
    <span class={`state-mark ${mark.kind}`} title={short ? words : undefined}>
      <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
        <path d={mark.path} />
      </svg>
      <span class={short ? 'off-screen' : undefined}>{words}</span>
    </span>
  );
}
