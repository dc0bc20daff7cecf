import Database from 'better-sqlite3';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestService } from '../start.ts';
import { asWindow } from '../as-window.ts';

// Threads start from the sources in tests, which takes long on a busy machine.
const polling = { timeout: 30_000 };
let dir: string;
let dataDir: string;
/** The files that a killed service leaves behind. */
let left: string;

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-unclean-'));
  [dataDir, left] = [path.join(dir, 'data'), path.join(dir, 'left')];
  const service = await startTestService({ dataDir });
  await service.user('alice', true);
  expect(existsSync(path.join(dataDir, 'service.running'))).toBe(true);
  cpSync(dataDir, left, { recursive: true });
  await service.end();
  expect(existsSync(path.join(dataDir, 'service.running'))).toBe(false);
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function readiness(url: string): Promise<{ status: string; integrity: string }> {
  return (await (await fetch(`${url}/-/readiness`)).json()) as { status: string; integrity: string };
}

test('the database is checked in the background only after an unclean end, and the log says so', async () => {
  const after = await startTestService({ dataDir });
  expect(after.services.endCheck.state).toBeNull();
  expect(await readiness(after.url)).toMatchObject({ status: 'ok', integrity: 'ok' });
  await after.end();

  const service = await startTestService({ dataDir: left });
  expect(['checking', 'whole']).toContain(service.services.endCheck.state);
  await expect.poll(() => service.services.endCheck.state, polling).toBe('whole');
  expect((await asWindow(service, 'GET', '/api/v4/service')).body).toMatchObject({ last_end: 'whole' });
  expect(await readiness(service.url)).toMatchObject({ status: 'ok', integrity: 'ok' });
  await service.end();
  expect(existsSync(path.join(left, 'service.running'))).toBe(false);
});

test('damage stops the service with an explanation, and it starts again only with an intact database', async () => {
  const other = new Database(path.join(left, 'benchport.db'));
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.exec(
    'CREATE TABLE filler (x); INSERT INTO filler SELECT hex(randomblob(2000)) FROM json_each(json_array(1,2,3,4,5,6,7,8,9))',
  );
  const page = other.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'filler'").pluck().get() as number;
  other.close();
  const copy = path.join(dir, 'whole.db');
  cpSync(path.join(left, 'benchport.db'), copy);
  // No start reads this page.
  const handle = await open(path.join(left, 'benchport.db'), 'r+');
  await handle.write(Buffer.alloc(4096, 0xa5), 0, 4096, (page - 1) * 4096);
  await handle.close();

  const failures: Error[] = [];
  const service = await startTestService({ dataDir: left, failed: (error) => failures.push(error) });
  await expect.poll(() => failures.length, polling).toBe(1);
  expect(failures[0]).toMatchObject({
    code: 'data-unusable',
    message: expect.stringMatching(/is damaged \(.*Move it away and restore a backup/) as string,
  });
  expect((await readiness(service.url)).status).toBe('failing');
  await service.end();
  expect(readFileSync(path.join(left, 'service.running'), 'utf8')).toBe('damaged\n');
  await expect(startTestService({ dataDir: left })).rejects.toMatchObject({ code: 'data-unusable' });

  rmSync(path.join(left, 'benchport.db'));
  cpSync(copy, path.join(left, 'benchport.db'));
  const again = await startTestService({ dataDir: left });
  expect(again.services.endCheck.state).toBeNull();
  await again.end();
});

test('a dangling foreign key is damage too', async () => {
  const other = new Database(path.join(left, 'benchport.db'));
  other.pragma('foreign_keys = OFF');
  other.exec(
    "INSERT INTO personal_access_tokens (user_id, name, scopes, token_hash, created_at) VALUES (999, 'x', '', x'00', 1)",
  );
  other.close();
  const failures: Error[] = [];
  const service = await startTestService({ dataDir: left, failed: (error) => failures.push(error) });
  await expect
    .poll(() => failures.map((error) => error.message).join(), polling)
    .toContain('a row of personal_access_tokens refers to one of users');
  await service.end();
});
