import { appendFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { browserAt } from '../../browser.ts';
import { addUser } from '../../people.ts';
import { addMeasurement, type Fixture } from '../../fixture-measurement.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';
import { useTestService, useUser } from '../../use-service.ts';
import { zeros } from '../../zeros.ts';
import { removeMeasurement } from '../../../../src-main/service/measurements/registration/remove.ts';
import type { Download } from '../../../../src-main/service/contract/downloads.ts';
import type { TransferRecord } from '../../../../src-main/service/contract/measurements.ts';

const mebibyte = 1024 * 1024;
const service = useTestService();
const alice = useUser(service, 'alice');
let number = 0;

const bodyOf = async (url: string, headers: Record<string, string> = {}) =>
  Buffer.from(await (await alice.get(url, headers)).arrayBuffer());
const recorded = async (id: string) =>
  (await (await alice.get(`/api/v4/measurements/${id}/transfers`)).json()) as TransferRecord[];

/** Eight files of 8 MiB. */
async function long(): Promise<Fixture> {
  number += 1;
  const id = `long${number}`;
  const files = [];
  for (let i = 0; i < 8; i += 1) files.push(await zeros(service, id, `z${i}.bin`, 8 * mebibyte));
  return addMeasurement(service, alice.id, id, files);
}

async function short(): Promise<Fixture> {
  number += 1;
  const files = Array.from({ length: 6 }, (_, i) => ({ path: `f${i}`, bytes: Buffer.alloc(1000, i) }));
  return addMeasurement(service, alice.id, `short${number}`, files);
}

async function begun(id: string, token = alice.token): Promise<RawClient> {
  const client = await RawClient.open(service.url);
  client.get(`/measurements/${id}/archive?files=0,2,4-7`, `Authorization: Bearer ${token}`);
  await client.until(100_000);
  client.pause();
  return client;
}

describe('a ZIP of some files', () => {
  test('is refused when one of them was changed, and sent when another was', async () => {
    const { id, root } = await short();
    await truncate(path.join(root, 'f3'), 10);
    const url = `/measurements/${id}/archive?files=`;
    const refused = await alice.get(`${url}0,3`);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { type: 'urn:benchport:problem:file-changed', detail: expect.stringContaining('File 3 (f3)') },
    ]);
    expect(await alice.get(`/api/v4/measurements/${id}`).then((response) => response.json())).toMatchObject({
      state: 'degraded',
    });
    // Known now, and told before the first byte, however much comes before it.
    for (const list of ['0,3', '3', '1-4', '5,2-3']) expect((await alice.get(url + list)).status, list).toBe(409);
    for (const list of ['0-2', '4-', '0,2,4']) expect((await alice.get(url + list)).status, list).toBe(200);
    expect((await alice.get(`${url}0,3`, { range: 'bytes=0-99' })).status).toBe(206);
    expect((await alice.get(`${url}0,3`, { range: 'bytes=1100-' })).status).toBe(409);
    await rm(path.join(root, 'f5'));
    expect((await alice.get(`${url}4-`)).status).toBe(404);
    await writeFile(path.join(root, 'f5'), 'another');
    expect((await alice.get(`${url}4-`)).status).toBe(409);
  });

  test('of a measurement that is removed while it is laid out is not there', async () => {
    const { id } = await short();
    const { files } = service.services;
    const removing = vi.spyOn(files, 'placesOf').mockImplementationOnce(async () => {
      await removeMeasurement(service.services, id);
      return [];
    });
    // Not kept of another test.
    const refused = await alice.get(`/measurements/${id}/archive?files=1,3,5`);
    expect([refused.status, removing.mock.calls.length]).toEqual([404, 1]);
    removing.mockRestore();
  });

  test('that begun is cut at a file that was changed, and never ends cleanly', async () => {
    const { id, root } = await long();
    const client = await begun(id);
    await appendFile(path.join(root, 'z7.bin'), 'more');
    await client.drain();
    expect(client.status).toBe(200);
    expect(client.bodyReceived).toBeLessThan(48 * mebibyte);
    await until(async () => (await recorded(id)).some(({ outcome }) => outcome === 'file-changed'), 'an audit row');
    expect(await recorded(id)).toMatchObject([{ what: 'archive', range: 'files=0,2,4-7', outcome: 'file-changed' }]);
  });

  test('ends when its token is revoked', async () => {
    const { id } = await long();
    const token = await service.token(alice.id);
    const client = await begun(id, token);
    const [newest] = (await service.services.tokens.ofUser(alice.id)).toSorted((a, b) => b.id - a.id);
    await service.services.tokens.revoke(newest?.id ?? 0);
    service.services.changes.bump();
    await until(async () => (await recorded(id)).some(({ outcome }) => outcome === 'revoked'), 'an audit row');
    await client.drain();
    expect(client.bodyReceived).toBeLessThan(48 * mebibyte);
  });

  test('ends when the access is taken back', async () => {
    const { id } = await long();
    const bob = await service.user('bob');
    const grant = await service.services.grants.grant(id, { userId: bob }, null, alice.id);
    service.services.changes.bump();
    const client = await begun(id, await service.token(bob));
    await service.services.grants.revoke(id, grant.id);
    service.services.changes.bump();
    await until(async () => (await recorded(id)).some(({ outcome }) => outcome === 'revoked'), 'an audit row');
    client.socket.destroy();
  });

  test('counts as a download of these files, in pieces too, and not of all', async () => {
    const { id } = await short();
    const authorization = `Bearer ${await service.token(await service.user('root', true))}`;
    const downloads = async () =>
      (await (await alice.get(`/api/v4/downloads?measurement=${id}`, { authorization })).json()) as Download[];
    const url = `/measurements/${id}/archive?files=`;
    const whole = await bodyOf(`${url}0,2-3`);
    await until(async () => (await downloads())[0]?.files_whole === 3, 'three files');
    expect(await downloads()).toMatchObject([{ outcome: 'part', as_archive: false, file_count: 6 }]);
    const rest = await bodyOf(`${url}1,4-5`, { range: `bytes=${whole.length - 500}-` });
    expect(rest.length).toBe(500);
    await until(async () => (await downloads())[0]?.requests === 2, 'two requests');
    expect(await downloads()).toMatchObject([{ outcome: 'part', files_whole: 3 }]);
    await bodyOf(`${url}1,5,4`, { range: `bytes=0-${whole.length - 501}` });
    await until(async () => (await downloads())[0]?.outcome === 'whole', 'all files');
    expect(await downloads()).toMatchObject([{ files_whole: 6, as_archive: false, requests: 3 }]);
  });

  test('names its files in the audit trail, before the range', async () => {
    const { id } = await long();
    await bodyOf(`/measurements/${id}/archive?files=1,0,7`, { range: 'bytes=1000-9000000' });
    await until(async () => (await recorded(id)).some(({ outcome }) => outcome === 'complete'), 'an audit row');
    expect(await recorded(id)).toMatchObject([
      { what: 'archive', range: 'files=0-1,7 bytes=1000-9000000', status: 206, outcome: 'complete', file_index: null },
    ]);
  });

  test('shares a row with others of these files alone', async () => {
    const { id } = await short();
    const url = `/measurements/${id}/archive?files=`;
    for (const range of ['bytes=0-9', 'bytes=10-19']) await bodyOf(`${url}0,2`, { range });
    await bodyOf(`${url}1`, { range: 'bytes=0-9' });
    await bodyOf(`/measurements/${id}`, { range: 'bytes=0-9' });
    const sum = async () => (await recorded(id)).reduce((all, { requests }) => all + requests, 0);
    await until(async () => (await sum()) === 4, 'all are recorded');
    const ranges = (await recorded(id)).map(({ range }) => range?.split(' ', 1)[0]);
    expect(new Set(ranges)).toEqual(new Set(['files=0,2', 'files=1', 'bytes=0-9']));
    // Another unit than bytes is ignored, and the archive of all files is sent.
    await bodyOf(`/measurements/${id}`, { range: 'files=0' });
    await until(async () => (await sum()) === 5, 'that is recorded');
    expect((await recorded(id)).map(({ range }) => range)).toContain('ignored files=0');
  });

  test('takes a place among the downloads of its user', async () => {
    const { id } = await long();
    const clients: RawClient[] = [];
    const status = async () =>
      (await alice.get(`/measurements/${id}/archive?files=0-3`, { range: 'bytes=0-9000000' })).status;
    for (let i = 0; i < 125; i += 1) clients.push(await begun(id));
    expect(await status()).toBe(429);
    for (const client of clients) client.socket.destroy();
    await until(async () => (await status()) === 206, 'a place is free');
  });

  test('comes to a browser that is signed in', async () => {
    const { id } = await short();
    const password = 'a long enough passphrase';
    const user = await addUser(service.services, 'reader', { password });
    await service.services.grants.grant(id, { userId: user.id }, null, alice.id);
    service.services.changes.bump();
    const browser = browserAt(service);
    expect((await browser.get(`/measurements/${id}/archive?files=0`)).status).toBe(401);
    await browser.signIn('reader', password);
    const response = await browser.get(`/measurements/${id}/archive?files=0,2`);
    expect([response.status, response.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="${id}-files.zip"; filename*=UTF-8''${id}-files.zip`,
    ]);
  });
});
