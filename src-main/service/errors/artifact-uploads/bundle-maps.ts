import path from 'node:path';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { fromRandomAccessReaderPromise, type Entry, type ZipFile } from 'yauzl';
import { parseJson } from '../../common/parse-json.ts';
import { eventIdOf } from '../normalise/event-id.ts';
import { maxMapBytes } from '../source-maps/source-map-limits.ts';
import type { BundleReader } from './bundle-reader.ts';
import { maxBundleFiles, maxManifestBytes, maxUnpackedBytes } from './upload-limits.ts';

const BundleFile = Type.Object({
  type: Type.Optional(Type.String()),
  url: Type.Optional(Type.String({ maxLength: 4096 })),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
});
type BundleFile = Static<typeof BundleFile>;
const manifestShape = Compile(Type.Object({ files: Type.Record(Type.String(), BundleFile) }));

/** A bundle that cannot be used; the message is shown to the uploader. */
export class UnusableBundle extends Error {}

/** A source map of a bundle, with the identifiers that stack frames of the generated file carry. */
export interface BundleMap {
  /** Address of the generated file, such as `~/assets/app.js`. */
  readonly name: string;
  readonly debugId: string | null;
  readonly body: Buffer;
}

/** Identifiers of a map, without its content. */
type Place = Omit<BundleMap, 'body'>;

/**
 * Reads the source maps of an artifact bundle, a ZIP with `manifest.json` made by build tools. A
 * generated file refers to its map by the header `sourcemap`, and both carry a debug id if they
 * were given one. All other files are skipped.
 *
 * @throws UnusableBundle when the bundle is damaged, has no manifest, or unpacks to more than the
 * limits
 */
export async function* mapsOf(reader: BundleReader, size: number): AsyncGenerator<BundleMap> {
  try {
    const zip = await fromRandomAccessReaderPromise(reader, size, { autoClose: false });
    const entries = new Map<string, Entry>();
    for await (const entry of zip.eachEntry()) {
      if (entries.size >= maxBundleFiles) throw new UnusableBundle(`The bundle has more than ${maxBundleFiles} files.`);
      entries.set(entry.fileName, entry);
    }
    const places = await readManifest(zip, entries.get('manifest.json'));
    const total = [...places.keys()].reduce((sum, name) => sum + (entries.get(name)?.uncompressedSize ?? 0), 0);
    if (total > maxUnpackedBytes)
      throw new UnusableBundle(`The source maps of the bundle unpack to more than ${maxUnpackedBytes} bytes.`);
    for (const [name, place] of places) {
      const entry = entries.get(name);
      if (!entry)
        throw new UnusableBundle(`The manifest of the bundle names ${JSON.stringify(name)}, which is not in it.`);
      yield { ...place, body: await readEntry(zip, entry, maxMapBytes) };
    }
  } catch (error) {
    if (error instanceof UnusableBundle) throw error;
    throw new UnusableBundle(`The bundle cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function readManifest(zip: ZipFile, entry: Entry | undefined): Promise<ReadonlyMap<string, Place>> {
  if (!entry) throw new UnusableBundle('The bundle has no manifest.json.');
  const manifest = parseJson((await readEntry(zip, entry, maxManifestBytes)).toString());
  if (!manifestShape.Check(manifest))
    throw new UnusableBundle('The manifest.json of the bundle is no manifest of artifacts.');
  const files = Object.entries(manifest.files).map(([name, file]) => ({
    name,
    ...file,
    headers: lowerCased(file.headers),
  }));
  const byUrl = new Map(files.filter(({ type }) => type === 'source_map').map((file) => [file.url ?? '', file]));
  const places = new Map<string, Place>();
  for (const { type, url, headers } of files) {
    if (type !== 'minified_source' || url === undefined) continue;
    const map = byUrl.get(resolveReference(url, headers.get('sourcemap') ?? headers.get('x-sourcemap') ?? ''));
    if (map)
      places.set(map.name, { name: url, debugId: eventIdOf(headers.get('debug-id') ?? map.headers.get('debug-id')) });
  }
  // Bundlers may upload a map without its generated file; it is then found by its debug id.
  for (const map of byUrl.values()) {
    const debugId = eventIdOf(map.headers.get('debug-id'));
    if (!places.has(map.name) && debugId !== null)
      places.set(map.name, { name: (map.url ?? map.name).replace(/\.map$/, ''), debugId });
  }
  return places;
}

function lowerCased(headers: BundleFile['headers']): ReadonlyMap<string, string> {
  return new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Resolves a reference relative to a file; `~` stands for any host. */
function resolveReference(url: string, reference: string): string {
  if (!url.startsWith('~/') || URL.canParse(reference)) return URL.parse(reference, url)?.href ?? reference;
  return `~${path.posix.resolve(path.posix.dirname(url.slice(1)), reference)}`;
}

async function readEntry(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Buffer> {
  if (entry.uncompressedSize > maxBytes)
    throw new UnusableBundle(`${JSON.stringify(entry.fileName)} of the bundle is larger than ${maxBytes} bytes.`);
  const pieces: Buffer[] = [];
  for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}
