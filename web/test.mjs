// Runs the unit tests: bundles each test/*.test.ts for Node and hands them to
// Node's own test runner.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const sources = readdirSync(join(here, 'test')).filter((name) => name.endsWith('.test.ts'));
if (sources.length === 0) throw new Error('no tests found');

const folder = mkdtempSync(join(tmpdir(), 'vernier-web-test-'));
try {
  await build({
    absWorkingDir: here,
    entryPoints: sources.map((name) => join('test', name)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
  const files = readdirSync(folder).map((name) => join(folder, name));
  const run = spawnSync(process.execPath, ['--test', ...files], { cwd: here, stdio: 'inherit' });
  process.exitCode = run.status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
