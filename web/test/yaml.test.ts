import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toYaml } from '../src/yaml';

test('a job reads as people write it', () => {
  const job = {
    jobId: 'digits',
    trainingInput: {
      args: ['--epochs', '10'],
      hyperparameters: {
        maxTrials: 12,
        params: [{ parameterName: 'lr', type: 'DOUBLE', minValue: 1e-4 }, { parameterName: 'opt', categoricalValues: ['a, b', 'c'] }],
      },
    },
    vernier: { command: ['python3', 'train.py'], labels: {} },
  };
  assert.equal(
    toYaml(job),
    `jobId: digits
trainingInput:
  args: ["--epochs", "10"]
  hyperparameters:
    maxTrials: 12
    params:
    - {parameterName: lr, type: DOUBLE, minValue: 0.0001}
    - {parameterName: opt, categoricalValues: ["a, b", c]}
vernier:
  command: [python3, train.py]
  labels: {}
`,
  );
});

test('texts that YAML would read otherwise are quoted', () => {
  const plain = (value: string) => toYaml({ a: value }).slice(3, -1);
  for (const text of ['yes', 'No', 'null', '1.10', '010', '0x1f', '1e5', '~', '', '- a', 'a: b', 'a #b', '*x', '&x', '12:30:00', ' a', 'a ']) {
    assert.equal(plain(text), JSON.stringify(text), text);
  }
  for (const text of ['train.py', 'a b', '/usr/bin/python3', 'accuracy', 'v1.2', 'on_time', 'a * 1 + b/64 <= 40', 'NOT (a = b AND c > 0.1)', 'a != b']) assert.equal(plain(text), text);
});

test('what is long within a list is a block', () => {
  const long = { parameterName: 'x'.repeat(60), categoricalValues: ['y'.repeat(60)] };
  assert.equal(toYaml([long]), `- parameterName: ${'x'.repeat(60)}\n  categoricalValues: [${'y'.repeat(60)}]\n`);
});
