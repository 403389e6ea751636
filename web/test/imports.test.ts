import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';

// test.mjs runs the tests in web/.
const kRoot = 'src';

/** The modules below src/, as paths from there without their endings, and their files. */
function modules(folder = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(join(kRoot, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      for (const [name, file] of modules(path)) found.set(name, file);
    } else if (/\.tsx?$/.test(path)) {
      found.set(path.replace(/\.tsx?$/, ''), join(kRoot, path));
    }
  }
  return found;
}

/** The modules that one imports or exports from, its types' too, wherever that stands. */
function importedBy(name: string, file: string): Set<string> {
  const text = readFileSync(file, 'utf8');
  const paths = text.matchAll(/\b(?:from|import)\s*\(?\s*['"](\.[^'"]*)['"]/g);
  return new Set([...paths].map((path) => normalize(join(dirname(name), path[1]!))));
}

test('no module imports itself by way of others', () => {
  const files = modules();
  let graph = new Map([...files].map(([name, file]) => [name, importedBy(name, file)]));
  for (const [name, others] of graph) {
    for (const other of others) assert.ok(files.has(other), `${name} imports ${other}, which is not there`);
  }
  assert.ok(graph.get('main')!.has('router'));
  // What is in no circle goes, until nothing more does.
  for (let before = Infinity; graph.size < before; ) {
    before = graph.size;
    const left = new Set(graph.keys());
    graph = new Map([...graph].filter(([, others]) => [...others].some((other) => left.has(other))));
  }
  assert.deepEqual([...graph.keys()], [], 'these lead back to themselves');
});
