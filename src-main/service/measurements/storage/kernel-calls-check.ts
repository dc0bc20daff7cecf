import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { KernelCalls } from './kernel-calls.ts';

const from = 7;
const count = 1500;
/** More chunks than the buffer of any socket holds. */
const maxChunks = 4096;

/**
 * Tests the native calls on this system: right bytes, right counts, no blocking, no signal from a
 * closed peer. Takes a fraction of a millisecond.
 *
 * @param sockets A connected pair in non-blocking mode that nothing else uses.
 */
export function kernelCallsWork(calls: KernelCalls, sockets: readonly [number, number]): boolean {
  const [here, there] = sockets;
  const file = openSync(fileURLToPath(import.meta.url), 'r');
  try {
    const wanted = Buffer.alloc(count);
    readSync(file, wanted, 0, count, from);
    const arrives = (sent: number, bytes: Buffer) => {
      const found = Buffer.alloc(bytes.length);
      return sent === bytes.length && readSync(there, found) === sent && found.equals(bytes);
    };
    const cached = Buffer.alloc(count + 1);
    // Some file systems cannot tell what is cached, so fewer bytes are accepted, but not wrong
    // ones.
    const read = calls.readCached(file, cached, 1, count, from);
    return (
      ignoresBrokenPipes() &&
      wanted.subarray(0, read).equals(cached.subarray(1, 1 + read)) &&
      arrives(calls.send(here, wanted, 0, count, false), wanted) &&
      arrives(calls.send(here, wanted, 100, 300, false), wanted.subarray(100, 300)) &&
      arrives(calls.sendFile(here, file, from, count), wanted) &&
      arrives(calls.sendFile(here, file, from + 20, count - 20), wanted.subarray(20)) &&
      stopsWhenFull(calls, here, file) &&
      calls.send(-1, wanted, 0, count, false) === 0 &&
      calls.sendFile(-1, file, 0, count) === 0 &&
      calls.readCached(-1, wanted, 0, count, 0) === 0 &&
      // -1 is also the result where the system has no openat2.
      calls.openLinkFree('/proc/self/exe') < 0
    );
  } finally {
    closeSync(file);
  }
}

// sendfile has no flag that suppresses SIGPIPE, so the process must ignore it.
function ignoresBrokenPipes(): boolean {
  const mask = /^SigIgn:\s+([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? '0';
  return (BigInt(`0x${mask}`) & (1n << 12n)) !== 0n;
}

function stopsWhenFull(calls: KernelCalls, socket: number, file: number): boolean {
  const chunk = Buffer.alloc(64 * 1024);
  for (let i = 0; i < maxChunks; i += 1)
    if (calls.send(socket, chunk, 0, chunk.length, false) === 0) return calls.sendFile(socket, file, from, count) === 0;
  return false;
}
