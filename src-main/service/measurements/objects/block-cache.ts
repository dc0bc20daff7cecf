import { close, fstatSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { OpenBlock } from './resident-blocks.ts';
import { identityOf, sameIdentity, type FileIdentity } from '../storage/file-identity.ts';

interface Entry {
  readonly file: string;
  readonly bytes: number;
  /** Null for a file that an earlier process left, until its bytes were checked. */
  identity: FileIdentity | null;
  handle: FileHandle | null;
  users: number;
}

const maxIdleHandles = 256;
const partialSuffix = '.partial';

/**
 * Blocks of objects in files of a local folder that this process has alone. The longest unused ones
 * are removed when they exceed the size.
 */
export class BlockCache {
  readonly #folder: string;
  readonly #maxBytes: number;
  readonly #mayGrow: () => boolean;
  /** The longest unused one first. */
  readonly #entries = new Map<string, Entry>();
  readonly #idle = new Set<Entry>();
  #bytes = 0;
  #scanned: Promise<void> | null = null;

  /** @param mayGrow false while the disk has little space: a new block then takes the place of others. */
  constructor(folder: string, maxBytes: number, mayGrow: () => boolean) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#mayGrow = mayGrow;
  }

  get maxBytes(): number {
    return this.#maxBytes;
  }

  /**
   * Returns a block that was added in this process and whose file nobody has changed since.
   *
   * @returns null when it has to be added.
   */
  use(name: string): (OpenBlock & { readonly fd: number }) | null {
    const entry = this.#entries.get(name);
    if (!entry?.handle || !entry.identity) return null;
    if (!sameIdentity(entry.identity, fstatSync(entry.handle.fd, { bigint: true }))) {
      this.#entries.delete(name);
      void this.#drop(entry);
      return null;
    }
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    this.#idle.delete(entry);
    entry.users += 1;
    return { fd: entry.handle.fd, release: () => this.#release(entry) };
  }

  /** Opens the file of a block whose handle was closed, or that an earlier process left. */
  async reopen(name: string, accepts: (handle: FileHandle) => Promise<boolean>): Promise<void> {
    await (this.#scanned ??= this.#scan());
    const entry = this.#entries.get(name);
    if (!entry || entry.handle) return;
    const handle = await open(entry.file, 'r').catch(() => null);
    if (!handle) return void this.#entries.delete(name);
    const found = identityOf(await handle.stat({ bigint: true }));
    const known = entry.identity !== null && sameIdentity(entry.identity, found);
    if (!known && !(await accepts(handle))) {
      await handle.close();
      if (this.#entries.get(name) === entry) this.#entries.delete(name);
      return this.#drop(entry);
    }
    this.#keep(entry, handle, found);
  }

  /** Adds a block with right bytes. @throws the error of a system call, such as a full disk. */
  async add(name: string, bytes: Buffer): Promise<void> {
    await (this.#scanned ??= this.#scan());
    await this.#makeRoom(bytes.length);
    const file = path.join(this.#folder, name);
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    // Renamed when written, so that a file that is being sent never changes.
    const partial = `${file}.${randomUUID()}${partialSuffix}`;
    const handle = await open(partial, 'w+', 0o600);
    try {
      await handle.write(bytes, 0, bytes.length, 0);
      await rename(partial, file);
      const entry = { file, bytes: bytes.length, identity: null, handle: null, users: 0 };
      const old = this.#entries.get(name);
      if (old) {
        this.#bytes -= old.bytes;
        this.#closeIdle(old);
      }
      this.#entries.delete(name);
      this.#entries.set(name, entry);
      this.#bytes += bytes.length;
      this.#keep(entry, handle, identityOf(await handle.stat({ bigint: true })));
    } catch (error) {
      await handle.close();
      await rm(partial, { force: true });
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const entry of this.#entries.values()) {
      await entry.handle?.close();
      entry.handle = null;
    }
    this.#entries.clear();
  }

  #keep(entry: Entry, handle: FileHandle, identity: FileIdentity): void {
    entry.handle = handle;
    entry.identity = identity;
    this.#markIdle(entry);
  }

  #release(entry: Entry): void {
    entry.users -= 1;
    if (entry.users === 0) this.#markIdle(entry);
  }

  #markIdle(entry: Entry): void {
    this.#idle.add(entry);
    const [oldest] = this.#idle;
    if (oldest && this.#idle.size > maxIdleHandles) this.#closeIdle(oldest);
  }

  #closeIdle(entry: Entry): void {
    if (!this.#idle.delete(entry) || !entry.handle) return;
    const { fd } = entry.handle;
    void entry.handle.close().catch(() => close(fd, () => {}));
    entry.handle = null;
  }

  async #makeRoom(bytes: number): Promise<void> {
    const limit = this.#mayGrow() ? this.#maxBytes : Math.min(this.#maxBytes, this.#bytes);
    for (const [name, entry] of this.#entries) {
      if (this.#bytes + bytes <= limit) return;
      if (entry.users > 0) continue;
      this.#entries.delete(name);
      await this.#drop(entry);
    }
  }

  async #drop(entry: Entry): Promise<void> {
    this.#bytes -= entry.bytes;
    this.#closeIdle(entry);
    await rm(entry.file, { force: true });
  }

  async #scan(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    for (const shard of await readdir(this.#folder)) {
      for (const name of await readdir(path.join(this.#folder, shard)).catch(() => [])) {
        const file = path.join(this.#folder, shard, name);
        const found = name.endsWith(partialSuffix) ? null : await stat(file).catch(() => null);
        if (!found?.isFile()) {
          await rm(file, { recursive: true, force: true });
          continue;
        }
        this.#entries.set(`${shard}/${name}`, { file, bytes: found.size, identity: null, handle: null, users: 0 });
        this.#bytes += found.size;
      }
    }
    await this.#makeRoom(0);
  }
}
