import { beforeAll, describe, expect, test } from 'vitest';
import type { FolderPage } from '../../../../src-main/service/contract/measurements/files.ts';
import { addMeasurement, openBeside } from '../../fixture-measurement.ts';
import { useTestService, useUser } from '../../use-service.ts';

const service = useTestService();
const alice = useUser(service, 'alice', { scopes: ['read_measurement'] });
const bob = useUser(service, 'bob', { scopes: ['api'] });

const frames = Array.from({ length: 600 }, (_, at) => `raw/frame${at}.dat`);
const runs = Array.from({ length: 300 }, (_, at) => `runs/run${at}/a.dat`);
const paths = [
  'README.txt',
  'scan2.txt',
  'scan10.txt',
  ...frames,
  ...runs,
  'runs/run7/b/deep/c.dat',
  // Their natural keys are equal.
  'Case/scan_1/x.dat',
  'Case/scan_01/x.dat',
  'case/scan_1/y.dat',
  'Case.txt',
  'raw.txt',
];

beforeAll(async () => {
  await addMeasurement(
    service,
    alice.id,
    'tree',
    paths.map((path, at) => (at % 50 === 0 ? { path, bytes: 'x'.repeat(at + 1) } : { path, rowOnly: true })),
  );
  // Else the schedule would verify it, and find most of its files missing.
  const beside = openBeside(service);
  beside.prepare('UPDATE measurements SET verified_at = ?').run(Date.now());
  beside.close();
});

async function page(query: string): Promise<FolderPage> {
  const response = await alice.get(`/api/v4/measurements/tree/folders?${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as FolderPage;
}

async function everything(path: string, limit: number): Promise<FolderPage['entries']> {
  const entries: FolderPage['entries'] = [];
  for (let after: number | null = -1; after !== null;) {
    const found: FolderPage = await page(`path=${encodeURIComponent(path)}&after=${after}&limit=${limit}`);
    expect(found.entries.length).toBeLessThanOrEqual(limit);
    entries.push(...found.entries);
    after = found.next;
  }
  return entries;
}

async function allFiles(path: string, limit: number): Promise<string[]> {
  const found: string[] = [];
  for (const { name, file, folder } of await everything(path, limit)) {
    const at = path === '' ? name : `${path}/${name}`;
    if (file !== null) found.push(file.path);
    if (folder === null) continue;
    const below = await allFiles(at, limit);
    expect(folder.last - folder.first + 1, at).toBe(below.length);
    found.push(...below);
  }
  return found;
}

describe('the folders of a measurement', () => {
  test('the uppermost folder: folders and files in natural order', async () => {
    const { entries, next } = await page('');
    expect(next).toBeNull();
    expect(entries.map(({ name }) => name)).toEqual([
      'Case',
      'case',
      'Case.txt',
      'raw',
      'raw.txt',
      'README.txt',
      'runs',
      'scan2.txt',
      'scan10.txt',
    ]);
  });

  test.each([1, 7, 100, 500])('each file is in exactly one place, in pages of %i', async (limit) => {
    expect((await allFiles(limit === 1 ? 'Case' : '', limit)).toSorted()).toEqual(
      paths.filter((path) => limit !== 1 || path.startsWith('Case/')).toSorted(),
    );
  });

  test('folders say the range of their files and its bytes, whether skipped or read', async () => {
    const { entries } = await page('');
    const sorted = paths.toSorted((a, b) => (a < b ? -1 : 1));
    for (const { name, folder } of entries) {
      if (folder === null) continue;
      const below = sorted.flatMap((path, index) => (path.startsWith(`${name}/`) ? [index] : []));
      expect([folder.first, folder.last]).toEqual([below[0], below.at(-1)]);
      const bytes = paths.reduce(
        (sum, path, at) => sum + (path.startsWith(`${name}/`) && at % 50 === 0 ? at + 1 : 0),
        0,
      );
      expect(folder.bytes).toBe(bytes);
    }
  });

  test('numbers of names are by their value', async () => {
    const names = (await everything('raw', 500)).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 600 }, (_, at) => `frame${at}.dat`));
    expect((await everything('runs', 100)).map(({ name }) => name)).toEqual(
      Array.from({ length: 300 }, (_, at) => `run${at}`),
    );
  });

  test('counts files with problems below a folder', async () => {
    const beside = openBeside(service);
    beside
      .prepare("UPDATE measurement_files SET state = 'missing' WHERE path IN ('raw/frame3.dat', 'Case/scan_1/x.dat')")
      .run();
    beside.close();
    const of = (await page('')).entries.flatMap(({ name, folder }) =>
      folder === null ? [] : [[name, folder.problem_count]],
    );
    expect(of).toEqual([
      ['Case', 1],
      ['case', 0],
      ['raw', 1],
      ['runs', 0],
    ]);
  });

  test('refuses what is no folder, and who may not read', async () => {
    for (const path of ['nothing', 'scan2.txt', 'ra', 'raw/', '/raw', 'raw/frame3.dat']) {
      const response = await alice.get(`/api/v4/measurements/tree/folders?path=${encodeURIComponent(path)}`);
      expect(response.status, path).toBe(404);
      expect(((await response.json()) as { detail: string }).detail).toBe(
        'Measurement tree has no folder with this path.',
      );
    }
    expect((await alice.get('/api/v4/measurements/tree/folders?after=-2')).status).toBe(400);
    expect((await alice.get('/api/v4/measurements/tree/folders?limit=501')).status).toBe(400);
    expect((await bob.get('/api/v4/measurements/tree/folders')).status).toBe(403);
    expect((await alice.get('/api/v4/measurements/none/folders')).status).toBe(404);
  });

  test('a cursor from elsewhere stays in the folder', async () => {
    const { entries, next } = await page('path=raw&after=2147483647');
    expect([entries, next]).toEqual([[], null]);
    expect((await page('path=runs&after=0&limit=1')).entries.map(({ name }) => name)).toEqual(['run0']);
  });
});
