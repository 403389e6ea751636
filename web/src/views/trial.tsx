// One trial: its values beside those of the best, what came of them, why, and its logs and files.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ActionWindow, isActive, startAction } from '../actions';
import { asError, rpc } from '../api';
import { formatDuration, formatName, formatNumber, formatTime, shellWord } from '../format';
import { readPrediction } from '../insights';
import { onChange } from '../live';
import type { Trial } from '../messages';
import { LinesPlot } from '../plots/lines_plot';
import { parameterScale } from '../plots/scale';
import { formatPath, href, navigate } from '../router';
import { useCurves } from '../store/curves';
import { canWrite, serviceNow } from '../store/session';
import { useStudy, type Study } from '../store/study';
import { exitText, isFinalTrial, ownWords, secondsBetween } from '../trial_message';
import { kFinalJobStates, type Parameter, type StudyInfo } from '../types';
import { Attributes } from '../ui/attributes';
import { Button } from '../ui/button';
import { copyText } from '../ui/command';
import { Confirm } from '../ui/dialog';
import { useShortcuts } from '../ui/keys';
import { PointMeanText } from '../ui/point_mean';
import { useRefreshed } from '../ui/refreshed';
import { StateMark } from '../ui/state_mark';
import { Empty, ErrorBox, ErrorLine, Loading } from '../ui/states';
import { toast } from '../ui/toast';
import { LogView } from './log_view';
import { PredictionPlot } from './prediction_plot';
import { TrialFiles } from './trial_files';

interface Loaded {
  trial: Trial;
  why: string;
}

function useTrial(study: string, trialId: number) {
  const { value, error, ask } = useRefreshed<Loaded>(
    async () => {
      const body = { jobId: study, trialId };
      const [trial, explained] = await Promise.all([
        rpc('JobService', 'GetTrial', body),
        rpc('JobService', 'Explain', body).catch(() => ({ text: '' })),
      ]);
      return { trial, why: explained.text ?? '' };
    },
    1000,
    [study, trialId],
  );
  useEffect(() => {
    ask();
    return onChange((change) => {
      if (!change || change.studies.includes(study)) ask();
    });
  }, [ask]);
  return { loaded: value, error, retry: ask };
}

const valueText = (value: string, isText = false) => (isText || value === '' || Number.isNaN(Number(value)) ? value : formatNumber(Number(value)));

/** Where a value lies in the range of its parameter, 0 to 1; NaN if it has no place there. */
function placeOf(parameter: Parameter | undefined, value: string | undefined): number {
  if (!parameter || value === undefined) return NaN;
  const at = parameter.type === 'CATEGORICAL' ? (parameter.values ?? []).map(String).indexOf(value) : Number(value);
  if (parameter.type === 'CATEGORICAL' && at < 0) return NaN;
  return parameterScale(parameter, 0, 1).place(at);
}

/** Two marks on a line: this trial's value, and the best trial's. */
function Track({ own, best }: { own: number; best: number }) {
  const left = (share: number) => ({ left: `${Math.min(1, Math.max(0, share)) * 100}%` });
  return (
    <span class="track" aria-hidden="true">
      {Number.isFinite(best) && <span class="best-mark" style={left(best)} />}
      {Number.isFinite(own) && <span class="own-mark" style={left(own)} />}
    </span>
  );
}

