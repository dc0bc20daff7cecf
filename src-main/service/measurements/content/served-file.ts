import type { FileIdentity } from '../storage/file-identity.ts';
import type { SyncIoPolicy } from '../storage/sync-io-policy.ts';
import type { FileRow } from '../store/files-store.ts';
import type { FileDescription } from './serve-headers.ts';

/**
 * A descriptor shared by transfers; closed when it has left the cache and its last user has
 * released it.
 */
export interface SharedDescriptor {
  readonly fd: number;
  readonly inode: bigint;
  users: number;
  kept: boolean;
}

/** A file of a measurement with all that a response needs. */
export interface ServedFile extends FileDescription {
  readonly row: FileRow;
  readonly path: string;
  readonly root: string;
  /** Whether the file is stored in the library. */
  readonly inLibrary: boolean;
  readonly syncIo: SyncIoPolicy;
  descriptor: SharedDescriptor | null;
  opening: Promise<SharedDescriptor> | null;
  usedAt: number;
  /** Identity of the file when it was last checked; null before the first check. */
  seen: FileIdentity | null;
}

/** A file whose descriptor is open. */
export type OpenFile = ServedFile & { readonly descriptor: SharedDescriptor };
