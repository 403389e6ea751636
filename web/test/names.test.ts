import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptPieces, shortName } from '../src/names';

const shortened = (names: string[], most: number) => {
  const kept = keptPieces(names);
  return names.map((name) => shortName(name, kept.get(name)!, most));
};

test('names that end differently keep their ends', () => {
  const names = [0, 1, 2, 3, 4, 5].map((i) => `resnet50_imagenet_ablation_learning_rate_seed_${i}`);
  const texts = shortened(names, 24);
  assert.equal(texts[0], 'resnet50_imagenet_ab…d_0');
  assert.equal(new Set(texts).size, 6);
});

test('names that differ in their middle keep it', () => {
  const names = [0, 1, 10].map((i) => `model.encoder.layers.${i}.attention.dropout_probability`);
  for (const most of [24, 12, 8]) {
    const texts = shortened(names, most);
    assert.equal(new Set(texts).size, 3, texts.join(' '));
    for (const text of texts) assert.ok(text.length <= most, text);
    assert.ok(texts[2]!.includes('10'), texts[2]);
  }
});

test('a name by itself keeps both ends', () => {
  assert.deepEqual(shortened(['learning_rate_of_the_second_optimizer'], 16), ['learnin…ptimizer']);
});

test('short names stay', () => {
  assert.deepEqual(shortened(['lr', 'units'], 8), ['lr', 'units']);
  assert.deepEqual(shortened(['', 'a'], 8), ['', 'a']);
});

test('the pieces are within their names', () => {
  const names = ['aaaaaaaa', 'aaaaaaaaa', 'aaaaaaaaab', 'aaaaaaaabb', 'x', 'aaaaaaaa_very_different_end_of_a_name'];
  for (const [name, [begin, end]] of keptPieces(names)) {
    assert.ok(begin >= 0 && begin <= end && end <= name.length, name);
  }
  for (let most = 5; most < 30; ++most) for (const text of shortened(names, most)) assert.ok(text.length <= most, `${text} ${most}`);
});
