/**
 * Worker thread that reads an upload without a manifest from the object storage, and makes its archive:
 * inflating and hashing must not delay other requests.
 */
import { Buffer } from 'node:buffer';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { HttpProblem } from '../../../common/problem.ts';
import { DamagedArchiveError } from '../../../files/zip-list.ts';
import { serveWorker } from '../../../workers/worker-server.ts';
import { manifestName, type ExpectedArchive, type ExpectedFile } from '../members/expected-file.ts';
import { storeManifest } from '../members/store-manifest.ts';
import { BodyBytes } from './body-bytes.ts';
import { BodyCopy } from './body-copy.ts';
import type { BodyToUnpack, FoundManifest, Outcome, UnpackCaller, UnpackMethods } from './unpack-messages.ts';
import { RefusedBodyError, UnpackedBody } from './unpacked-body.ts';

/** The archive while it is read. */
interface Reading {
  readonly chunks: AsyncGenerator<Buffer>;
  /** Of the next byte. */
  position: number;
  rest: Buffer;
}

let body: UnpackedBody | null = null;
let folder = '';
let archive: ExpectedArchive | null = null;
let reading: Reading | null = null;

const caller = serveWorker<UnpackMethods, UnpackCaller>({
  list: async (upload) =>
    outcomeOf(async () => {
      body ??= await listed(upload);
      const { files, totalBytes, refusals } = body.listing;
      return { files: files.length, bytes: totalBytes, refusals };
    }),
  hash: async () =>
    outcomeOf(async () => {
      await known(body).hash((bytes) => caller.notify('hashed', [bytes]));
      return null;
    }),
  writeManifest: async () =>
    outcomeOf(async () => {
      const found = await manifestIn(folder, known(body).files());
      archive = found.archive;
      return found;
    }),
  fill: async (bytes, position) => {
    try {
      await fill(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), position);
    } catch (error) {
      reading = null;
      throw error;
    }
  },
});

async function listed(upload: BodyToUnpack): Promise<UnpackedBody> {
  const copy = new BodyCopy(upload.folder, upload.parts.at(-1)?.position ?? 0);
  const bytes = new BodyBytes(upload.parts, copy, async (...args) => caller.call('read', args));
  folder = upload.folder;
  return UnpackedBody.list(bytes, upload);
}

async function manifestIn(target: string, files: Iterable<ExpectedFile>): Promise<FoundManifest> {
  await rm(path.join(target, manifestName), { force: true });
  const { archive: found, tag, times } = await storeManifest(target, { id: '' }, entriesOf(files));
  return { archive: found, tag, times };
}

async function* entriesOf(files: Iterable<ExpectedFile>): AsyncGenerator {
  for (const { registeredAt, ...file } of files)
    yield { ...file, registrationTime: new Date(registeredAt).toISOString() };
}

async function fill(into: Buffer, position: number): Promise<void> {
  if (reading?.position !== position) {
    await reading?.chunks.return(undefined);
    const chunks = known(body).archive(folder, known(archive), position);
    reading = { chunks, position, rest: Buffer.alloc(0) };
  }
  for (let at = 0; at < into.length;) {
    if (reading.rest.length === 0) {
      const { value, done } = await reading.chunks.next();
      if (done) throw new Error('the archive is shorter than its manifest says');
      reading.rest = value;
    }
    const copied = reading.rest.copy(into, at);
    reading.rest = reading.rest.subarray(copied);
    at += copied;
  }
  reading.position += into.length;
}

async function outcomeOf<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { refused: null, value: await work() };
  } catch (error) {
    const isRefused =
      error instanceof RefusedBodyError || error instanceof DamagedArchiveError || error instanceof HttpProblem;
    if (isRefused) return { refused: error.message };
    throw error;
  }
}

function known<T>(value: T | null): T {
  if (value === null) throw new Error('the methods are called in another order');
  return value;
}
