import type { Listing, ListedFile } from './inspect-findings.ts';
import type { FileFailure } from './register-failures.ts';

/** Where the bytes of an entry lie in a ZIP archive. */
export interface EntryPlace {
  readonly headerOffset: number;
  readonly packedBytes: number;
  readonly method: number;
  readonly crc32: number;
  /** Where the next entry or the central directory starts: nothing of this entry may lie beyond. */
  readonly limit: number;
}

/** A file that stays where it is. */
export interface HashItem {
  readonly index: number;
  readonly file: string;
  /** Whether a link on the way to it makes it another file: wherever others may write. */
  readonly linkFree?: boolean;
}

/** A file, or an entry of an archive, to be copied into the library. */
export interface TakeItem extends HashItem {
  /** An entry's place in the archive `file`, with the length that it declares. */
  readonly entry: { readonly place: EntryPlace; readonly length: number; readonly mtimeNs: string } | null;
}

/** A file to be copied out, and what its bytes must be. */
export interface CopyItem extends HashItem {
  readonly target: string;
  readonly length: number;
  readonly crc32: number;
  readonly sha256: string;
  readonly mtimeNs: string;
}

export interface FileDigest {
  readonly index: number;
  readonly length: number;
  readonly crc32: number;
  /** Hexadecimal: between threads texts cost half of what bytes do. */
  readonly sha256: string;
  /** Modification time of the bytes that will be served, nanoseconds. */
  readonly mtimeNs: string;
  /** Status change time of a file that stays where it is, nanoseconds; null for a copy, which nobody else can write to. */
  readonly ctimeNs: string | null;
  /** See block-sums.ts; null for a file of one block. */
  readonly blocks: Uint8Array | null;
  /** Milliseconds since 1970 when the file was read to its end. */
  readonly at: number;
  /** Below the library folder, for a file that was taken. */
  readonly location: string | null;
  /** The library held a damaged object of this content, and the good copy has taken its place. */
  readonly healed: boolean;
}

export interface FileFailed {
  readonly index: number;
  readonly failed: FileFailure;
  readonly reason: string;
}

export type FileOutcome = FileDigest | FileFailed;

export type ThreadRequest =
  | {
      readonly op: 'list';
      readonly kind: 'folder' | 'file' | 'zip';
      readonly path: string;
      readonly ignoreList: readonly string[];
      /** The digest of a list that is known: the same one is not sent again. */
      readonly known?: string;
    }
  | { readonly op: 'hash'; readonly items: readonly HashItem[]; readonly bytesPerSecond: number | null }
  | { readonly op: 'take'; readonly items: readonly TakeItem[]; readonly library: string }
  | { readonly op: 'copy'; readonly items: readonly CopyItem[] };

/** A request, or the word that more files of a list may come: a whole list at once would be handled in one turn of the event loop. */
export type ThreadMessage = { readonly id: number; readonly request: ThreadRequest } | { readonly more: true };

/** What a list came to; its files were handed over before, unless they are `known`. */
export type ListSummary = Omit<Listing, 'files'> & { readonly fileCount: number; readonly known: boolean };

export type ThreadReply =
  | { readonly id: number; readonly type: 'files'; readonly files: readonly ListedFile[] }
  | { readonly id: number; readonly type: 'listed'; readonly listing: ListSummary }
  | { readonly id: number; readonly type: 'outcomes'; readonly outcomes: readonly FileOutcome[] }
  | {
      readonly id: number;
      readonly type: 'failed';
      readonly reason: string;
      readonly code: string;
      readonly aborted: boolean;
    };

/** What the thread shares with its owner: whether to stop, and how many bytes it has read. */
export interface SharedState {
  readonly control: SharedArrayBuffer;
}

export const abortWord = 0;
export const bytesWord = 1;

/** What reading needs of its thread. */
export interface Reading {
  readonly buffer: Buffer;
  /** Counts bytes, keeps to the rate, and throws when the work is to stop. */
  step(bytes: number): void;
}

export interface ReadFile {
  readonly length: number;
  readonly crc32: number;
  /** Hexadecimal. */
  readonly sha256: string;
  readonly mtimeNs: string;
  /** Status change time, nanoseconds; null for what was unpacked. */
  readonly ctimeNs: string | null;
  /** The CRC-32 up to the end of each block, see block-sums.ts; null for a file of one block. */
  readonly blocks: Uint8Array | null;
  readonly at: number;
}
