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

/** An open file of a measurement whose blocks can be checked. */
export interface BlockSource {
  readonly fd: number;
  readonly syncIo: SyncIoPolicy;
  readonly measurementId: string;
  /** Who waits for its bytes. */
  readonly userId: number;
  readonly file: Pick<FileRow, 'idx' | 'path' | 'length' | 'crc32' | 'mtime_ns'>;
}

/** What is known of up to 1024 neighbouring blocks of a file, as long as nothing about the file changes. */
interface Remembered {
  readonly identity: FileIdentity;
  readonly right: Uint8Array;
  /** The state of the database in which there were no sums to check against; null where there were. */
  readonly withoutSums: number | null;
}

// Some eight megabytes; each covers up to 4 GiB of a file.
const maxPages = 16_384;
// Bounds what random reads of huge files by a few clients cost everybody: each check reads up to 4 MiB.
const maxConcurrentChecks = 4;
// Of one user: the others find a thread of the pool free, and wait for no more than their turn.
const maxChecksPerUser = 2;
// A CRC-32 of it takes the event loop a tenth of a millisecond.
const readBytes = 512 * 1024;
// Reading and checking it takes less than two hops to the thread pool.
const smallBytes = 128 * 1024;
const attempts = 3;

/**
 * Checks blocks of files against their registration before ranges of them are sent, and remembers which are right while inode, size, modification time and
 * status change time stay. A block that many ask for at once is read once.
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

  /** Whether all blocks with bytes from `from` up to and without `to` are known to be right in a file that looks like this. */
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
   * Checks a small file at once: for files in the page cache, see DiskPace.
   *
   * @param identity How it looks now.
   * @returns whether it is right; false also where telling takes longer.
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
   * Makes sure that a block is what was registered, which takes reading it unless that is known.
   *
   * @returns how the file looks; while it looks so, the block is right.
   * @throws FileFault when it is not, or when the file does not keep still; or the error of a system call.
   */
  async ensure(source: BlockSource, block: number): Promise<FileIdentity> {
    const { measurementId, file } = source;
    const from = block * blockBytes;
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const identity = await look(source);
      if (this.known(measurementId, file.idx, identity, from, from + 1)) return identity;
      // A change right after the check would otherwise leave no trace.
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
    // What was read of a file that changed meanwhile says nothing.
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
    this.#pages.delete(key);
    putBounded(this.#pages, maxPages, key, page);
  }
}

/** How an open file looks now. @throws FileFault when that is not how it was registered. */
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
