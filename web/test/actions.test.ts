import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isActive, labelsCommand, noteCommand, paramsOf, parseLabels, outputsText, possibleActions, readSearch, searchText, simpleAction, valueProblem } from '../src/actions';
import { changesUnseen, shownReason, shownState } from '../src/job_state';
import type { Parameter, StudyInfo } from '../src/types';
import { itemsNow } from '../src/ui/menu';

const counts = { max: 40, total: 10, running: 2, completed: 8, stopped: 0, infeasible: 0, failed: 0 };
const job = { id: 'digits@p1', name: 'digits', kind: 'job', state: 'RUNNING', wanted: 'RUN', counts, space: [{ name: 'x', type: 'DOUBLE' }], error: '', waitingFor: 'x', idleSince: null } as unknown as StudyInfo;

test('only what fits the state is offered', () => {
  assert.deepEqual([...possibleActions(job)].sort(), ['add', 'cancel', 'extend', 'labels', 'note', 'pause', 'pauseNow']);
  assert.deepEqual([...possibleActions({ ...job, wanted: 'PAUSE' })].sort(), ['add', 'cancel', 'extend', 'labels', 'note', 'resume']);
  assert.deepEqual([...possibleActions({ ...job, state: 'SUCCEEDED' })].sort(), ['delete', 'extend', 'labels', 'note']);
  assert.deepEqual([...possibleActions({ ...job, state: 'FAILED' })].sort(), ['delete', 'extend', 'labels', 'note', 'resume']);
  assert.deepEqual([...possibleActions({ ...job, kind: 'study' })], ['note', 'delete']);
});

test('a search is offered for edits where the page can show it', () => {
  assert.ok(possibleActions({ ...job, mayBeEdited: true }).has('edit'));
  assert.ok(!possibleActions({ ...job, mayBeEdited: true, state: 'CANCELLING' }).has('edit'));
  assert.ok(possibleActions({ ...job, kind: 'study', mayBeEdited: true }).has('edit'));
});

test('a search is written in lines, and read again', () => {
  const space: Parameter[] = [
    { name: 'lr', type: 'DOUBLE', min: 0.001, max: 1, scale: 'LOG', default: 0.1 },
    { name: 'opt', type: 'CATEGORICAL', values: ['adam', 'sgd'] },
    { name: 'momentum', type: 'DISCRETE', values: [0, 0.9], min: 0, max: 0.9, parent: 'opt', parentValues: ['sgd'] },
  ];
  const params = [
    { parameterName: 'lr', type: 'DOUBLE', minValue: 0.001, maxValue: 1, scaleType: 'UNIT_LOG_SCALE', defaultValue: 0.1 },
    {
      parameterName: 'opt', type: 'CATEGORICAL', categoricalValues: ['adam', 'sgd'],
      childParameterSpecs: [{ parameterName: 'momentum', type: 'DISCRETE', discreteValues: [0, 0.9], parentCategoricalValues: { values: ['sgd'] } }],
    },
  ];
  assert.deepEqual(paramsOf(space), params);
  const text = searchText({ kind: 'study', spec: '', space, constraints: ['lr <= 0.5'] });
  assert.equal(searchText({ kind: 'job', spec: JSON.stringify({ trainingInput: { hyperparameters: { params } } }), space: [], constraints: ['lr <= 0.5'] }), text);
  assert.equal(text.split('\n').length, 3);
  assert.deepEqual(readSearch(text + '\n\n'), { edit: { trainingInput: { hyperparameters: { params } }, vernier: { parameterConstraints: ['lr <= 0.5'] } } });
  assert.match((readSearch('{"a": 1}\n{"b"') as { problem: string }).problem, /^Line 2 is no JSON/);
});

