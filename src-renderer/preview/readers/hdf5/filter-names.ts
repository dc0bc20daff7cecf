/** Filters by their registered number (HDF5, registered filter plug-ins). */
const names: Readonly<Record<number, string>> = {
  1: 'gzip',
  2: 'shuffle',
  3: 'checksums',
  4: 'szip',
  5: 'nbit',
  6: 'scale and offset',
  307: 'bzip2',
  32000: 'LZF',
  32001: 'Blosc',
  32004: 'LZ4',
  32008: 'bitshuffle',
  32013: 'ZFP',
  32015: 'Zstandard',
  32017: 'SZ',
  32019: 'JPEG',
  32024: 'SZ3',
  32026: 'Blosc2',
};

/** The name of a filter, such as `Blosc`, or its number. */
export function filterName(id: number): string {
  return names[id] ?? `filter ${id}`;
}
