// Builds the page: node build.mjs [OUTPUT_FOLDER]. Writes index.html,
// assets/NAME-HASH.js and .css, licenses.txt, and each file once more as .gz.
import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const kMaxGzipBytes = 100 * 1024;

const here = dirname(fileURLToPath(import.meta.url));
const output = resolve(process.argv[2] ?? join(here, 'dist'));
const assets = join(output, 'assets');

if (existsSync(assets)) rmSync(assets, { recursive: true });
mkdirSync(assets, { recursive: true });

const result = await build({
  absWorkingDir: here,
  entryPoints: { main: 'src/main.tsx', style: 'styles/main.css' },
  outdir: assets,
  entryNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  format: 'iife',
  charset: 'utf8',
  legalComments: 'none',
  target: ['es2020', 'chrome100', 'firefox100', 'safari15.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  metafile: true,
  logLevel: 'warning',
});

const names = Object.entries(result.metafile.outputs).map(([path, info]) => [info.entryPoint, basename(path)]);
const nameOf = (entry) => names.find(([from]) => from === entry)[1];

const html = readFileSync(join(here, 'src/index.html'), 'utf8')
  .replace('%SCRIPT%', '/ui/assets/' + nameOf('src/main.tsx'))
  .replace('%STYLE%', '/ui/assets/' + nameOf('styles/main.css'));
writeFileSync(join(output, 'index.html'), html);

// The licences of what is bundled go with it.
const packages = new Set();
for (const path of Object.keys(result.metafile.inputs)) {
  const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
  if (match) packages.add(match[1]);
}
const licenses = [...packages].sort().map((name) => {
  const folder = join(here, 'node_modules', name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
});
writeFileSync(join(assets, 'licenses.txt'), licenses.join('\n----\n\n'));

let total = 0;
for (const file of [join(output, 'index.html'), ...readdirSync(assets).map((name) => join(assets, name))]) {
  const bytes = readFileSync(file);
  const packed = gzipSync(bytes, { level: 9 });
  writeFileSync(file + '.gz', packed);
  if (!file.endsWith('.txt')) total += packed.length;
  console.log(`${basename(file).padEnd(26)} ${String(bytes.length).padStart(8)} ${String(packed.length).padStart(7)} gzip`);
}
console.log(`page, script and style: ${total} bytes gzip of at most ${kMaxGzipBytes}`);
if (total > kMaxGzipBytes) {
  console.error('the page is too large');
  process.exit(1);
}
