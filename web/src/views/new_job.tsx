// Writes a job, checks it while it is written, and submits it.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { asError, getJson, requestId, rpc, sendJson, studyPath } from '../api';
import { plural, shellWord } from '../format';
import { copyOfSpec, freeName, kExample, summaryOf } from '../job_draft';
import { rowProblems, rowsOf, rowsText, withRows, type JobRows } from '../job_rows';
import { download } from '../plots/export';
import { formatPath, navigate, route, setQuery } from '../router';
import { jobs, refreshJobs, useJobs } from '../store/jobs';
import { remember, remembered } from '../store/preferences';
import { canRun, session } from '../store/session';
import type { StudyInfo } from '../types';
import { Button } from '../ui/button';
import { Command } from '../ui/command';
import { Editor, type Mark } from '../ui/editor';
import { Empty, ErrorLine, Loading } from '../ui/states';
import { toast } from '../ui/toast';
import { toYaml } from '../yaml';
import { JobRowsPanel } from './job_rows_panel';

interface Problem extends Mark {
  field: string;
}

interface Checked {
  /** Of what text and project. */
  key: string;
  problems: Problem[];
  job: Record<string, unknown> | null;
  ignored: string[];
}

interface ValidateAnswer {
  ok: boolean;
  job?: Record<string, unknown>;
  ignored?: string[];
  errors?: Problem[];
}

const kPause = 300;
const kLargestFile = 16 << 20;
const kDraft = 'draft';

/** Pure: what `details` of a refused submission say, where they are like errors of a check. */
export function problemsOf(details: readonly unknown[]): Problem[] {
  return details.flatMap((detail) => {
    const { fieldViolations, message, line, column, field } = (detail ?? {}) as Record<string, unknown>;
    if (Array.isArray(fieldViolations)) {
      return (fieldViolations as Record<string, unknown>[]).map((each) => ({ line: 0, column: 0, field: String(each.field ?? ''), message: String(each.description ?? '') }));
    }
    return typeof message === 'string' ? [{ line: Number(line ?? 0), column: Number(column ?? 0), field: String(field ?? ''), message }] : [];
  });
}

