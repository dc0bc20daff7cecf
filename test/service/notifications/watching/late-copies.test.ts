import pino from 'pino';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../../src-main/service/database/open.ts';
import { storeContext } from '../../../../src-main/service/database/store-context.ts';
import { lateCopies } from '../../../../src-main/service/notifications/watching/late-copies.ts';
import { OwnErrors } from '../../../../src-main/service/own-errors/own-errors.ts';
import { createServices, type Services } from '../../../../src-main/service/services.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { startTestService } from '../../start.ts';

const hourMs = 3_600_000;
let dir: string;
let connection: ReturnType<typeof openDatabase>;
let services: Services;
let number = 0;

/** The stores of a bench whose service does not run, so that only the test sends and tells. */
beforeAll(async () => {
  const here = await startTestService({ database: null, watches: false });
  const alice = await here.user('alice', true);
  const bob = await here.user('bob');
  for (let at = 0; at < 40; at += 1)
    await addMeasurement(here, at === 0 ? bob : alice, `late-${at}`, [{ path: 'a.txt', bytes: 'a' }]);
  await here.stop();
  dir = here.dir;
  const { config } = here.services;
  connection = openDatabase(config.dataDir);
  services = await createServices(config, storeContext(connection), pino({ level: 'silent' }), new OwnErrors());
});
afterAll(async () => {
  connection.close();
  await rm(dir, { recursive: true });
});

/** Copies of the next measurements, on a server of their own. */
async function copies(count: number): Promise<readonly number[]> {
  const server = `http://nas-${number}.example`;
  const rows = Array.from({ length: count }, (_, at) => ({
    measurement_id: `late-${number + at}`,
    title: 'late',
    manifest_sha256: 'ab',
    base_url: server,
    server_id: null,
    server_name: `nas-${number}`,
    project: null,
    bytes_total: 100,
  }));
  number += count;
  await services.copies.add(rows, Date.now());
  return (await services.copies.queued(server, count)).map(({ id }) => id);
}

async function wait(id: number, message: string): Promise<void> {
  await services.copies.apply(id, 'start', {}, Date.now());
  await services.copies.apply(id, 'wait', { reason: 'unreachable', message, attempts: 1 }, Date.now());
}

interface Told {
  readonly measurement_id: string | null;
  readonly user_id: number | null;
  readonly title: string;
}

/** Returns the happenings since the last call. */
function told(): readonly Told[] {
  const rows = connection.prepare<[], Told>(`SELECT * FROM outbox WHERE kind = 'copy-late' ORDER BY id`).all();
  connection.exec('DELETE FROM outbox');
  return rows;
}

test('a copy that makes no progress for a day is told once, and again when it stops again', async () => {
  const look = lateCopies(services);
  const [id = 0] = await copies(1);
  await wait(id, 'nas-0 cannot be reached.');
  await look(0);
  await look(23 * hourMs);
  expect(told()).toEqual([]);
  await look(hourMs);
  await look(hourMs);
  await look(48 * hourMs);
  // It is of a measurement, so its owner hears of it.
  expect(told()).toMatchObject([
    { title: 'to nas-0: nas-0 cannot be reached.', measurement_id: 'late-0', user_id: null },
  ]);
  await services.copies.progress(id, 50, 'http://nas-0.example/uploads/1');
  await look(hourMs);
  await look(23 * hourMs);
  expect(told()).toEqual([]);
  await look(hourMs);
  expect(told()).toHaveLength(1);
});

test('time in which the service did not run, or the clock jumped, makes no copy late', async () => {
  const [id = 0] = await copies(1);
  await wait(id, 'nas is busy.');
  // Each start looks first with no time gone.
  for (let start = 0; start < 40; start += 1) await lateCopies(services)(0);
  expect(told()).toEqual([]);
  await services.copies.apply(id, 'cancel', {}, Date.now());
});

test('a copy that waits for its turn is late only if no other to its server gets on', async () => {
  const look = lateCopies(services);
  const ids = await copies(3);
  const [first = 0] = ids;
  await look(0);
  await services.copies.apply(first, 'start', {}, Date.now());
  for (let bytes = 10; bytes <= 90; bytes += 10) {
    await services.copies.progress(first, bytes, null);
    await look(12 * hourMs);
  }
  expect(told()).toEqual([]);
  for (let at = 0; at < 3; at += 1) await look(12 * hourMs);
  expect(told().map(({ measurement_id: id }) => id)).toEqual(['late-2', 'late-3', 'late-4']);
});

test('a paused copy is not late, and many of one owner and server are told in one', async () => {
  const look = lateCopies(services);
  const server = `nas-${number}`;
  const ids = await copies(25);
  await services.copies.applyToAll('pause', ids, Date.now());
  await look(0);
  await look(48 * hourMs);
  expect(told()).toEqual([]);
  await services.copies.applyToAll('resume', ids, Date.now());
  await look(0);
  await look(48 * hourMs);
  const owner = (await services.users.byUsername('alice'))?.id;
  expect(told()).toMatchObject([
    { title: `25 copies to ${server} make no progress`, measurement_id: null, user_id: owner },
  ]);
});
