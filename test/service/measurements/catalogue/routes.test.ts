import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { addMeasurement } from '../../fixture-measurement.ts';
import { mustRun } from '../../run-program.ts';
import { useTestService, useUser } from '../../use-service.ts';

const service = useTestService();
const alice = useUser(service, 'alice', { scopes: ['api'] });
const bob = useUser(service, 'bob', { scopes: ['api'] });

beforeAll(async () => {
  for (let i = 0; i < 23; i += 1) {
    await addMeasurement(
      service,
      alice.id,
      `m-${String(i).padStart(2, '0')}`,
      [{ path: 'a.txt', bytes: `${i}` }],
      Date.UTC(2026, 0, 1 + i),
    );
  }
  await addMeasurement(
    service,
    alice.id,
    'odd',
    [
      { path: 'back\\slash', bytes: 'x' },
      { path: 'line\nbreak', bytes: 'y' },
      { path: 'plain name', bytes: 'z' },
    ],
    Date.UTC(2025, 0, 1),
  );
});

describe('the list', () => {
  test("has pages with GitLab's headers", async () => {
    const response = await alice.get('/api/v4/measurements?page=2&per_page=10');
    const page = (await response.json()) as { id: string }[];
    expect(page.map((one) => one.id)).toEqual(
      Array.from({ length: 10 }, (_, i) => `m-${String(12 - i).padStart(2, '0')}`),
    );
    const header = (name: string) => response.headers.get(name);
    expect(['x-total', 'x-total-pages', 'x-page', 'x-per-page', 'x-next-page', 'x-prev-page'].map(header)).toEqual([
      '24',
      '3',
      '2',
      '10',
      '3',
      '1',
    ]);
    const link = (to: number, rel: string) =>
      `<${service.url}/api/v4/measurements?page=${to}&per_page=10>; rel="${rel}"`;
    expect(header('link')).toBe([link(3, 'next'), link(1, 'prev'), link(1, 'first'), link(3, 'last')].join(', '));
    const last = await alice.get('/api/v4/measurements?page=3&per_page=10');
    expect([last.headers.get('x-next-page'), ((await last.json()) as unknown[]).length]).toEqual(['', 4]);
  });

  test('is searched and sorted', async () => {
    const ids = async (query: string) =>
      ((await (await alice.get(`/api/v4/measurements?${query}`)).json()) as { id: string }[]).map((one) => one.id);
    expect(await ids('search=M-0&sort=id&order=asc&per_page=3')).toEqual(['m-00', 'm-01', 'm-02']);
    expect(await ids('search=%25')).toEqual([]);
    expect(await ids('search=Fixture%20odd')).toEqual(['odd']);
    await alice.send('PATCH', '/api/v4/measurements/m-07', { title: 'Prüfstand ΟΔΟΣ' });
    expect(await ids(`search=${encodeURIComponent('PRÜFSTAND οδοσ')}`)).toEqual(['m-07']);
    expect((await ids('sort=file_count&order=desc'))[0]).toBe('odd');
    expect((await alice.get('/api/v4/measurements?per_page=101')).headers.get('x-per-page')).toBe('100');
    expect((await alice.get('/api/v4/measurements?per_page=0')).status).toBe(400);
    expect((await alice.get('/api/v4/measurements?sort=root')).status).toBe(400);
  });

  test('contains only measurements that the user may read', async () => {
    expect(await (await bob.get('/api/v4/measurements')).json()).toEqual([]);
    await alice.send('POST', '/api/v4/measurements/m-05/grants', { user: 'bob' });
    expect(await (await bob.get('/api/v4/measurements')).json()).toMatchObject([{ id: 'm-05' }]);
  });
});

describe('one measurement', () => {
  test('shows its addresses, and its folder to the owner at the machine only', async () => {
    const shown = (await (await alice.get('/api/v4/measurements/m-00')).json()) as Record<string, unknown>;
    expect(shown).toMatchObject({
      id: 'm-00',
      title: 'Fixture m-00',
      state: 'available',
      owner: { username: 'alice' },
      file_count: 1,
      total_bytes: 1,
      may_manage: true,
      root: null,
      download_url: `${service.url}/measurements/m-00`,
      manifest_url: `${service.url}/measurements/m-00/files`,
      registered_at: '2026-01-01T00:00:00.000Z',
    });
    expect((await bob.get('/api/v4/measurements/m-00')).status).toBe(403);
    expect((await alice.get('/api/v4/measurements/none')).status).toBe(404);
  });

  test('is renamed by its owner, not by a reader', async () => {
    expect(await (await alice.send('PATCH', '/api/v4/measurements/m-01', { title: 'Night run' })).json()).toMatchObject(
      {
        title: 'Night run',
      },
    );
    expect((await alice.send('PATCH', '/api/v4/measurements/m-01', { title: '' })).status).toBe(400);
    expect((await alice.send('PATCH', '/api/v4/measurements/m-01', { root: '/' })).status).toBe(400);
    await alice.send('POST', '/api/v4/measurements/m-01/grants', { user: 'bob' });
    const titles = await (await bob.get('/api/v4/measurements/m-01')).json();
    expect(titles).toMatchObject({ title: 'Night run', may_manage: false });
    for (const [method, where, body] of [
      ['PATCH', '', { title: 'x' }],
      ['DELETE', '', undefined],
      ['GET', '/grants', undefined],
      ['POST', '/grants', { everyone: true }],
      ['GET', '/transfers', undefined],
    ] as const) {
      expect((await bob.send(method, `/api/v4/measurements/m-01${where}`, body)).status).toBe(403);
    }
  });

  test('is removed without touching the referenced files', async () => {
    expect((await alice.send('DELETE', '/api/v4/measurements/m-22')).status).toBe(204);
    expect((await alice.get('/measurements/m-22')).status).toBe(404);
    expect((await alice.send('DELETE', '/api/v4/measurements/m-22')).status).toBe(404);
    expect(await mustRun('cat', [path.join(service.dir, 'instrument', 'm-22', 'a.txt')])).toBe('22');
  });
});

