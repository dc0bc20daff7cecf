// Packed forms of the files of the user interface, which the service sends instead of them.
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const packs = /\.(?:wasm|js|css)$/;
/** Smaller files fit into a few packets as they are. */
const minBytes = 4096;
const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)];

/** Writes NAME.br and NAME.gz beside each file that gets smaller by it. */
export const packedAssets = {
  name: 'packed-assets',
  apply: 'build',
  async writeBundle({ dir }) {
    const folder = path.join(dir, 'assets');
    const names = (await fs.readdir(folder)).filter((name) => packs.test(name));
    await Promise.all(names.map(async (name) => pack(path.join(folder, name))));
  },
};

async function pack(file) {
  const bytes = await fs.readFile(file);
  if (bytes.length < minBytes) return;
  // The best quality takes ten times as long for a twentieth.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 };
  await fs.writeFile(`${file}.br`, await brotliOf(bytes, { params }));
  await fs.writeFile(`${file}.gz`, await gzipOf(bytes, { level: 9 }));
}
