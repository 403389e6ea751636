import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatAge, formatBytes, formatCount, formatDuration, formatNumber, formatShare, plural, shellWord, shortValue } from '../src/format';

test('numbers have few digits and no trailing zeros', () => {
  const cases: [number, string][] = [
    [0, '0'], [0.5, '0.5'], [0.031471828, '0.031472'], [123456, '123456'], [1234567.8, '1234568'], [12345678, '1.2346e7'], [0.00012, '0.00012'],
    [0.0000123456, '1.2346e−5'], [-2.5, '−2.5'], [NaN, ''], [Infinity, '∞'], [-Infinity, '−∞'], [1e100, '1e100'],
  ];
  for (const [value, text] of cases) assert.equal(formatNumber(value), text);
  assert.equal(formatNumber(0.99996, 4), '1');
});

test('counts have thin spaces from five digits on', () => {
  assert.equal(formatCount(9999), '9999');
  assert.equal(formatCount(100000), '100\u202f000');
  assert.equal(plural(1, 'trial'), '1 trial');
  assert.equal(plural(2, 'trial'), '2 trials');
});

test('durations have two units at most', () => {
  const cases: [number, string][] = [[0.44, '0.4 s'], [9.97, '10 s'], [59.6, '1 min'], [125, '2 min 5 s'], [3600, '1 h'], [5400, '1 h 30 min'], [90000, '1 d 1 h'], [-5, '0 s']];
  for (const [seconds, text] of cases) assert.equal(formatDuration(seconds), text);
  assert.equal(formatAge(59.9), '59 s');
  assert.equal(formatAge(7300), '2 h');
  assert.equal(formatAge(3 * 86400), '3 d');
});

test('sizes and shares', () => {
  assert.equal(formatBytes(512), '512 B');
  assert.equal(formatBytes(1536), '1.5 KiB');
  assert.equal(formatShare(0.123), '12\u202f%');
  assert.equal(formatShare(0.004), '0.4\u202f%');
});

test('words of a shell are quoted where they must be', () => {
  assert.equal(shellWord('digits@p1'), 'digits@p1');
  assert.equal(shellWord("it's"), `'it'\\''s'`);
  assert.equal(shellWord('lr>=0.1 AND x'), `'lr>=0.1 AND x'`);
});

test('texts of numbers are shortened, others are not', () => {
  assert.equal(shortValue('0.0014457337208147066'), '0.00145');
  assert.equal(shortValue('adam'), 'adam');
  assert.equal(shortValue(''), '');
});
