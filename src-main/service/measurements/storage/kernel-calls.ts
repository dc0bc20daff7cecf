import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadCLibrary } from '../../common/c-library.ts';
import { openFlags } from '../../files/file-descriptor.ts';
import { sameIdentity, type FileIdentity } from './file-identity.ts';

/**
 * Non-blocking system calls that Node does not offer, on our own descriptors. Each returns the
 * bytes moved, and 0 for any failure: the ordinary path taken instead finds and reports the reason.
 */
export interface KernelCalls {
  /**
   * Copies bytes into a socket. `more`: further bytes follow immediately, so the kernel may put
   * them into the same packet.
   */
  send(socket: number, bytes: Buffer, from: number, to: number, more: boolean): number;
  /**
   * Sends bytes of a file without copying them to user space. Never blocks on the socket, but on
   * the disk where the bytes are not in the page cache.
   */
  sendFile(socket: number, file: number, position: number, count: number): number;
  /** Reads bytes that are in the page cache, without waiting for the disk. */
  readCached(file: number, target: Buffer, at: number, count: number, position: number): number;
  /**
   * Opens a file for reading if its path contains no symbolic link.
   *
   * @returns -1 when it does, when the system cannot tell, or when the file cannot be opened.
   */
  openLinkFree(path: string): number;
  /**
   * The metadata of an open file, without the object of twenty members that Node makes of them.
   *
   * @returns null when it cannot be read.
   */
  identityOf(file: number): FileIdentity | null;
}

/**
 * C library functions as bound by koffi; memory is passed as a buffer or an array of 64-bit
 * integers.
 */
interface Library {
  readonly send: (socket: number, bytes: Buffer, count: number, flags: number) => number;
  readonly sendfile: (socket: number, file: number, position: BigInt64Array, count: number) => number;
  readonly preadv2: (file: number, vectors: BigUint64Array, count: number, position: number, flags: number) => number;
  readonly syscall: (call: number, folder: number, path: string, how: BigUint64Array, size: number) => number;
  readonly stat: (call: number, file: number, stats: BigInt64Array) => number;
  readonly socketpair: (domain: number, type: number, protocol: number, pair: Int32Array) => number;
  readonly address: (bytes: Buffer) => bigint;
}

// From Linux's headers, equal on x64 and arm64.
const dontWait = 0x40;
const noSignal = 0x4000;
const moreFollows = 0x8000;
const onlyCached = 0x8;
const unixDomain = 1;
const stream = 1;
const neverWait = 0o4000;
const closeOnExec = 0o2000000;
// openat2(2) has no wrapper in the C library. Linux before 5.6 and containers that forbid it return
// -1.
const openat2 = 437;
const noSymlinks = 0x4;
const anyFolder = -100;

// fstat(2) has no symbol in C libraries before glibc 2.33. The members that are read here are at the
// same places of `struct stat` on both processors, in units of eight bytes.
const fstatCall = process.arch === 'x64' ? 5 : 80;
const statWords = 18;
const nanoseconds = 1_000_000_000n;

/** The bytes of this file that the check sends. */
const checkFrom = 7;
const checkCount = 1500;
/** More chunks than the buffer of any socket holds. */
const maxChunks = 4096;

/** Returns the tested calls of this system; null where they are missing or fail the test. */
export function kernelCalls(): KernelCalls | null {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) return null;
  try {
    const library = loadLibrary();
    const calls = callsOf(library);
    const sockets = connectedSockets(library);
    try {
      return kernelCallsWork(calls, sockets) ? calls : null;
    } finally {
      for (const socket of sockets) closeSync(socket);
    }
  } catch {
    // koffi is not installed, switched off, or does not support this C library.
    return null;
  }
}

function loadLibrary(): Library {
  const { func, address } = loadCLibrary();
  return {
    send: func('intptr_t send(int socket, const void *bytes, size_t count, int flags)'),
    sendfile: func('intptr_t sendfile(int socket, int file, void *position, size_t count)'),
    preadv2: func('intptr_t preadv2(int file, const void *vectors, int count, int64_t position, int flags)'),
    syscall: func('intptr_t syscall(intptr_t number, int folder, const char *path, const void *how, size_t size)'),
    stat: func('intptr_t syscall(intptr_t number, intptr_t file, void *stats)'),
    socketpair: func('int socketpair(int domain, int type, int protocol, void *pair)'),
    address,
  };
}

