import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cliFilter, computeMask, formatBrushes, parseBrushes, type Brush, type Rows } from '../src/filter';

const rows: Rows = {
  rows: 4,
  numbers: (column) => ({ id: [1, 2, 3, 4], value: [0.1, NaN, 0.3, 0.4], state: [0, 1, 1, 2] })[column],
  labels: (column) => (column === 'state' ? ['completed', 'failed', 'active'] : undefined),
};
const range = (low: number, high: number): Brush => ({ kind: 'range', low, high });

test('brushes come back from the address, whatever their names hold', () => {
  const brushes = new Map<string, Brush>([
    ['value', range(-Infinity, 0.3)],
    ['p:a=b;c|d%', range(1e-5, 0.1)],
    ['p:opt', { kind: 'set', labels: ['x|y', 'ad..am', '~z'] }],
  ]);
  assert.deepEqual(parseBrushes(formatBrushes(brushes)), brushes);
});

test('what cannot be read in the address is left out', () => {
  assert.equal(parseBrushes('x;=1..2;y=a..b;z=3..1;w=1..2..3;v=~').size, 0);
});

test('no brush selects all rows without a mask', () => {
  assert.deepEqual(computeMask(rows, new Map(), null), { bits: null, count: 4 });
});

test('a range leaves out rows without a value', () => {
  const mask = computeMask(rows, new Map([['value', range(-Infinity, Infinity)]]), null);
  assert.deepEqual([...mask.bits!], [1, 0, 1, 1]);
});

test('brushes and ids hold together', () => {
  const failed: Brush = { kind: 'set', labels: ['failed', 'no such state'] };
  const mask = computeMask(rows, new Map([['state', failed]]), new Set([3, 4]));
  assert.deepEqual([...mask.bits!], [0, 0, 1, 0]);
  assert.equal(mask.count, 1);
});

test('a brush of a column that is not there selects nothing away', () => {
  assert.equal(computeMask(rows, new Map([['p:gone', range(0, 1)]]), null).count, 4);
});

test('the filter reads in the command line’s language', () => {
  const brushes = new Map<string, Brush>([
    ['p:lr', range(0.001, 0.01)],
    ['p:state', range(0, Infinity)],
    ['p:opt', { kind: 'set', labels: ['adam', 'my sgd'] }],
    ['seconds', range(0, 1)],
  ]);
  assert.equal(
    cliFilter(brushes, 'a=1 OR b=2'),
    '(a=1 OR b=2) AND lr>=0.001 AND lr<=0.01 AND parameters.state>=0 AND (opt=adam OR opt="my sgd")',
  );
});
