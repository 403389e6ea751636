import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyOfSpec, freeName } from '../src/job_draft';
import { indented, offsetOf } from '../src/ui/editor';

test('Tab indents where the caret is, or all lines of a selection', () => {
  assert.deepEqual(indented('ab', 1, 1, false), { text: 'a  b', start: 3, end: 3 });
  assert.deepEqual(indented('a\nb\nc', 0, 3, false), { text: '  a\n  b\nc', start: 2, end: 7 });
  assert.deepEqual(indented('a\nb\nc', 0, 2, false), { text: '  a\nb\nc', start: 2, end: 4 });
  assert.deepEqual(indented('    a', 5, 5, true), { text: '  a', start: 3, end: 3 });
  assert.deepEqual(indented('x\n a\nb', 2, 6, true), { text: 'x\na\nb', start: 2, end: 5 });
  assert.deepEqual(indented('a', 1, 1, true), { text: 'a', start: 1, end: 1 });
});

test('a place in the text', () => {
  assert.equal(offsetOf('ab\ncd\n', 2, 2), 4);
  assert.equal(offsetOf('ab\ncd', 1, 99), 2);
  assert.equal(offsetOf('ab\ncd', 9, 1), 5);
});

test('a copy of a job has a free name', () => {
  assert.equal(freeName('digits', new Set(['digits'])), 'digits_2');
  assert.equal(freeName('digits_2', new Set(['digits_2', 'digits_3'])), 'digits_4');
  assert.equal(copyOfSpec('{"labels":{"a":"b"},"jobId":"x"}', 'other'), 'jobId: other\nlabels:\n  a: b\n');
});
