import { createHash, type Hash } from 'node:crypto';

/** Bytes of a piece: that of a block, so that a repaired piece costs one block of another server. */
export const pieceBytes = 4 * 1024 * 1024;
export const hashBytes = 32;
/** Pieces of a row: 32 KiB of hashes for 4 GiB of a file. */
export const piecesPerPage = 1024;

/** Number of pieces of a file; none for an empty one. */
export function pieceCount(length: number): number {
  return Math.ceil(length / pieceBytes);
}

/** Computes the SHA-256 of each piece of a file while it is read. */
export class PieceHashes {
  readonly #done: Buffer[] = [];
  #hash: Hash = createHash('sha256');
  #filled = 0;

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + pieceBytes - this.#filled);
      this.#hash.update(part);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled === pieceBytes) this.#close();
    }
  }

  /** The hashes one after the other, 32 bytes each. May be called once. */
  finish(): Uint8Array {
    if (this.#filled > 0) this.#close();
    return Buffer.concat(this.#done);
  }

  #close(): void {
    this.#done.push(this.#hash.digest());
    this.#hash = createHash('sha256');
    this.#filled = 0;
  }
}

/** The digest of the hashes of a file's pieces, which its manifest has. */
export function piecesDigest(hashes: Uint8Array): Buffer {
  return createHash('sha256').update(hashes).digest();
}
