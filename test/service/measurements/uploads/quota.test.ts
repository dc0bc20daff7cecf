import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useTestService } from '../../use-service.ts';
import { manifestOf, uploadsBy } from './manifest-support.ts';
import { mustRun } from '../../run-program.ts';
import { uploadedFolders } from './support.ts';

/** Writes an archive of zeros, which take almost nothing in it. */
const deflated = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as archive:
    archive.writestr('zeros.bin', bytes(300_000))
`;
const service = useTestService();
let dir: string;
let admin: string;
let alice: number;
let token: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-quota-'));
  admin = await service.token(await service.user('root', true), ['api']);
  alice = await service.user('alice');
  token = await service.token(alice, ['write_measurement', 'read_measurement']);
});
afterAll(async () => rm(dir, { recursive: true }));

async function setQuota(of: string, bytes: number | null): Promise<Response> {
  return fetch(`${service.url}/api/v4/${of}/quota`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
    body: JSON.stringify({ quota_bytes: bytes }),
  });
}

const client = () => uploadsBy(service.url, token);
const used = async (): Promise<number> => {
  const answer = await client().fetched('/api/v4/user/quota');
  return ((await answer.json()) as { readonly used_bytes: number }).used_bytes;
};
const file = (bytes: number) => [{ path: 'scan.bin', bytes: randomBytes(bytes) }];

async function upload(id: string, bytes: number): Promise<number> {
  const { body, archive } = manifestOf(id, file(bytes));
  const created = await notTooMany(async () => client().create(body));
  if (created.status !== 201) return created.status;
  return (await notTooMany(async () => client().patch(client().addressIn(created), 0, archive))).status;
}

/** A user has so many requests at a time. */
async function notTooMany(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 429) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const empty = (limit: number | null) => ({
  quota_bytes: limit,
  used_bytes: 0,
  unfinished_bytes: 0,
  removed_bytes: 0,
});

test('64 uploads at once never take more than the quota, and nothing is left of those that are refused', async () => {
  expect(await (await setQuota(`users/${alice}`, 1_000_000)).json()).toEqual(empty(1_000_000));
  const statuses = await Promise.all(Array.from({ length: 64 }, async (_, i) => upload(`at-once-${i}`, 99_000)));
  expect(statuses.filter((status) => status === 204)).toHaveLength(10);
  expect(statuses.filter((status) => status === 413)).toHaveLength(54);
  await expect.poll(async () => used(), { timeout: 20_000 }).toBe(990_000);
  await expect.poll(async () => uploadedFolders(service), { timeout: 20_000 }).toEqual([]);
  const refused = await client().create(manifestOf('one-more', file(99_000)).body);
  expect(((await refused.json()) as { readonly detail: string }).detail).toContain('your quota is');
  await setQuota(`users/${alice}`, null);
  expect(await upload('without', 99_000)).toBe(204);
  await expect.poll(async () => used(), { timeout: 20_000 }).toBe(1_089_000);
});

test('an archive counts with what it holds, and one without a length is refused', async () => {
  const before = await used();
  await setQuota(`users/${alice}`, before + 200_000);
  const zip = path.join(dir, 'zeros.zip');
  await mustRun('/usr/bin/python3', ['-c', deflated, zip]);
  const headers = { authorization: `Bearer ${token}` };
  const url = `${service.url}/api/v4/measurements/zeros/archive`;
  const bytes = await readFile(zip);
  const sent = await fetch(url, { method: 'PUT', headers, body: Uint8Array.from(bytes) });
  const answer = (await sent.json()) as { readonly detail: string };
  expect(bytes.length).toBeLessThan(2000);
  expect([sent.status, answer.detail]).toEqual([422, expect.stringContaining('your quota is')]);
  const endless = new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(10)) });
  const chunked = await fetch(url, { method: 'PUT', headers, body: endless, duplex: 'half' } as RequestInit);
  expect(chunked.status).toBe(411);
  expect(await used()).toBe(before);
  await setQuota(`users/${alice}`, null);
});

test('a project has a quota for all who upload into it', async () => {
  const project = await service.services.projects.create('lab', 'lab');
  await service.services.members.setRole(project?.id ?? 0, alice, 'developer');
  expect((await setQuota('projects/lab', 150_000)).status).toBe(200);
  const into = async (name: string): Promise<number> => {
    const { document } = manifestOf(name, file(100_000));
    return (await client().create(JSON.stringify({ ...document, project: 'lab' }))).status;
  };
  expect([await into('first'), await into('second')]).toEqual([201, 413]);
});

test('what is used tells unfinished uploads and removed measurements apart', async () => {
  const carol = await service.user('carol');
  const hers = await service.token(carol, ['write_measurement', 'read_measurement', 'api']);
  const get = async (): Promise<unknown> => {
    const answer = await fetch(`${service.url}/api/v4/user/quota`, { headers: { authorization: `Bearer ${hers}` } });
    return answer.json();
  };
  const by = uploadsBy(service.url, hers);
  const { body, archive } = manifestOf('carols-first', file(40_000));
  const created = await by.create(body);
  expect(await get()).toMatchObject({ unfinished_bytes: archive.length, used_bytes: archive.length });
  await by.patch(by.addressIn(created), 0, archive);
  await expect.poll(get, { timeout: 20_000 }).toEqual({ ...empty(null), used_bytes: 40_000 });
  const headers = { authorization: `Bearer ${hers}` };
  const of = `${service.url}/api/v4/measurements/carols-first`;
  expect((await fetch(of, { method: 'DELETE', headers })).ok).toBe(true);
  await expect.poll(get).toEqual({ ...empty(null), used_bytes: 40_000, removed_bytes: 40_000 });
});

test('members see what their project takes, others do not, and nobody sees what another user takes', async () => {
  const project = await service.services.projects.create('members-only', 'members-only');
  const bob = await service.user('bob');
  const his = await service.token(bob, ['read_api']);
  const see = async (of: string, who = his): Promise<number> =>
    (await fetch(`${service.url}/api/v4/${of}/quota`, { headers: { authorization: `Bearer ${who}` } })).status;
  expect(await see('projects/members-only')).toBe(404);
  await service.services.members.setRole(project?.id ?? 0, bob, 'reporter');
  expect(await see('projects/members-only')).toBe(200);
  expect([await see('user'), await see(`users/${bob}`), await see(`users/${alice}`)]).toEqual([200, 403, 403]);
  const narrow = await service.token(bob, ['read_measurement']);
  expect([await see('user', narrow), await see('projects/members-only', narrow)]).toEqual([403, 403]);
  expect([await see(`users/${bob}`, admin), await see('projects/members-only', admin)]).toEqual([200, 200]);
});

test('only administrators set quotas, and only to numbers', async () => {
  const put = async (who: string, body: unknown, of = `users/${alice}`): Promise<number> => {
    const headers = { authorization: `Bearer ${who}`, 'content-type': 'application/json' };
    const sent = { method: 'PUT', headers, body: JSON.stringify(body) };
    return (await fetch(`${service.url}/api/v4/${of}/quota`, sent)).status;
  };
  const own = await service.token(alice, ['api']);
  expect(await put(own, { quota_bytes: 1 })).toBe(403);
  expect(await put(admin, { quota_bytes: -1 })).toBe(400);
  expect(await put(admin, { quota_bytes: 'much' })).toBe(400);
  expect(await put(admin, { quota_bytes: 1e300 })).toBe(400);
  expect(await put(admin, { quota_bytes: 1 }, 'users/99999')).toBe(404);
  expect(await put(admin, { quota_bytes: 1 }, 'projects/none')).toBe(404);
});
