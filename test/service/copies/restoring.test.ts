import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Job } from '../../../src-main/service/contract/jobs.ts';
import { asWindow } from '../as-window.ts';
import { changeSeen, openBeside } from '../fixture-measurement.ts';
import { startTestService, type TestService } from '../start.ts';
import { startAlteringProxy, type AlteringProxy } from './altering-proxy.ts';

let here: TestService;
let far: TestService;
let proxy: AlteringProxy;
const scan = randomBytes(300_000);

beforeAll(async () => {
  [here, far] = await Promise.all([startTestService({ database: null }), startTestService({ database: null })]);
  proxy = await startAlteringProxy(far.url);
  await here.user('alice', true);
  const token = await far.token(await far.user('alice'), ['write_measurement', 'read_measurement']);
  await here.services.servers.create({ name: 'Facility', base_url: proxy.url, certificate: null, token });
});
afterAll(async () => Promise.all([here.end(), far.end(), proxy.end()]));

const stateOf = async (id: string): Promise<string | undefined> => (await here.services.measurements.byId(id))?.state;

/** Registers a folder and keeps a verified copy of it. @returns the folder. */
async function copied(id: string, copy: boolean): Promise<string> {
  const folder = path.join(here.dir, 'instrument', id);
  await mkdir(path.join(folder, 'raw'), { recursive: true });
  await writeFile(path.join(folder, 'raw', 'scan.bin'), scan);
  await writeFile(path.join(folder, 'note.txt'), `note of ${id}`);
  const { status } = await asWindow(here, 'POST', '/api/v4/local/registrations', { path: folder, id, title: id, copy });
  expect(status).toBe(202);
  await expect.poll(async () => stateOf(id)).toBe('available');
  await asWindow(here, 'POST', '/api/v4/local/copies', { server_id: 1, measurement_ids: [id] });
  await expect
    .poll(async () => (await here.services.copyList.verifiedCounts([id], 0)).get(id), { timeout: 20_000 })
    .toBe(1);
  return folder;
}

async function verify(id: string): Promise<void> {
  expect((await asWindow(here, 'POST', `/api/v4/measurements/${id}/verify`, {})).status).toBe(202);
}

const restore = async (id: string) => asWindow(here, 'POST', `/api/v4/local/measurements/${id}/restore`, {});

async function ended(job: Job): Promise<Job> {
  await expect.poll(async () => (await here.services.jobs.byId(job.id))?.ended_at ?? null).not.toBeNull();
  return (await asWindow(here, 'GET', `/api/v4/jobs/${job.id}`)).body as Job;
}

test('a file of the library that rots is restored by itself', async () => {
  await copied('in-library', true);
  const { files, paths } = here.services;
  const location = (await files.at('in-library', 1))?.location ?? '';
  const file = path.join(paths.library, location);
  await chmod(file, 0o644);
  const rotten = Buffer.from(scan);
  rotten.writeUInt8(rotten.readUInt8(1000) ^ 1, 1000);
  await writeFile(file, rotten);
  await verify('in-library');
  await expect.poll(async () => (await readFile(file)).equals(scan), { timeout: 20_000 }).toBe(true);
  await expect.poll(async () => stateOf('in-library'), { timeout: 20_000 }).toBe('available');
});

test('a file of an instrument is restored only when it is asked for, and what was there is kept', async () => {
  const folder = await copied('in-place', false);
  const file = path.join(folder, 'raw', 'scan.bin');
  await writeFile(file, 'altered');
  await verify('in-place');
  await expect.poll(async () => stateOf('in-place')).toBe('degraded');
  expect(await readFile(file, 'utf8')).toBe('altered');
  const { status, body } = await restore('in-place');
  expect(status).toBe(202);
  expect(await ended(body as Job)).toMatchObject({ state: 'done' });
  expect((await readFile(file)).equals(scan)).toBe(true);
  expect(await readdir(path.join(folder, 'raw'))).toEqual(['scan.bin', 'scan.bin.before-restore']);
  expect(await readFile(`${file}.before-restore`, 'utf8')).toBe('altered');
  expect(await stateOf('in-place')).toBe('available');
  expect((await restore('in-place')).status).toBe(409);
});

test('wrong bytes of a copy replace nothing, and what leads out of the folder is not written to', async () => {
  const folder = await copied('not-restored', false);
  const file = path.join(folder, 'note.txt');
  await writeFile(file, 'altered');
  await verify('not-restored');
  await expect.poll(async () => stateOf('not-restored')).toBe('degraded');
  proxy.alter = ({ path: route }) =>
    route.endsWith('/files/0') ? { status: 200, body: 'x', headers: { 'content-length': '3' } } : null;
  const failed = await ended((await restore('not-restored')).body as Job);
  expect(failed).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('other bytes for note.txt') as string,
  });
  expect(await readFile(file, 'utf8')).toBe('altered');
  expect((await readdir(folder)).toSorted()).toEqual(['note.txt', 'raw']);

  proxy.alter = () => null;
  const outside = path.join(here.dir, 'outside');
  await rename(path.join(folder, 'raw'), outside);
  await rm(path.join(outside, 'scan.bin'));
  await symlink(outside, path.join(folder, 'raw'));
  await verify('not-restored');
  await expect
    .poll(async () => (await here.services.measurements.byId('not-restored'))?.problem_count, { timeout: 10_000 })
    .toBe(2);
  const refused = await ended((await restore('not-restored')).body as Job);
  expect(refused).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('leads out of the folder') as string,
  });
  expect(await readdir(outside)).toEqual([]);
});

test('the folder of a disk that is not connected is not made anew', async () => {
  const folder = await copied('unplugged', false);
  await rename(folder, `${folder}-elsewhere`);
  openBeside(here)
    .prepare(`UPDATE measurements SET state = 'degraded', problem_count = 1 WHERE id = 'unplugged'`)
    .run();
  openBeside(here)
    .prepare(`UPDATE measurement_files SET state = 'missing' WHERE measurement_id = 'unplugged' AND idx = 0`)
    .run();
  await changeSeen(here);
  const failed = await ended((await restore('unplugged')).body as Job);
  expect(failed).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('could not be restored') as string,
  });
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

test('without a verified copy nothing is restored', async () => {
  expect((await restore('nothing')).status).toBe(404);
  expect((await restore('in-library')).status).toBe(409);
});
