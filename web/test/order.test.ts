import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestRow, goodness, orderBy, quantiles, robustExtent } from '../src/order';

const all = (n: number) => Int32Array.from({ length: n }, (_, i) => i);

test('rows are ordered by value, with NaN last both ways', () => {
  const values = [3, NaN, -1, 0, -Infinity, 1e-300, -2.5, Infinity];
  assert.deepEqual([...orderBy(values, all(8))], [4, 6, 2, 3, 5, 0, 7, 1]);
  assert.deepEqual([...orderBy(values, all(8), true)], [7, 0, 5, 3, 2, 6, 4, 1]);
});

test('equal values keep their order, and only the given rows come back', () => {
  assert.deepEqual([...orderBy([1, 0, 1, 0, -0], [4, 3, 2, 1, 0])], [4, 3, 1, 2, 0]);
  assert.deepEqual([...orderBy([5, 4, 3], [0, 2])], [2, 0]);
  assert.deepEqual([...orderBy([], [])], []);
});

test('the order is that of the language, for many numbers', () => {
  const values = Float64Array.from({ length: 5000 }, (_, i) => Math.sin(i * 7.3) * 10 ** ((i % 40) - 20));
  const expected = [...all(5000)].sort((a, b) => values[a]! - values[b]!);
  assert.deepEqual([...orderBy(values, all(5000))], expected);
});

test('quantiles leave out what is not finite', () => {
  assert.deepEqual(quantiles([NaN, 1, 2, Infinity, 3, 4], [0, 0.5, 1]), [1, 3, 4]);
  assert.deepEqual(quantiles([NaN], [0.5]), [NaN]);
});

test('a range leaves out what is far away', () => {
  const values = [...Array.from({ length: 100 }, (_, i) => i / 100), 1e9];
  const range = robustExtent(values)!;
  assert.equal(range.isCut, true);
  assert.ok(range.high < 4);
  assert.deepEqual(robustExtent([1, 2, 3]), { low: 1, high: 3, isCut: false });
  assert.equal(robustExtent([NaN]), null);
});

test('the best value is 1, also when it is the largest', () => {
  assert.equal(goodness([1, 2, 3], false).of(1), 1);
  assert.equal(goodness([1, 2, 3], true).of(3), 1);
  assert.equal(goodness([5], false).of(5), 1);
  assert.ok(goodness([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], false).of(10) < 0.05);
});

test('the best row is of those that count', () => {
  const values = [3, NaN, 1, -Infinity, 1, 5];
  assert.equal(bestRow(values, false, () => true), 2);
  assert.equal(bestRow(values, true, () => true), 5);
  assert.equal(bestRow(values, false, (row) => row !== 2), 4);
  assert.equal(bestRow(values, false, () => false), -1);
  assert.equal(bestRow([], false, () => true), -1);
});