function Parameters({ info, trial, id }: { info: StudyInfo; trial: Trial; id: number }) {
  const own = new Map((trial.parameters ?? []).map(({ name = '', value = '' }) => [name, value]));
  const { best } = info;
  const isBest = best?.trial === id;
  const names = info.space.length ? info.space.map(({ name }) => name) : [...own.keys()];
  const shown = names.filter((name) => own.has(name) || (!isBest && best?.parameters[name] !== undefined));
  if (shown.length === 0) return <p class="muted">The job has no parameters.</p>;
  return (
    <table class="plain-table parameters-table">
      <thead>
        <tr>
          <th scope="col">Parameter</th>
          <th scope="col">
            <span class="off-screen">Place in its range</span>
          </th>
          <th scope="col" class="number">
            This trial
          </th>
          {best && !isBest && (
            <th scope="col" class="number">
              <a href={formatPath({ view: 'trial', study: info.id, trial: best.trial })}>Best: {best.trial}</a>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {shown.map((name) => {
          const parameter = info.space.find((each) => each.name === name);
          const value = own.get(name);
          const other = best?.parameters[name];
          const isText = parameter?.type === 'CATEGORICAL';
          const isSame = value === other || (!isText && Number(value) === Number(other));
          return (
            <tr key={name} class={best && !isBest && !isSame ? 'differs' : undefined}>
              <th scope="row">{name}</th>
              <td>
                <Track own={placeOf(parameter, value)} best={isBest ? NaN : placeOf(parameter, other)} />
              </td>
              <td class={isText ? 'text own' : 'number own'} title={value}>
                {value === undefined ? <span class="muted">–</span> : valueText(value, isText)}
                {best && !isBest && !isSame && <span class="off-screen">, differs</span>}
              </td>
              {best && !isBest && (
                <td class={isText ? 'text muted' : 'number muted'} title={other}>
                  {other === undefined ? '–' : valueText(other, isText)}
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Curve({ study, metric, trial, isFirst }: { study: Study; metric: string; trial: number; isFirst: boolean }) {
  const curves = useCurves(study, metric, useMemo(() => [trial], [trial]));
  const version = curves.version.value;
  const series = useMemo(() => {
    const curve = curves.curves.get(trial);
    return curve?.step.length ? [{ name: `trial ${trial}`, x: curve.step, y: curve.value }] : null;
  }, [version, curves, trial]);
  if (!series) {
    return isFirst && curves.isLoaded.value ? <p class="muted">{metric} has not been reported yet.</p> : null;
  }
  return <LinesPlot name={`trial-${trial}-${metric}`} title={metric} series={series} xTitle="step" yTitle="" height={190} />;
}

function Attempts({ info, trial }: { info: StudyInfo; trial: Trial }) {
  const attempts = [...(trial.attempts ?? [])].reverse();
  const now = serviceNow();
  const hasVersions = attempts.some(({ codeVersion }) => (codeVersion ?? 1) > 1);
  const hasDevices = attempts.some(({ devices }) => devices?.length);
  if (info.kind === 'study') return <p class="muted">A client runs the trials of this study; the service starts none.</p>;
  if (attempts.length === 0) return <p class="muted">The trial has not been started.{trial.waitingFor ? ` It waits for ${trial.waitingFor}.` : ''}</p>;
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Attempts">
      <table class="plain-table">
        <thead>
          <tr>
            <th scope="col">Attempt</th>
            <th scope="col">State</th>
            <th scope="col">Started</th>
            <th scope="col" class="number">
              Duration
            </th>
            <th scope="col">End</th>
            {hasDevices && <th scope="col">GPUs</th>}
            {hasVersions && <th scope="col">Version</th>}
          </tr>
        </thead>
        <tbody>
          {attempts.map((each) => {
            const isBad = each.state === 'LOST' || (each.exitCode ?? 0) !== 0;
            return (
              <tr key={each.number}>
                <td>{each.number}</td>
                <td>
                  <StateMark state={isBad && each.state === 'EXITED' ? 'failed' : (each.state ?? '')} text={formatName(each.state ?? '')} />
                </td>
                <td class="nowrap">{formatTime(Date.parse(each.startTime ?? each.intendTime ?? ''))}</td>
                <td class="number nowrap">{formatDuration(secondsBetween(each.startTime, each.endTime, now))}</td>
                <td class="attempt-end">
                  {[exitText(each), each.endCause && each.endCause !== 'success' ? each.endCause.replace(/_/g, ' ') : ''].filter(Boolean).join(', ')}
                  {each.message && <p class="muted lines" tabIndex={each.message.includes('\n') ? 0 : undefined}>{each.message}</p>}
                  {each.waitingFor && <p class="muted">Waits for {each.waitingFor}</p>}
                </td>
                {hasDevices && (
                  <td>
                    {(each.devices ?? []).map((device) => (
                      <code class="device" title={device}>
                        {device.slice(0, 12)}
                      </code>
                    ))}
                  </td>
                )}
                {hasVersions && <td class="number">{each.codeVersion}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function WhyThese({ info, trial, value, id }: { info: StudyInfo; trial: Trial; value: number; id: number }) {
  const { suggestion } = trial;
  const prediction = readPrediction(suggestion?.prediction);
  const isFinal = trial.finalMeasurement !== undefined;
  const best = info.best && info.best.trial !== id ? info.best.value : NaN;
  if (!suggestion?.method && !suggestion?.text) return <p class="muted">{trial.suggester ? `Chosen by ${trial.suggester}.` : 'Nobody has noted why.'}</p>;
  return (
    <>
      <p>
        <strong>{formatName(suggestion.method ?? '')}</strong>
      </p>
      <p class="words">{suggestion.text}</p>
      {suggestion.fallback && <p class="words muted">{suggestion.fallback}</p>}
      {prediction && (prediction.low < prediction.high || prediction.mean !== 0) && (
        <PredictionPlot name={`trial-${id}-prediction`} metric={info.metric} prediction={prediction} got={value} isFinal={isFinal} best={best} />
      )}
    </>
  );
}

function RunByHand({ study, trial }: { study: string; trial: number }) {
  const [answer, setAnswer] = useState<{ line?: string; note?: string } | null>(null);
  const [error, setError] = useState('');
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    rpc('JobService', 'GetTrialCommand', { jobId: study, trialId: trial })
      .then(setAnswer)
      .catch((caught) => setError(asError(caught).message));
  }, [study, trial]);
  if (error) return <ErrorLine text={error} />;
  if (!answer?.line) return <Loading text="Asking for the command" />;
  return (
    <>
      <pre class="by-hand" tabIndex={0} aria-label="Command">
        {answer.line}
      </pre>
      <Button
        kind="quiet"
        icon={isCopied ? 'check' : 'copy'}
        onClick={async () => {
          await copyText(answer.line!);
          setCopied(true);
          setTimeout(() => setCopied(false), 1500);
        }}
      >
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
      {answer.note && <p class="muted note">{answer.note}</p>}
    </>
  );
}

function StopWindow({ info, id, onClose }: { info: StudyInfo; id: number; onClose: () => void }) {
  const command = `vernier trials stop ${shellWord(info.id)} ${id}`;
  return (
    <Confirm
      title={`Stop trial ${id}`}
      verb="Stop the trial"
      danger
      command={command}
      onClose={onClose}
      onConfirm={async () => {
        await rpc('JobService', 'StopTrial', { jobId: info.id, trialId: id });
        toast(`Trial ${id} is being stopped.`, { command });
      }}
    >
      <p>The program is asked to end. The trial keeps its last value, but is never the best; its point is not tried again, and the search goes on with the next trial.</p>
    </Confirm>
  );
}

/** The trials before and after, among those that the filter selects. Pure. */
export function neighbours(ids: ArrayLike<number>, bits: ArrayLike<number> | null, id: number): [number, number] {
  let before = 0;
  let after = 0;
  for (let row = 0; row < ids.length; ++row) {
    if (bits && !bits[row]) continue;
    const other = ids[row]!;
    if (other < id && other > before) before = other;
    if (other > id && (after === 0 || other < after)) after = other;
  }
  return [before, after];
}

function Head(props: { study: Study; info: StudyInfo; id: number; trial: Trial | null; value: number }) {
  const { study, info, id, trial, value } = props;
  const [isStopping, setStopping] = useState(false);
  study.version.value;
  const [before, after] = neighbours(study.table.column('id'), study.mask.value.bits, id);
  const to = (other: number) => href({ view: 'trial', study: info.id, trial: other });
  useShortcuts(
    () => [
      { keys: 'k', does: 'Previous trial', run: () => before && navigate(to(before)) },
      { keys: 'j', does: 'Next trial', run: () => after && navigate(to(after)) },
      { keys: 'u', does: 'Up, to the job', run: () => navigate(href({ view: 'study', study: info.id, tab: 'table' })) },
    ],
    [before, after, info.id],
  );
  const canStop = canWrite() && info.kind === 'job' && trial?.state === 'ACTIVE';
  const canAgain = canWrite() && info.kind === 'job' && !kFinalJobStates.has(info.state) && info.state !== 'CANCELLING' && info.space.length > 0;
  const again = () => {
    const parameters = Object.fromEntries((trial?.parameters ?? []).map(({ name = '', value: text = '' }) => [name, text]));
    startAction('add', info, Object.fromEntries(Object.entries(parameters).filter(([name]) => isActive(info.space.find((each) => each.name === name)!, info.space, parameters))));
  };
  const seconds = trial ? secondsBetween(trial.startTime, trial.endTime, serviceNow()) : NaN;
  return (
    <header class="view-head trial-head">
      <p class="up">
        <a href={href({ view: 'study', study: info.id, tab: 'table' })}>{info.name}</a>
      </p>
      <h1>Trial {id}</h1>
      {trial && <StateMark state={trial.paused ? 'PAUSED' : (trial.state ?? '')} />}
      {Number.isFinite(value) && (
        <span>
          <span class="muted">{info.metric}</span> <strong>{formatNumber(value)}</strong>
          {trial?.finalMeasurement === undefined && <span class="muted"> so far</span>}
          {info.best?.trial === id && <span class="muted">, the best</span>}
        </span>
      )}
      {trial?.point && <PointMeanText point={trial.point} />}
      {Number.isFinite(seconds) && <span class="muted">{formatDuration(seconds)}</span>}
      <div class="view-actions">
        {canStop && (
          <Button icon="close" onClick={() => setStopping(true)}>
            Stop
          </Button>
        )}
        {trial && canAgain && (
          <Button icon="plus" onClick={again}>
            Run again
          </Button>
        )}
        {info.best && info.best.trial !== id && (
          <a class="button" href={href({ view: 'compare', study: info.id }, { sel: `${id},${info.best.trial}` })}>
            Compare with the best
          </a>
        )}
        <Button icon="left" label={before ? `Previous trial: ${before}` : 'There is no trial before'} disabled={!before} onClick={() => navigate(to(before))} />
        <Button icon="right" label={after ? `Next trial: ${after}` : 'There is no trial after'} disabled={!after} onClick={() => navigate(to(after))} />
      </div>
      {isStopping && <StopWindow info={info} id={id} onClose={() => setStopping(false)} />}
    </header>
  );
}

export function TrialView({ study: studyId, trial: id }: { study: string; trial: number }) {
  const study = useStudy(studyId);
  const info = study.info.value;
  const { loaded, error, retry } = useTrial(studyId, id);
  if (!info) {
    return study.error.value ? <ErrorBox error={study.error.value} onRetry={() => study.refresh()} /> : <Loading text="Loading the trial" />;
  }
  if (!loaded) {
    const queued = info.queued.find(({ trial }) => trial === id);
    return (
      <>
        <Head study={study} info={info} id={id} trial={null} value={NaN} />
        {queued ? (
          <Empty title="This point waits for a free slot">
            {Object.entries(queued.parameters)
              .map(([name, value]) => `${name} ${valueText(value)}`)
              .join(', ')}
          </Empty>
        ) : error?.code === 404 ? (
          <Empty title={`There is no trial ${id}`}>
            <a href={href({ view: 'study', study: studyId, tab: 'table' })}>All trials of {info.name}</a>
          </Empty>
        ) : error ? (
          <ErrorBox error={error} onRetry={retry} />
        ) : (
          <Loading text="Loading the trial" />
        )}
      </>
    );
  }
  const { trial, why } = loaded;
  const measured = trial.finalMeasurement ?? trial.lastMeasurement;
  const value = measured ? Number(measured.value ?? 0) : NaN;
  const isOver = isFinalTrial(trial.state);
  const metrics = trial.metrics?.length ? trial.metrics : [info.metric];
  const attempts = trial.attempts?.length ?? 0;
  const hasSaid = !!trial.note || Object.keys(trial.attributes ?? {}).length > 0;
  return (
    <>
      <Head study={study} info={info} id={id} trial={trial} value={value} />
      {error && <ErrorLine text={`What you see may be old: ${error.message}`} />}
      <div class="trial-panels">
        <section class="panel">
          <h2>Parameters</h2>
          <Parameters info={info} trial={trial} id={id} />
        </section>
        <section class="panel">
          <h2>Why these values</h2>
          <WhyThese info={info} trial={trial} value={value} id={id} />
        </section>
        <section class="panel">
          <h2>{isOver ? 'Why it ended' : 'What it does'}</h2>
          {/* The message has the last lines of the log of a failure. */}
          <p class="words">{ownWords(why, trial.suggestion?.text ?? '') || trial.message || trial.waitingFor}</p>
          {trial.metricProblems?.map((problem) => (
            <p class="words muted">{problem}</p>
          ))}
        </section>
        <section class="panel curves-panel">
          <h2>Curves</h2>
          <div class="plots">
            {metrics.map((metric, i) => (
              <Curve key={metric} study={study} metric={metric} trial={id} isFirst={i === 0} />
            ))}
          </div>
        </section>
        {hasSaid && (
          <section class="panel told said-panel" aria-label="Note and attributes">
            <h2>Note and attributes</h2>
            {trial.note && <p class="words">{trial.note}</p>}
            <Attributes attributes={trial.attributes} />
          </section>
        )}
        {info.kind === 'job' && (
          <>
            <section class="panel whole">
              <h2>Attempts</h2>
              <Attempts info={info} trial={trial} />
            </section>
            <section class="panel whole">
              <h2>Log</h2>
              <LogView study={studyId} trial={id} attempts={attempts} />
            </section>
            <section class="panel">
              <h2>Files</h2>
              <TrialFiles study={studyId} trial={id} version={`${trial.state}/${attempts}`} />
            </section>
            {attempts > 0 && (
              <section class="panel">
                <h2>Run it by hand</h2>
                <RunByHand study={studyId} trial={id} />
              </section>
            )}
          </>
        )}
      </div>
      <ActionWindow />
    </>
  );
}
