import { createHash } from 'node:crypto';
import path from 'node:path';
import type { FetchReason } from '../../contract/fetches.ts';
import { untroubled } from './after-run.ts';
import { bytesToReceive, spaceNeeded } from '../disk/required-space.ts';
import type { DiskSpace } from '../disk/disk-space.ts';
import type { ServerAccess } from '../../http-client/http-client.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import type { FetchesStore } from '../store/fetches-store.ts';
import { serverOf, type FetchServers } from './fetch-servers.ts';
import { unpackedBytes } from '../disk/unpacked-bytes.ts';

interface Deps {
  readonly fetches: FetchesStore;
  readonly servers: FetchServers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  diskSpace(target: string): Promise<DiskSpace | null>;
  reservedBytes(disk: string): number;
}

const reasonsOfSources: readonly FetchReason[] = ['token-refused', 'no-access', 'certificate'];
const batchSize = 500;
// A fetch with a full disk is retried only when this much more is free than at the failed write:
// there may be a quota that the free space does not show.
const minFreedBytes = 16 * 1024 * 1024;

/** Whether another token or certificate may help. */
export function isAboutSource(reason: FetchReason): boolean {
  return reasonsOfSources.includes(reason);
}

/**
 * Resumes fetches that wait for the user once the cause is gone: the token, the folder or the disk
 * space.
 */
export class BlockedFetches {
  readonly #deps: Deps;
  /** Digests of the source each server refused; digests, because a source contains a token. */
  readonly #refused = new Map<string, string>();
  /** Free bytes at the failed write, by fetch. */
  readonly #fullAt = new Map<number, number>();
  /**
   * Unpacked bytes by fetch. They do not change while it waits, and counting many files is slow.
   */
  readonly #unpacked = new Map<number, number>();
  /** Offset of the next batch of fetches to check. */
  #offset = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  sourceRefused(source: ServerAccess): void {
    this.#refused.set(source.baseUrl, digest(source));
  }

  diskFull(id: number, free: number): void {
    this.#fullAt.set(id, free);
    this.#unpacked.delete(id);
  }

  /** Call after a change of the server list. @returns the number of resumed fetches */
  async serversChanged(): Promise<number> {
    const servers = await this.#deps.servers.all();
    const sources = new Map<number, ServerAccess | null>();
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
    return this.#deps.fetches.apply(unblocked, 'unblock', this.#deps.now(), { ...untroubled, attempts: 0 });
  }

  /** Checks the disks. @returns the number of resumed fetches */
  async disksChanged(): Promise<number> {
    const spaces = new Map<string, DiskSpace | null>();
    const taken = new Map<string, number>();
    const unblocked: number[] = [];
    // One batch per call, because this runs every few seconds; the next call takes the next batch.
    const rows = await this.#deps.fetches.asking(['disk-full', 'target-missing'], this.#offset, batchSize);
    this.#offset = rows.length < batchSize ? 0 : this.#offset + batchSize;
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
    return this.#deps.fetches.apply(unblocked, 'unblock', this.#deps.now(), { ...untroubled, attempts: 0 });
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

function digest(source: ServerAccess): string {
  return createHash('sha256').update(JSON.stringify(source)).digest('hex');
}
