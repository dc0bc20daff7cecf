import { Buffer } from 'node:buffer';

/**
 * Gives the memory of a buffer back at once; nobody may look at it again. The garbage collector sees how small the object is that holds it, and under load
 * came so late that fifty megabytes waited for it.
 *
 * @param memory the length of the memory that the buffer was made with; it is left alone when it has another, because then others may have a part of it.
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
