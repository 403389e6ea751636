import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeColumns, type ColumnData } from '../src/columns';
import { bestSoFar, TrialTable } from '../src/store/trial_table';
import { encodeColumns } from './encode_columns';

const kStates = ['active', 'completed', 'deleted'];

function block(sequence: number, full: boolean, ids: number[], states: number[], values: number[], dictionary = kStates, extra: Record<string, ColumnData> = {}) {
  return decodeColumns(
    encodeColumns(
      { rows: ids.length, sequence, full, dictionaries: { state: dictionary } },
      { id: Int32Array.from(ids), state: Uint8Array.from(states), value: Float64Array.from(values), ...extra },
    ),
  );
}

test('rows of a delta are merged by id', () => {
  const table = new TrialTable();
  assert.equal(table.merge(block(5, true, [1, 2], [0, 1], [NaN, 0.5])), 'all');
  assert.deepEqual(table.merge(block(6, false, [1, 3], [1, 0], [0.25, NaN])), [0, 2]);
  assert.equal(table.sequence, 6);
  assert.deepEqual([...table.column('id')], [1, 2, 3]);
  assert.deepEqual([...table.column('value')], [0.25, 0.5, NaN]);
  assert.equal(table.stateOf(0), 'completed');
  assert.equal(table.rowOf(3), 2);
  assert.equal(table.rowOf(99), -1);
});

test('many deltas grow the columns', () => {
  const table = new TrialTable();
  table.merge(block(1, true, [], [], []));
  for (let id = 1; id <= 3000; ++id) table.merge(block(id + 1, false, [id], [1], [id / 2]));
  assert.equal(table.rows, 3000);
  assert.equal(table.column('value')[2999], 1500);
  assert.equal(table.rowOf(3000), 2999);
});

test('deleted rows go, and the others stay reachable', () => {
  const table = new TrialTable();
  table.merge(block(1, true, [1, 2, 3], [1, 1, 1], [1, 2, 3]));
  assert.equal(table.merge(block(2, false, [2], [2], [NaN])), 'all');
  assert.deepEqual([...table.column('id')], [1, 3]);
  assert.equal(table.rowOf(2), -1);
  assert.equal(table.rowOf(3), 1);
  table.merge(block(3, false, [4], [0], [4]));
  assert.deepEqual([...table.column('value')], [1, 3, 4]);
});

test('a dictionary in another order is translated, and new words are added', () => {
  const table = new TrialTable();
  table.merge(block(1, true, [1], [1], [1]));
  table.merge(block(2, false, [2, 3], [0, 1], [2, 3], ['failed', 'completed']));
  assert.equal(table.stateOf(0), 'completed');
  assert.equal(table.stateOf(1), 'failed');
  assert.equal(table.stateOf(2), 'completed');
});

test('a column that comes later is empty before', () => {
  const table = new TrialTable();
  table.merge(block(1, true, [1], [1], [1]));
  table.merge(block(2, false, [2], [1], [2], kStates, { 'm:acc': Float64Array.of(0.9) }));
  assert.deepEqual([...table.column('m:acc')], [NaN, 0.9]);
  table.merge(block(3, false, [3], [1], [3]));
  assert.deepEqual([...table.column('m:acc')], [NaN, 0.9, NaN]);
});

test('the duration is that between start and end', () => {
  const table = new TrialTable();
  table.merge(block(1, true, [1], [1], [1], kStates, { started: Float64Array.of(1000), ended: Float64Array.of(3500) }));
  assert.deepEqual([...table.numbers('seconds')!], [2.5]);
});

test('the best so far counts final values only', () => {
  assert.deepEqual([...bestSoFar([NaN, 3, 1, 2], [1, 1, 0, 1], 'MINIMIZE')], [NaN, 3, 3, 2]);
  assert.deepEqual([...bestSoFar([1, 3, 2], undefined, 'MAXIMIZE')], [1, 3, 3]);
});
