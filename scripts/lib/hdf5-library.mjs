// The HDF5 library of previews, with its WebAssembly in a file of its own.

const carrier = /\/node_modules\/h5wasm\/dist\/esm\/hdf5_util\.js$/;
const inlined = /function findWasmBinary\(\)\{return binaryDecode\('((?:[^'\\]|\\.)*)'\)\}/s;
const fromBytes =
  'async function instantiateAsync(binary,binaryFile,imports){return instantiateArrayBuffer(binaryFile,imports)}';
const streamed =
  'async function instantiateAsync(binary,binaryFile,imports){return WebAssembly.instantiateStreaming(fetch(binaryFile),imports)}';
const escapes = { n: '\n', r: '\r', '\\': '\\', "'": "'" };

/**
 * Takes the WebAssembly out of the script that carries it as text: it is half as large as a file,
 * packs better, and is compiled while it comes.
 */
export const hdf5Library = {
  name: 'hdf5-library',
  apply: 'build',
  transform(code, id) {
    if (!carrier.test(id.replaceAll('\\', '/'))) return null;
    const text = inlined.exec(code)?.[1];
    if (text === undefined || !code.includes(fromBytes))
      throw new Error('h5wasm has another form than this build knows; look at scripts/lib/hdf5-library.mjs');
    const reference = this.emitFile({ type: 'asset', name: 'hdf5.wasm', source: decode(text) });
    const address = `function findWasmBinary(){return import.meta.ROLLUP_FILE_URL_${reference}}`;
    return { code: code.replace(inlined, () => address).replace(fromBytes, streamed), map: { mappings: '' } };
  },
};

/** The programs of filters are WebAssembly too, though their package names them as libraries of Linux. */
export function hdf5FilterName({ names }) {
  const filter = /^libH5Z(\w+)\.so$/.exec(names[0] ?? '')?.[1];
  return filter === undefined ? 'assets/[name]-[hash][extname]' : `assets/hdf5-${filter}-[hash].wasm`;
}

/** A byte is a character of its number; 256 stands for zero too. */
function decode(text) {
  const plain = text.replaceAll(/\\(.)/gs, (_, letter) => {
    if (escapes[letter] === undefined)
      throw new Error(`h5wasm has an escape \\${letter} that this build does not know`);
    return escapes[letter];
  });
  const bytes = new Uint8Array(plain.length);
  for (let at = 0; at < plain.length; at += 1) {
    const letter = plain.charCodeAt(at);
    bytes[at] = (~letter >> 8) & letter;
  }
  return bytes;
}
