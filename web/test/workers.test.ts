import assert from 'node:assert/strict';
import { test } from 'node:test';
import { idleText, workerText } from '../src/views/workers';

const now = Date.parse('2026-01-01T01:00:00Z');

test('who works on a study is said in words', () => {
  const worker = { name: 'process 7 on tower', presence: 'RUNS' as const, openTrialCount: 2, lastSeenTime: '2026-01-01T00:58:00Z' };
  assert.equal(workerText(worker, now), '2 open trials, last heard 2 min ago');
  assert.equal(workerText({ ...worker, presence: 'GONE', openTrialCount: 1 }, now), 'has ended, and left 1 open trial');
  assert.equal(workerText({ name: 'a' }, now), '0 open trials');
});

test('a study that nobody works on says since when', () => {
  assert.equal(idleText({}, now), 'Nobody has worked on it yet.');
  assert.equal(idleText({ lastActivityTime: '2025-12-31T22:00:00Z' }, now), 'Nobody works on it. The last sign of life was 3 h ago.');
});
