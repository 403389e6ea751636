import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barKind, bySlot, firstAfter, idleTime, zoomed } from '../src/timeline';

const bars = {
  trial: [1, 2, 3, 4],
  attempt: [1, 1, 1, 1],
  start: [0, 0, 30, 50],
  end: [10, 40, 45, NaN],
  slot: [0, 1, 0, 0],
};

test('bars by slot, in the order of their start', () => {
  assert.deepEqual(bySlot(bars, 2).map((list) => [...list]), [[0, 2, 3], [1]]);
  const [first] = bySlot(bars, 2);
  assert.equal(firstAfter(bars, first!, -1), 0);
  assert.equal(firstAfter(bars, first!, 30), 2);
  assert.equal(firstAfter(bars, first!, 99), 3);
});

test('idle time is what no bar covers', () => {
  const [first, second] = bySlot(bars, 2);
  assert.equal(idleTime(bars, first!, 0, 100), 20 + 5);
  assert.equal(idleTime(bars, second!, 0, 100), 60);
  assert.equal(idleTime(bars, first!, 12, 20), 8);
  assert.equal(idleTime(bars, first!, 60, 100), 0);
  assert.equal(idleTime(bars, new Int32Array(0), 0, 7), 7);
  assert.equal(idleTime(bars, first!, 5, 5), 0);
});

test('zooming stays within the limits', () => {
  assert.deepEqual(zoomed([0, 10_000], 5000, 0.5, [0, 10_000]), [2500, 7500]);
  assert.deepEqual(zoomed([0, 5000], 0, 4, [0, 10_000]), [0, 10_000]);
  assert.deepEqual(zoomed([8000, 10_000], 10_000, 2, [0, 10_000]), [6000, 10_000]);
  const [from, to] = zoomed([0, 2000], 1000, 0.01, [0, 10_000]);
  assert.equal(to - from, 1000);
});

test('what an end looks like', () => {
  assert.equal(barKind(false, 'running', ''), 'running');
  assert.equal(barKind(true, 'exited', 'success'), 'completed');
  assert.equal(barKind(true, 'killed', 'stopped_early'), 'stopped');
  assert.equal(barKind(true, 'exited', 'user_error'), 'failed');
  assert.equal(barKind(true, 'exited', 'no_metric'), 'completed', 'as its trial');
  assert.equal(barKind(true, 'exited', 'not_finite'), 'infeasible');
  assert.equal(barKind(true, 'killed', 'out_of_memory'), 'infeasible');
  assert.equal(barKind(true, 'killed', 'stopped_by_user'), 'stopped');
  assert.equal(barKind(true, 'lost', ''), 'failed');
  assert.equal(barKind(true, 'killed', 'preempted'), 'other');
});
