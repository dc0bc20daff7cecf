import { createHash } from 'node:crypto';

/** What two lists of files are compared by. */
export interface ListEntry {
  readonly path: string;
  readonly length: number;
  readonly mtimeNs: string;
}

/** A digest of a list of files in order, taken a part at a time: two lists with the same one hold the same paths, lengths and times. */
export function fileListDigest(): { add(files: readonly ListEntry[]): void; finish(): string } {
  const hash = createHash('sha256');
  return {
    // No path holds a NUL.
    add: (files) =>
      void hash.update(files.map(({ path, length, mtimeNs }) => `${path}\0${length}\0${mtimeNs}\0`).join('')),
    finish: () => hash.digest('hex'),
  };
}
