/**
 * Worker thread that hashes files right behind the writer. It reads them itself: the bytes are
 * still in the page cache, and passing copies between threads would cost more.
 */
import { crc32 } from '@node-rs/crc32';
import { createHash, type Hash } from 'node:crypto';
import { readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { errorCode } from '../../../common/error-code.ts';
import type { IncrementalHashReply, IncrementalHashRequest } from './incremental-hash-messages.ts';

interface Job {
  readonly fd: number;
  readonly sha256: Hash;
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
const port = parentPort;
if (!port) throw new Error('this file is the start of a worker thread');
let working = false;

function send(reply: IncrementalHashReply): void {
  port?.postMessage(reply);
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
  if (job.at < job.to || !job.ending) return send({ id, kind: 'at', at: job.at });
  jobs.delete(id);
  return send({
    id,
    kind: 'digest',
    length: job.at,
    crc32: job.crc32 >>> 0,
    sha256: new Uint8Array(job.sha256.digest()),
  });
}

function work(): void {
  for (const [id, job] of jobs) {
    if (job.at === job.to && !job.ending) continue;
    try {
      read(id, job);
    } catch (error) {
      jobs.delete(id);
      const code = errorCode(error);
      send({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error), code });
    }
  }
  working = [...jobs.values()].some((job) => job.at < job.to || job.ending);
  if (working) setImmediate(work);
}

port.on('message', (request: IncrementalHashRequest) => {
  if (request.op === 'begin')
    jobs.set(request.id, { fd: request.fd, sha256: createHash('sha256'), crc32: 0, at: 0, to: 0, ending: false });
  else if (request.op === 'drop') {
    jobs.delete(request.id);
    send({ id: request.id, kind: 'dropped' });
  } else {
    const job = jobs.get(request.id);
    if (job && request.op === 'advance') job.to = request.to;
    else if (job) job.ending = true;
  }
  if (working) return;
  working = true;
  setImmediate(work);
});
