import { crc32 } from '@node-rs/crc32';
import Database from 'better-sqlite3';
import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beginLayout, layoutVersion } from '../../src-main/service/archive/layout.ts';
import { foldedKey } from '../../src-main/service/database/text-search.ts';
import { hasBlockSums, RunningSums } from '../../src-main/service/measurements/store/block-sums.ts';
import { besidePostgres } from './postgres/beside.ts';
import type { TestService } from './start.ts';

/** A file of a fixture: its bytes, or the checksums of a file that is already on disk. */
export type FixtureFile =
  | { readonly path: string; readonly bytes: Buffer | string }
  | { readonly path: string; readonly crc32: number; readonly sha256: Buffer }
  /** An empty file that exists only as a row, because nothing reads it. */
  | { readonly path: string; readonly rowOnly: true };

export interface Fixture {
  readonly id: string;
  readonly root: string;
  readonly archiveBytes: number;
  readonly tag: string;
}

/** Opens the database of a running service a second time, as another process would. */
export function openBeside(service: Pick<TestService, 'services'>): Database.Database {
  const { database: settings, dataDir } = service.services.config;
  if (settings) return besidePostgres(settings.url);
  const database = new Database(path.join(dataDir, 'benchport.db'), { timeout: 5000 });
  database.pragma('foreign_keys = ON');
  return database;
}

/** Waits until a service, or all replicas, have seen what another process changed, which SQLite tells at once. */
export async function changeSeen({ services }: Pick<TestService, 'services'>): Promise<void> {
  await services.cluster.lookForChanges();
  if (services.config.database && services.cluster.replica() === null) await services.cluster.confirmChanges(0);
}

/** Writes files and the rows that a registration by reference would have made, sorted by path. */
export async function addMeasurement(
  service: Pick<TestService, 'services' | 'dir'>,
  ownerId: number,
  id: string,
  files: readonly FixtureFile[],
  registeredAt = Date.UTC(2026, 8, 1, 10, 20, 31, 123),
): Promise<Fixture> {
  const root = path.join(service.dir, 'instrument', id);
  await mkdir(root, { recursive: true });
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const layout = beginLayout();
  const rows: (string | number | Buffer | null)[][] = [];
  const sums = new Map<number, Uint8Array>();
  let total = 0;
  for (const [index, file] of sorted.entries()) {
    const target = path.join(root, file.path);
    if ('bytes' in file) {
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, file.bytes);
    }
    const { size, mtimeNs, ctimeNs } =
      'rowOnly' in file ? { size: 0n, mtimeNs: 0n, ctimeNs: null } : await stat(target, { bigint: true });
    const facts = 'crc32' in file ? file : 'bytes' in file ? digestsOf(Buffer.from(file.bytes)) : nothing;
    const { archiveOffset, directoryOffset } = layout.add({
      path: file.path,
      length: Number(size),
      ...facts,
      registeredAt,
    });
    const times = [String(mtimeNs), ctimeNs === null ? null : String(ctimeNs)];
    rows.push([
      id,
      index,
      file.path,
      file.path,
      Number(size),
      facts.crc32,
      facts.sha256,
      ...times,
      registeredAt,
      archiveOffset,
      directoryOffset,
    ]);
    total += Number(size);
    const blocks = await blocksOf(target, Number(size));
    if (blocks) sums.set(index, blocks);
  }
  const { archiveBytes, directoryOffset, tag } = layout.finish();
  const database = openBeside(service);
  try {
    const pages = database.prepare(
      'INSERT INTO measurement_blocks (measurement_id, idx, page, sums) VALUES (?, ?, 0, ?)',
    );
    database.transaction(() => {
      database
        .prepare(
          `INSERT INTO measurements (id, title, title_key, owner_id, storage, root, state, file_count, total_bytes, archive_layout, archive_bytes,
             archive_directory_offset, archive_tag, created_at, registered_at) VALUES (?, ?, ?, ?, 'reference', ?, 'available', ?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(
          id,
          `Fixture ${id}`,
          foldedKey(`Fixture ${id}`),
          ownerId,
          root,
          sorted.length,
          total,
          layoutVersion,
          archiveBytes,
          directoryOffset,
          tag,
          registeredAt,
          registeredAt,
        );
      const insert = database.prepare(
        `INSERT INTO measurement_files (measurement_id, idx, path, location, length, crc32, sha256, mtime_ns, ctime_ns, registered_at, archive_offset, directory_offset)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      );
      for (const row of rows) insert.run(...row);
      for (const [index, blocks] of sums) pages.run(id, index, blocks);
    })();
  } finally {
    database.close();
  }
  // Many rows keep a replica in this process from reading changes meanwhile.
  await changeSeen(service);
  return { id, root, archiveBytes, tag };
}

// Test files longer than this are sparse.
const maxSummed = 256 * 1024 * 1024;

async function blocksOf(file: string, length: number): Promise<Uint8Array | null> {
  if (!hasBlockSums(length) || length > maxSummed) return null;
  const sums = new RunningSums(length);
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) sums.add(chunk as Buffer);
  return sums.blocks;
}

const nothing = digestsOf(Buffer.alloc(0));

function digestsOf(bytes: Buffer): { readonly crc32: number; readonly sha256: Buffer } {
  return { crc32: crc32(bytes), sha256: hash('sha256', bytes, 'buffer') };
}
