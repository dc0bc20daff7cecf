import { closeSync, mkdirSync, openSync, readSync, rmSync, statfsSync, writeSync } from 'node:fs';
import path from 'node:path';

/** A copy leaves most of the free space to others. */
const maxShareOfFree = 0.25;

/**
 * A copy of an upload on the disk of this machine, where there is room: files in another order than
 * that of their archive would take a request each. With synchronous calls, for a worker thread.
 */
export class BodyCopy {
  readonly #parts = new Set<number>();
  #fd: number | null;

  /** @param folder Of the upload. @param size Bytes of all of it. */
  constructor(folder: string, size: number) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = statfsSync(folder);
    this.#fd = size <= bavail * bsize * maxShareOfFree ? openUnnamed(path.join(folder, 'body')) : null;
  }

  /** Keeps a part, unless the disk is full. @param position of its first byte. */
  keep(index: number, position: number, bytes: Buffer): void {
    if (this.#fd === null || this.#parts.has(index)) return;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at, bytes.length - at, position + at);
      this.#parts.add(index);
    } catch {
      closeSync(this.#fd);
      this.#fd = null;
      this.#parts.clear();
    }
  }

  has(index: number): boolean {
    return this.#parts.has(index);
  }

  /** @throws an error when it cannot be read, or is shorter than it was. */
  read(into: Buffer, position: number): void {
    for (let at = 0; at < into.length;) {
      const count = this.#fd === null ? 0 : readSync(this.#fd, into, at, into.length - at, position + at);
      if (count === 0) throw new Error('the copy of an upload is shorter than it was');
      at += count;
    }
  }
}

/** A file that is gone with this process, where the system lets an open one be removed. */
function openUnnamed(file: string): number {
  const fd = openSync(file, 'w+', 0o600);
  try {
    rmSync(file);
  } catch {
    // It is removed with the folder of its upload.
  }
  return fd;
}
