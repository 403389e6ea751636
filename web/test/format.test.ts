import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactNumber, formatAge, formatBytes, formatCount, formatDuration, formatNumber, formatShare, formatTime, plural, shellWord } from '../src/format';

// The same table is in tests/base/short_number_test.cc.
test('numbers have few digits, and a copied one is a number', () => {
  const cases: [number, number, string][] = [
    [0, 5, '0'], [-0, 5, '0'], [0.5, 5, '0.5'], [0.031471828, 5, '0.031472'], [123456, 5, '123456'], [1234567.8, 5, '1234568'],
    [9999999, 5, '9999999'], [1e7, 5, '1e+07'], [12345678, 5, '12345678'], [123456789.123, 5, '123456789'], [1234567891, 5, '1234567891'],
    [12345678912, 5, '1.2346e+10'], [0.0001, 5, '0.0001'], [0.00012, 5, '0.00012'], [0.0000123456, 5, '1.2346e-05'], [1.06e-9, 4, '1.06e-09'],
    [1.0613e-9, 4, '1.061e-09'], [-1.06e-9, 4, '-1.06e-09'], [-2.5, 5, '-2.5'], [0.99996, 4, '1'], [99999.6, 5, '100000'],
    [0.000099999999, 5, '0.0001'], [1e100, 5, '1e+100'], [5e-324, 5, '4.9407e-324'], [1.7976931348623157e308, 6, '1.79769e+308'],
    [1 / 3, 12, '0.333333333333'], [Infinity, 5, 'inf'], [-Infinity, 5, '-inf'],
  ];
  for (const [value, digits, text] of cases) {
    assert.equal(formatNumber(value, digits), text);
    if (Number.isFinite(value)) assert.ok(Math.abs(Number(text) - value) <= Math.abs(value) * 10 ** (1 - digits), text);
  }
  assert.equal(formatNumber(NaN), '');
});

test('a copied count is a number', () => {
  assert.equal(formatCount(9999), '9999');
  assert.equal(formatCount(100000), '100000');
  assert.equal(plural(1, 'trial'), '1 trial');
  assert.equal(plural(20000, 'trial'), '20000 trials');
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

test('a parameter is shown as a filter finds it', () => {
  for (const text of ['0.0014457337208147066', '0.1', '-12.5', '0', '128', '1234567', '9007199254740992', '1.06e-09', '1e+30'])
    assert.equal(exactNumber(Number(text)), text);
});

test('a time has the name of its zone', () => {
  assert.match(formatTime(Date.UTC(2026, 0, 15, 12)), /^2026-01-15 \d\d:\d\d:00 (UTC|[A-Z]{2,5}|GMT[+-][\d:]+)$/);
  assert.equal(formatTime(NaN), '');
});