test('an action has its call and its command', () => {
  const now = simpleAction('pauseNow', job);
  assert.equal(now.command, 'vernier jobs pause digits@p1 --now');
  assert.deepEqual(now.body, { jobId: 'digits@p1', preempt: true });
  assert.deepEqual(simpleAction('delete', job).body, { jobId: 'digits@p1', withOutputs: true });
  assert.equal(outputsText({ text: '3 files (1.2 MiB)', outputDir: '/runs/1' }), '3 files (1.2 MiB) that its trials left below /runs/1 go with it: copy first what you need.');
  assert.equal(outputsText({}), 'Its trials left no files of their own.');
  assert.equal(simpleAction('delete', { ...job, kind: 'study', id: 'owners/me/studies/s' }).command, 'vernier studies delete owners/me/studies/s');
});

test('labels are read, and their command says what changes', () => {
  assert.deepEqual(parseLabels('a=1, b = x=y\nc='), { a: '1', b: 'x=y', c: '' });
  assert.equal(parseLabels('nothing'), null);
  assert.equal(labelsCommand('j', { a: '1', b: '2' }, { a: '1', c: '3' }), 'vernier jobs update j --update-labels c=3 --remove-labels b');
});

test('a note has its command, shortened if it is long', () => {
  assert.equal(noteCommand('j', "it's best"), `vernier studies note j 'it'\\''s best'`);
  assert.equal(noteCommand('j', ''), 'vernier studies note j --clear');
  assert.match(noteCommand('j', 'x'.repeat(100)), /…'$/);
});

test('a conditional parameter counts only under its parent’s values', () => {
  const space: Parameter[] = [
    { name: 'opt', type: 'CATEGORICAL', values: ['adam', 'sgd'] },
    { name: 'momentum', type: 'DOUBLE', min: 0, max: 1, parent: 'opt', parentValues: ['sgd'] },
  ];
  assert.equal(isActive(space[1]!, space, { opt: 'adam' }), false);
  assert.equal(isActive(space[1]!, space, { opt: 'sgd' }), true);
});

test('a value that the space does not have is named', () => {
  const lr: Parameter = { name: 'lr', type: 'DOUBLE', min: 0.1, max: 1 };
  assert.equal(valueProblem(lr, '0.5'), '');
  assert.match(valueProblem(lr, '2'), /from 0.1 to 1/);
  assert.match(valueProblem(lr, ''), /no number/);
  assert.match(valueProblem({ name: 'n', type: 'INTEGER', min: 0, max: 9 }, '1.5'), /whole/);
  assert.match(valueProblem({ name: 'c', type: 'DISCRETE', values: [1, 2] }, '3'), /Choose/);
});

test('a pause shows as one, and a running job gives no reason', () => {
  assert.equal(shownState({ ...job, wanted: 'PAUSE' }), 'PAUSING');
  assert.equal(shownState({ ...job, wanted: 'PAUSE', counts: { ...counts, waiting: 0, running: 0 } }), 'PAUSED');
  assert.equal(shownState({ ...job, wanted: 'PAUSE', state: 'FAILED' }), 'FAILED');
  assert.equal(shownReason(job, 0), '');
  assert.equal(shownReason({ ...job, state: 'QUEUED' }, 0), 'x');
});

test('an open study that nobody works on is idle', () => {
  const study = { ...job, kind: 'study' as const, state: 'ACTIVE' as const, waitingFor: '' };
  assert.equal(shownState(study), 'ACTIVE');
  assert.equal(changesUnseen(study), true);
  const idle = { ...study, idleSince: 1000 };
  assert.equal(shownState(idle), 'IDLE');
  assert.equal(shownReason(idle, 1000 + 2 * 3600 * 1000), 'Nobody has worked on it for 2 h.');
  assert.equal(changesUnseen(idle), false);
});

test('the items of an open menu keep their places', () => {
  const onPick = () => {};
  const opened = [{ text: 'Pause now', onPick }, { text: 'Cancel', onPick }];
  const resumed = { text: 'Cancel', note: 'ends it', onPick };
  assert.deepEqual(itemsNow(opened, [{ text: 'Add a point', onPick }, resumed]), [{ text: 'Pause now', onPick, disabled: true }, resumed]);
});
