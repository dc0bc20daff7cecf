import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hdf5Library, type EmittedAsset } from '../../scripts/lib/hdf5-library.mjs';

const file = path.join(import.meta.dirname, '../../node_modules/h5wasm/dist/esm/hdf5_util.js');
const script = fs.readFileSync(file, 'utf8');

function transform(code: string) {
  const emitted: EmittedAsset[] = [];
  const emitFile = (asset: EmittedAsset): string => {
    emitted.push(asset);
    return 'reference';
  };
  return { result: hdf5Library.transform.call({ emitFile }, code, file), emitted };
}

it('the WebAssembly of HDF5 becomes a file that compiles, and its script a small one that streams it', () => {
  const { result, emitted } = transform(script);
  expect(emitted.map(({ name }) => name)).toEqual(['hdf5.wasm']);
  expect(WebAssembly.validate(emitted[0]?.source ?? new Uint8Array())).toBe(true);
  expect(result?.code.length).toBeLessThan(200_000);
  expect(result?.code).toContain('import.meta.ROLLUP_FILE_URL_reference');
  expect(result?.code).toContain('instantiateStreaming');
});

it('a library of another form stops the build', () => {
  expect(() => transform('export default 1')).toThrow('another form');
});

it('other scripts are left alone', () => {
  const emitFile = (): string => 'none';
  expect(hdf5Library.transform.call({ emitFile }, script, '/elsewhere/hdf5_util.js')).toBeNull();
});
