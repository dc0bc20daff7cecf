/**
 * Worker thread that reads files: lists folders and archives, and hashes, copies and unpacks files
 * with synchronous calls and one reused buffer. Passing bytes between threads would cost more than
 * reading them here.
 */
import { workerData } from 'node:worker_threads';
import { serveWorker } from '../../workers/worker-server.ts';
import { FileAdopter } from './adopt-files.ts';
import { copyFiles } from './export-copy.ts';
import { fileListDigest } from './file-list-digest.ts';
import { bufferBytes, hashFile } from './hash-file.ts';
import { abortWord, bytesWord, type HashCaller, type HashItem, type HashMethods } from '../../files/hash-messages.ts';
import type {
  FileOutcome,
  ListRequest,
  ListSummary,
  Reading,
  ReadRequest,
  SharedState,
} from '../../files/hash-messages.ts';
import { ignoreMatcher } from '../../../../src-shared/ignore-patterns.ts';
import type { ListedFile, Listing } from '../../files/inspect-findings.ts';
import { AbortedError, outcomeOfFailure } from './import-failures.ts';
import { importFiles } from './import-file.ts';
import { listOneFile, walkFolder } from './walk.ts';

const filesPerMessage = 2000;
const { control } = workerData as SharedState;
const words = new Int32Array(control, 0, 2);
const counters = new BigInt64Array(control);
const buffer = Buffer.allocUnsafeSlow(bufferBytes);
const adopter = new FileAdopter();
// Requests run one after the other, because they share the buffer.
let last: Promise<unknown> = Promise.resolve();

const caller = serveWorker<HashMethods, HashCaller>({
  list: async (request) => inOrder(() => list(request)),
  run: async (request) => inOrder(() => run(request)),
  adopt: async (request) => inOrder(() => adopter.adopt(request, reading(null))),
  syncAdopted: async () => inOrder(async () => adopter.sync()),
  removeAdopted: async (folder) => inOrder(() => adopter.remove(folder)),
});

async function inOrder<T>(work: () => T | Promise<T>): Promise<T> {
  const mine = last.then(async () => {
    checkAborted();
    return work();
  });
  last = mine.catch(() => {});
  return mine;
}

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

async function listingOf(request: ListRequest): Promise<Listing> {
  const ignored = ignoreMatcher(request.ignoreList);
  if (request.kind === 'folder') return walkFolder(request.path, ignored, checkAborted, request.only);
  if (request.kind === 'file') return listOneFile(request.path);
  // Loaded on first use: it would add a fifth to the start time of this thread.
  const { listZip } = await import('../../files/zip-list.ts');
  return listZip(request.path, ignored, checkAborted, request.maxEntries);
}

function digestOf(files: readonly ListedFile[]): string {
  const digest = fileListDigest();
  digest.add(files);
  return digest.finish();
}

async function sendFiles(files: readonly ListedFile[]): Promise<void> {
  for (let at = 0; at < files.length; at += filesPerMessage) {
    checkAborted();
    await caller.call('files', [files.slice(at, at + filesPerMessage)]);
  }
}

async function list(request: ListRequest): Promise<ListSummary> {
  const { files, ...rest } = await listingOf(request);
  const known = request.known !== undefined && request.known === digestOf(files);
  if (!known) await sendFiles(files);
  return { ...rest, fileCount: files.length, known };
}

function run(request: ReadRequest): readonly FileOutcome[] | Promise<readonly FileOutcome[]> {
  if (request.op === 'hash') return hashFiles(request.items, request.bytesPerSecond);
  if (request.op === 'take') return importFiles(request, reading(null));
  return copyFiles(request.items, reading(null));
}