function connectedSockets(library: Library): readonly [number, number] {
  const pair = new Int32Array(2);
  const [here, there] = library.socketpair(unixDomain, stream | neverWait | closeOnExec, 0, pair) === 0 ? pair : [];
  if (here === undefined || there === undefined) throw new Error('no sockets to try the calls with');
  return [here, there];
}

function callsOf(library: Library): KernelCalls {
  const position = new BigInt64Array(1);
  const vector = new BigUint64Array(2);
  const stats = new BigInt64Array(statWords);
  const how = BigUint64Array.of(BigInt(openFlags | closeOnExec), 0n, BigInt(noSymlinks));
  return {
    send: (socket, bytes, from, to, more) => {
      if (from < 0 || to < from || to > bytes.length) return 0;
      return Math.max(
        0,
        library.send(
          socket,
          from === 0 ? bytes : bytes.subarray(from),
          to - from,
          dontWait | noSignal | (more ? moreFollows : 0),
        ),
      );
    },
    sendFile: (socket, file, start, count) => {
      position[0] = BigInt(start);
      return Math.max(0, library.sendfile(socket, file, position, count));
    },
    readCached: (file, target, at, count, start) => {
      if (at < 0 || count < 0 || at + count > target.length) return 0;
      vector[0] = library.address(target) + BigInt(at);
      vector[1] = BigInt(count);
      return Math.max(0, library.preadv2(file, vector, 1, start, onlyCached));
    },
    openLinkFree: (path) => library.syscall(openat2, anyFolder, path, how, how.byteLength),
    identityOf: (file) => (library.stat(fstatCall, file, stats) === 0 ? identityIn(stats) : null),
  };
}

function identityIn(stats: BigInt64Array): FileIdentity {
  const word = (at: number): bigint => stats[at] ?? 0n;
  return {
    dev: word(0),
    ino: word(1),
    size: word(6),
    mtimeNs: word(11) * nanoseconds + word(12),
    ctimeNs: word(13) * nanoseconds + word(14),
  };
}

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
    const wanted = Buffer.alloc(checkCount);
    readSync(file, wanted, 0, checkCount, checkFrom);
    const arrives = (sent: number, bytes: Buffer) => {
      const found = Buffer.alloc(bytes.length);
      return sent === bytes.length && readSync(there, found) === sent && found.equals(bytes);
    };
    const cached = Buffer.alloc(checkCount + 1);
    // Some file systems cannot tell what is cached, so fewer bytes are accepted, but not wrong
    // ones.
    const read = calls.readCached(file, cached, 1, checkCount, checkFrom);
    return (
      ignoresBrokenPipes() &&
      wanted.subarray(0, read).equals(cached.subarray(1, 1 + read)) &&
      arrives(calls.send(here, wanted, 0, checkCount, false), wanted) &&
      arrives(calls.send(here, wanted, 100, 300, false), wanted.subarray(100, 300)) &&
      arrives(calls.sendFile(here, file, checkFrom, checkCount), wanted) &&
      arrives(calls.sendFile(here, file, checkFrom + 20, checkCount - 20), wanted.subarray(20)) &&
      stopsWhenFull(calls, here, file) &&
      calls.send(-1, wanted, 0, checkCount, false) === 0 &&
      calls.sendFile(-1, file, 0, checkCount) === 0 &&
      calls.readCached(-1, wanted, 0, checkCount, 0) === 0 &&
      tellsIdentity(calls, file) &&
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

function tellsIdentity(calls: KernelCalls, file: number): boolean {
  const identity = calls.identityOf(file);
  return (
    identity !== null && sameIdentity(identity, fstatSync(file, { bigint: true })) && calls.identityOf(-1) === null
  );
}

function stopsWhenFull(calls: KernelCalls, socket: number, file: number): boolean {
  const chunk = Buffer.alloc(64 * 1024);
  for (let i = 0; i < maxChunks; i += 1)
    if (calls.send(socket, chunk, 0, chunk.length, false) === 0)
      return calls.sendFile(socket, file, checkFrom, checkCount) === 0;
  return false;
}
