import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanLine, findLines, lineAt, LogText, rowsOf, rowStarts } from '../src/log_text';

test('codes of terminals are left out', () => {
  assert.equal(cleanLine('\x1b[1;32mgreen\x1b[0m and \x1b]8;;http://x\x07link\x1b]8;;\x07'), 'green and link');
  assert.equal(cleanLine('a\tb'), 'a       b');
  assert.equal(cleanLine('bell\x07 and \x00nothing'), 'bell and nothing');
});

test('a carriage return writes over the line', () => {
  assert.equal(cleanLine('10 %\r20 %\r100 %'), '100 %');
  assert.equal(cleanLine('long text\rshort'), 'shorttext');
  assert.equal(cleanLine('long text\r\x1b[Kshort'), 'short');
  assert.equal(cleanLine('ends as in DOS\r'), 'ends as in DOS');
});

test('text is appended within lines', () => {
  const log = new LogText();
  log.append('one\ntw', 0, 6);
  assert.deepEqual(log.lines, ['one', 'tw']);
  log.append('o\nthree\n', 6, 14);
  assert.deepEqual(log.lines, ['one', 'two', 'three']);
  log.append('', 14, 14);
  log.append('bar 1\r', 14, 20);
  log.append('bar 2\r', 20, 26);
  assert.deepEqual(log.lines, ['one', 'two', 'three', 'bar 2']);
});

test('text is put before lines that began in the middle', () => {
  const log = new LogText();
  log.append('ird\nfourth', 12, 22);
  assert.equal(log.first, 12);
  log.prepend('ond\nth', 6);
  assert.deepEqual(log.lines, ['ond', 'third', 'fourth']);
  log.prepend('x\nsec', 1);
  log.append(' line\n', 22, 28);
  assert.deepEqual(log.lines, ['x', 'second', 'third', 'fourth line']);
  const one = new LogText();
  one.append('def', 3, 6);
  one.prepend('abc', 0);
  one.append('g', 6, 7);
  assert.deepEqual(one.lines, ['abcdefg']);
});

test('bytes that were dropped are said to be missing', () => {
  const log = new LogText();
  log.append('one\n', 0, 4);
  log.append('far\n', 100, 104);
  assert.match(log.lines[1]!, /96 bytes are missing/);
  assert.equal(log.lines[2], 'far');
});

test('lines are found whatever their case, and special characters mean themselves', () => {
  assert.deepEqual([...findLines(['Epoch 1', 'loss', 'EPOCH (2)'], 'epoch')], [0, 2]);
  assert.deepEqual([...findLines(['Epoch 1', 'loss', 'EPOCH (2)'], '(2)')], [2]);
  assert.deepEqual([...findLines(['a'], '')], []);
});

test('rows of wrapped lines', () => {
  assert.equal(rowsOf('', 10), 1);
  assert.equal(rowsOf('0123456789', 10), 1);
  assert.equal(rowsOf('0123456789a', 10), 2);
  assert.equal(rowsOf('\u6f22\u5b57\u6f22', 5), 2);
  const starts = rowStarts(['a', 'bbbbbbb', 'c'], 3);
  assert.deepEqual([...starts], [0, 1, 4, 5]);
  assert.deepEqual([0, 1, 2, 3, 4].map((row) => lineAt(starts, row)), [0, 1, 1, 1, 2]);
  assert.deepEqual([...rowStarts(['a', 'bbbbbbb'], 0)], [0, 1, 2]);
});
