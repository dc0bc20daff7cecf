import type { FileDigest } from '../../../files/file-digest.ts';

/** The methods of the thread that hashes files while they grow. */
export interface HasherMethods {
  /**
   * Resolves after `end`, with all bytes announced with `advance` read; fails with the read error,
   * or when it is aborted. Then the descriptor is no longer used.
   */
  hash(id: number, fd: number, signal: AbortSignal): FileDigest;
  /** Bytes up to `to` may be read. */
  advance(id: number, to: number): void;
  /** No further bytes follow. */
  end(id: number): void;
}

/** The method that this thread calls. */
export interface HasherCaller {
  /** @param at bytes read so far. */
  progress(id: number, at: number): void;
}
