import { stat, statfs } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import type { BenchDisk } from '../../contract/fleet/fleet.ts';

export interface MeasuredFolder extends Pick<BenchDisk, 'what' | 'name'> {
  readonly path: string;
}

const maxWaitMs = 1000;
const maxDisks = 20;

/**
 * Sizes of the disks of some folders. A share that hangs holds one thread at most, however often it
 * is asked, and the sizes that were known before stay.
 */
export class DiskSizes {
  #known: readonly BenchDisk[] = [];
  #measuring: Promise<void> | null = null;

  /** @returns each disk once, by its first folder; what was known a second later. */
  async of(folders: readonly MeasuredFolder[]): Promise<readonly BenchDisk[]> {
    this.#measuring ??= this.#measure(folders).finally(() => {
      this.#measuring = null;
    });
    await Promise.race([this.#measuring, setTimeout(maxWaitMs, undefined, { ref: false })]);
    return this.#known;
  }

  async #measure(folders: readonly MeasuredFolder[]): Promise<void> {
    const disks = new Map<number, BenchDisk>();
    for (const { path, what, name } of folders) {
      if (disks.size >= maxDisks) break;
      const found = await stat(path).catch(() => null);
      if (!found || disks.has(found.dev)) continue;
      const disk = await statfs(path).catch(() => null);
      if (disk)
        disks.set(found.dev, {
          what,
          name,
          free_bytes: disk.bavail * disk.bsize,
          size_bytes: disk.blocks * disk.bsize,
        });
    }
    this.#known = [...disks.values()];
  }
}
