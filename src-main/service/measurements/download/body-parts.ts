import { fstatSync } from 'node:fs';
import { isSystemError, readSmall, type CopySource } from '../content/copy-file.ts';
import { classifyFileError } from '../storage/file-errors.ts';
import { sameIdentity, type FileIdentity } from '../storage/file-identity.ts';
import type { KernelCalls } from '../storage/kernel-calls.ts';
import { changedWhileSent } from '../block-checks/range-guard.ts';

/** Bytes at hand, and a part of an open file behind them. */
export interface BodyPart {
  readonly before: Buffer;
  readonly source: CopySource;
  readonly from: number;
  readonly to: number;
  /** How the file looked when the blocks of the part were right; null for a whole file, which has a checksum. */
  readonly identity: FileIdentity | null;
}

/** With more of them, calls cost more than copying. */
const maxSendfileParts = 3;
/** Given to the system at once. What is more than a packet of the loopback holds together with its head costs it a fifth more than two pieces that are not. */
const bytesPerSendfile = 32 * 1024;

/** Whether the system may send them: nothing of what has a checksum to be held against. */
export function canSendfile(parts: readonly BodyPart[]): boolean {
  return (
    parts.length <= maxSendfileParts && !parts.some(({ from, to, source }) => from === 0 && to === source.file.length)
  );
}

/** Has the system send them. @returns the bytes that the socket took, the last part's to the end or not. */
export function sendfileParts(kernel: KernelCalls, socket: number, parts: readonly BodyPart[]): number {
  let gone = 0;
  for (const part of parts) {
    const { before, source, from, to } = part;
    if (before.length > 0) {
      const sent = kernel.send(socket, before, 0, before.length, to > from);
      gone += sent;
      if (sent < before.length) return gone;
    }
    const since = performance.now();
    for (let at = from; at < to; at += bytesPerSendfile) {
      const count = Math.min(bytesPerSendfile, to - at);
      if (at + count === to && !isUnchanged(part)) return gone;
      const sent = kernel.sendFile(socket, source.fd, at, count);
      gone += sent;
      if (sent < count) return gone;
    }
    source.syncIo.record(since);
  }
  return gone;
}

function isUnchanged({ source, identity }: BodyPart): boolean {
  return identity === null || sameIdentity(identity, fstatSync(source.fd, { bigint: true }));
}

/** Puts them into a buffer, at once: for files in the page cache, see DiskPace. @returns what went wrong; null when nothing did. */
export function readParts(parts: readonly BodyPart[], target: Buffer): PartFailure | null {
  let at = 0;
  for (const part of parts) {
    const { before, source, from, to } = part;
    at += before.copy(target, at);
    if (to === from) continue;
    try {
      readSmall(source, target.subarray(at), from, to);
      if (!isUnchanged(part)) throw changedWhileSent(source);
    } catch (error) {
      return new PartFailure(source, error);
    }
    at += to - from;
  }
  return null;
}

/** Which file could not be read. */
export class PartFailure {
  readonly #source: CopySource;
  readonly #cause: unknown;

  constructor(source: CopySource, cause: unknown) {
    this.#source = source;
    this.#cause = cause;
  }

  /** What that says: a FileFault, or what else happened. */
  async explained(): Promise<unknown> {
    try {
      return isSystemError(this.#cause)
        ? await classifyFileError(this.#cause, this.#source.file, this.#source.root)
        : this.#cause;
    } catch (error) {
      return error;
    }
  }
}
