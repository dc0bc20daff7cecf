import { BlockCache, blockBytes } from './block-cache.ts';
import type { ByteSource, ReadCounts } from './byte-source.ts';
import type { Purpose } from '../messages/messages.ts';
import { PreviewError } from './preview-error.ts';

export interface RangeLimits {
  /** Most bytes that are requested while the file is open. */
  readonly maxReadBytes: number;
  readonly maxCacheBytes: number;
  /** The sentence for a file of which more would have to be read. */
  readonly whenSpent: string;
}

const mebibyte = 1024 * 1024;

export const rangeLimits: Readonly<Record<Purpose, RangeLimits>> = {
  preview: {
    maxReadBytes: 256 * mebibyte,
    maxCacheBytes: 64 * mebibyte,
    whenSpent: 'The preview has read as much of this file as it may. Open it again to go on.',
  },
  thumbnail: {
    maxReadBytes: 4 * mebibyte,
    maxCacheBytes: 8 * mebibyte,
    whenSpent: 'It takes more than the 4 MiB that are read for a small picture.',
  },
};

/** Requests bytes from `from` up to but excluding `to`; both lie within the file. */
export interface RangeRequests {
  readonly fetch: (from: number, to: number) => Promise<Uint8Array>;
  readonly fetchNow: (from: number, to: number) => Uint8Array;
}

export interface RangeSourceDeps extends RangeRequests {
  /** Length of the file, in bytes. */
  readonly length: number;
  readonly onRead: (counts: ReadCounts) => void;
  readonly limits: RangeLimits;
}

/** Blocks of one request at most. */
const maxBlocks = 16;
/** A browser has six connections to a host, which the page needs too. */
const maxAtOnce = 4;

interface Run {
  readonly block: number;
  readonly count: number;
}

/**
 * Reads a file by ranges, in blocks that are kept. What is read in a row is requested ahead, twice
 * as far each time, up to 1 MiB.
 */
export function createRangeSource(deps: RangeSourceDeps): ByteSource {
  const { length, limits } = deps;
  const cache = new BlockCache(limits.maxCacheBytes);
  /** Blocks that were requested and have not come, so that two reads request them once. */
  const coming = new Map<number, Promise<void>>();
  const lastBlock = Math.max(0, Math.ceil(length / blockBytes) - 1);
  /** Bytes that were requested, and those of them that have come. */
  let bytesAsked = 0;
  let bytesRead = 0;
  let requests = 0;
  let waitingFor = 0;
  /** The block after the last that was requested, and how many blocks the next read in a row gets. */
  let next = { block: -1, ahead: 1 };

  const tell = (): void => deps.onRead({ bytesRead, requests, isWaiting: waitingFor > 0 });

  function missing(from: number, to: number, alsoComing = false): readonly Run[] {
    const first = Math.floor(from / blockBytes);
    const last = Math.floor((to - 1) / blockBytes);
    const runs: Run[] = [];
    for (let block = first; block <= last; block += 1) {
      if (cache.has(block) || (!alsoComing && coming.has(block))) continue;
      const before = runs.at(-1);
      if (before !== undefined && before.block + before.count === block && before.count < maxBlocks)
        runs[runs.length - 1] = { block: before.block, count: before.count + 1 };
      else runs.push({ block, count: 1 });
    }
    return ahead(runs);
  }

  function ahead(runs: readonly Run[]): readonly Run[] {
    const last = runs.at(-1);
    if (last === undefined) return runs;
    const isInRow = runs[0]?.block === next.block;
    const count = isInRow ? Math.max(last.count, Math.min(next.ahead, maxBlocks)) : last.count;
    const shortened = Math.min(count, lastBlock - last.block + 1);
    next = { block: last.block + shortened, ahead: isInRow ? next.ahead * 2 : 2 };
    return [...runs.slice(0, -1), { block: last.block, count: shortened }];
  }

  function boundsOf({ block, count }: Run): readonly [from: number, to: number] {
    const bounds = [block * blockBytes, Math.min(length, (block + count) * blockBytes)] as const;
    if (bytesAsked + bounds[1] - bounds[0] > limits.maxReadBytes) throw new PreviewError('limit', limits.whenSpent);
    bytesAsked += bounds[1] - bounds[0];
    requests += 1;
    waitingFor += 1;
    tell();
    return bounds;
  }

  function put({ block }: Run, bytes: Uint8Array): void {
    cache.put(block, bytes);
    bytesRead += bytes.length;
  }

  async function load(run: Run): Promise<void> {
    const bounds = boundsOf(run);
    const whenCome = fetchInto(run, bounds);
    for (let at = 0; at < run.count; at += 1) coming.set(run.block + at, whenCome);
    await whenCome;
  }

  async function fetchInto(run: Run, bounds: readonly [from: number, to: number]): Promise<void> {
    try {
      put(run, await deps.fetch(...bounds));
    } finally {
      for (let at = 0; at < run.count; at += 1) coming.delete(run.block + at);
      waitingFor -= 1;
      tell();
    }
  }

  function comingWithin(from: number, to: number): readonly Promise<void>[] {
    const found: Promise<void>[] = [];
    for (let block = Math.floor(from / blockBytes); block * blockBytes < to; block += 1) {
      const promise = coming.get(block);
      if (promise !== undefined) found.push(promise);
    }
    return found;
  }

  function loadNow(run: Run): void {
    const bounds = boundsOf(run);
    try {
      put(run, deps.fetchNow(...bounds));
    } finally {
      waitingFor -= 1;
      tell();
    }
  }

  function copy(from: number, to: number): Uint8Array | null {
    const bytes = new Uint8Array(to - from);
    for (let at = from; at < to;) {
      const block = Math.floor(at / blockBytes);
      const kept = cache.get(block);
      if (kept === undefined) return null;
      const part = kept.subarray(at - block * blockBytes, Math.min(kept.length, to - block * blockBytes));
      bytes.set(part, at - from);
      at += part.length;
    }
    return bytes;
  }

  function within(offset: number, wanted: number): readonly [from: number, to: number] {
    const from = Math.min(Math.max(0, offset), length);
    const to = Math.min(length, from + Math.max(0, wanted));
    if (to - from > limits.maxReadBytes) throw new PreviewError('limit', limits.whenSpent);
    if (to - from > limits.maxCacheBytes / 2)
      throw new PreviewError('limit', 'One part of this file is larger than a preview may read at once.');
    return [from, to];
  }

  return {
    length,
    maxReadBytes: limits.maxReadBytes,
    async waitFor(other) {
      waitingFor += 1;
      tell();
      try {
        return await other;
      } finally {
        waitingFor -= 1;
        tell();
      }
    },
    async read(offset, wanted) {
      const [from, to] = within(offset, wanted);
      // Others may read meanwhile and push out what was just loaded.
      for (;;) {
        const bytes = copy(from, to);
        if (bytes !== null) return bytes;
        const others = comingWithin(from, to);
        const runs = missing(from, to);
        for (let at = 0; at < runs.length; at += maxAtOnce)
          await Promise.all(runs.slice(at, at + maxAtOnce).map(async (run) => load(run)));
        await Promise.all(others);
      }
    },
    readNow(offset, wanted) {
      const [from, to] = within(offset, wanted);
      for (;;) {
        const bytes = copy(from, to);
        if (bytes !== null) return bytes;
        for (const run of missing(from, to, true)) loadNow(run);
      }
    },
  };
}
