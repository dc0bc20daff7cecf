/**
 * Worker thread that reads files: lists folders and archives, and hashes, copies and unpacks files
 * with synchronous calls and one reused buffer. Passing bytes between threads would cost more than
 * reading them here.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { errorCode } from '../../common/error-code.ts';
import { copyFiles } from './export-copy.ts';
import { fileListDigest } from './file-list-digest.ts';
import { bufferBytes, hashFile } from './hash-file.ts';
import {
  type Reading,
  abortWord,
  bytesWord,
  type FileOutcome,
  type HashItem,
  type SharedState,
  type ThreadMessage,
  type ThreadReply,
  type ThreadRequest,
} from '../../files/hash-messages.ts';
import { ignoreMatcher } from './ignore-list.ts';
import type { ListedFile, Listing } from '../../files/inspect-findings.ts';
import { AbortedError, outcomeOfFailure } from './import-failures.ts';
import { importFiles } from './import-file.ts';
import { listOneFile, walkFolder } from './walk.ts';

const filesPerMessage = 2000;
const { control } = workerData as SharedState;
const words = new Int32Array(control, 0, 2);
const counters = new BigInt64Array(control);
const buffer = Buffer.allocUnsafeSlow(bufferBytes);
const port = parentPort;
if (!port) throw new Error('this file is the start of a worker thread');

function checkAborted(): void {
  if (Atomics.load(words, abortWord) !== 0) throw new AbortedError('stopped');
}

function reading(bytesPerSecond: number | null): Reading {
  const started = performance.now();
  let total = 0;
  return {
    buffer,
    step: (bytes) => {
      checkAborted();
      Atomics.add(counters, bytesWord, BigInt(bytes));
      total += bytes;
      if (bytesPerSecond === null) return;
      const ahead = (total / bytesPerSecond) * 1000 - (performance.now() - started);
      // An abort wakes it immediately.
      if (ahead > 1) Atomics.wait(words, abortWord, 0, ahead);
    },
  };
}

function hashFiles(items: readonly HashItem[], bytesPerSecond: number | null): FileOutcome[] {
  const read = reading(bytesPerSecond);
  return items.map((item) => {
    try {
      return { index: item.index, ...hashFile(item, read), location: null, healed: false };
    } catch (error) {
      return outcomeOfFailure(item, error);
    }
  });
}

async function list(request: Extract<ThreadRequest, { op: 'list' }>): Promise<Listing> {
  const ignored = ignoreMatcher(request.ignoreList);
  if (request.kind === 'folder') return walkFolder(request.path, ignored, checkAborted);
  if (request.kind === 'file') return listOneFile(request.path);
  // Loaded on first use: it would add a fifth to the start time of this thread.
  const { listZip } = await import('../../files/zip-list.ts');
  return listZip(request.path, ignored, checkAborted);
}

function digestOf(files: readonly ListedFile[]): string {
  const digest = fileListDigest();
  digest.add(files);
  return digest.finish();
}

let more: () => void = () => {};

async function sendFiles(id: number, files: readonly ListedFile[]): Promise<void> {
  for (let at = 0; at < files.length; at += filesPerMessage) {
    checkAborted();
    const asked = new Promise<void>((resolve) => (more = resolve));
    send({ id, type: 'files', files: files.slice(at, at + filesPerMessage) });
    await asked;
  }
}

async function perform(id: number, request: ThreadRequest): Promise<ThreadReply> {
  checkAborted();
  if (request.op === 'list') {
    const { files, ...rest } = await list(request);
    const known = request.known !== undefined && request.known === digestOf(files);
    if (!known) await sendFiles(id, files);
    return { id, type: 'listed', listing: { ...rest, fileCount: files.length, known } };
  }
  if (request.op === 'hash')
    return { id, type: 'outcomes', outcomes: hashFiles(request.items, request.bytesPerSecond) };
  if (request.op === 'take')
    return { id, type: 'outcomes', outcomes: await importFiles(request.items, request.library, reading(null)) };
  return { id, type: 'outcomes', outcomes: copyFiles(request.items, reading(null)) };
}

function send(reply: ThreadReply): void {
  port?.postMessage(reply);
}

// Requests run one after the other, because they share the buffer.
let last: Promise<void> = Promise.resolve();
port.on('message', (message: ThreadMessage) => {
  if ('more' in message) return more();
  last = last.then(async () => {
    try {
      send(await perform(message.id, message.request));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      send({ id: message.id, type: 'failed', reason, code: errorCode(error), aborted: error instanceof AbortedError });
    }
  });
  return undefined;
});
