import type { Dataset } from 'h5wasm';
import type { ByteSource } from '../../provider/byte-source.ts';
import { PreviewError } from '../../provider/preview-error.ts';
import { axisOf } from './default-plot.ts';
import { filterName } from './filter-names.ts';
import type { Hdf5File } from './open-hdf5.ts';

/** The programs of filters that the HDF5 library does not have, by their registered number. */
const programs: Readonly<Record<number, URL>> = {
  32000: new URL('h5wasm-plugins/plugins/libH5Zlzf.so', import.meta.url),
  32001: new URL('h5wasm-plugins/plugins/libH5Zblosc.so', import.meta.url),
  32004: new URL('h5wasm-plugins/plugins/libH5Zlz4.so', import.meta.url),
  32008: new URL('h5wasm-plugins/plugins/libH5Zbshuf.so', import.meta.url),
  32015: new URL('h5wasm-plugins/plugins/libH5Zzstd.so', import.meta.url),
  32026: new URL('h5wasm-plugins/plugins/libH5Zblosc2.so', import.meta.url),
};
const lastBuiltInFilter = 6;

/** Codecs within Blosc and Blosc2 that their programs lack, by the number in the seventh value of the filter. */
const missingCodecs: Readonly<Record<number, string>> = { 3: 'Snappy', 4: 'zlib' };
const blosc = new Set([32001, 32026]);

/** The filter of a dataset that cannot be undone here; null where all can. */
export function foreignFilter(dataset: Dataset): string | null {
  for (const { id, cd_values: values } of dataset.filters) {
    if (id > lastBuiltInFilter && programs[id] === undefined) return filterName(id);
    const codec = blosc.has(id) ? missingCodecs[values[6] ?? 0] : undefined;
    if (codec !== undefined) return `${filterName(id)} with ${codec}`;
  }
  return null;
}

/** Loads what unpacks a dataset, and the axis that its curve is drawn over, unless the library has it. */
export async function loadFilters(file: Hdf5File, source: ByteSource, path: string): Promise<void> {
  const dataset = file.at(path);
  if (!file.isDataset(dataset)) return;
  const axis = axisOf(
    file,
    path,
    file.guarded(() => dataset.shape?.[0] ?? 0),
  );
  const used = file.guarded(() => [...dataset.filters, ...(axis?.dataset.filters ?? [])].map(({ id }) => id));
  for (const id of new Set(used)) {
    const program = programs[id];
    if (program === undefined || file.hasFilter(id)) continue;
    file.addFilter(id, await source.waitFor(load(program, filterName(id))));
  }
}

async function load(program: URL, name: string): Promise<Uint8Array> {
  const failed = new PreviewError(
    'network',
    `The part of Benchport that unpacks ${name} could not be loaded. Try again.`,
  );
  const response = await fetch(program).catch(() => null);
  if (response?.ok !== true) throw failed;
  return new Uint8Array(await response.arrayBuffer());
}
