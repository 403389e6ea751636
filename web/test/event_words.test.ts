import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventWords } from '../src/event_words';
import { exitText, ownWords, secondsBetween } from '../src/trial_message';

const event = (kind: string, payload: Record<string, unknown> = {}, trial = 0, attempt = 0) =>
  eventWords({ sequence: 1, time: 0, kind, trial, attempt, payload });

test('events in words', () => {
  assert.deepEqual(event('job.succeeded'), { subject: 'The job', what: 'succeeded', more: '', isBad: false });
  const ended = event('attempt.exited', { cause: 'user_error', exit_code: 1, lasted_us: 2e6, message: 'the loss is NaN' }, 3, 2);
  assert.deepEqual(ended, { subject: 'Attempt 2', what: 'ended', more: 'user error, exit code 1, after 2 s, the loss is NaN', isBad: true });
  assert.equal(event('trial.completed', { cause: 'success', final_measurement: { step: 30, value: 0.08158 } }, 3).more, 'with 0.08158 at step 30');
  assert.equal(event('job.wanted', { wanted: 'pause', reason: 'by the user' }).what, 'is to pause');
  assert.equal(event('trial.created', { parameters: { lr: 0.001, opt: 'adam' } }, 4).more, 'lr 0.001, opt adam');
  assert.equal(event('some.new_kind').what, 'some new kind');
});

test('an exit is told once', () => {
  const more = (message: string, payload = {}) => event('attempt.exited', { message, ...payload }, 3, 1).more;
  const exited = 'The replica master 0 exited with a non-zero status of 1. Termination reason: Error.';
  assert.equal(more(`${exited}\nKeyError: 'lr'`, { exit_code: 1 }), "exit code 1, KeyError: 'lr'");
  assert.equal(more(exited, { exit_code: 1 }), 'exit code 1');
  assert.equal(more('The replica worker 2 exited with a non-zero status of 9. Termination reason: Error.\nx'), 'its worker 2 ended with status 9.\nx');
  assert.equal(more('The replica master 0 was stopped on request and ended with status 15(SIGTERM).'), 'its program was stopped on request');
  assert.equal(more('The replica master 0 could not be started: no a.py'), 'its program could not be started: no a.py');
});

test('words about a trial', () => {
  assert.equal(ownWords('Trial 1 is completed.\nParameters: lr=1\nIt is best.\nAttempt 1: exited\n', 'It is best.'), 'Trial 1 is completed.\nAttempt 1: exited');
  assert.equal(exitText({ exitCode: 0 }), 'exit code 0');
  assert.equal(exitText({ signal: 9 }), 'SIGKILL');
  assert.equal(exitText({}), '');
  assert.equal(secondsBetween('2026-01-01T00:00:00Z', undefined, Date.parse('2026-01-01T00:00:05Z')), 5);
  assert.ok(Number.isNaN(secondsBetween(undefined, undefined, 0)));
});
