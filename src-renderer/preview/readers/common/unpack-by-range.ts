import type { ByteSource } from '../../provider/byte-source.ts';
import { malformed, PreviewError } from '../../provider/preview-error.ts';

/** The packed part: all from a place to the end of the file. */
export interface Packing {
  readonly format: 'gzip' | 'deflate-raw';
  readonly from: number;
}

export interface UnpackLimits {
  /** Most bytes that are unpacked for one read. */
  readonly maxUnpackedBytes: number;
  /** Most time that is spent on one read, waiting for the packed bytes included. */
  readonly maxUnpackMs: number;
  /** Bytes from the beginning that are kept unpacked. */
  readonly maxKeptBytes: number;
}

const defaultLimits: UnpackLimits = {
  maxUnpackedBytes: 512 * 1024 * 1024,
  maxUnpackMs: 15_000,
  maxKeptBytes: 64 * 1024 * 1024,
};
/** Packed bytes that are handed over together: each of them may stand for a thousand. */
const stepBytes = 64 * 1024;

/** The unpacked bytes of a packed file, read by range. */
export type Unpacked = Pick<ByteSource, 'read'>;

/** A run through the packed file, at a place of what it holds. */
interface Run {
  readonly next: () => Promise<Uint8Array | null>;
  readonly end: () => Promise<void>;
}

/**
 * Unpacks a file as far as is needed: a place in it is reached only by all that stands before.
 * The beginning is kept, and what lies behind it is reached from where the last read ended.
 */
export function unpackByRange(source: ByteSource, packing: Packing, limits: UnpackLimits = defaultLimits): Unpacked {
  const kept: Uint8Array[] = [];
  let keptBytes = 0;
  let isWhole = false;
  let run: Run | null = null;
  let at = 0;
  let rest: Uint8Array = new Uint8Array();
  let last: Promise<unknown> = Promise.resolve();

  async function restart(): Promise<void> {
    await run?.end();
    [run, at, rest] = [runThrough(source, packing), 0, new Uint8Array()];
  }

  /** The bytes at the place of the run, at most as many as wanted; null at the end. */
  async function take(wanted: number): Promise<Uint8Array | null> {
    run ??= runThrough(source, packing);
    if (rest.length === 0) {
      const part = await run.next();
      if (part === null) return null;
      if (at === keptBytes && keptBytes + part.length <= limits.maxKeptBytes) {
        kept.push(part);
        keptBytes += part.length;
      }
      rest = part;
    }
    const taken = rest.subarray(0, wanted);
    rest = rest.subarray(taken.length);
    at += taken.length;
    return taken;
  }

  async function unpack(offset: number, length: number): Promise<Uint8Array> {
    const begun = performance.now();
    let unpackedBytes = 0;
    // A file may claim any size, so room is made for what comes.
    const parts: Uint8Array[] = [];
    if (offset < at) await restart();
    while (at < offset + length) {
      const from = at;
      const part = await take(from < offset ? offset - from : offset + length - from);
      if (part === null) {
        isWhole ||= keptBytes === at;
        break;
      }
      if (from >= offset) parts.push(part);
      unpackedBytes += part.length;
      if (unpackedBytes > limits.maxUnpackedBytes || performance.now() - begun > limits.maxUnpackMs)
        throw new PreviewError(
          'limit',
          'This place is further into the packed file than a preview unpacks. Unpack the file to see it.',
        );
    }
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    return slice(parts, 0, bytes);
  }

  async function read(offset: number, length: number): Promise<Uint8Array> {
    if (offset + length > keptBytes && !isWhole) return unpack(offset, length);
    return slice(kept, offset, Math.min(length, Math.max(0, keptBytes - offset)));
  }

  return {
    // One after the other, because they share a run. It is bounded itself, and waits for packed bytes mostly.
    read: async (offset, length) => {
      const before = last;
      const reading = before.catch(() => undefined).then(async () => source.waitFor(read(offset, length)));
      last = reading;
      return reading;
    },
  };
}

function slice(parts: readonly Uint8Array[], offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    const from = Math.max(0, offset - at);
    const to = Math.min(part.length, offset + length - at);
    if (to > from) bytes.set(part.subarray(from, to), at + from - offset);
    at += part.length;
  }
  return bytes;
}

function runThrough(source: ByteSource, { format, from }: Packing): Run {
  let at = from;
  let failed: unknown = null;
  let isFiller = false;
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        // The last byte comes alone: it may be a filler, whose refusal would discard what was unpacked with it.
        const before = source.length - 1 - at;
        const bytes = new Uint8Array(await source.read(at, before > 0 ? Math.min(stepBytes, before) : 1));
        at += bytes.length;
        isFiller ||= format === 'deflate-raw' && before === 0 && bytes[0] === 0;
        if (bytes.length === 0) controller.close();
        else controller.enqueue(bytes);
      } catch (error) {
        failed = error;
        controller.error(error);
      }
    },
  });
  const reader = packed.pipeThrough(new DecompressionStream(format)).getReader();
  return {
    next: async () => {
      try {
        const { done, value } = await reader.read();
        return done ? null : value;
      } catch {
        if (isFiller) return null;
        throw failed instanceof PreviewError ? failed : malformed('The packed data of the file are damaged.');
      }
    },
    end: async () => reader.cancel().catch(() => undefined),
  };
}
