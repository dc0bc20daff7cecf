import type { Readable } from 'node:stream';
import { runningDigest, type FileDigest } from '../../../files/file-digest.ts';
import type { EntryPlace } from '../../../files/hash-messages.ts';
import { ListingBuilder, type ListedFile, type Listing } from '../../../files/inspect-findings.ts';
import { DamagedEntryError, unpackEntry, type UnpackedEntry } from '../../../files/zip-extract.ts';
import { listZipOf } from '../../../files/zip-list.ts';
import { parseEntryPlace } from '../../../files/zip-place.ts';
import { ignoreMatcher } from '../../../../../src-shared/ignore-patterns.ts';
import { localHeaderLength } from '../../../../../src-shared/archive/zip-format.ts';
import { directoryBytes, localHeader } from '../members/expected-bytes.ts';
import { maxUploadedFiles, type ExpectedArchive, type ExpectedFile } from '../members/expected-file.ts';
import { WrongBytesError, type BodyBytes } from './body-bytes.ts';
import { packedEntries } from './packed-entries.ts';
import type { BodyToUnpack } from './unpack-messages.ts';

/** A file of an upload; its checksums are known once it was read. */
interface BodyEntry {
  readonly path: string;
  readonly length: number;
  readonly registeredAt: number;
  readonly place: EntryPlace | null;
  digest: FileDigest | null;
}

/** The upload cannot become a measurement, for the reason in the message. */
export class RefusedBodyError extends Error {}

/** The files of an upload without a manifest, and the archive of them. */
export class UnpackedBody {
  readonly listing: Listing;
  readonly #bytes: BodyBytes;
  /** In archive order, as the measurement has them. */
  readonly #entries: readonly BodyEntry[];

  private constructor(bytes: BodyBytes, listing: Listing, isZip: boolean) {
    this.#bytes = bytes;
    this.listing = listing;
    this.#entries = listing.files.map((file) => entryOf(file, isZip));
  }

  /** @throws DamagedArchiveError, or an error of the source. */
  static async list(bytes: BodyBytes, body: BodyToUnpack): Promise<UnpackedBody> {
    const isZip = /\.zip$/i.test(body.fileName);
    if (!isZip) return new UnpackedBody(bytes, onlyFile(bytes, body), false);
    let failure: unknown = null;
    const source = {
      size: bytes.size,
      read: async (into: Buffer, position: number) => {
        try {
          return (await bytes.verified(position, Math.min(bytes.size, position + into.length))).copy(into);
        } catch (error) {
          failure = error;
          throw error;
        }
      },
    };
    try {
      const ignored = ignoreMatcher(body.ignoreList);
      return new UnpackedBody(bytes, await listZipOf(source, ignored, () => {}, maxUploadedFiles), true);
    } catch (error) {
      // A storage that does not answer says nothing about the archive.
      throw failure ?? error;
    }
  }

  /**
   * Reads the files that were not read yet, in the order in which they lie.
   *
   * @throws RefusedBodyError for a damaged one, or an error of the source.
   */
  async hash(onBytes: (bytes: number) => void): Promise<void> {
    const missing = this.#entries
      .filter(({ digest }) => digest === null)
      .toSorted((a, b) => (a.place?.headerOffset ?? 0) - (b.place?.headerOffset ?? 0));
    const body = { size: this.#bytes.size, read: async (from: number, to: number) => this.#bytes.verified(from, to) };
    for await (const { entry, packed } of packedEntries(body, missing)) {
      const { chunks, sums } = unpacked(packed, entry);
      try {
        for await (const chunk of chunks) onBytes(chunk.length);
      } catch (error) {
        if (error instanceof DamagedEntryError) throw new RefusedBodyError(`${entry.path}: ${error.message}.`);
        throw error;
      }
      entry.digest = sums();
    }
  }

  /** The files as a manifest announces them, once all were read. */
  *files(): Generator<ExpectedFile> {
    for (const entry of this.#entries) yield fileOf(entry);
  }

  /**
   * The bytes of the archive from a position on. @param folder with its manifest.
   *
   * @throws WrongBytesError when the storage has others than before, or an error of the source.
   */
  async *archive(folder: string, archive: ExpectedArchive, position: number): AsyncGenerator<Buffer> {
    const { index, offset } = this.#memberAt(position);
    let skip = position - offset;
    const body = { size: this.#bytes.size, read: async (from: number, to: number) => this.#bytes.unverified(from, to) };
    for await (const { entry, packed } of packedEntries(body, this.#entries, index)) {
      for await (const chunk of memberBytes(packed, entry)) {
        if (skip < chunk.length) yield chunk.subarray(skip);
        skip = Math.max(0, skip - chunk.length);
      }
    }
    yield* directoryBytes(folder, archive, Math.max(position, archive.directoryOffset));
  }

  /** The member with this byte of the archive, and where it begins; the number of files after the last. */
  #memberAt(position: number): { readonly index: number; readonly offset: number } {
    let offset = 0;
    for (const [index, entry] of this.#entries.entries()) {
      const end = offset + localHeaderLength(entry) + entry.length;
      if (end > position) return { index, offset };
      offset = end;
    }
    return { index: this.#entries.length, offset: position };
  }
}

function onlyFile({ size }: BodyBytes, { fileName, modifiedAt }: BodyToUnpack): Listing {
  const listing = new ListingBuilder();
  listing.add({ path: fileName, source: '', length: size, mtimeNs: `${modifiedAt}000000` });
  return listing.finish();
}

function entryOf({ path, length, mtimeNs, source }: ListedFile, isZip: boolean): BodyEntry {
  const place = isZip ? parseEntryPlace(source) : null;
  return { path, length, registeredAt: Number(BigInt(mtimeNs) / 1_000_000n), place, digest: null };
}

function fileOf({ path, length, registeredAt, digest }: BodyEntry): ExpectedFile {
  if (digest === null) throw new Error('the file was not read yet');
  return { path, length, registeredAt, crc32: digest.crc32, sha256: Buffer.from(digest.sha256).toString('hex') };
}

function unpacked(packed: Readable | Buffer, { place, length }: BodyEntry): UnpackedEntry {
  if (place !== null) return unpackEntry(packed, { place, length });
  const digest = runningDigest();
  return {
    chunks: (async function* () {
      for await (const chunk of Buffer.isBuffer(packed) ? [packed] : (packed as AsyncIterable<Buffer>)) {
        digest.update(chunk);
        yield chunk;
      }
    })(),
    sums: () => digest.finish(),
  };
}

async function* memberBytes(packed: Readable | Buffer, entry: BodyEntry): AsyncGenerator<Buffer> {
  const file = fileOf(entry);
  yield localHeader(file);
  const { chunks, sums } = unpacked(packed, entry);
  try {
    yield* chunks;
  } catch (error) {
    throw error instanceof DamagedEntryError ? new WrongBytesError() : error;
  }
  if (Buffer.compare(sums().sha256, entry.digest?.sha256 ?? Buffer.alloc(0)) !== 0) throw new WrongBytesError();
}
