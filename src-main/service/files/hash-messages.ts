import type { Listing, ListedFile } from './inspect-findings.ts';
import type { NameGroup } from '../../../src-shared/name-pattern.ts';
import type { FileFailureKind } from './register-failures.ts';

/** Location of an entry's data in a ZIP archive. */
export interface EntryPlace {
  readonly headerOffset: number;
  readonly packedBytes: number;
  readonly method: number;
  readonly crc32: number;
  /**
   * Offset of the next entry or the central directory, which the data of this entry must not
   * exceed.
   */
  readonly limit: number;
}

/** A file to be read in place. */
export interface HashItem {
  readonly index: number;
  readonly file: string;
  /** Whether the path must not contain symbolic links: where other users may write. */
  readonly linkFree?: boolean;
  /** Whether the hashes of its pieces are wanted too, which doubles the work for a large file. */
  readonly pieces?: boolean;
}

/** A file, or an entry of an archive, to be copied into the library. */
export interface ImportItem extends HashItem {
  /** The entry's location in the archive `file`, and its declared length. */
  readonly entry: { readonly place: EntryPlace; readonly length: number; readonly mtimeNs: string } | null;
}

/** A file to be copied out of the service, with its expected checksums. */
export interface CopyItem extends HashItem {
  readonly target: string;
  readonly length: number;
  readonly crc32: number;
  readonly sha256: string;
  readonly mtimeNs: string;
}

export interface FileFailed {
  readonly index: number;
  readonly failed: FileFailureKind;
  readonly reason: string;
}

export type FileOutcome = HashedFile | FileFailed;

export interface ListRequest {
  readonly kind: 'folder' | 'file' | 'zip';
  readonly path: string;
  readonly ignoreList: readonly string[];
  /** Of a folder, only the files at its root that belong to one run. */
  readonly only?: NameGroup | undefined;
  /** Of an archive; all are held in memory. */
  readonly maxEntries?: number;
  /** Digest of a known list; if the new list has the same digest, its files are not sent. */
  readonly known?: string;
}

export type ReadRequest =
  | { readonly op: 'hash'; readonly items: readonly HashItem[]; readonly bytesPerSecond: number | null }
  | {
      readonly op: 'take';
      readonly items: readonly ImportItem[];
      readonly library: string;
      /** Begins the names of unfinished copies, so that those left over can be told from those in use. */
      readonly owner: string;
    }
  | { readonly op: 'copy'; readonly items: readonly CopyItem[] };

/** Verified files of an upload, to be taken into the library. */
export interface AdoptRequest {
  /** Of the upload. */
  readonly folder: string;
  readonly library: string;
  /** Index of the first file. */
  readonly from: number;
  readonly limit: number;
}

export interface AdoptedFile {
  /** As the list of a registration has it, without a source. */
  readonly file: {
    readonly idx: number;
    readonly path: string;
    readonly source: string;
    readonly length: number;
    readonly mtime_ns: string;
  };
  readonly outcome: FileOutcome;
}

/** Summary of a list; its files were sent before, unless the list is `known`. */
export type ListSummary = Omit<Listing, 'files'> & { readonly fileCount: number; readonly known: boolean };

/** The methods of the thread that reads files. They run one after the other. */
export interface HashMethods {
  list(request: ListRequest, signal: AbortSignal): ListSummary;
  run(request: ReadRequest, signal: AbortSignal): readonly FileOutcome[];
  adopt(request: AdoptRequest, signal: AbortSignal): readonly AdoptedFile[];
  /** The names of the files that were adopted are on disk afterwards. */
  syncAdopted(): void;
  /** Removes the folder of an upload. */
  removeAdopted(folder: string): void;
}

/** The methods that this thread calls. */
export interface HashCaller {
  /**
   * Takes the next files of a list. Lists are sent in batches, because a long message would block
   * the event loop; the next one follows when this has resolved.
   */
  files(files: readonly ListedFile[]): void;
}

/** Memory shared with the thread: the abort flag and the number of bytes read. */
export interface SharedState {
  readonly control: SharedArrayBuffer;
}

export const abortWord = 0;
export const bytesWord = 1;

/** Buffer and progress callback for reading files in the thread. */
export interface Reading {
  readonly buffer: Buffer;
  /** Counts bytes, limits the rate, and throws when the work was aborted. */
  step(bytes: number): void;
}

export interface ReadFile {
  readonly length: number;
  readonly crc32: number;
  /** Hexadecimal: passing strings between threads costs half of passing bytes. */
  readonly sha256: string;
  /** Modification time of the bytes that will be served, in nanoseconds. */
  readonly mtimeNs: string;
  /**
   * Status change time of a referenced file, in nanoseconds; null for a library copy, which other
   * users cannot modify.
   */
  readonly ctimeNs: string | null;
  /** Running CRC-32 at the end of each block, see block-sums.ts; null for a file of one block. */
  readonly blocks: Uint8Array | null;
  /** SHA-256 of each piece, see piece-hashes.ts; null for a file of one piece, or where not wanted. */
  readonly pieces: Uint8Array | null;
  /** Milliseconds since 1970 when the last byte was read. */
  readonly at: number;
}

/** A file of the work, read or imported. */
export interface HashedFile extends ReadFile {
  readonly index: number;
  /** Path below the library folder, for an imported file. */
  readonly location: string | null;
  /** Whether a damaged library object with this content was replaced by the good copy. */
  readonly healed: boolean;
}
