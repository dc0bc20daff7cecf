import { crc32 } from '@node-rs/crc32';
import { hash } from 'node:crypto';
import { closeSync, fstatSync, readSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { asAskError, AskError } from './ask-error.ts';
import type { Lane, LaneAnswer } from './lane.ts';
import { digestFault, type FileDigest } from './check-existing.ts';
import { contentLength } from './content-range.ts';
import { FileFailure, type Coming, type FetchContext } from './fetch-context.ts';
import { fileAddress } from './file-address.ts';
import { inTheWay, targetError } from './target-folder-error.ts';
import type { FileSettler } from './settle-files.ts';
import type { JournalFile } from './types.ts';

/** Files up to here are held in memory until they are proven, and written at once. */
export const smallBytes = 256 * 1024;

export type SmallFile = JournalFile & { readonly length: number };

/**
 * Fetches a small file as a whole, unless it is there.
 *
 * @throws AskError, FileFailure, TargetError, or the reason of the signal.
 */
export async function fetchSmallFile(context: FetchContext, lane: Lane, settler: FileSettler, file: SmallFile): Promise<void> {
  const existing = readExisting(context, file);
  if (existing) return settler.skip(file, existing);
  for (let restarts = file.restarts; ; restarts += 1) {
    const bytes = await fetchWhole(context, lane, file);
    const digest = digestOf(bytes);
    const fault = digestFault(file, digest);
    if (fault === null) return settler.add({ file, fd: written(context, file, bytes), digest, counted: 0 });
    if (restarts > 0) throw new FileFailure(fault.reason, `Fetched twice, and wrong twice: ${fault.message}`);
    await context.journal.record(context.plan.id, [{ kind: 'restart', index: file.index, counts: true }]);
    await context.journal.log(context.plan.id, 'warn', `${fault.message} It is fetched once more.`);
  }
}

function readExisting({ target }: FetchContext, file: SmallFile): FileDigest | null {
  const fd = target.openFinished(file.path);
  if (fd === null) return null;
  try {
    if (fstatSync(fd).size === file.length) {
      const bytes = Buffer.allocUnsafe(file.length);
      const digest = digestOf(bytes.subarray(0, readSync(fd, bytes, 0, file.length, 0)));
      if (digestFault(file, digest) === null) return digest;
    }
  } catch (error) {
    throw targetError(error, file.path);
  } finally {
    closeSync(fd);
  }
  throw inTheWay(file.path, 'another file has this name already');
}

/** @returns bytes that stay until the next file comes on this connection. */
async function fetchWhole(context: FetchContext, lane: Lane, file: SmallFile): Promise<Buffer> {
  const { counters, signal } = context;
  const answer = await lane.ask({ path: fileAddress(context, file), signal });
  const coming: Coming = { index: file.index, start: 0, end: file.length };
  counters.coming.add(coming);
  try {
    if (answer.status !== 200) throw new AskError('status', 'bad-answer', `${answer.url.host} answers with the status ${answer.status} to a plain request.`);
    const length = contentLength(answer.headers);
    if (length !== null && length !== file.length) throw wrongLength(file, length);
    return await readWhole(context, lane, answer, file);
  } finally {
    counters.coming.delete(coming);
    answer.end();
  }
}

async function readWhole({ counters, throttle, signal }: FetchContext, lane: Lane, answer: LaneAnswer, file: SmallFile): Promise<Buffer> {
  const bytes = lane.room(file.length);
  let length = 0;
  const add = (part: Buffer): Promise<void> | undefined => {
    counters.received(part.length);
    if (length + part.length > file.length) throw wrongLength(file, null);
    bytes.set(part, length);
    length += part.length;
    const wait = throttle(part.length);
    return wait > 1 ? sleep(wait, undefined, { signal }) : undefined;
  };
  try {
    if (answer.way === 'direct') await answer.read(add);
    else for await (const part of answer.answer.body as AsyncIterable<Buffer>) await add(part);
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof FileFailure ? error : asAskError(error, answer.url);
  }
  if (length < file.length) throw asAskError(null, answer.url);
  counters.filesReceived += 1;
  return bytes;
}

function written({ target }: FetchContext, file: SmallFile, bytes: Buffer): number {
  const fd = target.create(file.path);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at, bytes.length - at, at);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw targetError(error, file.path);
  }
}

/** `length` null: more than the manifest says. */
export function wrongLength(file: JournalFile, length: number | null): FileFailure {
  const sent = length === null ? 'more' : `${length.toLocaleString('en')} bytes`;
  return new FileFailure('length-mismatch', `The server sends ${sent} instead of the ${(file.length ?? 0).toLocaleString('en')} bytes that its manifest says.`);
}

function digestOf(bytes: Buffer): FileDigest {
  return { length: bytes.length, crc32: crc32(bytes) >>> 0, sha256: new Uint8Array(hash('sha256', bytes, 'buffer')) };
}
