import { statfs } from 'node:fs/promises';

// Linux's magic numbers of file systems on disks of this machine or in its memory: ext, XFS, Btrfs, tmpfs, overlay, ZFS, F2FS.
const localTypes = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010]);
/** Milliseconds. A call that takes longer has waited for a disk, or its process for a processor. */
const slowCallMs = 8;
/** So many slow calls, not made up for by quick ones, mean the disk. */
const maxSlowCalls = 3;
const quickPerSlow = 64;
const pauseMs = 1000;
/** Another disk may be there by now, or one at all. */
const checkEveryMs = 10_000;

/**
 * Whether the files below a folder may be opened and read without the thread pool. For what lies in the page cache that is twice as fast (a hop to
 * another thread costs more than the read); for a disk that has to seek, or a network, it would stop everybody. So it is done on local file systems
 * only, and slow calls turn it off for a while.
 */
export class SyncIoPolicy {
  readonly #folder: string;
  #isLocal = false;
  #checkedAt = 0;
  #offUntil = 0;
  #slowCalls = 0;
  #reads = process.resourceUsage().fsRead;

  constructor(folder: string) {
    this.#folder = folder;
    void this.#checkFileSystem();
  }

  get allowed(): boolean {
    const now = performance.now();
    if (now - this.#checkedAt > checkEveryMs) void this.#checkFileSystem();
    return this.#isLocal && now > this.#offUntil;
  }

  /** Takes note of a blocking call that began at `since` (performance.now()). */
  record(since: number): void {
    const now = performance.now();
    if (now - since < slowCallMs) {
      if (this.#slowCalls > 0) this.#slowCalls -= 1 / quickPerSlow;
      return;
    }
    // A call that read nothing from a disk was slow for want of a processor.
    const reads = process.resourceUsage().fsRead;
    if (reads === this.#reads) return;
    this.#reads = reads;
    this.#slowCalls += 1;
    if (this.#slowCalls < maxSlowCalls) return;
    this.#offUntil = now + pauseMs;
    // The next slow call after the pause turns it off again.
    this.#slowCalls = maxSlowCalls - 1;
  }

  async #checkFileSystem(): Promise<void> {
    this.#checkedAt = performance.now();
    const folder = this.#folder;
    try {
      this.#isLocal =
        process.platform === 'linux' ? localTypes.has((await statfs(folder)).type) : !folder.startsWith('\\\\');
    } catch {
      this.#isLocal = false;
    }
  }
}
