import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyOfSpec, kExample, summaryOf } from '../src/job_draft';
import { rowProblems, rowsOf, rowsText, withRows, type JobRows } from '../src/job_rows';

const kLoss: JobRows = { metrics: [{ name: 'loss', goal: 'MINIMIZE', reference: '' }], bounds: [], rules: [] };
const kAll: JobRows = {
  metrics: [...kLoss.metrics, { name: 'accuracy', goal: 'MAXIMIZE', reference: '0.5' }],
  bounds: [{ metric: 'memory', min: '', max: '4e9' }, { metric: 'a, b', min: '-1', max: '.5' }],
  rules: ['layers * 1 + width/64 <= 40', 'NOT (optimizer = sgd AND lr > 0.1)', '0.5 <= a < 2'],
};
const kJob = {
  trainingInput: { hyperparameters: { goal: 'MINIMIZE', hyperparameterMetricTag: 'loss', maxTrials: 9, params: [{}, {}] } },
  vernier: {
    command: ['true'],
    objectives: [{ metric: 'loss', goal: 'MINIMIZE' }, { metric: 'accuracy', goal: 'MAXIMIZE', reference: 0.5 }],
    metricConstraints: [{ metric: 'memory', max: 4e9 }, { metric: 'a, b', min: -1, max: 0.5 }],
    parameterConstraints: kAll.rules,
  },
};

test('rows are those of a job', () => {
  assert.deepEqual(rowsOf(kJob), { ...kAll, bounds: [{ metric: 'memory', min: '', max: '4000000000' }, { metric: 'a, b', min: '-1', max: '0.5' }] });
  assert.deepEqual(rowsOf({ trainingInput: { hyperparameters: kJob.trainingInput.hyperparameters } }), kLoss);
  assert.deepEqual(rowsOf({ trainingInput: { hyperparameters: {} } })!.metrics, [{ name: 'training/hptuning/metric', goal: 'MAXIMIZE', reference: '' }]);
  assert.equal(rowsOf({ trainingInput: {} }), null);
});

test('a study file takes several metrics and constraints, and gives them up again', () => {
  const more = withRows(kExample, kLoss, kAll);
  assert.equal(
    more,
    kExample.replace(
      'metric: {loss: minimize}\n',
      `metric: {loss: minimize, accuracy: {goal: maximize, reference: 0.5}}
constraints:
- {metric: memory, max: 4e9}
- {metric: "a, b", min: -1, max: .5}
- layers * 1 + width/64 <= 40
- NOT (optimizer = sgd AND lr > 0.1)
- "0.5 <= a < 2"
`,
    ),
  );
  assert.equal(withRows(more, kAll, kLoss), kExample);
});