describe('files', () => {
  test('are paged by a cursor', async () => {
    const first = (await (await alice.get('/api/v4/measurements/odd/files?limit=2')).json()) as {
      files: { index: number }[];
      next: number;
    };
    expect([first.files.map((file) => file.index), first.next]).toEqual([[0, 1], 1]);
    const second = (await (await alice.get(`/api/v4/measurements/odd/files?limit=2&after=${first.next}`)).json()) as {
      files: object[];
      next: null;
    };
    expect(second).toMatchObject({
      files: [{ index: 2, path: 'plain name', state: 'ok', problem: null, checked_at: null }],
      next: null,
    });
  });

  test('U12: are in natural order of names on request, and otherwise in the order of the manifest', async () => {
    const pathsOf = async (query: string): Promise<readonly string[]> => {
      const { files } = (await (await alice.get(`/api/v4/measurements/numbered/files?${query}`)).json()) as {
        files: { path: string }[];
      };
      return files.map((file) => file.path);
    };
    const files = [
      { path: 'Scan_1', bytes: 'a' },
      { path: 'scan_10', bytes: '' },
      { path: 'scan_2', bytes: 'bb' },
    ];
    await addMeasurement(service, alice.id, 'numbered', files, Date.UTC(2025, 0, 2));
    expect(await pathsOf('')).toEqual(['Scan_1', 'scan_10', 'scan_2']);
    expect(await pathsOf('sort=path')).toEqual(['Scan_1', 'scan_2', 'scan_10']);
    expect(await pathsOf('sort=path&order=desc&search=SCAN&limit=2')).toEqual(['scan_10', 'scan_2']);
    expect(await pathsOf('sort=size')).toEqual(['scan_10', 'Scan_1', 'scan_2']);
    expect((await alice.get('/api/v4/measurements/numbered/files?sort=name')).status).toBe(400);
  });

  test('have a list that sha256sum understands, whatever their names', async () => {
    const list = await (await alice.get('/api/v4/measurements/odd/checksums')).text();
    const file = path.join(await mkdtemp(path.join(service.dir, 'list-')), 'odd.sha256');
    await writeFile(file, list);
    const said = await mustRun('sha256sum', ['-c', '--strict', file], {
      cwd: path.join(service.dir, 'instrument', 'odd'),
    });
    expect(said.trim().split('\n')).toHaveLength(3);
    expect(said).toContain('plain name: OK');
    await rm(path.dirname(file), { recursive: true });
  });
});

describe('grants', () => {
  test('need exactly one existing subject and an end in the future', async () => {
    const status = async (body: object) => (await alice.send('POST', '/api/v4/measurements/m-02/grants', body)).status;
    expect(await status({})).toBe(400);
    expect(await status({ everyone: false })).toBe(400);
    expect(await status({ user: 'bob', everyone: true })).toBe(400);
    expect(await status({ user: 'nobody' })).toBe(404);
    expect(await status({ project: 'no/project' })).toBe(404);
    // A project that the user may not see gets the same answer.
    await service.services.projects.create('their/project', 'Theirs');
    const detail = async (project: string) =>
      (await (await alice.send('POST', '/api/v4/measurements/m-02/grants', { project })).text()).replaceAll(
        project,
        'PATH',
      );
    const without = (text: string) => text.replace(/"request_id":"[^"]*"/, '');
    expect(await status({ project: 'their/project' })).toBe(404);
    expect(without(await detail('their/project'))).toBe(without(await detail('no/project')));
    expect(await status({ user: 'bob', until: '2020-01-01T00:00:00Z' })).toBe(400);
    expect(await status({ user: 'bob', until: 'soon' })).toBe(400);
    const until = new Date(Date.now() + 3600_000).toISOString();
    expect(await status({ user: 'bob', until })).toBe(201);
    expect(await status({ user: 'bob' })).toBe(201);
    const list = (await (await alice.get('/api/v4/measurements/m-02/grants')).json()) as { id: number }[];
    expect(list).toMatchObject([{ subject: 'user', user: 'bob', project: null, until: null }]);
    expect((await alice.send('DELETE', `/api/v4/measurements/m-03/grants/${list[0]?.id}`)).status).toBe(404);
    expect((await alice.send('DELETE', '/api/v4/measurements/m-02/grants/x')).status).toBe(400);
  });

  test('are audited with user and address, as are renaming and removing', async () => {
    const { id } = (await (await alice.send('POST', '/api/v4/measurements/m-04/grants', { user: 'bob' })).json()) as {
      id: number;
    };
    await alice.send('DELETE', `/api/v4/measurements/m-04/grants/${id}`);
    await alice.send('PATCH', '/api/v4/measurements/m-04', { title: 'Noon run' });
    await alice.send('DELETE', '/api/v4/measurements/m-04');
    const { rows } = await service.services.auditList.page(
      { userId: null, action: 'measurement.', from: 0, before: Number.MAX_SAFE_INTEGER },
      4,
      0,
    );
    expect(rows.map(({ action, subject, username, address }) => [action, subject, username, address])).toEqual(
      ['remove', 'rename', 'revoke', 'grant'].map((what) => [
        `measurement.${what}`,
        'measurement:m-04',
        'alice',
        '127.0.0.1',
      ]),
    );
  });
});