export function NewJobView() {
  useJobs();
  const [text, setText] = useState(() => remembered(kDraft) || kExample);
  const [project, setProject] = useState('');
  const [projects, setProjects] = useState<string[]>([]);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [error, setError] = useState('');
  /** `of`: what the text says of the rows. They are out of date when it says something else. */
  const [rows, setRows] = useState<{ all: JobRows; of: string | null } | null>(null);
  const [place, setPlace] = useState<Mark | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isDropping, setDropping] = useState(false);
  const request = useRef({ key: '', id: '' });
  const isSending = useRef(false);
  const file = useRef<HTMLInputElement>(null);
  const own = session()?.project ?? '';
  const key = `${project}\n${text}`;
  const list = jobs.value;
  const { from } = route.value.query;

  useEffect(() => {
    if (own) return;
    rpc('ProjectService', 'ListProjects', {})
      .then((answer) => setProjects((answer.projects ?? []).map(({ projectId = '' }) => projectId)))
      .catch(() => {}); // Without the list a name can be typed.
  }, []);

  // Begins with an earlier job. Until its file is there, nothing is edited or submitted.
  useEffect(() => {
    if (!from) return;
    getJson<StudyInfo>(studyPath(from))
      .then(async (info) => {
        const known = jobs.peek() ?? (await getJson<{ jobs: { name: string; project: string }[] }>('api/jobs')).jobs;
        const taken = new Set(known.filter((job) => job.project === info.project).map(({ name }) => name));
        change(copyOfSpec(info.spec!, freeName(info.name, taken)));
        if (!own && info.project !== 'default') setProject(info.project);
        setQuery({ from: null });
      })
      .catch((caught) => {
        toast(`${from} could not be taken as a beginning: ${asError(caught).message}`, { isError: true });
        setQuery({ from: null });
      });
  }, [from]);

  const change = (next: string) => {
    setText(next);
    setError('');
    remember(kDraft, next === kExample ? '' : next);
  };

  // Checks what was typed a moment after the last change.
  useEffect(() => {
    let isOld = false;
    const timer = setTimeout(async () => {
      try {
        const answer = await sendJson<ValidateAnswer>('POST', 'api/validate', { text, project });
        if (isOld) return;
        setChecked({ key, problems: answer.errors ?? [], job: answer.ok ? (answer.job ?? {}) : null, ignored: answer.ignored ?? [] });
        setError('');
      } catch (caught) {
        if (!isOld) setError(asError(caught).message);
      }
    }, kPause);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [key]);

  const isFresh = !from && checked?.key === key;
  const said = useMemo(() => rowsText(text), [text]);
  const haveRows = rows !== null && rows.of !== null && rows.of === said;

  // The rows are those of the text. Those that it was last written from stay as they are, with what is not finished.
  useEffect(() => {
    if (!isFresh || !checked.job) return;
    const all = rowsOf(checked.job);
    if (!all) setRows(null);
    else if (!haveRows) setRows({ all, of: said });
  }, [checked]);
  const changeRows = (all: JobRows) => {
    if (!rows || !haveRows) return;
    const next = withRows(text, rows.all, all);
    setRows({ all, of: rowsText(next) });
    if (next !== text) change(next);
  };

  const canSubmit = isFresh && checked.job !== null && !isBusy;
  const submit = async () => {
    if (!canSubmit || isSending.current) return; // A second click comes before the button is drawn anew.
    isSending.current = true;
    setBusy(true);
    setError('');
    // The same text has the same id until it was answered, so that it is submitted once.
    if (request.current.key !== key) request.current = { key, id: requestId() };
    try {
      const { id, notes } = await sendJson<{ id: string; notes?: string[] }>('POST', 'api/submit', { text, project, requestId: request.current.id });
      remember(kDraft, '');
      for (const note of notes ?? []) toast(`${id}: ${note}`);
      refreshJobs();
      navigate(formatPath({ view: 'study', study: id, tab: 'overview' }));
    } catch (caught) {
      const failure = asError(caught);
      const problems = problemsOf(failure.details);
      if (problems.length) setChecked({ key, problems, job: null, ignored: [] });
      else setError(failure.message);
      setBusy(false);
    }
    isSending.current = false;
  };
  const take = async (chosen: File | undefined) => {
    if (!chosen) return;
    if (chosen.size > kLargestFile) setError('A job file has at most 16 MiB.');
    else change(await chosen.text());
  };

  if (!canRun()) return <Empty title="You may look, but not submit jobs">This session may not run programs. Sign in with a token that may.</Empty>;
  const problems = checked?.problems ?? [];
  const name = typeof checked?.job?.jobId === 'string' ? checked.job.jobId : 'NAME';
  return (
    <>
      <header class="view-head">
        <h1>New job</h1>
        <div class="view-actions">
          <select
            aria-label="Start from an earlier job"
            value=""
            onChange={(event) => {
              if (event.currentTarget.value) setQuery({ from: event.currentTarget.value });
              event.currentTarget.value = '';
            }}
          >
            <option value="">From an earlier job</option>
            {(list ?? []).filter(({ kind }) => kind === 'job').slice(0, 100).map(({ id }) => (
              <option value={id}>{id}</option>
            ))}
          </select>
          <Button onClick={() => file.current!.click()}>From a file</Button>
          <input ref={file} type="file" hidden accept=".yaml,.yml,.json,text/*" onChange={(event) => void take(event.currentTarget.files?.[0])} />
          <Button kind="quiet" onClick={() => change(kExample)}>
            Example
          </Button>
          <Button kind="primary" disabled={!canSubmit} onClick={() => void submit()}>
            {isBusy ? 'Submitting' : 'Submit'}
          </Button>
        </div>
      </header>
      <div class="new-job">
        <section
          class={isDropping ? 'panel dropping' : 'panel'}
          onDragOver={(event) => {
            event.preventDefault();
            setDropping(true);
          }}
          onDragLeave={() => setDropping(false)}
          onDrop={(event) => {
            event.preventDefault();
            setDropping(false);
            void take(event.dataTransfer?.files[0]);
          }}
        >
          {from ? (
            <Loading text={`Taking ${from} as a beginning`} />
          ) : (
            <Editor label="Study file or job file, YAML or JSON" value={text} marks={isFresh ? problems : []} goTo={place} describedBy="editor-help problems" onInput={change} onSubmit={() => void submit()} />
          )}
          <p class="muted note" id="editor-help">
            Tab indents; Escape, then Tab leaves the field. Ctrl and Enter submits. A file can be dropped here.
          </p>
        </section>
        <div class="stack">
          <section class="panel">
            <h2>{!isFresh ? 'Checking' : checked.job ? 'Ready to submit' : plural(problems.length, 'problem')}</h2>
            <div id="problems" role="status">
              {error && <ErrorLine text={error} />}
              {isFresh && checked.job && <p>{summaryOf(checked.job)}</p>}
              {problems.length > 0 && (
                <ul class="problems">
                  {problems.map((problem) => (
                    <li>
                      {problem.line > 0 && (
                        <button type="button" class="link bad" onClick={() => setPlace({ ...problem })}>
                          Line {problem.line}, column {problem.column}
                        </button>
                      )}
                      {problem.field && <code>{problem.field}</code>}
                      <span>{problem.message}</span>
                    </li>
                  ))}
                </ul>
              )}
            </div>
            {!own && (
              <div class="field">
                <label for="project">Project</label>
                <input id="project" list="projects" placeholder="default" autocomplete="off" spellcheck={false} value={project} onInput={(event) => setProject(event.currentTarget.value.trim())} />
                <datalist id="projects">
                  {projects.map((id) => (
                    <option value={id} />
                  ))}
                </datalist>
              </div>
            )}
          </section>
          {rows && (
            <JobRowsPanel
              rows={rows.all}
              problems={rowProblems(rows.all, isFresh && haveRows ? problems : [])}
              why={haveRows ? '' : said === null ? 'This text is written within braces. Its metrics and constraints are changed there.' : 'These are of an earlier text. They follow when it has no problems.'}
              onChange={changeRows}
            />
          )}
          {checked?.job && checked.ignored.length > 0 && (
            <section class="panel">
              <h2>Without effect</h2>
              <p>These fields are accepted, and the service does nothing with them.</p>
              <ul class="ignored">
                {checked.ignored.map((field) => (
                  <li>
                    <code>{field}</code>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {checked?.job && (
            <section class="panel">
              <details>
                <summary>The job as it will be stored</summary>
                <pre class="preview" tabIndex={0}>
                  {toYaml(checked.job)}
                </pre>
              </details>
              <div class="same-command">
                <span class="muted">The same on the command line</span>
                <Command text={`vernier run --config ${shellWord(name + '.yaml')} --name ${shellWord(name)}`} />
                <span>
                  <Button kind="quiet" icon="save" onClick={() => download(name + '.yaml', new Blob([text], { type: 'text/plain' }))}>
                    Save the file
                  </Button>
                </span>
              </div>
            </section>
          )}
        </div>
      </div>
    </>
  );
}
