import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisCells, mergeSegments, moved, orderedColumns } from '../src/plots/parallel_layout';

test('values fall into cells, and those without a place below them', () => {
  const cells = axisCells([0, 0.5, 1, NaN, 2], (value) => 100 - 100 * value, 0, 100, 101);
  assert.deepEqual([...cells], [100, 50, 0, 101, 0]);
});

test('equal segments are merged and keep the best rank, the best come first', () => {
  const from = Uint8Array.from([1, 1, 2, 3]);
  const to = Uint8Array.from([9, 9, 9, 9]);
  const { pairs, ends } = mergeSegments(from, to, Uint8Array.from([10, 200, 255, 0]), new Uint8Array(65536));
  assert.deepEqual([...pairs], [2 * 256 + 9, 1 * 256 + 9]);
  assert.equal(ends[256], 2);
  assert.equal(ends[1], 1); // Rank 255 ends after one pair.
  assert.equal(ends[56], 2); // Rank 200.
  assert.equal(ends[55], 1);
});

test('axes move and keep their order in the address', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 0, 2), ['b', 'c', 'a']);
  assert.deepEqual(moved(['a', 'b', 'c'], 2, 0), ['c', 'a', 'b']);
  assert.deepEqual(orderedColumns(['a', 'b', 'c'], 'c~x~a~c'), ['c', 'a', 'b']);
});