test('a text keeps what rows do not change', () => {
  const text = `run: a
# The goal.
metric:   {loss: minimize} # as before

constraints: [
{metric: memory, max: 4e9},
"a < 1"] # two
# What is searched.
parameters: {lr: [x, y]}
`;
  const before: JobRows = { ...kLoss, bounds: [kAll.bounds[0]!], rules: ['a < 1'] };
  const after = { ...before, rules: [] };
  assert.equal(withRows(text, before, after), text.replace(/constraints: [^#]*# two/, 'constraints:\n- {metric: memory, max: 4e9}'));
  assert.equal(withRows(text, before, { ...before, rules: ['a < 1', '  '] }), text);
});

test('metrics that need more than a line are a block, in the order of the rows', () => {
  const metrics = ['9', 'yes', 'x'.repeat(100)].map((name) => ({ name, goal: 'MINIMIZE', reference: '' }) as const);
  const text = withRows(kExample, kLoss, { ...kLoss, metrics });
  assert.ok(text.includes(`metric:\n  "9": minimize\n  "yes": minimize\n  ${'x'.repeat(100)}: minimize\nparameters:`), text);
  assert.equal(withRows(text, { ...kLoss, metrics }, kLoss), kExample);
});

const kJobText = `jobId: digits
trainingInput:
  hyperparameters:
    goal: MINIMIZE
    hyperparameterMetricTag: loss
    maxTrials: 9
vernier:
  command: ["true"]
  objectives:
  - {metric: loss, goal: MINIMIZE}
  - {metric: accuracy, goal: MAXIMIZE, reference: 0.5}
  metricConstraints:
  - {metric: memory, max: 4000000000}
  - {metric: "a, b", min: -1, max: 0.5}
  parameterConstraints:
  - layers * 1 + width/64 <= 40
  - NOT (optimizer = sgd AND lr > 0.1)
  - "0.5 <= a < 2"
`;

test('an earlier job begins with its own, and takes others', () => {
  const { params: _, ...hyperparameters } = kJob.trainingInput.hyperparameters;
  assert.equal(copyOfSpec(JSON.stringify({ jobId: 'x', ...kJob, trainingInput: { hyperparameters } }), 'digits'), kJobText);
  const before = rowsOf(kJob)!;
  // A single metric has the fields of AI Platform alone.
  const one = withRows(kJobText, before, kLoss);
  assert.equal(one, kJobText.replace(/  objectives:[^]*$/, ''));
  // They go with the metric that they named: the service would find two that differ.
  const [loss, accuracy] = before.metrics;
  const turned = withRows(kJobText, before, { ...before, metrics: [accuracy!, loss!] });
  assert.equal(turned, kJobText.replace(/    goal.*\n.*Tag.*\n/, '').replace(/(  - .*loss.*\n)(  - .*accuracy.*\n)/, '$2$1'));
  assert.equal(withRows(turned, { ...before, metrics: [accuracy!, loss!] }, { ...before, metrics: [accuracy!] }).match(/^ *(?:goal|hyper\w+Tag|objectives|- .*accuracy).*$/gm)!.join('\n'),
    '  objectives:\n  - {metric: accuracy, goal: MAXIMIZE, reference: 0.5}');
});

test('fields around them are written where they are not there', () => {
  const text = 'trainingInput:\n    pythonModule: a.b # the program\n    hyperparameters:\n      maxTrials: 3\n';
  assert.equal(withRows(text, kLoss, { ...kLoss, rules: ['a < 1'] }), text + 'vernier:\n  parameterConstraints:\n  - a < 1\n');
});

test('rows cannot be written into braces', () => {
  for (const text of ['{"run": "a"}', 'trainingInput: {hyperparameters: {}}\n', 'trainingInput:\nvernier: {command: [a]}\n']) {
    assert.equal(rowsText(text), null, text);
    assert.equal(withRows(text, kLoss, { ...kLoss, rules: ['a < 1'] }), text);
  }
});

test('a text that says something else of the rows is told from one that does not', () => {
  const said = rowsText(kExample);
  assert.equal(rowsText(kExample.replace('trials: 20', 'trials: x')), said);
  assert.notEqual(rowsText(kExample.replace('loss', 'los')), said);
  assert.notEqual(rowsText(kExample + 'constraints: [a < 1]\n'), said);
  assert.notEqual(rowsText(kJobText.replace('a < 2', 'a < 3')), rowsText(kJobText));
});

test('what the service says stands beside the row that it is about', () => {
  const rows: JobRows = {
    metrics: [{ name: 'a', goal: 'MINIMIZE', reference: '' }, { name: '', goal: 'MINIMIZE', reference: '' }, { name: 'a.b', goal: 'MINIMIZE', reference: 'x' }],
    bounds: [{ metric: '', min: '', max: '' }, { metric: 'm', min: '', max: '' }],
    rules: ['a <', '', 'a < "b"', 'x'.repeat(90)],
  };
  const problem = (field: string, message: string) => ({ field, message });
  assert.deepEqual(
    rowProblems(rows, [
      problem('jobId', 'is required'),
      problem('metric.a.b.reference', 'must be a decimal number: x'),
      problem('constraints[0].max', 'must be given, or min: the bound of the metric'),
      problem('constraints', 'constraint "a <", character 4: expected a number'),
      problem('constraints', 'constraint "a < "b"": "a" and "b" are never active together'),
      problem('constraints', `constraint "${'x'.repeat(80)}...", character 1: no parameter`),
    ]),
    {
      metrics: ['', '', 'Reference must be a decimal number: x'],
      bounds: ['', 'Max must be given, or min: the bound of the metric'],
      rules: ['Character 4: expected a number', '', '"a" and "b" are never active together', `Constraint "${'x'.repeat(80)}...", character 1: no parameter`],
    },
  );
  assert.deepEqual(
    rowProblems(rows, [
      problem('trainingInput.hyperparameters.goal', 'is wrong'),
      problem('vernier.objectives[0].metric', 'is wrong, too'),
      problem('vernier.objectives[1].metric', 'is there twice: a'),
      problem('vernier.metricConstraints[0].metric', 'is there twice: m'),
      problem('vernier.parameterConstraints', 'constraint "a <", character 4: expected a number'),
    ]),
    { metrics: ['Is wrong. Metric is wrong, too', '', 'Metric is there twice: a'], bounds: ['', 'Metric is there twice: m'], rules: ['Character 4: expected a number', '', '', ''] },
  );
});

test('a job in a sentence', () => {
  assert.equal(summaryOf(kJob), 'The job minimizes loss and maximizes accuracy over 2 parameters under 5 constraints, with 9 trials, 1 at once.');
  assert.equal(summaryOf({ trainingInput: { hyperparameters: { params: [{}], maxParallelTrials: 2 } } }), 'The job maximizes training/hptuning/metric over 1 parameter, with 1 trial, 2 at once.');
  const objectives = ['a', 'b', 'c', 'd', 'e', 'f'].map((metric) => ({ metric, goal: 'MINIMIZE' }));
  assert.equal(summaryOf({ trainingInput: { hyperparameters: {} }, vernier: { objectives } }).slice(0, 84), 'The job minimizes a, minimizes b, minimizes c, minimizes d and 2 other metrics over ');
  assert.equal(summaryOf({ trainingInput: {} }), 'The job runs its program once.');
});
