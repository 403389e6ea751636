// Builds the page: node build.mjs [OUTPUT_FOLDER]. Writes index.html,
// assets/NAME-HASH.js and .css, and licenses.txt. Without a folder, into page/,
// which is committed, along with page.sha256: the digests of the page's files
// and of all that they are made of. By these, a build of the service without
// Node.js knows a page that is older than its sources (cmake/check_page.cmake).
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const kMaxGzipBytes = 100 * 1024;
// What the page is made by, besides the files that it is made of.
const kTools = ['build.mjs', 'package.json', 'package-lock.json', 'tsconfig.json', 'src/index.html'];

const here = dirname(fileURLToPath(import.meta.url));
const committed = process.argv[2] === undefined;
const output = resolve(process.argv[2] ?? join(here, 'page'));
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
  // Lines that version control can tell apart; they cost one byte in a hundred.
  lineLimit: 500,
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

const files = [join(output, 'index.html'), ...readdirSync(assets).map((name) => join(assets, name))];
let total = 0;
for (const file of files) {
  const bytes = readFileSync(file);
  const packed = gzipSync(bytes, { level: 9 });
  if (!file.endsWith('.txt')) total += packed.length;
  console.log(`${basename(file).padEnd(26)} ${String(bytes.length).padStart(8)} ${String(packed.length).padStart(7)} gzip`);
}
console.log(`page, script and style: ${total} bytes gzip of at most ${kMaxGzipBytes}`);
if (total > kMaxGzipBytes) {
  console.error('the page is too large');
  process.exit(1);
}

if (committed) {
  const sources = Object.keys(result.metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
  const named = [...kTools, ...sources, ...files.map((file) => relative(here, file))];
  const lines = named.sort().map((path) => {
    const digest = createHash('sha256').update(readFileSync(join(here, path))).digest('hex');
    return `${digest}  ${path}\n`;
  });
  writeFileSync(join(here, 'page.sha256'), lines.join(''));
}
