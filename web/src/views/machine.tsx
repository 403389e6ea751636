// The machine and the service: who holds which GPU, who waits for what, quotas, health.
import { useEffect } from 'preact/hooks';
import { rpc } from '../api';
import { formatBytes, formatCount, plural } from '../format';
import { shownState } from '../job_state';
import { onChange } from '../live';
import type { Project, Quota, ServiceInfo } from '../messages';
import { formatPath } from '../router';
import { jobs, useJobs } from '../store/jobs';
import { kFinalJobStates } from '../types';
import { useRefreshed } from '../ui/refreshed';
import { StateMark } from '../ui/state_mark';
import { ErrorBox, ErrorLine, Loading } from '../ui/states';

const kAmounts: { use: keyof Project.Use; quota: keyof Quota; text: string; isBytes?: boolean }[] = [
  { use: 'parallelTrials', quota: 'maxParallelTrials', text: 'Trials at once' },
  { use: 'gpus', quota: 'maxGpus', text: 'GPUs' },
  { use: 'studies', quota: 'maxStudies', text: 'Jobs and studies' },
  { use: 'bucketBytes', quota: 'maxBucketBytes', text: 'Bytes in buckets', isBytes: true },
  { use: 'bucketObjects', quota: 'maxBucketObjects', text: 'Objects in buckets' },
];

/** Pure: "job digits trial 3" as its parts; null if it says something else. */
export function parseHolder(text: string): { job: string; trial: number } | null {
  const match = /^job (.+) trial (\d+)$/.exec(text);
  return match ? { job: match[1]!, trial: Number(match[2]) } : null;
}

