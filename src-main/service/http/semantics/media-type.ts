/** The type of names that are not in the table: a browser saves such a file and shows nothing. */
const defaultMediaType = 'application/octet-stream';

// Only plain data. HTML, SVG, XML and scripts stay application/octet-stream: a browser must never
// run the content of a measurement.
const types: Readonly<Record<string, string>> = {
  txt: 'text/plain; charset=utf-8',
  log: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8',
  json: 'application/json',
  jsonl: 'application/jsonl',
  ndjson: 'application/x-ndjson',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  wav: 'audio/wav',
  flac: 'audio/flac',
  mp4: 'video/mp4',
  webm: 'video/webm',
  zip: 'application/zip',
  gz: 'application/gzip',
  bz2: 'application/x-bzip2',
  xz: 'application/x-xz',
  zst: 'application/zstd',
  tar: 'application/x-tar',
  '7z': 'application/x-7z-compressed',
  h5: 'application/x-hdf5',
  hdf5: 'application/x-hdf5',
  nc: 'application/x-netcdf',
  parquet: 'application/vnd.apache.parquet',
  fits: 'application/fits',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
};

/** The media type of a file by its extension. */
export function mediaTypeOf(name: string): string {
  const dot = name.lastIndexOf('.');
  const extension = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  return Object.hasOwn(types, extension) ? (types[extension] ?? defaultMediaType) : defaultMediaType;
}
