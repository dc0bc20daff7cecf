import { statfs } from 'node:fs/promises';

// Linux magic numbers of local file systems: ext, XFS, Btrfs, tmpfs, overlay, ZFS, F2FS.
const localTypes = new Set([0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010]);
/** A call longer than this (ms) blocked on the disk or was descheduled. */
const slowCallMs = 8;
/** This many slow calls, not offset by fast ones, are attributed to the disk. */
const maxSlowCalls = 3;
const quickPerSlow = 64;
const pauseMs = 1000;
/** Another disk may have been mounted meanwhile. */
const checkEveryMs = 10_000;

/**
 * Decides whether files below a folder may be opened and read synchronously. For files in the page
 * cache that is twice as fast, because a hop to another thread costs more than the read; on a disk
 * that seeks, or a network file system, it would block the event loop. It is therefore allowed on
 * local file systems only, and suspended after slow calls.
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

  /** Records a synchronous call that began at `since` (performance.now()). */
  record(since: number): void {
    const now = performance.now();
    if (now - since < slowCallMs) {
      if (this.#slowCalls > 0) this.#slowCalls -= 1 / quickPerSlow;
      return;
    }
    // If the process read nothing from a disk, the call was slow because the CPU was busy.
    const reads = process.resourceUsage().fsRead;
    if (reads === this.#reads) return;
    this.#reads = reads;
    this.#slowCalls += 1;
    if (this.#slowCalls < maxSlowCalls) return;
    this.#offUntil = now + pauseMs;
    // A single slow call after the pause suspends it again.
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
