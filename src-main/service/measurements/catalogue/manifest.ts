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

/** Grows with any change of the manifest's bytes; part of its entity tag and of its file's name. */
const manifestVersion = 1;
const rowsPerSlice = 256;
/** Smaller manifests fit into a few packets as they are. */
const minPackedBytes = 4096;

/** What it needs of the service; registration and serving pass all of it. */
export type ManifestDeps = Pick<MeasurementStores, 'measurements' | 'files'> & { readonly paths: DataPaths };

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
 * Where the manifest of a measurement lies. The name holds a hash of all that its bytes depend on, so a file left over from a removed measurement of
 * the same id, from another base path or from an older program is never taken for it. The id comes last: it could be a device name on Windows.
 */
export function manifestFile(
  deps: { readonly paths: DataPaths },
  measurement: Pick<MeasurementRow, 'id' | 'archive_tag'>,
  basePath: string,
): string {
  return path.join(deps.paths.manifests, `${manifestTag(measurement, basePath)}-${measurement.id}.json`);
}

/** Opaque text that stands for the manifest's bytes: its entity tag. */
export function manifestTag(measurement: Pick<MeasurementRow, 'id' | 'archive_tag'>, basePath: string): string {
  return hash(
    'sha256',
    `manifest ${manifestVersion}\n${measurement.id}\n${measurement.archive_tag}\n${basePath}`,
  ).slice(0, 32);
}

/** The text of a manifest in slices; between two slices others get their turn. */
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

/** Writes the text and its gzip form in one pass. @returns the bytes of both; 0 packed ones when the text is too small to be worth it. */
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
    // Some slices ahead: while one is packed, the next are made. Typed apart: it is an option of every stream, which the types of zlib leave out.
    const options: ZlibOptions & TransformOptions = { level: 4, chunkSize: 128 * 1024, highWaterMark: 1024 * 1024 };
    // In the thread pool; level 4 takes a third of the time of level 6 for 3 % more bytes (the digests do not shrink).
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

/** A file under another name until it is whole and on disk: a file under the final name is never half a manifest. */
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
    // The number of this process tells a later start whether somebody still writes it.
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
