import { createHash } from 'node:crypto';
import path from 'node:path';
import type { FetchReason } from '../../contract/fetches.ts';
import { queuedAgain } from './after-run.ts';
import { bytesToCome, roomNeeded } from '../disk/disk-need.ts';
import type { DiskRoom } from '../disk/disk-room.ts';
import type { FetchSource } from '../engine/types.ts';
import type { FetchRow } from '../store/fetch-row.ts';
import type { FetchesStore } from '../store/fetches-store.ts';
import { serverOf, type FetchServers } from './fetch-servers.ts';
import { unpackedBytes } from '../disk/unpacked-bytes.ts';

interface Needs {
  readonly fetches: FetchesStore;
  readonly servers: FetchServers;
  room(target: string): Promise<DiskRoom | null>;
  promised(disk: string): number;
}

const reasonsOfSources: readonly FetchReason[] = ['token-refused', 'no-access', 'certificate'];
const atOnce = 500;
// A full disk is not asked again before this much more is free than there was when a write failed: there may be a quota that nobody tells.
const worthTrying = 16 * 1024 * 1024;

/** Whether another token or certificate may help. */
export function isAboutSource(reason: FetchReason): boolean {
  return reasonsOfSources.includes(reason);
}

/** Lets fetches that have asked the user go on by themselves when what they asked for has come: another token, a folder, room on the disk. */
export class AskAgain {
  readonly #needs: Needs;
  /** What each server was asked with when it refused: digests, because of the tokens in them. */
  readonly #refused = new Map<string, string>();
  /** Free bytes when a write failed, by fetch. */
  readonly #fullAt = new Map<number, number>();
  /** Bytes that are unpacked already, by fetch: nothing changes them while it asks, and to look takes long where there are many files. */
  readonly #unpacked = new Map<number, number>();
  /** Where the last look at the disks ended. */
  #looked = 0;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  refused(source: FetchSource): void {
    this.#refused.set(source.baseUrl, digest(source));
  }

  full(id: number, free: number): void {
    this.#fullAt.set(id, free);
    this.#unpacked.delete(id);
  }

  /** After something was changed in the list of servers. @returns how many go on. */
  async serversChanged(): Promise<number> {
    const servers = await this.#needs.servers.all();
    const sources = new Map<number, FetchSource | null>();
    const goOn: number[] = [];
    for (let offset = 0; ; offset += atOnce) {
      const rows = await this.#needs.fetches.asking(reasonsOfSources, offset, atOnce);
      for (const row of rows) {
        const server = serverOf(servers, row);
        if (!server) continue;
        const source = sources.has(server.id) ? sources.get(server.id) : await this.#needs.servers.source(server.id);
        sources.set(server.id, source ?? null);
        if (source && this.#refused.get(source.baseUrl) !== digest(source)) goOn.push(row.id);
      }
      if (rows.length < atOnce) break;
      await new Promise(setImmediate);
    }
    return this.#needs.fetches.updateAll(goOn, ['asking'], { ...queuedAgain, attempts: 0 });
  }

  /** Looks at the disks. @returns how many go on. */
  async disksChanged(): Promise<number> {
    const rooms = new Map<string, DiskRoom | null>();
    const taken = new Map<string, number>();
    const goOn: number[] = [];
    // Some at a time, because this is done again and again: the rest has its turn at the next look.
    const rows = await this.#needs.fetches.asking(['disk-full', 'target-missing'], this.#looked, atOnce);
    this.#looked = rows.length < atOnce ? 0 : this.#looked + atOnce;
    for (const row of rows) {
      const folder = row.bytes_done > 0 ? row.target : path.dirname(row.target);
      const room = rooms.has(folder) ? rooms.get(folder) : await this.#needs.room(row.target);
      rooms.set(folder, room ?? null);
      if (!room || (row.reason === 'target-missing' && row.bytes_done > 0 && !room.made)) continue;
      const before = taken.get(room.disk) ?? this.#needs.promised(room.disk);
      if (row.reason === 'disk-full' && !(await this.#fits(row, room, before))) continue;
      taken.set(room.disk, before + bytesToCome(row));
      this.#fullAt.delete(row.id);
      this.#unpacked.delete(row.id);
      goOn.push(row.id);
    }
    return this.#needs.fetches.updateAll(goOn, ['asking'], { ...queuedAgain, attempts: 0 });
  }

  async #fits(row: FetchRow, room: DiskRoom, taken: number): Promise<boolean> {
    if (room.free < (this.#fullAt.get(row.id) ?? -worthTrying) + worthTrying) return false;
    return room.free - taken >= (await roomNeeded(row, room.free - taken, async (one) => this.#unpackedOf(one)));
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
