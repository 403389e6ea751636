// Everything that changes a job: a window that says what will happen, the call,
// and the command that does the same.
import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { asError, requestId, rpc } from './api';
import { formatCount, plural, shellWord } from './format';
import type { DeleteJobResponse, DeleteStudyRequest, Methods } from './messages';
import { navigate } from './router';
import { refreshJobs } from './store/jobs';
import { kFinalJobStates, type Parameter, type ScaleName, type StudyInfo } from './types';
import { Confirm } from './ui/dialog';
import type { MenuItem } from './ui/menu';
import { toast } from './ui/toast';

export type ActionName = 'pause' | 'pauseNow' | 'resume' | 'extend' | 'cancel' | 'delete' | 'add' | 'edit' | 'labels' | 'note';

interface Pending {
  name: ActionName;
  info: StudyInfo;
  /** Values to begin with, of a point that is added. */
  parameters?: Record<string, string>;
}

const pending = signal<Pending | null>(null);

export function startAction(name: ActionName, info: StudyInfo, parameters?: Record<string, string>): void {
  pending.value = { name, info, parameters };
}

/** Which actions fit the job's state. Pure. */
export function possibleActions(info: StudyInfo): ReadonlySet<ActionName> {
  if (info.kind === 'study') return new Set<ActionName>(info.mayBeEdited ? ['edit', 'note', 'delete'] : ['note', 'delete']);
  const isFinal = kFinalJobStates.has(info.state);
  const actions = new Set<ActionName>(['labels', 'note']);
  if (info.mayBeEdited && info.state !== 'CANCELLING') actions.add('edit');
  if (!isFinal && info.state !== 'CANCELLING') {
    actions.add('cancel');
    if (info.wanted === 'RUN') actions.add('pause').add('pauseNow');
    if (info.space.length) actions.add('add');
  }
  if (info.wanted === 'PAUSE' || info.state === 'FAILED' || info.state === 'CANCELLED') actions.add('resume');
  if (info.counts.max !== null && info.state !== 'CANCELLING') actions.add('extend');
  if (isFinal) actions.add('delete');
  return actions;
}

const kTexts: Record<ActionName, string> = {
  pause: 'Pause',
  pauseNow: 'Pause now',
  resume: 'Resume',
  extend: 'Extend',
  cancel: 'Cancel',
  delete: 'Delete',
  add: 'Add a point',
  edit: 'Edit the search',
  labels: 'Labels',
  note: 'Note',
};

export function actionText(name: ActionName): string {
  return kTexts[name];
}

/** For a menu. */
export function actionItems(info: StudyInfo, names: readonly ActionName[]): MenuItem[] {
  const possible = possibleActions(info);
  return names
    .filter((name) => possible.has(name))
    .map((name) => ({
      text: kTexts[name] + (name === 'resume' || name === 'pause' ? '' : ' …'),
      danger: name === 'delete' || name === 'cancel',
      onPick: () => startAction(name, info),
    }));
}

async function done(text: string, command: string): Promise<void> {
  toast(text, { command });
  refreshJobs();
}

const close = () => (pending.value = null);

/** Renders the window of the action that was started, if any. */
export function ActionWindow() {
  const now = pending.value;
  if (!now) return null;
  const { info } = now;
  switch (now.name) {
    case 'extend':
      return <Extend info={info} />;
    case 'add':
      return <AddPoint info={info} parameters={now.parameters ?? info.best?.parameters ?? {}} />;
    case 'edit':
      return <EditSearch info={info} />;
    case 'labels':
      return <Labels info={info} />;
    case 'note':
      return <Note info={info} />;
    case 'delete':
      return info.kind === 'job' ? <DeleteJob info={info} /> : <Simple name="delete" info={info} />;
    default:
      return <Simple name={now.name} info={info} />;
  }
}

type SimpleName = Exclude<ActionName, 'extend' | 'add' | 'edit' | 'labels' | 'note'>;

type JobAction = 'PauseJob' | 'ResumeJob' | 'CancelJob' | 'DeleteJob';
type SimpleCall = { method: JobAction; body: Methods['JobService'][JobAction][0] } | { method: 'DeleteStudy'; body: DeleteStudyRequest };

