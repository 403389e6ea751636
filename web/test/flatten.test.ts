import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flatten, formatIds, parseIds, rowsOfMaps } from '../src/flatten';

test('settings by their path', () => {
  const map = flatten({ a: { b: 1, args: ['--x', '2'], params: [{ parameterName: 'lr', minValue: 0.1 }] }, c: null, empty: [] });
  assert.deepEqual([...map], [['a.b', '1'], ['a.args', '--x, 2'], ['a.params[lr].minValue', '0.1'], ['c', 'null'], ['empty', '']]);
});

test('what differs goes first', () => {
  const rows = rowsOfMaps([new Map([['x', '1'], ['y', '2']]), new Map([['x', '1'], ['y', '3'], ['z', '4']])]);
  assert.deepEqual(rows.map(({ name, differs }) => [name, differs]), [['y', true], ['z', true], ['x', false]]);
  assert.deepEqual(rows[1]!.cells, ['', '4']);
});

test('ids of studies in an address', () => {
  const ids = ['a', 'owners/me/studies/b,c', 'd@p'];
  assert.deepEqual(parseIds(formatIds(ids)), ids);
  assert.deepEqual(parseIds(''), []);
});
