import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

/** The file of a part that is not sent yet. */
export function partFile(folder: string, part: number): string {
  return path.join(folder, `part-${part}`);
}

/** Writes parts to files, one after the other, with their SHA-256. With synchronous calls. */
export class PartWriter {
  readonly #folder: string;
  #part: number;
  #fd: number | null = null;
  #length = 0;
  #sha: Hash = createHash('sha256');

  constructor(folder: string, part: number) {
    this.#folder = folder;
    this.#part = part;
  }

  write(bytes: Buffer): void {
    this.#fd ??= openSync(partFile(this.#folder, this.#part), 'w', 0o600);
    for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
    this.#sha.update(bytes);
    this.#length += bytes.length;
  }

  /** @returns length and SHA-256 of what is written. @param isWhole whether the next part begins. */
  seal(isWhole: boolean): { readonly length: number; readonly sha256: string } {
    const sealed = { length: this.#length, sha256: this.#sha.copy().digest('hex') };
    if (!isWhole) return sealed;
    this.#close();
    this.#part += 1;
    this.#length = 0;
    this.#sha = createHash('sha256');
    return sealed;
  }

  /** Removes the file of a part that is not whole. */
  discard(): void {
    this.#close();
    rmSync(partFile(this.#folder, this.#part), { force: true });
  }

  #close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}
