import { createHash, hash } from 'node:crypto';

/** Fields by which two looks at a run are compared. */
export interface SignedEntry {
  /** Relative path, separated by `/`, in NFC. */
  readonly path: string;
  readonly length: number;
  readonly mtimeNs: bigint | string;
}

const bytes = 32;

/**
 * Digest of a set of files that does not depend on their order, so that a folder of a million files
 * is compared without sorting or keeping its list.
 */
export class ListSignature {
  readonly #sum = Buffer.alloc(bytes);
  readonly #stem: string;

  /** @param stem left out of the paths, so that a renamed run of files has the same signature. */
  constructor(stem = '') {
    this.#stem = stem;
  }

  /** @param more what else of the file is compared. */
  add({ path, length, mtimeNs }: SignedEntry, more = ''): void {
    const shown = this.#stem === '' ? path : path.replace(this.#stem, '');
    const digest = hash('sha256', `${shown}\0${length}\0${mtimeNs}\0${more}`, 'buffer');
    // No path occurs twice, so nothing cancels itself out.
    for (let at = 0; at < bytes; at += 4)
      this.#sum.writeInt32LE(this.#sum.readInt32LE(at) ^ digest.readInt32LE(at), at);
  }

  /** In hexadecimal; of no files, zeros. */
  finish(): string {
    return this.#sum.toString('hex');
  }
}

/** Digest of the paths and the SHA-256 of files, in the order of a manifest. */
export class ContentDigest {
  readonly #hash = createHash('sha256');

  /** @param sha256 in hexadecimal. */
  add(path: string, sha256: string): void {
    this.#hash.update(`${path}\0${sha256}\n`);
  }

  /** In hexadecimal; may be called once. */
  finish(): string {
    return this.#hash.digest('hex');
  }
}
