import { fstatSync } from 'node:fs';
import { isSystemError, readSmall, type CopySource } from '../content/copy-file.ts';
import { classifyFileError } from '../storage/file-errors.ts';
import { sameIdentity, type FileIdentity } from '../storage/file-identity.ts';
import type { KernelCalls } from '../storage/kernel-calls.ts';
import { changedWhileSent } from '../block-checks/range-guard.ts';

/** A part of a body: bytes in memory, followed by a range of an open file. */
export interface BodyPart {
  readonly before: Buffer;
  readonly source: CopySource;
  readonly from: number;
  readonly to: number;
  /**
   * Identity of the file when the blocks of this range were verified; null for a whole file, which
   * is checked by its checksum.
   */
  readonly identity: FileIdentity | null;
}

/** Above this many parts, copying into one buffer is cheaper than a system call for each. */
const maxSendfileParts = 3;
/**
 * Bytes per `sendfile` call. A call that exceeds one loopback packet with its header was 20 %
 * slower than two smaller ones.
 */
const bytesPerSendfile = 32 * 1024;

/**
 * Whether `sendfile` may be used: not for a whole file, whose bytes are compared with its checksum.
 */
export function canSendfile(parts: readonly BodyPart[]): boolean {
  return (
    parts.length <= maxSendfileParts && !parts.some(({ from, to, source }) => from === 0 && to === source.file.length)
  );
}

/**
 * Sends parts by system calls.
 *
 * @returns the bytes that the socket accepted; fewer than all when it is full or a file changed
 * before its last bytes.
 */
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
      if (at + count === to && !isUnchanged(part, kernel)) return gone;
      const sent = kernel.sendFile(socket, source.fd, at, count);
      gone += sent;
      if (sent < count) return gone;
    }
    source.syncIo.record(since);
  }
  return gone;
}

function isUnchanged({ source, identity }: BodyPart, kernel: KernelCalls | null): boolean {
  if (identity === null) return true;
  const now = kernel ? kernel.identityOf(source.fd) : fstatSync(source.fd, { bigint: true });
  return now !== null && sameIdentity(identity, now);
}

/**
 * Reads parts into a buffer synchronously: only for files in the page cache, see SyncIoPolicy.
 *
 * @returns the failure, or null.
 */
export function readParts(parts: readonly BodyPart[], target: Buffer): PartFailure | null {
  let at = 0;
  for (const part of parts) {
    const { before, source, from, to } = part;
    at += before.copy(target, at);
    if (to === from) continue;
    try {
      readSmall(source, target.subarray(at), from, to);
      if (!isUnchanged(part, null)) throw changedWhileSent(source);
    } catch (error) {
      return new PartFailure(source, error);
    }
    at += to - from;
  }
  return null;
}

/** A failed read, with the file it concerns. */
export class PartFailure {
  readonly #source: CopySource;
  readonly #cause: unknown;

  constructor(source: CopySource, cause: unknown) {
    this.#source = source;
    this.#cause = cause;
  }

  /** Classifies the failure: a FileFault, or the original error. */
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
