import { fstatSync } from 'node:fs';
import { blockBytes } from '../store/block-sums.ts';
import type { BlockSource, CheckedBlocks } from './checked-blocks.ts';
import { statDescriptor } from '../../files/file-descriptor.ts';
import { faultIn, FileFault } from '../storage/file-errors.ts';
import { sameIdentity, type FileIdentity } from '../storage/file-identity.ts';

/**
 * Verifies a range of a file block by block before its bytes are sent, and confirms at the end that
 * the file did not change meanwhile.
 */
export class RangeGuard {
  readonly #checked: CheckedBlocks;
  readonly #source: BlockSource;
  readonly #end: number;
  #identity: FileIdentity | null = null;
  #ahead: Promise<FileIdentity> | null = null;

  constructor(checked: CheckedBlocks, source: BlockSource, end: number) {
    this.#checked = checked;
    this.#source = source;
    this.#end = end;
  }

  /**
   * Waits until the block at a position is verified; the next one is verified in the background.
   *
   * @returns the position up to which bytes may be sent.
   */
  async clear(position: number): Promise<number> {
    const block = Math.floor(position / blockBytes);
    const found = await (this.#ahead ?? this.#checked.ensure(this.#source, block));
    this.#ahead = null;
    if (this.#identity && !sameIdentity(this.#identity, found)) throw changedWhileSent(this.#source);
    this.#identity = found;
    const next = (block + 1) * blockBytes;
    if (next >= this.#end) return this.#end;
    this.#ahead = this.#checked.ensure(this.#source, block + 1);
    // Awaited with the next block; until then a rejection must not count as unhandled.
    this.#ahead.catch(() => {});
    return next;
  }

  /**
   * Call after the last byte was read and before it is sent.
   *
   * @throws FileFault when the file was changed meanwhile.
   */
  async confirm(): Promise<void> {
    const { fd, syncIo, file } = this.#source;
    const found = syncIo.allowed ? fstatSync(fd, { bigint: true }) : await statDescriptor(fd);
    const fault = faultIn(file, found);
    if (fault) throw fault;
    if (this.#identity && !sameIdentity(this.#identity, found)) throw changedWhileSent(this.#source);
  }

  /** Waits for the background check, which uses the descriptor. */
  async settle(): Promise<void> {
    await this.#ahead?.catch(() => {});
  }
}

/**
 * Returns the fault of a file that was touched between check and sending; its bytes may be
 * unchanged.
 */
export function changedWhileSent({ file }: Pick<BlockSource, 'file'>): FileFault {
  return new FileFault(file, 'unchecked', 'it was changed while it was sent');
}
