import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RawClient } from '../../raw-client.ts';
import { mustRun } from '../../run-program.ts';
import { useTestService } from '../../use-service.ts';
import { buildZip, withStatedCount } from '../registration/zip-builder.ts';
import { makeZip, uploadedFolders } from './support.ts';

const service = useTestService();
const files = { 'raw/a.bin': randomBytes(300_000), 'notes.txt': Buffer.from('measured on the bench\n') };
let dir: string;
let zip: string;
let token: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-upload-'));
  zip = await makeZip(path.join(dir, 'run.zip'), files);
  token = await service.token(await service.user('alice'), ['write_measurement', 'read_measurement']);
});
afterAll(async () => rm(dir, { recursive: true }));

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** `curl -T`, with its answer. */
async function put(file: string, id: string, own = token, ...more: readonly string[]): Promise<Answer> {
  const url = `${service.url}/api/v4/measurements/${id}/archive`;
  const format = ['-w', '\n%{http_code}', '-H', `Authorization: Bearer ${own}`];
  const text = await mustRun('curl', ['-sS', '-T', file, ...format, ...more, url]);
  const cut = text.lastIndexOf('\n');
  return { status: Number(text.slice(cut + 1)), body: JSON.parse(text.slice(0, cut)) as Answer['body'] };
}

async function get(url: string, own = token): Promise<Response> {
  return fetch(`${service.url}${url}`, { headers: { authorization: `Bearer ${own}` } });
}

describe('an archive sent by curl -T', () => {
  test('is available when it is answered, with the same bytes, and nothing else is left', async () => {
    expect(await put(zip, 'run-1')).toMatchObject({
      status: 201,
      body: { state: 'available', measurement_id: 'run-1' },
    });
    for (const [at, name] of ['notes.txt', 'raw/a.bin'].entries()) {
      const answer = await get(`/measurements/run-1/files/${at}`);
      expect(Buffer.from(await answer.arrayBuffer()).equals(files[name as keyof typeof files])).toBe(true);
    }
    expect(await uploadedFolders(service)).toEqual([]);
  });

  test('may come without a length, in chunks', async () => {
    expect(await put(zip, 'run-2', token, '-H', 'Transfer-Encoding: chunked')).toMatchObject({ status: 201 });
    expect((await get('/measurements/run-2/files/0')).status).toBe(200);
  });

  test('gets its title, and is for the members of a project', async () => {
    const [bob, carol] = [await service.user('bob'), await service.user('carol')];
    const { projects } = service.services;
    const project = await projects.create('lab/optics', 'Optics');
    for (const [id, role] of [
      [bob, 'developer'],
      [carol, 'reporter'],
    ] as const)
      await projects.setMember(project?.id ?? 0, id, role);
    const send = async (id: number, measurement = 'run-3') => {
      const query = new URLSearchParams({ title: 'Third run', project: 'lab/optics' });
      return fetch(`${service.url}/api/v4/measurements/${measurement}/archive?${query}`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${await service.token(id, ['write_measurement'])}` },
        body: await readFile(zip),
      });
    };
    expect((await send(carol)).status).toBe(403);
    expect((await send(await service.user('stranger'))).status).toBe(404);
    const sent = await send(bob);
    expect([sent.status, await sent.json()]).toMatchObject([201, { title: 'Third run' }]);
    const carols = await service.token(carol, ['read_measurement']);
    expect((await get('/measurements/run-3/files', carols)).status).toBe(200);
    expect((await get('/measurements/run-3/files', token)).status).toBe(403);
    // Administrators are in no project, and may upload into each.
    expect((await send(await service.user('root', true), 'run-4')).status).toBe(201);
    expect((await get('/measurements/run-4/files', carols)).status).toBe(200);
  });

  test.each([
    ['is no ZIP', 'not a zip', 422, 'failed'],
    ['leads out of the folder', 'traversal', 422, 'failed'],
    ['has names that differ by case', 'case', 422, 'failed'],
    ['has a wrong checksum', 'damaged', 422, 'failed'],
    ['has ten million entries', 'entries', 422, 'failed'],
  ])('that %s is refused, and nothing is left', async (_, kind, status) => {
    const file = path.join(dir, `${kind}.zip`);
    if (kind === 'not a zip') await writeFile(file, randomBytes(50_000));
    if (kind === 'traversal') await makeZip(file, { '../out.txt': Buffer.from('x') });
    if (kind === 'case') await makeZip(file, { 'A.txt': Buffer.from('x'), 'a.txt': Buffer.from('y') });
    if (kind === 'entries')
      await writeFile(file, withStatedCount(buildZip([{ name: 'a.txt', data: 'a' }]), 10_000_000));
    if (kind === 'damaged') {
      const whole = await readFile(zip);
      whole[100_000] = (whole[100_000] ?? 0) ^ 1;
      await writeFile(file, whole);
    }
    const id = `bad-${kind.replaceAll(' ', '-')}`;
    const answer = await put(file, id);
    expect(answer).toMatchObject({ status });
    expect(JSON.stringify(answer.body)).not.toContain(service.dir);
    expect((await get(`/measurements/${id}/files`)).status).toBe(404);
    expect(await uploadedFolders(service)).toEqual([]);
    // The id can be used again.
    expect(await put(zip, id)).toMatchObject({ status: 201 });
  });

  test('needs the scope, an id that is free, and a valid one', async () => {
    const reading = await service.token(await service.user('dora'), ['read_measurement', 'read_api']);
    expect(await put(zip, 'run-9', reading)).toMatchObject({ status: 403 });
    expect(await put(zip, 'run-1')).toMatchObject({ status: 409, body: { type: 'urn:benchport:problem:id-taken' } });
    expect(await put(zip, 'RUN-1')).toMatchObject({ status: 409 });
    expect(await put(zip, '%2e%2e')).toMatchObject({ status: 400 });
  });

  test('leaves nothing when its connection ends, and its id is free again', async () => {
    const client = await RawClient.open(service.url);
    client.socket.write(
      `PUT /api/v4/measurements/cut/archive HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000000\r\n\r\n`,
    );
    client.socket.write(randomBytes(200_000));
    await expect.poll(async () => (await uploadedFolders(service)).length).toBe(1);
    client.socket.destroy();
    await expect.poll(async () => uploadedFolders(service), { timeout: 10_000 }).toEqual([]);
    expect(await put(zip, 'cut')).toMatchObject({ status: 201 });
    expect(await readdir(path.join(service.services.paths.library, 'incoming'))).toEqual([]);
  });
});
