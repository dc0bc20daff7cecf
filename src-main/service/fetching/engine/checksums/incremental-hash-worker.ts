/**
 * Worker thread that hashes files right behind the writer. It reads them itself: the bytes are
 * still in the page cache, and passing copies between threads would cost more.
 */
import { readSync } from 'node:fs';
import { runningDigest, type FileDigest, type RunningDigest } from '../../../files/file-digest.ts';
import { serveWorker } from '../../../workers/worker-server.ts';
import type { HasherCaller, HasherMethods } from './incremental-hash-messages.ts';

interface Job {
  readonly fd: number;
  readonly running: RunningDigest;
  readonly digest: PromiseWithResolvers<FileDigest>;
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
    jobs.set(id, { fd, running: runningDigest(), digest, at: 0, to: 0, ending: false });
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
    job.running.update(bytes);
    job.at += count;
  }
  if (job.at < job.to || !job.ending) return caller.notify('progress', [id, job.at]);
  return settle(id)?.digest.resolve(job.running.finish());
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