type SimpleAction = SimpleCall & {
  command: string;
  verb: string;
  says: string;
  done: string;
  danger?: boolean;
};

/** Pure: what an action without fields does, in words and calls. */
export function simpleAction(name: SimpleName, info: StudyInfo): SimpleAction {
  const id = shellWord(info.id);
  const body = { jobId: info.id };
  const running = plural(info.counts.running, 'trial');
  switch (name) {
    case 'pause':
      return {
        command: `vernier jobs pause ${id}`, method: 'PauseJob', body, verb: 'Pause', done: `${info.name} is paused.`,
        says: info.counts.running ? `No new trial starts. The ${running} that run now go on.` : 'No new trial starts.',
      };
    case 'pauseNow':
      return {
        command: `vernier jobs pause ${id} --now`, method: 'PauseJob', body: { ...body, preempt: true }, verb: 'Pause now', done: `${info.name} is paused.`, danger: true,
        says: `No new trial starts, and the ${running} that run now are ended. They start again after the resume; what they did since their last checkpoint is lost.`,
      };
    case 'resume':
      return {
        command: `vernier jobs resume ${id}`, method: 'ResumeJob', body, verb: 'Resume', done: `${info.name} continues.`,
        says: info.wanted === 'PAUSE' ? 'New trials start again.' : 'The job continues, with as many more trials as failed or were cancelled.',
      };
    case 'cancel':
      return {
        command: `vernier jobs cancel ${id}`, method: 'CancelJob', body, verb: 'Cancel the job', done: `${info.name} is being cancelled.`, danger: true,
        says: `The job and the ${running} that run now are ended. Results so far stay.`,
      };
    case 'delete':
      if (info.kind === 'study') {
        return {
          command: `vernier studies delete ${id}`, method: 'DeleteStudy', body: { study: info.id }, verb: 'Delete the study', done: `${info.name} is deleted.`, danger: true,
          says: `The study and its ${plural(info.counts.total, 'trial')} are removed. This cannot be undone.`,
        };
      }
      return {
        command: `vernier jobs delete ${id}`, method: 'DeleteJob', body: { ...body, withOutputs: true }, verb: 'Delete the job', done: `${info.name} is deleted.`, danger: true,
        says: `The job is removed with its ${plural(info.counts.total, 'trial')}, logs, secrets and pinned code. Files in its job directory stay. This cannot be undone.`,
      };
  }
}

/** Pure: which files go with a job. */
export function outputsText({ text, outputDir }: DeleteJobResponse): string {
  return text ? `${text} that its trials left below ${outputDir} go with it: copy first what you need.` : 'Its trials left no files of their own.';
}

/** Asks the service what would go before it asks the person. */
function DeleteJob({ info }: { info: StudyInfo }) {
  const [outputs, setOutputs] = useState<string | null>(null);
  useEffect(() => {
    void rpc('JobService', 'DeleteJob', { jobId: info.id, validateOnly: true })
      .then((answer) => setOutputs(outputsText(answer)))
      .catch((error: unknown) => setOutputs(asError(error).message));
  }, [info.id]);
  return <Simple name="delete" info={info} more={outputs} />;
}

/** `more` is null while it is not known. */
function Simple({ name, info, more = '' }: { name: SimpleName; info: StudyInfo; more?: string | null }) {
  const action = simpleAction(name, info);
  return (
    <Confirm
      title={`${kTexts[name]}: ${info.name}`}
      verb={action.verb}
      danger={action.danger}
      command={action.command}
      disabled={more === null}
      onClose={close}
      onConfirm={async () => {
        await (action.method === 'DeleteStudy' ? rpc('StudyService', action.method, action.body) : rpc('JobService', action.method, action.body));
        if (name === 'delete') navigate('/ui/jobs');
        await done(action.done, action.command);
      }}
    >
      <p>{action.says}</p>
      {more !== '' && <p role="status">{more ?? 'Looking for files that its trials left.'}</p>}
    </Confirm>
  );
}

