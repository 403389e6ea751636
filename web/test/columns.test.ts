import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeColumns } from '../src/columns';
import { encodeColumns } from './encode_columns';

test('columns of all types come back', () => {
  const bytes = encodeColumns(
    { rows: 3, sequence: 7, full: true },
    { id: new Int32Array([1, 2, 3]), state: new Uint8Array([0, 1, 2]), value: new Float64Array([0.5, NaN, -1]), mean: new Float32Array([1, 2, 3]) },
  );
  const { header, data } = decodeColumns(bytes);
  assert.equal(header.sequence, 7);
  assert.deepEqual([...data.get('id')!], [1, 2, 3]);
  assert.deepEqual([...data.get('state')!], [0, 1, 2]);
  assert.deepEqual([...data.get('value')!], [0.5, NaN, -1]);
  assert.deepEqual([...data.get('mean')!], [1, 2, 3]);
});

test('bytes that are no columns, or are cut off, are refused', () => {
  assert.throws(() => decodeColumns(new TextEncoder().encode('{"error":1}').buffer as ArrayBuffer), /not a table/);
  assert.throws(() => decodeColumns(new ArrayBuffer(3)), /not a table/);
  const bytes = encodeColumns({ rows: 2, sequence: 1, full: true }, { id: new Int32Array([1, 2]) });
  assert.throws(() => decodeColumns(bytes.slice(0, 20)), /header .* cut off/);
  assert.throws(() => decodeColumns(bytes.slice(0, bytes.byteLength - 8)), /id is cut off/);
});
