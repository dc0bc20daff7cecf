import { crc32 } from '@node-rs/crc32';
import { fstatSync, readSync, type BigIntStats } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { countOf } from '../../common/count-of.ts';
import type { ChangeCounter } from '../../database/change-counter.ts';
import { grouped } from '../../common/grouped.ts';
import { putBounded } from '../../common/bounded-map.ts';
import { blockBytes, blocksPerPage, hasBlockSums, sumAt } from '../store/block-sums.ts';
import type { BlockSumsStore } from '../store/block-sums-store.ts';
import type { SyncIoPolicy } from '../storage/sync-io-policy.ts';
import { readAt, statDescriptor } from '../../files/file-descriptor.ts';
import { FairSlots, SharedWork } from '../transfers/fair-slots.ts';
import { checksumFault, faultIn, FileFault } from '../storage/file-errors.ts';
import { identityOf, sameIdentity, settlesIn, type FileIdentity } from '../storage/file-identity.ts';
import type { FileRow } from '../store/files-store.ts';

/** An open file of a measurement whose blocks can be verified. */
export interface BlockSource {
  readonly fd: number;
  readonly syncIo: SyncIoPolicy;
  readonly measurementId: string;
  /** User who downloads the file. */
  readonly userId: number;
  readonly file: Pick<FileRow, 'idx' | 'path' | 'length' | 'crc32' | 'mtime_ns'>;
}

/**
 * Which of up to 1024 adjacent blocks of a file are verified, valid while the file's identity is
 * unchanged.
 */
interface Remembered {
  readonly identity: FileIdentity;
  readonly right: Uint8Array;
  /**
   * Value of the change counter when the database had no block sums for the file; null where it
   * had.
   */
  readonly withoutSums: number | null;
}

// About 8 MB; each page covers up to 4 GiB of a file.
const maxPages = 16_384;
// Limits the cost of random reads in huge files: each check reads up to 4 MiB.
const maxConcurrentChecks = 4;
// Leaves threads of the pool to other users, who wait for their turn at most.
const maxChecksPerUser = 2;
// Computing the CRC-32 of this many bytes blocks the event loop for 0.1 ms.
const readBytes = 512 * 1024;
// Reading and checking this many bytes takes less time than two hops to the thread pool.
const smallBytes = 128 * 1024;
const attempts = 3;

/**
 * Verifies blocks of files against their registration before ranges are sent, and remembers the
 * result while inode, size, modification time and status change time are unchanged. Concurrent
 * requests for a block share one read.
 */
export class CheckedBlocks {
  readonly #sums: BlockSumsStore;
  readonly #changes: Pick<ChangeCounter, 'current'>;
  readonly #pages = new Map<string, Remembered>();
  readonly #running = new Map<string, SharedWork<boolean>>();
  readonly #slots = new FairSlots(maxConcurrentChecks, maxChecksPerUser);
  readonly #buffers: Buffer[] = [];
  #small: Buffer | null = null;

  constructor(deps: { readonly blockSums: BlockSumsStore; readonly changes: Pick<ChangeCounter, 'current'> }) {
    this.#sums = deps.blockSums;
    this.#changes = deps.changes;
  }

