// The points that are queued by hand, and why the job does not run more right now.
import { useEffect, useState } from 'preact/hooks';
import { startAction } from '../actions';
import { asError, rpc } from '../api';
import { shellWord } from '../format';
import { canWrite } from '../store/session';
import { kFinalJobStates } from '../types';
import { Button } from '../ui/button';
import { Command } from '../ui/command';
import { ErrorLine, Loading } from '../ui/states';
import type { TabProps } from './tab_props';

export function QueueTab({ study, info }: TabProps) {
  const version = study.version.value;
  const [why, setWhy] = useState<string | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    let isMine = true;
    rpc('JobService', 'Explain', { jobId: study.id })
      .then((answer) => isMine && setWhy(answer.text ?? ''))
      .catch((caught) => isMine && setError(asError(caught).message));
    return () => void (isMine = false);
  }, [study.id, info.state, info.waitingFor, info.queued.length, Math.floor(version / 5)]);
  const names = info.space.map(({ name }) => name);
  return (
    <div class="stack">
      <section class="panel">
        <h2>Why it is as it is</h2>
        {why === null && !error && <Loading />}
        {error && <ErrorLine text={error} />}
        {why && <pre class="words">{why}</pre>}
        <Command text={`vernier why ${shellWord(study.id)}`} />
      </section>
      <section class="panel">
        <div class="panel-head">
          <h2>Queued points</h2>
          {canWrite() && !kFinalJobStates.has(info.state) && info.space.length > 0 && (
            <Button icon="plus" onClick={() => startAction('add', info)}>
              Add a point
            </Button>
          )}
        </div>
        {info.queued.length === 0 ? (
          <p class="muted">No point waits. A point that is added here runs before anything that is suggested.</p>
        ) : (
          <div class="scroll-x" tabIndex={0} role="region" aria-label="Queued points">
            <table class="plain-table">
              <thead>
                <tr>
                  <th scope="col" class="number">
                    Place
                  </th>
                  {names.map((name) => (
                    <th scope="col">{name}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {info.queued.map((point, i) => (
                  <tr>
                    <td class="number">{i + 1}</td>
                    {names.map((name) => (
                      <td>{point.parameters[name] ?? ''}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
    </div>
  );
}
