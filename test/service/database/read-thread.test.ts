import Sqlite from 'better-sqlite3';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../src-main/service/database/port/database.ts';
import { read, readValue, write } from '../../../src-main/service/database/port/query.ts';
import { createReadThread, type ReadThread } from '../../../src-main/service/database/sqlite/read-thread.ts';
import { storeContext } from '../../../src-main/service/database/store-context.ts';

const insert = write<[string]>('INSERT INTO samples (name) VALUES (?)');
const named = readValue<{ name: string }, string>('SELECT name FROM samples WHERE name = @name');
const counting = read<[number], { total: number }>(
  'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT count(*) AS total FROM n',
);
const failing = readValue<[], number>(`SELECT json_extract('no JSON', '$')`);

let folder: string;
let connection: Sqlite.Database;
let thread: ReadThread;
let database: Database;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'benchport-reads-'));
  connection = new Sqlite(path.join(folder, 'samples.db'));
  connection.pragma('journal_mode = WAL');
  connection.exec('CREATE TABLE samples (name TEXT NOT NULL) STRICT');
  thread = createReadThread(connection.name);
  ({ database } = storeContext(connection, thread));
});

afterEach(async () => {
  await thread.close();
  connection.close();
  await rm(folder, { recursive: true });
});

it('sees each row that was committed before it was asked', async () => {
  for (let i = 0; i < 100; i += 1) {
    await database.run(insert, `row ${i}`);
    expect(await database.allInBackground(named, { name: `row ${i}` })).toEqual([`row ${i}`]);
  }
});

it('leaves the event loop free', async () => {
  await database.allInBackground(counting, 1);
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  expect(await database.allInBackground(counting, 3_000_000)).toEqual([{ total: 3_000_000 }]);
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
});

it('passes on what fails, and goes on', async () => {
  await expect(database.allInBackground(failing)).rejects.toThrow('malformed JSON');
  expect(await database.allInBackground(named, { name: 'none' })).toEqual([]);
});

it('cannot write', async () => {
  await expect(thread.all(`INSERT INTO samples (name) VALUES ('x') RETURNING name`, true, [])).rejects.toThrow(
    'readonly database',
  );
});

it('refuses what it could not answer within seconds, and goes on', async () => {
  const asked = Array.from({ length: 70 }, async () => database.allInBackground(counting, 1000));
  const settled = await Promise.allSettled(asked);
  const refused = settled.filter((one) => one.status === 'rejected');
  expect(refused.map(({ reason }) => (reason as { readonly status: number }).status)).toEqual(Array(6).fill(503));
  expect(await database.allInBackground(counting, 10)).toEqual([{ total: 10 }]);
});

it('says that the service stops after it was closed', async () => {
  await thread.close();
  await expect(database.allInBackground(named, { name: 'x' })).rejects.toThrow('The service is stopping.');
});
