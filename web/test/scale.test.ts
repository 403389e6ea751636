import assert from 'node:assert/strict';
import { test } from 'node:test';
import { categoryScale, elapsedScale, extent, linearScale, logScale, niceStep, padded, parameterScale, reverseLogScale, timeScale } from '../src/plots/scale';

const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9 * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

test('scales map values to places and back', () => {
  for (const scale of [linearScale(-2, 6, 300, 0), logScale(1e-5, 0.1, 0, 400), reverseLogScale(0.001, 0.999, 0, 400), timeScale(1.7e12, 1.7e12 + 864e5, 10, 500), elapsedScale(500, 0, 100)]) {
    near(scale.value(scale.from), scale.value(scale.from));
    for (const share of [0, 0.3, 1]) {
      const pixel = scale.from + share * (scale.to - scale.from);
      near(scale.place(scale.value(pixel)), pixel);
    }
  }
});

test('a reverse logarithm spreads the high end', () => {
  const scale = parameterScale({ name: 'momentum', type: 'DOUBLE', min: 0.001, max: 0.999, scale: 'REVERSE_LOG' }, 0, 300);
  near(scale.place(0.999), 300);
  near(scale.place(0.001), 0);
  assert.equal(Math.round(scale.place(0.99)), 200);
  assert.equal(Math.round(scale.place(0.9)), 100);
  const ticks = scale.ticks();
  assert.ok(ticks.length >= 3 && ticks.every(({ value }) => value >= 0.001 && value <= 0.999), JSON.stringify(ticks));
});

test('ticks are round and within the range', () => {
  assert.deepEqual(linearScale(0, 1, 0, 390).ticks().map(({ text }) => text), ['0', '0.2', '0.4', '0.6', '0.8', '1']);
  assert.deepEqual(linearScale(0.001, 0.0032, 0, 300).ticks().map(({ text }) => text), ['0.001', '0.0015', '0.002', '0.0025', '0.003']);
  assert.equal(niceStep(10, 5), 2);
  const named = logScale(1e-5, 0.1, 0, 400).ticks().filter(({ text }) => text);
  assert.deepEqual(named.map(({ value }) => value), [1e-5, 1e-4, 1e-3, 1e-2, 1e-1]);
});

test('a log axis of less than a decade has ticks, too', () => {
  assert.ok(logScale(0.031, 0.049, 300, 0).ticks().length >= 2);
});

test('what a log axis cannot show has no place', () => {
  assert.ok(Number.isNaN(logScale(1, 10, 0, 1).place(0)));
  assert.ok(Number.isNaN(logScale(1, 10, 0, 1).place(-1)));
});

test('extents leave out what is not finite', () => {
  assert.deepEqual(extent([NaN, 2, -1, Infinity]), [-1, 2]);
  assert.deepEqual(extent([NaN, 2, -1, 0], true), [2, 2]);
  assert.equal(extent([]), null);
  assert.deepEqual(padded([1, 1]), [0.9, 1.1]);
  assert.deepEqual(padded([0, 0]), [-1, 1]);
});

test('categories lie in the middle of their bands', () => {
  const scale = categoryScale(['a', 'b'], 0, 100);
  assert.equal(scale.place(0), 25);
  assert.equal(scale.value(75), 1);
});

test('a parameter has the scale that the search uses', () => {
  assert.equal(parameterScale({ name: 'lr', type: 'DOUBLE', min: 1e-5, max: 0.1, scale: 'LOG' }, 0, 1).kind, 'log');
  assert.equal(parameterScale({ name: 'o', type: 'CATEGORICAL', values: ['a'] }, 0, 1).kind, 'category');
  const discrete = parameterScale({ name: 'w', type: 'DISCRETE', values: [32, 64, 512] }, 0, 1);
  assert.deepEqual(discrete.ticks().map(({ value }) => value), [32, 64, 512]);
  assert.ok(Number.isFinite(parameterScale({ name: 'one', type: 'DOUBLE', min: 1, max: 1 }, 0, 1).place(1)));
});
