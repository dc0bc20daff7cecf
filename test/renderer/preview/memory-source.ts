import type { ByteSource } from '../../../src-renderer/preview/provider/byte-source.ts';

/** A file in memory, and how many of its bytes were read. */
export interface MemorySource extends ByteSource {
  readonly bytesRead: () => number;
}

/** Serves bytes as a file; `length` may claim more than there is, whose bytes are zeros then. */
export function memorySource(bytes: Uint8Array, length = bytes.length): MemorySource {
  let read = 0;
  const readNow = (offset: number, wanted: number): Uint8Array => {
    const from = Math.min(Math.max(0, offset), length);
    const part = new Uint8Array(Math.min(length - from, Math.max(0, wanted)));
    if (from < bytes.length) part.set(bytes.subarray(from, from + part.length));
    read += part.length;
    return part;
  };
  return {
    length,
    maxReadBytes: 256 * 1024 * 1024,
    readNow,
    waitFor: async (other) => other,
    read: async (offset, wanted) => readNow(offset, wanted),
    bytesRead: () => read,
  };
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