function Extend({ info }: { info: StudyInfo }) {
  const now = info.counts.max ?? info.counts.total;
  const [text, setText] = useState(String(now + Math.max(10, Math.round(now / 2))));
  const total = Number(text);
  const isRight = Number.isInteger(total) && total > now;
  const command = `vernier jobs extend ${shellWord(info.id)} --max-trials ${isRight ? total : 'N'}`;
  return (
    <Confirm
      title={`Extend: ${info.name}`}
      verb="Extend"
      command={command}
      disabled={!isRight}
      onClose={close}
      onConfirm={async () => {
        await rpc('JobService', 'ExtendJob', { jobId: info.id, maxTrials: total });
        await done(`${info.name} may now have ${formatCount(total)} trials.`, command);
      }}
    >
      <div class="field">
        <label for="extend-total">All trials together, now {formatCount(now)}</label>
        <input
          id="extend-total"
          inputMode="numeric"
          value={text}
          aria-invalid={!isRight}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {kFinalJobStates.has(info.state) && <p class="muted">The job has ended; it continues with the additional trials.</p>}
    </Confirm>
  );
}

/** Pure: "team=vision, data=v2" as labels; null if it cannot be read. */
export function parseLabels(text: string): Record<string, string> | null {
  const labels: Record<string, string> = {};
  for (const part of text.split(/[,\n]/).map((piece) => piece.trim()).filter(Boolean)) {
    const at = part.indexOf('=');
    if (at <= 0) return null;
    labels[part.slice(0, at).trim()] = part.slice(at + 1).trim();
  }
  return labels;
}

/** Pure: the command that turns labels `from` into `to`. */
export function labelsCommand(id: string, from: Record<string, string>, to: Record<string, string>): string {
  const set = Object.entries(to).filter(([key, value]) => from[key] !== value).map(([key, value]) => `${key}=${value}`);
  const gone = Object.keys(from).filter((key) => !(key in to));
  return (
    `vernier jobs update ${shellWord(id)}` +
    (set.length ? ` --update-labels ${shellWord(set.join(','))}` : '') +
    (gone.length ? ` --remove-labels ${shellWord(gone.join(','))}` : '')
  );
}

function Labels({ info }: { info: StudyInfo }) {
  const [text, setText] = useState(Object.entries(info.labels).map(([key, value]) => `${key}=${value}`).join('\n'));
  const labels = parseLabels(text);
  const command = labelsCommand(info.id, info.labels, labels ?? {});
  return (
    <Confirm
      title={`Labels: ${info.name}`}
      verb="Save"
      command={labels ? command : undefined}
      disabled={!labels}
      onClose={close}
      onConfirm={async () => {
        if (!labels) return;
        await rpc('JobService', 'UpdateJob', { jobId: info.id, labels });
        await done(`${info.name} has new labels.`, command);
      }}
    >
      <div class="field">
        <label for="labels">One KEY=VALUE in each line</label>
        <textarea id="labels" rows={5} spellcheck={false} value={text} aria-invalid={!labels} onInput={(event) => setText(event.currentTarget.value)} />
      </div>
    </Confirm>
  );
}

/** Pure: the command that writes a note; a long one is shown by its beginning. */
export function noteCommand(id: string, note: string): string {
  const shown = note.length > 60 ? note.slice(0, 60) + '…' : note;
  return `vernier studies note ${shellWord(id)} ` + (note ? shellWord(shown) : '--clear');
}

const kMostNoteBytes = 16384;

function Note({ info }: { info: StudyInfo }) {
  const [text, setText] = useState(info.note);
  const note = text.trim();
  const bytes = new TextEncoder().encode(note).length;
  const isRight = bytes <= kMostNoteBytes;
  const command = noteCommand(info.id, note);
  return (
    <Confirm
      title={`Note: ${info.name}`}
      verb="Save"
      command={command}
      disabled={!isRight}
      onClose={close}
      onConfirm={async () => {
        await rpc('StudyService', 'WriteNote', { study: info.id, note });
        await done(note ? 'The note is written.' : 'The note is removed.', command);
      }}
    >
      <div class="field">
        <label for="note">What whoever looks at it later should know</label>
        <textarea id="note" rows={8} value={text} aria-invalid={!isRight} onInput={(event) => setText(event.currentTarget.value)} />
        {!isRight && <span class="bad">{`A note has at most ${formatCount(kMostNoteBytes)} bytes; this one has ${formatCount(bytes)}.`}</span>}
      </div>
    </Confirm>
  );
}