function useMachine() {
  const { value, error, ask } = useRefreshed(
    async () => {
      const [info, { projects }] = await Promise.all([
        rpc('JobService', 'GetServiceInfo', {}),
        rpc('ProjectService', 'ListProjects', {}),
      ]);
      return { info, projects: projects ?? [] };
    },
    1500,
    [],
  );
  useEffect(() => {
    ask();
    // Use of the disk and copies of code are no changes of a study.
    const timer = setInterval(ask, 10_000);
    const stop = onChange(ask);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [ask]);
  return { data: value, error, retry: ask };
}

function Holder({ text }: { text: string | undefined }) {
  if (!text) return <span class="muted">free</span>;
  const holder = parseHolder(text);
  if (!holder) return <span>{text}</span>;
  return (
    <>
      <StateMark state="active" short />{' '}
      <a href={formatPath({ view: 'trial', study: holder.job, trial: holder.trial })}>
        {holder.job}, trial {holder.trial}
      </a>
    </>
  );
}

function Devices({ devices }: { devices: readonly ServiceInfo.Device[] }) {
  const used = devices.filter(({ leasedBy }) => leasedBy).length;
  if (devices.length === 0) return <p class="muted">The service uses no GPUs. Trials that need none run as usual.</p>;
  return (
    <>
      <p>
        {used === 0 ? 'All are free' : used === devices.length ? 'All are in use' : `${used} of ${devices.length} are in use`}.
      </p>
      <div class="scroll-x" tabIndex={0} role="region" aria-label="GPUs">
        <table class="plain-table devices">
          <thead>
            <tr>
              <th scope="col" class="number">
                Number
              </th>
              <th scope="col">GPU</th>
              <th scope="col">Model</th>
              <th scope="col" class="number">
                Memory
              </th>
              <th scope="col">Held by</th>
            </tr>
          </thead>
          <tbody>
            {devices.map(({ id = '', model, memoryBytes, leasedBy, unusableBecause, sick }, i) => (
              <tr key={id}>
                <td class="number">{i}</td>
                <td>
                  <code title={id}>{id.length > 16 ? id.slice(0, 16) + '…' : id}</code>
                </td>
                <td>{model}</td>
                <td class="number nowrap">{memoryBytes ? formatBytes(Number(memoryBytes)) : ''}</td>
                <td class="nowrap">
                  {unusableBecause && <span class={sick ? 'sick' : 'muted'}>It {unusableBecause}.</span>}
                  {(leasedBy || !unusableBecause) &&
                    (leasedBy ?? '').split(', ').map((holder) => <Holder key={holder} text={holder} />)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Waiting() {
  const waiting = (jobs.value ?? []).filter((job) => job.waitingFor && !kFinalJobStates.has(job.state));
  if (waiting.length === 0) return <p class="muted">No job waits for anything.</p>;
  return (
    <ul class="waiting-list">
      {waiting.map((job) => (
        <li key={job.id}>
          <StateMark state={shownState(job)} short />
          <span>
            <a href={formatPath({ view: 'study', study: job.id, tab: 'overview' })}>{job.id}</a>
            <span class="why-waiting">{job.waitingFor}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Projects({ projects }: { projects: readonly Project[] }) {
  const shown = kAmounts.filter(({ use, quota }) => projects.some((project) => Number(project.use?.[use] ?? 0) > 0 || project.quota?.[quota] !== undefined));
  if (projects.length === 0) return <p class="muted">There is no project yet.</p>;
  return (
    <div class="scroll-x" tabIndex={0} role="region" aria-label="Projects">
      <table class="plain-table projects">
        <thead>
          <tr>
            <th scope="col">Project</th>
            {shown.map(({ text }) => (
              <th scope="col">{text}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {projects.map(({ projectId, quota, use }) => (
            <tr key={projectId}>
              <th scope="row">{projectId}</th>
              {shown.map((amount) => {
                const used = Number(use?.[amount.use] ?? 0);
                const limit = quota?.[amount.quota] === undefined ? NaN : Number(quota[amount.quota]);
                const text = amount.isBytes ? formatBytes : formatCount;
                const share = limit > 0 ? Math.min(1, used / limit) : used > 0 ? 1 : 0;
                return (
                  <td>
                    <span class="nowrap">
                      {text(used)}
                      {Number.isFinite(limit) && <span class="muted"> of {text(limit)}</span>}
                      {used >= limit && <span> · full</span>}
                    </span>
                    {Number.isFinite(limit) && (
                      <span class="progress" aria-hidden="true">
                        <span class="done" style={{ width: `${share * 100}%` }} />
                      </span>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function MachineView() {
  useJobs();
  const { data, error, retry } = useMachine();
  if (!data) return error ? <ErrorBox error={error} onRetry={retry} /> : <Loading text="Asking the service" />;
  const { info, projects } = data;
  const copies = info.codeCopies ?? [];
  const facts: [string, preact.ComponentChild][] = [
    ['Version', info.version],
    ['Data directory', <code>{info.dataDir}</code>],
    ['Address', info.httpUrl ? <code>{info.httpUrl}</code> : 'off'],
    ['Process', info.processId],
    ['Open jobs', formatCount(info.openJobs ?? 0)],
    ['Programs at once', info.maxConcurrentReplicas ? `${formatCount(info.maxConcurrentReplicas)} at most` : 'no limit'],
  ];
  return (
    <>
      <header class="view-head">
        <h1>Machine</h1>
        {info.devices && info.devices.length > 0 && <span class="muted">{plural(info.devices.length, 'GPU')}</span>}
      </header>
      {error && <ErrorLine text={`What you see may be old: ${error.message}`} />}
      {info.waitingFor && (
        <p class="panel alarm" role="alert">
          The whole service waits: {info.waitingFor}
        </p>
      )}
      <div class="machine">
        <div class="stack">
          <section class="panel">
            <h2>GPUs</h2>
            <Devices devices={info.devices ?? []} />
          </section>
          <section class="panel">
            <h2>Projects</h2>
            <Projects projects={projects} />
          </section>
        </div>
        <div class="stack">
          <section class="panel">
            <h2>Waiting</h2>
            <Waiting />
          </section>
          <section class="panel">
            <h2>Service</h2>
            <table class="plain-table facts">
              <tbody>
                {facts.map(([name, value]) => (
                  <tr>
                    <th scope="row">{name}</th>
                    <td>{value}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {(info.notes ?? []).length > 0 && (
              <>
                <h3>Found at the start</h3>
                <ul class="sentences">
                  {info.notes!.map((note) => (
                    <li>{note}</li>
                  ))}
                </ul>
              </>
            )}
          </section>
          {copies.length > 0 && (
            <section class="panel">
              <h2>Code being copied</h2>
              <ul class="sentences">
                {copies.map(({ folder, files, ofFiles }) => {
                  const [done, all] = [Number(files ?? 0), Number(ofFiles ?? 0)];
                  return (
                    <li>
                      <code>{folder}</code>
                      <span class="muted"> {all ? `${formatCount(done)} of ${plural(all, 'file')}` : 'files are being counted'}</span>
                      <span class="progress" aria-hidden="true">
                        <span class="running" style={{ width: `${all ? (100 * done) / all : 0}%` }} />
                      </span>
                    </li>
                  );
                })}
              </ul>
            </section>
          )}
        </div>
      </div>
    </>
  );
}
