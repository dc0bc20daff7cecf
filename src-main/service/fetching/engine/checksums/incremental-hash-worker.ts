/**
 * Worker thread that hashes files right behind the writer. It reads them itself: the bytes are
 * still in the page cache, and passing copies between threads would cost more.
 */
import { crc32 } from '@node-rs/crc32';
import { createHash, type Hash } from 'node:crypto';
import { readSync } from 'node:fs';
import { serveWorker } from '../../../workers/worker-server.ts';
import type { FileDigest } from './check-existing.ts';
import type { HasherCaller, HasherMethods } from './incremental-hash-messages.ts';

interface Job {
  readonly fd: number;
  readonly sha256: Hash;
  readonly digest: PromiseWithResolvers<FileDigest>;
  crc32: number;
  at: number;
  to: number;
  ending: boolean;
}

// Fits the CPU cache, so that the second checksum reads cached bytes.
const buffer = Buffer.allocUnsafeSlow(256 * 1024);
// Messages are handled between turns.
const bytesPerTurn = 8 * 1024 * 1024;
const jobs = new Map<number, Job>();
let working = false;

const caller = serveWorker<HasherMethods, HasherCaller>({
  hash: async (id, fd, signal) => {
    const digest = Promise.withResolvers<FileDigest>();
    jobs.set(id, { fd, sha256: createHash('sha256'), digest, crc32: 0, at: 0, to: 0, ending: false });
    signal.addEventListener('abort', () => settle(id)?.digest.reject(signal.reason), { once: true });
    return digest.promise;
  },
  advance: (id, to) => {
    const job = jobs.get(id);
    if (job) job.to = to;
    wake();
  },
  end: (id) => {
    const job = jobs.get(id);
    if (job) job.ending = true;
    wake();
  },
});

function settle(id: number): Job | undefined {
  const job = jobs.get(id);
  jobs.delete(id);
  return job;
}

function wake(): void {
  if (working) return;
  working = true;
  setImmediate(work);
}

function read(id: number, job: Job): void {
  const end = Math.min(job.to, job.at + bytesPerTurn);
  while (job.at < end) {
    const count = readSync(job.fd, buffer, 0, Math.min(buffer.length, end - job.at), job.at);
    if (count === 0) throw new Error(`the file ends after ${job.at} bytes although more were written`);
    const bytes = buffer.subarray(0, count);
    job.crc32 = crc32(bytes, job.crc32);
    job.sha256.update(bytes);
    job.at += count;
  }
  if (job.at < job.to || !job.ending) return caller.notify('progress', [id, job.at]);
  const sha256 = new Uint8Array(job.sha256.digest());
  return settle(id)?.digest.resolve({ length: job.at, crc32: job.crc32 >>> 0, sha256 });
}

function work(): void {
  for (const [id, job] of jobs) {
    if (job.at === job.to && !job.ending) continue;
    try {
      read(id, job);
    } catch (error) {
      settle(id)?.digest.reject(error);
    }
  }
  working = [...jobs.values()].some((job) => job.at < job.to || job.ending);
  if (working) setImmediate(work);
}
