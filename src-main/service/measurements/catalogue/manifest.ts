import { hash, randomUUID } from 'node:crypto';
import { open, mkdir, rename, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { TransformOptions } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, type ZlibOptions } from 'node:zlib';
import type { FileEntry } from '../../contract/measurements.ts';
import { mediaTypeOf } from '../../http/semantics/media-type.ts';
import type { FileRow } from '../store/files-store.ts';
import type { MeasurementRow } from '../store/measurements-store.ts';
import type { MeasurementStores } from '../store/stores.ts';
import type { DataPaths } from '../../common/data-paths.ts';

/** Increment with any change of the manifest's bytes; part of its ETag and file name. */
const manifestVersion = 1;
const rowsPerSlice = 256;
/** Smaller manifests fit into a few packets without compression. */
const minPackedBytes = 4096;

/** Dependencies; registration and serving provide all of them. */
export type ManifestDeps = Pick<MeasurementStores, 'measurements' | 'files'> & { readonly paths: DataPaths };

/** A manifest on disk. */
export interface FrozenManifest {
  readonly file: string;
  /** Its gzip form; null when it is too small to be worth it. */
  readonly packedFile: string | null;
  readonly bytes: number;
  readonly packedBytes: number;
}

/**
 * Writes the manifest of a measurement into the data directory. Call it when the rows of the files
 * and of the measurement (with its archive_tag) are complete. Its bytes depend only on these and on
 * the base URL's path prefix, so writing it again produces the same file.
 */
export async function freezeManifest(
  deps: ManifestDeps,
  measurementId: string,
  basePath: string,
): Promise<FrozenManifest> {
  const measurement = await deps.measurements.byId(measurementId);
  if (!measurement) throw new Error(`measurement ${measurementId} is gone`);
  const file = manifestFile(deps, measurement, basePath);
  await mkdir(deps.paths.manifests, { recursive: true, mode: 0o700 });
  const packedFile = `${file}.gz`;
  const [bytes, packedBytes] = await writeBoth(file, packedFile, manifestText(deps, measurementId, basePath));
  return { file, packedFile: packedBytes === 0 ? null : packedFile, bytes, packedBytes };
}

/**
 * Returns the path of a measurement's manifest. The name contains a hash of all that the bytes
 * depend on, so a file left by a removed measurement with this id, by another base path or by an
 * older version is never used for it. The id comes last, because it could be a device name on
 * Windows.
 */
export function manifestFile(
  deps: { readonly paths: DataPaths },
  measurement: Pick<MeasurementRow, 'id' | 'archive_tag'>,
  basePath: string,
): string {
  return path.join(deps.paths.manifests, `${manifestTag(measurement, basePath)}-${measurement.id}.json`);
}

/** Returns an opaque identifier of the manifest's bytes, used in its ETag. */
export function manifestTag(measurement: Pick<MeasurementRow, 'id' | 'archive_tag'>, basePath: string): string {
  return hash(
    'sha256',
    `manifest ${manifestVersion}\n${measurement.id}\n${measurement.archive_tag}\n${basePath}`,
  ).slice(0, 32);
}

/** Yields the text of a manifest in chunks; the event loop can do other work between them. */
export async function* manifestText(
  deps: Pick<MeasurementStores, 'files'>,
  measurementId: string,
  basePath: string,
): AsyncGenerator<string> {
  yield `{"measurementId":${JSON.stringify(measurementId)},"files":[`;
  for (let index = 0; ;) {
    const rows = await deps.files.from(measurementId, index, rowsPerSlice);
    const last = rows.at(-1);
    if (!last) break;
    const text = rows.map((row) => JSON.stringify(fileEntry(row, basePath))).join(',');
    yield index === 0 ? text : `,${text}`;
    index = last.idx + 1;
    await new Promise(setImmediate);
  }
  yield ']}';
}

/** Returns the manifest entry of a file. */
function fileEntry(row: FileRow, basePath: string): FileEntry {
  return {
    index: row.idx,
    path: row.path,
    fileName: path.posix.basename(row.path),
    length: row.length,
    crc32: row.crc32,
    registrationTime: new Date(row.registered_at).toISOString(),
    sha256: row.sha256.toString('hex'),
    ...(row.pieces_sha256 ? { piecesSha256: row.pieces_sha256.toString('hex') } : {}),
    mediaType: mediaTypeOf(row.path),
    _links: { download: { href: `${basePath}/measurements/${row.measurement_id}/files/${row.idx}` } },
  };
}

/**
 * Writes the text and its gzip form in one pass.
 *
 * @returns the bytes of both; 0 for the gzip form when it is too small to be worth it.
 */
async function writeBoth(file: string, packedFile: string, text: AsyncIterable<string>): Promise<[number, number]> {
  const plain = await PartialFile.open(file);
  const packed = await PartialFile.open(packedFile).catch(async (error: unknown) => {
    await plain.discard();
    throw error;
  });
  async function* written(): AsyncGenerator<Buffer> {
    for await (const slice of text) {
      const bytes = Buffer.from(slice);
      await plain.write(bytes);
      yield bytes;
    }
  }
  try {
    // Read ahead some chunks while one is compressed. Typed separately: zlib's types lack this
    // option of all streams.
    const options: ZlibOptions & TransformOptions = { level: 4, chunkSize: 128 * 1024, highWaterMark: 1024 * 1024 };
    // Runs in the thread pool; level 4 takes a third of the time of level 6 for 3 % more bytes,
    // since digests do not compress.
    await pipeline(written, createGzip(options), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) await packed.write(chunk);
    });
    const worth = plain.bytes >= minPackedBytes;
    await Promise.all([plain.keep(), worth ? packed.keep() : packed.discard()]);
    return [plain.bytes, worth ? packed.bytes : 0];
  } catch (error) {
    await Promise.allSettled([plain.discard(), packed.discard()]);
    throw error;
  }
}

/**
 * A file with a temporary name until it is complete and synced, so that a file with the final name
 * is never partial.
 */
class PartialFile {
  readonly #file: string;
  readonly #partial: string;
  readonly #handle: FileHandle;
  bytes = 0;

  private constructor(file: string, partial: string, handle: FileHandle) {
    this.#file = file;
    this.#partial = partial;
    this.#handle = handle;
  }

  static async open(file: string): Promise<PartialFile> {
    // The process id tells a later start whether the file is still being written.
    const partial = `${file}.${process.pid}-${randomUUID().slice(0, 8)}.partial`;
    return new PartialFile(file, partial, await open(partial, 'w', 0o600));
  }

  async write(bytes: Buffer): Promise<void> {
    await this.#handle.writeFile(bytes);
    this.bytes += bytes.length;
  }

  async keep(): Promise<void> {
    await this.#handle.datasync();
    await this.#handle.close();
    await rename(this.#partial, this.#file);
  }

  async discard(): Promise<void> {
    await this.#handle.close();
    await rm(this.#partial, { force: true });
  }
}