  /**
   * Whether all blocks with bytes from `from` up to but excluding `to` are known to be right in a
   * file with this identity.
   */
  known(measurementId: string, index: number, identity: FileIdentity, from: number, to: number): boolean {
    const last = Math.floor((to - 1) / blockBytes);
    for (let block = Math.floor(from / blockBytes); block <= last; block += 1) {
      const page = this.#pages.get(pageKey(measurementId, index, block));
      if (!page || !hasBit(page.right, block % blocksPerPage) || !sameIdentity(page.identity, identity)) return false;
      if (page.withoutSums !== null && page.withoutSums !== this.#changes.current()) return false;
    }
    return true;
  }

  /**
   * Checks a small file synchronously: only for files in the page cache, see SyncIoPolicy.
   *
   * @param identity The current identity of the file.
   * @returns whether it is right; false also where the check would take longer.
   * @throws the error of a system call.
   */
  checkNow(source: BlockSource, identity: FileIdentity): boolean {
    const { fd, file } = source;
    if (file.length > smallBytes || settlesIn(identity, Date.now()) > 0) return false;
    this.#small ??= Buffer.allocUnsafeSlow(smallBytes);
    const bytes = this.#small.subarray(0, file.length);
    if (readSync(fd, bytes, 0, file.length, 0) !== file.length || crc32(bytes) >>> 0 !== file.crc32) return false;
    if (!sameIdentity(identity, fstatSync(fd, { bigint: true }))) return false;
    this.#remember(source, 0, identity, null);
    return true;
  }

  /**
   * Verifies that a block is as registered, reading it unless the result is known.
   *
   * @returns the identity of the file, for which the block is right.
   * @throws FileFault when the block differs or the file keeps changing; or the error of a system
   * call.
   */
  async ensure(source: BlockSource, block: number): Promise<FileIdentity> {
    const { measurementId, file } = source;
    const from = block * blockBytes;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const identity = await look(source);
      if (this.known(measurementId, file.idx, identity, from, from + 1)) return identity;
      // A write right after the check might not change the timestamps, so wait until it would.
      const settleMs = settlesIn(identity, Date.now());
      if (settleMs > 0) await wait(settleMs);
      else if (await this.#shared(source, block, identity)) return identity;
    }
    throw new FileFault(file, 'unchecked', 'it keeps changing while it is read');
  }

  #shared(source: BlockSource, block: number, identity: FileIdentity): Promise<boolean> {
    const key = `${source.measurementId}/${source.file.idx}/${block}/${identity.ino}/${identity.ctimeNs}`;
    let work = this.#running.get(key);
    if (!work) {
      work = new SharedWork(() => this.#check(source, block, identity).finally(() => this.#running.delete(key)));
      this.#running.set(key, work);
    }
    this.#slots.join(source.userId, work);
    return work.done;
  }

  /** @returns false when the file changed while it was read. */
  async #check(source: BlockSource, block: number, identity: FileIdentity): Promise<boolean> {
    const generation = this.#changes.current();
    const sums = await this.#sumsOf(source, block);
    const found = sums && (await this.#read(source, block, sums.before));
    // The result of reading a file that changed meanwhile is meaningless.
    if (!sameIdentity(identity, await look(source))) return false;
    if (sums && found !== sums.after) throw checksumFault(source.file);
    this.#remember(source, block, identity, sums ? null : generation);
    return true;
  }

  async #sumsOf(
    { measurementId, file }: BlockSource,
    block: number,
  ): Promise<{ readonly before: number; readonly after: number } | null> {
    if (!hasBlockSums(file.length)) return { before: 0, after: file.crc32 };
    const page = await this.#sums.page(measurementId, file.idx, Math.floor(block / blocksPerPage));
    if (!page) return null;
    if (block === 0) return { before: 0, after: sumAt(page, 0) };
    const previous =
      block % blocksPerPage === 0 ? await this.#sums.page(measurementId, file.idx, block / blocksPerPage - 1) : page;
    return previous && { before: sumAt(previous, block - 1), after: sumAt(page, block) };
  }

  async #read({ fd, file }: BlockSource, block: number, before: number): Promise<number> {
    const buffer = this.#buffers.pop() ?? Buffer.allocUnsafeSlow(readBytes);
    try {
      const end = Math.min((block + 1) * blockBytes, file.length);
      let crc = before;
      for (let at = block * blockBytes; at < end;) {
        const count = await readAt(fd, buffer, 0, Math.min(buffer.length, end - at), at);
        if (count === 0)
          throw new FileFault(file, 'altered', `it ends after ${grouped(at)} of ${countOf(file.length, 'byte')}`);
        crc = crc32(buffer.subarray(0, count), crc) >>> 0;
        at += count;
      }
      return crc;
    } finally {
      this.#buffers.push(buffer);
    }
  }

  #remember(
    { measurementId, file }: BlockSource,
    block: number,
    identity: FileIdentity,
    withoutSums: number | null,
  ): void {
    const key = pageKey(measurementId, file.idx, block);
    const before = this.#pages.get(key);
    const kept = before && before.withoutSums === withoutSums && sameIdentity(before.identity, identity);
    const first = block - (block % blocksPerPage);
    const blocks = Math.min(Math.ceil(file.length / blockBytes) - first, blocksPerPage);
    const page = kept ? before : { identity, right: new Uint8Array(Math.ceil(blocks / 8)), withoutSums };
    const at = block % blocksPerPage;
    page.right[at >> 3] = (page.right[at >> 3] ?? 0) | (1 << (at & 7));
    putBounded(this.#pages, maxPages, key, page);
  }
}

/** Returns the current identity of an open file. @throws FileFault when it is not as registered. */
async function look({ fd, syncIo, file }: BlockSource): Promise<FileIdentity> {
  const found: BigIntStats = syncIo.allowed ? fstatSync(fd, { bigint: true }) : await statDescriptor(fd);
  const fault = faultIn(file, found);
  if (fault) throw fault;
  return identityOf(found);
}

function pageKey(measurementId: string, index: number, block: number): string {
  return `${measurementId}/${index}/${Math.floor(block / blocksPerPage)}`;
}

function hasBit(bits: Uint8Array, at: number): boolean {
  return ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0;
}
