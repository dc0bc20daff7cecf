import type { StreamCheckpoint } from '../../store/upload-parts-store.ts';
import type { ExpectedArchive, ExpectedFile } from '../members/expected-file.ts';
import type { JournalledSums } from '../members/member-journal.ts';

/** An upload, by the folder of this machine that has its manifest. */
export interface DirectTarget extends ExpectedArchive {
  readonly folder: string;
}

/** Why bytes are refused: they are not those of the manifest; null for right ones. */
export interface Verified {
  readonly damaged: string | null;
}

/** The bytes since the end of the part before, which lie in the file of their part. */
export interface SealedPart {
  readonly length: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** After the last of them. */
  readonly checkpoint: StreamCheckpoint;
}

/** A file of an archive that is read whole, with the sums of its blocks and pieces. */
export interface ReadMember extends JournalledSums {
  readonly index: number;
  readonly file: ExpectedFile;
}

export interface VerifiedMembers extends Verified {
  /** The files that ended with these bytes. */
  readonly members: readonly ReadMember[];
}

/**
 * The methods of the thread that verifies archives whose bytes go into the object storage. An upload
 * is named by its folder, and written to by one writer at a time: calls of one before it fail.
 */
export interface DirectMethods {
  /** @returns whether the thread knows this upload up to exactly this offset, and goes on there. */
  resume(folder: string, writer: string, offset: number): boolean;
  /** Goes on after a part. @param from null for the beginning. @param part number of the next one. */
  open(target: DirectTarget, writer: string, from: StreamCheckpoint | null, part: number): void;
  /** Takes the bytes of an upload without a manifest from an offset on. @param part number of the next one. */
  openBody(folder: string, writer: string, offset: number, part: number): void;
  /** Verifies bytes and writes them to the file of the part. */
  write(folder: string, writer: string, bytes: Uint8Array): Verified;
  /** @param isWhole whether the next bytes belong to the next part. */
  seal(folder: string, writer: string, isWhole: boolean): SealedPart;
  /** Keeps what is known for the next request, or forgets it. */
  leave(folder: string, writer: string, isKept: boolean): void;
  /** Begins to read an archive from its first byte. */
  openWhole(target: DirectTarget): void;
  readWhole(folder: string, bytes: Uint8Array): VerifiedMembers;
  closeWhole(folder: string): void;
}
