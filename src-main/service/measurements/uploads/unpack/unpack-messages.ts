import type { Findings } from '../../../files/inspect-findings.ts';
import type { FileTimes } from '../../store/file-times.ts';
import type { BodyPart } from '../../store/upload-parts-store.ts';
import type { ExpectedArchive } from '../members/expected-file.ts';

/** An upload without a manifest: a ZIP archive of the files, or the only file. */
export interface BodyToUnpack {
  readonly parts: readonly BodyPart[];
  /** Of this machine, for its manifest and a copy of it. */
  readonly folder: string;
  /** Ends with .zip for an archive. */
  readonly fileName: string;
  /** Time of an only file, milliseconds since 1970. */
  readonly modifiedAt: number;
  /** Patterns of names that are left out. */
  readonly ignoreList: readonly string[];
}

export interface ListedBody {
  readonly files: number;
  /** Of all files together. */
  readonly bytes: number;
  readonly refusals: Findings;
}

/** The archive, tag and times that follow from the files of an upload without a manifest. */
export interface FoundManifest {
  readonly archive: ExpectedArchive;
  readonly tag: string;
  readonly times: FileTimes | null;
}

/** A result, or why what was uploaded cannot be a measurement. */
export type Outcome<T> = { readonly refused: string } | { readonly refused: null; readonly value: T };

/**
 * The methods of the thread that unpacks an upload, in the order in which they are called. After an
 * error each can be called again and goes on.
 */
export interface UnpackMethods {
  list(body: BodyToUnpack): Outcome<ListedBody>;
  /** Reads all files, and computes their checksums. */
  hash(): Outcome<null>;
  writeManifest(): Outcome<FoundManifest>;
  /** Fills shared memory with bytes of the archive from a position on; in order is fastest. */
  fill(bytes: Uint8Array, position: number): void;
}

/** The methods that this thread calls. */
export interface UnpackCaller {
  /** Fills shared memory with the bytes of a part. @param part its index. @param from offset in it. */
  read(part: number, from: number, bytes: Uint8Array): void;
  /** So many bytes of the upload were hashed. */
  hashed(bytes: number): void;
}

/** Code of the error for bytes of the object storage that are not those that it was sent. */
export const wrongBytes = 'wrong-bytes';