const kParentFields: Partial<Record<Parameter['type'], string>> = { INTEGER: 'parentIntValues', DISCRETE: 'parentDiscreteValues', CATEGORICAL: 'parentCategoricalValues' };
const kScales: Partial<Record<ScaleName, string>> = { LOG: 'UNIT_LOG_SCALE', REVERSE_LOG: 'UNIT_REVERSE_LOG_SCALE' };

/** Pure: the space in a job file's form, in which a conditional parameter is below its parent. */
export function paramsOf(space: readonly Parameter[], parent: Parameter | null = null): object[] {
  return space
    .filter((parameter) => (parameter.parent ?? null) === (parent?.name ?? null))
    .map((parameter) => {
      const { name, type, min, max, values, scale } = parameter;
      const children = paramsOf(space, parameter);
      return {
        parameterName: name,
        type,
        ...(values ? { [type === 'DISCRETE' ? 'discreteValues' : 'categoricalValues']: values } : { minValue: min, maxValue: max }),
        ...(scale && kScales[scale] ? { scaleType: kScales[scale] } : {}),
        ...(parameter.default !== undefined ? { defaultValue: parameter.default } : {}),
        ...(parent ? { [kParentFields[parent.type]!]: { values: parameter.parentValues } } : {}),
        ...(children.length ? { childParameterSpecs: children } : {}),
      };
    });
}

/** Pure: a search as people edit it: a parameter or a constraint in each line. A job's parameters are as its file has them. */
export function searchText({ kind, spec, space, constraints }: Pick<StudyInfo, 'kind' | 'spec' | 'space' | 'constraints'>): string {
  const params = kind === 'job' ? (JSON.parse(spec!) as { trainingInput: { hyperparameters: { params: object[] } } }).trainingInput.hyperparameters.params : paramsOf(space);
  return [...params.map((each) => JSON.stringify(each)), ...constraints].join('\n');
}

/** Pure: the edit that a text asks for, or what is wrong with it. */
export function readSearch(text: string): { edit: Record<string, unknown> } | { problem: string } {
  const params: unknown[] = [];
  const parameterConstraints: string[] = [];
  for (const [i, line] of text.split('\n').entries()) {
    const each = line.trim();
    if (!each) continue;
    if (!each.startsWith('{')) {
      parameterConstraints.push(each);
      continue;
    }
    try {
      params.push(JSON.parse(each));
    } catch (error) {
      return { problem: `Line ${i + 1} is no JSON: ${asError(error).message}` };
    }
  }
  return { edit: { trainingInput: { hyperparameters: { params } }, vernier: { parameterConstraints } } };
}

function EditSearch({ info }: { info: StudyInfo }) {
  const [text, setText] = useState(() => searchText(info));
  const request = useMemo(requestId, [text]);
  const read = readSearch(text);
  const isJob = info.kind === 'job';
  const command = `vernier ${isJob ? 'jobs' : 'studies'} update ${shellWord(info.id)} --config FILE`;
  return (
    <Confirm
      title={`Edit the search: ${info.name}`}
      verb="Edit"
      command={command}
      disabled={'problem' in read}
      onClose={close}
      onConfirm={async () => {
        if ('problem' in read) return;
        const body = { edit: read.edit, requestId: request };
        const { changes } = isJob
          ? await rpc('JobService', 'ReviseJob', { jobId: info.id, ...body })
          : await rpc('StudyService', 'EditStudy', { study: info.id, ...body });
        await done(changes?.length ? `For the trials to come: ${changes.join(', ')}` : 'The search is as you ask already.', command);
      }}
    >
      <div class="field">
        <label for="search-space">One parameter or constraint in each line, as they are to be from now on</label>
        <textarea id="search-space" rows={10} spellcheck={false} value={text} aria-invalid={'problem' in read} onInput={(event) => setText(event.currentTarget.value)} />
        {'problem' in read && <span class="bad">{read.problem}</span>}
      </div>
      <p class="muted">A parameter that is added needs a defaultValue: what earlier trials had. Trials that fit the new space teach it as before, and another edit undoes this one.</p>
    </Confirm>
  );
}

