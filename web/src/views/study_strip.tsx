// The study at a glance: the best trial, how far it is, what runs, what failed.
import { useMemo } from 'preact/hooks';
import { formatCount, formatDuration, formatName, formatNumber, plural, shortValue } from '../format';
import { formatPath } from '../router';
import { setBrushes } from '../store/filter_state';
import type { Study } from '../store/study';
import type { TrialTable } from '../store/trial_table';
import type { StudyInfo } from '../types';
import { ended, Progress } from '../ui/progress';

function Best({ info }: { info: StudyInfo }) {
  const { best } = info;
  if (!best) {
    return (
      <div class="figure best-figure">
        <dt>Best {info.metric}</dt>
        <dd>
          <span class="big muted">–</span> <span class="muted">No trial has a value yet.</span>
        </dd>
      </div>
    );
  }
  return (
    <div class="figure best-figure">
      <dt>
        Best {info.metric}, {info.goal === 'MAXIMIZE' ? 'maximized' : 'minimized'}
      </dt>
      <dd>
        <span class="big">{formatNumber(best.value)}</span>
        <a href={formatPath({ view: 'trial', study: info.id, trial: best.trial })}>trial {best.trial}</a>
        <ul class="parameters">
          {Object.entries(best.parameters).map(([name, value]) => (
            <li title={value}>
              <span class="muted">{name}</span> {shortValue(value, 4)}
            </li>
          ))}
        </ul>
      </dd>
    </div>
  );
}

/** Why trials failed: cause and number, the most frequent first. */
function failures(table: TrialTable): [string, number][] {
  const failed = table.stateIndex('failed');
  const states = table.column('state');
  const counts = new Map<string, number>();
  for (let row = 0; row < table.rows; ++row) {
    if (states[row] !== failed) continue;
    const cause = table.causeOf(row);
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]);
}

export function StudyStrip({ study, info }: { study: Study; info: StudyInfo }) {
  const { counts } = info;
  const version = study.version.value;
  const causes = useMemo(() => failures(study.table), [version]);
  return (
    <dl class="strip">
      <Best info={info} />
      <div class="figure">
        <dt>Trials</dt>
        <dd>
          <span class="big">{formatCount(ended(counts) + counts.failed)}</span>
          {counts.max !== null && <span class="muted"> of {formatCount(counts.max)}</span>}
          <Progress counts={counts} />
        </dd>
      </div>
      <div class="figure">
        <dt>Running</dt>
        <dd>
          <span class={counts.running ? 'big running-number' : 'big muted'}>{formatCount(counts.running)}</span>
          {info.parallel > 0 && counts.running > 0 && <span class="muted"> of {info.parallel}</span>}
          {counts.waiting > 0 && <div class="muted">{formatCount(counts.waiting)} to start again</div>}
          {info.gpus > 0 && <div class="muted">{plural(info.gpus, 'GPU')}</div>}
        </dd>
      </div>
      {info.etaSeconds !== null && info.etaSeconds !== undefined && (
        <div class="figure">
          <dt>Done in about</dt>
          <dd>
            <span class="big">{formatDuration(info.etaSeconds)}</span>
          </dd>
        </div>
      )}
      {counts.failed > 0 && (
        <div class="figure">
          <dt>Failed</dt>
          <dd>
            <button type="button" class="big bad link" onClick={() => setBrushes({ state: { kind: 'set', labels: ['failed'] } })} title="Show these trials">
              {formatCount(counts.failed)}
            </button>
            <div class="causes">
              {causes.slice(0, 3).map(([cause, count]) => (
                <button type="button" class="link" onClick={() => setBrushes({ cause: { kind: 'set', labels: [cause] } })}>
                  {formatName(cause).toLowerCase()} {formatCount(count)}
                </button>
              ))}
            </div>
          </dd>
        </div>
      )}
      {(counts.stopped > 0 || counts.infeasible > 0) && (
        <div class="figure">
          <dt>Stopped early</dt>
          <dd>
            <span class="big">{formatCount(counts.stopped)}</span>
            {!!info.epochsSaved && <div class="muted">{plural(info.epochsSaved, 'step')} saved</div>}
            {counts.infeasible > 0 && <div class="muted">{formatCount(counts.infeasible)} infeasible</div>}
          </dd>
        </div>
      )}
    </dl>
  );
}
