import { readFile } from 'node:fs/promises';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '../../../node_modules/h5wasm-plugins/plugins');

/** Answers requests for the programs of HDF5 filters from their package, as the service does from the build. */
export async function fetchFilter(address: unknown): Promise<Response> {
  return new Response(new Uint8Array(await readFile(path.join(folder, path.basename(String(address))))));
}