/** Pure: whether a parameter counts, given the values of those above it. */
export function isActive(parameter: Parameter, space: readonly Parameter[], values: Record<string, string>): boolean {
  if (!parameter.parent) return true;
  const parent = space.find(({ name }) => name === parameter.parent);
  if (!parent || !isActive(parent, space, values)) return false;
  return (parameter.parentValues ?? []).some((value) => String(value) === values[parent.name]);
}

/** Pure: why a text is no value of the parameter; '' if it is one. */
export function valueProblem(parameter: Parameter, text: string): string {
  if (parameter.type === 'CATEGORICAL' || parameter.type === 'DISCRETE') {
    return (parameter.values ?? []).some((value) => String(value) === text) ? '' : 'Choose one of the values.';
  }
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) return 'This is no number.';
  if (parameter.type === 'INTEGER' && !Number.isInteger(value)) return 'This is no whole number.';
  if (value < (parameter.min ?? -Infinity) || value > (parameter.max ?? Infinity)) return `The value must be from ${parameter.min} to ${parameter.max}.`;
  return '';
}

function AddPoint({ info, parameters }: { info: StudyInfo; parameters: Record<string, string> }) {
  const [values, setValues] = useState<Record<string, string>>(() =>
    Object.fromEntries(
      info.space.map((parameter) => [parameter.name, parameters[parameter.name] ?? String(parameter.values?.[0] ?? parameter.min ?? '')]),
    ),
  );
  const [request] = useState(requestId);
  const [source, setSource] = useState('');
  const active = info.space.filter((parameter) => isActive(parameter, info.space, values));
  const problems = active.map((parameter) => valueProblem(parameter, values[parameter.name]!));
  const command =
    `vernier trials add ${shellWord(info.id)} ` + active.map(({ name }) => `--param ${shellWord(`${name}=${values[name]}`)}`).join(' ') +
    (source && ` --source ${shellWord(source)}`);
  return (
    <Confirm
      title={`Add a point: ${info.name}`}
      verb="Add"
      command={command}
      disabled={problems.some(Boolean)}
      onClose={close}
      onConfirm={async () => {
        const point = Object.fromEntries(
          active.map(({ name, type }) => [name, type === 'CATEGORICAL' ? values[name]! : Number(values[name])]),
        );
        if (source) await rpc('StudyService', 'ProposePoints', { study: info.id, source, points: [point], requestId: request });
        else await rpc('JobService', 'AddTrials', { jobId: info.id, points: [point], requestId: request });
        await done(source ? `The point waits until ${source} is trusted more than the search.` : 'The point is queued. The next free slot runs it.', command);
      }}
    >
      <p class="muted">
        {source
          ? `It is tried when ${source} is trusted more than the search itself, by what their points came to.`
          : 'The next free slot runs it before anything that is suggested.'}
      </p>
      <div class="point-fields">
        {active.map((parameter, i) => {
          const id = `point-${i}`;
          const set = (value: string) => setValues({ ...values, [parameter.name]: value });
          return (
            <div class="field">
              <label for={id}>{parameter.name}</label>
              {parameter.values ? (
                <select id={id} value={values[parameter.name]} onChange={(event) => set(event.currentTarget.value)}>
                  {parameter.values.map((value) => (
                    <option value={String(value)}>{String(value)}</option>
                  ))}
                </select>
              ) : (
                <input
                  id={id}
                  inputMode="decimal"
                  value={values[parameter.name]}
                  aria-invalid={!!problems[i]}
                  aria-describedby={problems[i] ? id + '-problem' : undefined}
                  onInput={(event) => set(event.currentTarget.value)}
                />
              )}
              {problems[i] && (
                <span class="bad" id={id + '-problem'}>
                  {problems[i]}
                </span>
              )}
            </div>
          );
        })}
        <div class="field">
          <label for="point-source">Proposed by (may be empty)</label>
          <input id="point-source" value={source} maxLength={64} onInput={(event) => setSource(event.currentTarget.value)} />
        </div>
      </div>
    </Confirm>
  );
}
