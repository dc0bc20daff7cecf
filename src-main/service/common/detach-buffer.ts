import { Buffer } from 'node:buffer';

/**
 * Detaches the buffer's memory; it must not be used afterwards. V8 sees only the small wrapper and
 * collects too late: 50 MB of events piled up under load, and an upload of 1 GiB took a fifth of two
 * cores for collecting its chunks.
 *
 * @param memory length of the allocation made for the buffer. If the actual one differs, it may be
 * shared and is left alone.
 */
export function detachBuffer(buffer: Uint8Array, memory: number): void {
  if (
    buffer.byteOffset === 0 &&
    buffer.buffer.byteLength === memory &&
    memory !== Buffer.poolSize &&
    buffer.buffer instanceof ArrayBuffer
  )
    buffer.buffer.transfer(0);
}
