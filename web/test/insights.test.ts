import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageText, focusRange, growthText, promiseText, readInsights } from '../src/insights';
import { paretoFront } from '../src/pareto';

test('what the answer leaves out is empty or zero', () => {
  const empty = readInsights({ observationCount: '3', reason: 'There are too few results.' }, 'MAXIMIZE');
  assert.equal(empty.hasModel, false);
  assert.equal(empty.observationCount, 3);
  assert.equal(empty.goal, 'MAXIMIZE');
  assert.deepEqual(empty.slices, []);
  assert.equal(empty.predictedBest.prediction, null);
  const some = readInsights(
    { hasModel: true, importance: [{ parameter: 'lr', share: 0.5, high: 'Infinity' }], calibration: { trials: ['1', '2'], mean: [1, 'NaN'] } },
    'MINIMIZE',
  );
  assert.deepEqual(some.importance, [{ parameter: 'lr', share: 0.5, low: 0, high: Infinity }]);
  assert.deepEqual(some.calibration.trials, [1, 2]);
  assert.ok(Number.isNaN(some.calibration.mean[1]));
});

test('how trials died is there without a model, too', () => {
  const insights = readInsights({ reason: 'why', failures: [{ kind: 'OUT_OF_MEMORY', count: 3, text: '3 of 9 trials ran out of memory.' }] }, 'MINIMIZE');
  assert.deepEqual(insights.failures, ['3 of 9 trials ran out of memory.']);
  assert.deepEqual(readInsights({}, 'MINIMIZE').failures, []);
});

test('coverage in words', () => {
  assert.match(coverageText(0.4, 100), /surer than it should be/);
  assert.match(coverageText(0.95, 100), /less sure/);
  assert.match(coverageText(0.6, 20), /as wide as they should be/);
  assert.match(promiseText(readInsights({ hasModel: true }, 'MINIMIZE')), /no more/);
});

test('values far off do not make the others a line', () => {
  const values = Array.from({ length: 100 }, (_, i) => i / 100);
  assert.deepEqual(focusRange(values), { low: 0, high: 0.99, beyond: 0 });
  assert.deepEqual(focusRange([...values, 1e9, NaN]), { low: 0, high: 0.99, beyond: 1 });
  assert.deepEqual(focusRange([1, 1e9]), { low: 1, high: 1e9, beyond: 0 });
  assert.equal(focusRange([NaN]), null);
});

test('the front has what no other beats', () => {
  const x = [1, 2, 3, 2, NaN, 1];
  const y = [3, 2, 1, 3, 0, 3];
  assert.deepEqual([...paretoFront(x, y, false, false)], [0, 1, 2]);
  assert.deepEqual([...paretoFront(x, y, true, true)], [2, 3]);
  assert.deepEqual([...paretoFront([], [], true, true)], []);
});

test('the front of several metrics is told in words', () => {
  const insights = readInsights(
    { tradeOffs: ['Against trial 7, trial 9 gains.'], frontGrowth: { trials: ['2', '7', '9'], hypervolume: [1, 3.9, 4] } },
    'MINIMIZE',
  );
  assert.deepEqual(insights.tradeOffs, ['Against trial 7, trial 9 gains.']);
  assert.equal(
    growthText(insights),
    'The hypervolume of the front is 4; trial 9 was the last to widen it, and 95\u202f% of it were there with trial 7.',
  );
  assert.equal(growthText(readInsights({}, 'MINIMIZE')), '');
});
