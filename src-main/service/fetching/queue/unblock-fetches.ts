import { createHash } from 'node:crypto';
import path from 'node:path';
import type { FetchReason } from '../../contract/fetches.ts';
import { queuedAgain } from './after-run.ts';
import { bytesToReceive, spaceNeeded } from '../disk/required-space.ts';
import type { DiskSpace } from '../disk/disk-space.ts';
import type { FetchSource } from '../engine/types.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import type { FetchesStore } from '../store/fetches-store.ts';
import { serverOf, type FetchServers } from './fetch-servers.ts';
import { unpackedBytes } from '../disk/unpacked-bytes.ts';

interface Deps {
  readonly fetches: FetchesStore;
  readonly servers: FetchServers;
  diskSpace(target: string): Promise<DiskSpace | null>;
  reservedBytes(disk: string): number;
}

const reasonsOfSources: readonly FetchReason[] = ['token-refused', 'no-access', 'certificate'];
const batchSize = 500;
// A full disk is not asked again before this much more is free than there was when a write failed: there may be a quota that nobody tells.
const minFreedBytes = 16 * 1024 * 1024;

/** Whether another token or certificate may help. */
export function isAboutSource(reason: FetchReason): boolean {
  return reasonsOfSources.includes(reason);
}

/** Lets fetches that have asked the user go on by themselves when what they asked for has come: another token, a folder, room on the disk. */
export class BlockedFetches {
  readonly #deps: Deps;
  /** What each server was asked with when it refused: digests, because of the tokens in them. */
  readonly #refused = new Map<string, string>();
  /** Free bytes when a write failed, by fetch. */
  readonly #fullAt = new Map<number, number>();
  /** Bytes that are unpacked already, by fetch: nothing changes them while it asks, and to look takes long where there are many files. */
  readonly #unpacked = new Map<number, number>();
  /** Where the last look at the disks ended. */
  #looked = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  sourceRefused(source: FetchSource): void {
    this.#refused.set(source.baseUrl, digest(source));
  }

  diskFull(id: number, free: number): void {
    this.#fullAt.set(id, free);
    this.#unpacked.delete(id);
  }

  /** After something was changed in the list of servers. @returns how many go on. */
  async serversChanged(): Promise<number> {
    const servers = await this.#deps.servers.all();
    const sources = new Map<number, FetchSource | null>();
    const unblocked: number[] = [];
    for (let offset = 0; ; offset += batchSize) {
      const rows = await this.#deps.fetches.asking(reasonsOfSources, offset, batchSize);
      for (const row of rows) {
        const server = serverOf(servers, row);
        if (!server) continue;
        const source = sources.has(server.id) ? sources.get(server.id) : await this.#deps.servers.source(server.id);
        sources.set(server.id, source ?? null);
        if (source && this.#refused.get(source.baseUrl) !== digest(source)) unblocked.push(row.id);
      }
      if (rows.length < batchSize) break;
      await new Promise(setImmediate);
    }
    return this.#deps.fetches.updateAll(unblocked, ['asking'], { ...queuedAgain, attempts: 0 });
  }

  /** Looks at the disks. @returns how many go on. */
  async disksChanged(): Promise<number> {
    const spaces = new Map<string, DiskSpace | null>();
    const taken = new Map<string, number>();
    const unblocked: number[] = [];
    // Some at a time, because this is done again and again: the rest has its turn at the next look.
    const rows = await this.#deps.fetches.asking(['disk-full', 'target-missing'], this.#looked, batchSize);
    this.#looked = rows.length < batchSize ? 0 : this.#looked + batchSize;
    for (const row of rows) {
      const folder = row.bytes_done > 0 ? row.target : path.dirname(row.target);
      const space = spaces.has(folder) ? spaces.get(folder) : await this.#deps.diskSpace(row.target);
      spaces.set(folder, space ?? null);
      if (!space || (row.reason === 'target-missing' && row.bytes_done > 0 && !space.made)) continue;
      const before = taken.get(space.disk) ?? this.#deps.reservedBytes(space.disk);
      if (row.reason === 'disk-full' && !(await this.#fits(row, space, before))) continue;
      taken.set(space.disk, before + bytesToReceive(row));
      this.#fullAt.delete(row.id);
      this.#unpacked.delete(row.id);
      unblocked.push(row.id);
    }
    return this.#deps.fetches.updateAll(unblocked, ['asking'], { ...queuedAgain, attempts: 0 });
  }

  async #fits(row: FetchRow, space: DiskSpace, taken: number): Promise<boolean> {
    if (space.free < (this.#fullAt.get(row.id) ?? -minFreedBytes) + minFreedBytes) return false;
    return space.free - taken >= (await spaceNeeded(row, space.free - taken, async (one) => this.#unpackedOf(one)));
  }

  async #unpackedOf(row: FetchRow): Promise<number> {
    const bytes = this.#unpacked.get(row.id) ?? (await unpackedBytes(row));
    this.#unpacked.set(row.id, bytes);
    return bytes;
  }
}

function digest(source: FetchSource): string {
  return createHash('sha256').update(JSON.stringify(source)).digest('hex');
}
