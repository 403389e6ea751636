import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitText, ownWords, secondsBetween, shownAttributes } from '../src/trial_message';

test('words about a trial', () => {
  assert.equal(ownWords('Trial 1 is completed.\nParameters: lr=1\nIt is best.\nAttempt 1: exited\n', 'It is best.'), 'Trial 1 is completed.\nAttempt 1: exited');
  assert.equal(exitText({ exitCode: 0 }), 'exit code 0');
  assert.equal(exitText({ signal: 9 }), 'SIGKILL');
  assert.equal(exitText({}), '');
  assert.equal(secondsBetween('2026-01-01T00:00:00Z', undefined, Date.parse('2026-01-01T00:00:05Z')), 5);
  assert.ok(Number.isNaN(secondsBetween(undefined, undefined, 0)));
});

test('attributes are read as people wrote them', () => {
  assert.deepEqual(shownAttributes({ weights: '12', checkpoint: '"best.pt"', layers: '[64, 32]', broken: '{' }), [
    ['broken', '{'],
    ['checkpoint', 'best.pt'],
    ['layers', '[64, 32]'],
    ['weights', '12'],
  ]);
  assert.deepEqual(shownAttributes(undefined), []);
});
