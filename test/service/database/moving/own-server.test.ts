import { execFileSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDataMark } from '../../../../src-main/service/database/moving/data-mark.ts';
import type { MoveProgress } from '../../../../src-main/service/database/moving/move-progress.ts';
import { openSqliteFile } from '../../../../src-main/service/database/sqlite/sqlite-file.ts';
import { createServer, removeServer, type PostgresServer } from '../../postgres/server.ts';
import { execute } from '../../postgres/database.ts';
import { mayMount } from '../../may-mount.ts';
import {
  contentsOf,
  moveAll,
  moveFixture,
  toPostgres,
  toSqlite,
  whyNotServed,
  type MoveFixture,
} from './move-fixture.ts';

describe('a server of its own', () => {
  let fixture: MoveFixture;
  let server: PostgresServer;
  const disks: string[] = [];

  async function smallDisk(size: string): Promise<string> {
    const disk = path.join(server.dir, `disk-${size}`);
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'benchport-test', disk]);
    disks.push(disk);
    return disk;
  }
  const enlarge = (disk: string): unknown => execFileSync('mount', ['-o', 'remount,size=400m', disk]);

  beforeAll(async () => {
    fixture = await moveFixture();
    const database = openSqliteFile(path.join(fixture.dataDir, 'benchport.db'));
    database.exec(
      `INSERT INTO source_maps (project_id, name, uploaded_at, size, content) SELECT 7, value, 1, 2, randomblob(1000000) FROM json_each('${JSON.stringify(Array.from({ length: 40 }, (_, at) => at))}')`,
    );
    database.close();
    server = await createServer(await mkdtemp(path.join(os.tmpdir(), 'benchport-disk-')), [
      'fsync = off',
      'full_page_writes = off',
    ]);
    // The user of PostgreSQL has to get through.
    await chmod(server.dir, 0o755);
  });
  afterAll(async () => {
    for (const disk of disks) execFileSync('umount', ['--lazy', disk]);
    removeServer(server);
    await fixture.end();
  });

  it.skipIf(!mayMount)('says that the disk is full, and goes on when it is not, in both directions', async () => {
    const disk = await smallDisk('30m');
    const { uid, gid } = statSync(server.dir);
    chownSync(disk, uid, gid);
    await execute(server.url('postgres'), `CREATE TABLESPACE small LOCATION '${disk}'`);
    await execute(server.url('postgres'), 'CREATE DATABASE small TABLESPACE small');
    const places = toPostgres({ ...fixture, url: server.url('small') });
    await expect(moveAll(places)).rejects.toThrow(/could not extend file .* Its disk is full: free some space there/);
    enlarge(disk);
    await moveAll(places);

    const target = await smallDisk('20m');
    const back = toSqlite(path.join(target, 'data'), places.url);
    await expect(moveAll(back)).rejects.toThrow(/The disk of the data directory .* is full/);
    enlarge(target);
    await moveAll(back);
    expect(contentsOf(back.dataDir)).toEqual(contentsOf(fixture.dataDir));
  });

  it('says that the password is wrong, and not which one it was', async () => {
    const file = path.join(server.dir, 'data', 'pg_hba.conf');
    const trusting = await readFile(file, 'utf8');
    await execute(server.url('postgres'), `ALTER ROLE benchport PASSWORD 'right'`);
    await writeFile(file, 'host all all 127.0.0.1/32 scram-sha-256\n');
    server.control('reload');
    const url = Object.assign(new URL(server.url('postgres')), { password: 'hidden' }).href;
    const error: unknown = await moveAll(toPostgres({ ...fixture, url })).catch((reason: unknown) => reason);
    await writeFile(file, trusting);
    server.control('reload');
    expect(String(error)).toMatch(
      /password authentication failed for user "benchport"\. Check the password in the address/,
    );
    expect(String(error)).not.toContain('hidden');
  });

  it('says that the server went away, and goes on when it is back, in both directions', async () => {
    await execute(server.url('postgres'), 'CREATE DATABASE crashed');
    // Another test moved the data.
    writeDataMark(fixture.dataDir, null);
    const folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'benchport-moved-')), 'data');
    const url = server.url('crashed');
    for (const places of [toPostgres({ ...fixture, url }), toSqlite(folder, url)]) {
      let reports = 0;
      const crash = ({ step }: MoveProgress): void => {
        if (step === 'copying') reports += 1;
        if (reports !== 12) return;
        reports += 1;
        server.control('stop', '-m', 'immediate');
      };
      await expect(moveAll(places, crash)).rejects.toThrow(
        /The database .* cannot be used: .*\. Check that the server runs/,
      );
      server.control('start', '-l', path.join(server.dir, 'log'));
      expect(await whyNotServed(fixture.dataDir)).toMatch(/is being moved to|was moved to/);
      await moveAll(places);
    }
    expect(contentsOf(folder)).toEqual(contentsOf(fixture.dataDir));
    await rm(path.dirname(folder), { recursive: true });
  });
});
