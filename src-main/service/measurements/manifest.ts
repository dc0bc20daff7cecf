import { hash, randomUUID } from 'node:crypto';
import { open, mkdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { FileEntry } from '../contract/measurements.ts';
import { mediaTypeOf } from '../http/media-type.ts';
import type { Services } from '../services.ts';
import type { FileRow } from './files-store.ts';
import type { MeasurementRow } from './measurements-store.ts';

/** Grows with any change of the manifest's bytes; part of its entity tag and of its file's name. */
const manifestVersion = 1;
const rowsPerSlice = 256;
/** Smaller manifests fit into a few packets as they are. */
const worthPacking = 4096;

/** What it needs of the service; registration and serving pass all of it. */
export type ManifestNeeds = Pick<Services, 'measurements' | 'files' | 'paths'>;

/** A manifest that lies ready on disk. */
export interface FrozenManifest {
  readonly file: string;
  /** Its gzip form; null when it is too small to be worth one. */
  readonly packedFile: string | null;
  readonly bytes: number;
  readonly packedBytes: number;
}

/**
 * Serialises the manifest of a measurement once, in slices, into the data directory. Call it when the rows of the files and of the measurement
 * (with its archive_tag) are in place. It is a pure function of these and of the base URL's path prefix; made anew it has the same bytes.
 */
export async function freezeManifest(needs: ManifestNeeds, measurementId: string, basePath: string): Promise<FrozenManifest> {
  const measurement = await needs.measurements.byId(measurementId);
  if (!measurement) throw new Error(`measurement ${measurementId} is gone`);
  const file = manifestFile(needs, measurement, basePath);
  await mkdir(needs.paths.manifests, { recursive: true, mode: 0o700 });
  await writeDurably(file, async (handle) => {
    for await (const slice of manifestText(needs, measurementId, basePath)) await handle.writeFile(slice);
  });
  const { size } = await stat(file);
  if (size < worthPacking) return { file, packedFile: null, bytes: size, packedBytes: 0 };
  const packedFile = `${file}.gz`;
  await writeDurably(packedFile, async (handle) => {
    const source = await open(file);
    try {
      // In the thread pool, slice by slice; level 4 takes a third of the time of level 6 for 3 % more bytes (the digests do not shrink).
      await pipeline(source.createReadStream({ autoClose: false }), createGzip({ level: 4 }), async (packed: AsyncIterable<Buffer>) => {
        for await (const chunk of packed) await handle.writeFile(chunk);
      });
    } finally {
      await source.close();
    }
  });
  return { file, packedFile, bytes: size, packedBytes: (await stat(packedFile)).size };
}

/**
 * Where the manifest of a measurement lies. The name holds a hash of all that its bytes depend on, so a file left over from a removed measurement of
 * the same id, from another base path or from an older program is never taken for it. The id comes last: it could be a device name on Windows.
 */
export function manifestFile(needs: Pick<Services, 'paths'>, measurement: Pick<MeasurementRow, 'id' | 'archive_tag'>, basePath: string): string {
  return path.join(needs.paths.manifests, `${manifestTag(measurement, basePath)}-${measurement.id}.json`);
}

/** Opaque text that stands for the manifest's bytes: its entity tag. */
export function manifestTag(measurement: Pick<MeasurementRow, 'id' | 'archive_tag'>, basePath: string): string {
  return hash('sha256', `manifest ${manifestVersion}\n${measurement.id}\n${measurement.archive_tag}\n${basePath}`).slice(0, 32);
}

/** The text of a manifest in slices; between two slices others get their turn. */
export async function* manifestText(needs: Pick<Services, 'files'>, measurementId: string, basePath: string): AsyncGenerator<string> {
  yield `{"measurementId":${JSON.stringify(measurementId)},"files":[`;
  for (let index = 0; ;) {
    const rows = await needs.files.from(measurementId, index, rowsPerSlice);
    const last = rows.at(-1);
    if (!last) break;
    const text = rows.map((row) => JSON.stringify(fileEntry(row, basePath))).join(',');
    yield index === 0 ? text : `,${text}`;
    index = last.idx + 1;
    await new Promise(setImmediate);
  }
  yield ']}';
}

/** One file as the manifest shows it. */
function fileEntry(row: FileRow, basePath: string): FileEntry {
  return {
    index: row.idx,
    path: row.path,
    fileName: path.posix.basename(row.path),
    length: row.length,
    crc32: row.crc32,
    registrationTime: new Date(row.registered_at).toISOString(),
    sha256: row.sha256.toString('hex'),
    mediaType: mediaTypeOf(row.path),
    _links: { download: { href: `${basePath}/measurements/${row.measurement_id}/files/${row.idx}` } },
  };
}

// Under another name until it is whole and on disk: a file under the final name is never half a manifest.
async function writeDurably(file: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const partial = `${file}.${randomUUID().slice(0, 8)}.partial`;
  const handle = await open(partial, 'w', 0o600);
  try {
    await write(handle);
    await handle.datasync();
  } catch (error) {
    await handle.close();
    await rm(partial, { force: true });
    throw error;
  }
  await handle.close();
  await rename(partial, file);
}
