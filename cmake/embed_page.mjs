// Writes the files of a folder, compressed, as a C++ source file.
//
//   node embed_page.mjs FOLDER OUTPUT
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

const [folder, output] = process.argv.slice(2);
if (!folder || !output) throw new Error('usage: embed_page.mjs FOLDER OUTPUT');

const names = fs.readdirSync(folder, {recursive: true})
    .map(String)
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .filter((name) => !name.endsWith('.gz'))
    .sort();

const arrays = names.map((name, i) => {
  const packed = zlib.gzipSync(fs.readFileSync(path.join(folder, name)), {level: 9});
  const lines = [];
  for (let at = 0; at < packed.length; at += 24) {
    lines.push('    ' + [...packed.subarray(at, at + 24)].join(',') + ',');
  }
  return `constexpr unsigned char kFile${i}[] = {\n${lines.join('\n')}\n};\n`;
});

const entries = names.map((name, i) =>
    `      {${JSON.stringify(name.split(path.sep).join('/'))},\n` +
    `       {reinterpret_cast<const char*>(kFile${i}), sizeof(kFile${i})}},`);

fs.mkdirSync(path.dirname(output), {recursive: true});
fs.writeFileSync(output, `// Made by cmake/embed_page.mjs.
#include "faces/dashboard/page_files.h"

namespace vernier {
namespace {

${arrays.join('\n')}
}  // namespace

const std::vector<PageFile>& PageFiles() {
  static const auto* const kFiles = new std::vector<PageFile>{
${entries.join('\n')}
  };
  return *kFiles;
}

}  // namespace vernier
`);
