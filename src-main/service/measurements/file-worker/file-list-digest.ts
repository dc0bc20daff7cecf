import { createHash } from 'node:crypto';

/** Fields by which two lists of files are compared. */
export interface ListEntry {
  readonly path: string;
  readonly length: number;
  readonly mtimeNs: string;
}

/**
 * Incremental digest of an ordered list of files: equal digests mean equal paths, lengths and
 * modification times.
 */
export function fileListDigest(): { add(files: readonly ListEntry[]): void; finish(): string } {
  const hash = createHash('sha256');
  return {
    // No path contains a NUL.
    add: (files) =>
      void hash.update(files.map(({ path, length, mtimeNs }) => `${path}\0${length}\0${mtimeNs}\0`).join('')),
    finish: () => hash.digest('hex'),
  };
}
