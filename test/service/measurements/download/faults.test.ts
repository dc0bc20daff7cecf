import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  rename,
  rmdir,
  truncate,
  unlink,
  writeFile,
  symlink,
} from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { addMeasurement, openBeside, type Fixture } from '../../fixture-measurement.ts';
import { run } from '../../run-program.ts';
import { until } from '../../until.ts';
import { useDownloads } from './faults-scene.ts';

const { service, alice, ask, stateOf, outcomes } = useDownloads();

let number = 0;

async function small(): Promise<Fixture> {
  number += 1;
  return addMeasurement(service, alice.id, `s${number}`, [
    { path: 'a.bin', bytes: Buffer.alloc(1000, 1) },
    { path: 'b.bin', bytes: Buffer.alloc(1000, 2) },
  ]);
}

describe('before the first byte', () => {
  type Change = (file: string) => Promise<unknown>;
  const altered: readonly (readonly [string, Change])[] = [
    ['truncated', (file) => truncate(file, 999)],
    ['grown', (file) => appendFile(file, 'x')],
    ['rewritten with as many bytes', (file) => writeFile(file, Buffer.alloc(1000, 3))],
    [
      'replaced by another file',
      async (file) => {
        await writeFile(`${file}.new`, Buffer.alloc(1000, 3));
        await rename(`${file}.new`, file);
      },
    ],
    [
      'replaced by a folder',
      async (file) => {
        await unlink(file);
        await mkdir(file);
      },
    ],
    [
      'replaced by a link to something else',
      async (file) => {
        await unlink(file);
        await symlink('/etc/passwd', file);
      },
    ],
    [
      'replaced by a pipe',
      async (file) => {
        await unlink(file);
        expect((await run('mkfifo', [file])).status).toBe(0);
      },
    ],
  ];
  test.each(altered)('a file %s is refused with 409, alone and in the archive', async (_how, change) => {
    const { id, root } = await small();
    expect((await ask(`/measurements/${id}/files/0`)).status).toBe(200);
    await change(path.join(root, 'a.bin'));
    for (const where of [`/measurements/${id}/files/0`, `/measurements/${id}`]) {
      // Equal lengths: its bytes are compared first.
      const response = await ask(where);
      expect(response.status).toBe(409);
      expect(await response.json()).toMatchObject({
        type: 'urn:benchport:problem:file-changed',
        detail: expect.stringContaining('File 0 (a.bin)'),
      });
    }
    expect((await ask(`/measurements/${id}/files/0`, { range: 'bytes=0-9' })).status).toBe(409);
    expect((await ask(`/measurements/${id}/files/1`)).status).toBe(200);
    expect(await stateOf(id)).toMatchObject({ state: 'degraded', problems: [{ index: 0, state: 'altered' }] });
  });

  const ways: readonly (readonly [string, (root: string, elsewhere: string) => Promise<unknown>])[] = [
    [
      'itself',
      async (root, elsewhere) => {
        await unlink(path.join(root, 'sub', 'a.bin'));
        await symlink(path.join(elsewhere, 'a.bin'), path.join(root, 'sub', 'a.bin'));
      },
    ],
    [
      'its folder',
      async (root, elsewhere) => {
        await rename(path.join(root, 'sub'), `${root}-away`);
        await symlink(elsewhere, path.join(root, 'sub'));
      },
    ],
    [
      'the registered folder',
      async (root, elsewhere) => {
        await rename(root, `${root}-away`);
        await mkdir(path.join(elsewhere, 'sub'));
        await rename(path.join(elsewhere, 'a.bin'), path.join(elsewhere, 'sub', 'a.bin'));
        await symlink(elsewhere, root);
      },
    ],
  ];
  // Who may write there can give their own file the size and the time of one that they may not read, and a range has no checksum to be held against.
  test.each(ways)(
    'a file of the same size and time behind a link is not read: %s is the link',
    async (_what, replace) => {
      number += 1;
      const { id, root } = await addMeasurement(service, alice.id, `s${number}`, [
        { path: 'sub/a.bin', bytes: Buffer.alloc(1000, 1) },
      ]);
      const elsewhere = await mkdtemp(path.join(path.dirname(root), 'elsewhere-'));
      const theirs = path.join(elsewhere, 'a.bin');
      await writeFile(theirs, Buffer.alloc(1000, 'secret'));
      // To the nanosecond, which Node cannot set.
      expect((await run('touch', ['-r', path.join(root, 'sub', 'a.bin'), theirs])).status).toBe(0);
      await replace(root, elsewhere);
      for (const where of [`/measurements/${id}/files/0`, `/measurements/${id}`]) {
        for (const range of ['bytes=100-109', 'bytes=100-']) {
          const response = await ask(where, { range });
          expect(response.status).toBe(409);
          expect(await response.text()).toContain('a link leads to it now');
        }
      }
    },
  );

  test('the archive itself finds a changed file that nobody had noticed', async () => {
    const { id, root } = await small();
    await appendFile(path.join(root, 'b.bin'), 'x');
    expect((await ask(`/measurements/${id}`)).status).toBe(409);
    expect(await stateOf(id)).toMatchObject({
      state: 'degraded',
      problems: [{ index: 1, state: 'altered', problem: 'it has 1\u202f001 bytes instead of 1\u202f000' }],
    });
    // Requests that do not need it are still served.
    expect((await ask(`/measurements/${id}`, { range: 'bytes=0-99' })).status).toBe(206);
    await until(async () => (await outcomes(id)).includes('file-changed'), 'an audit row');
  });

  test('a file that is deleted is 404 file-missing, and is served again when it is back', async () => {
    const { id, root } = await small();
    const file = path.join(root, 'a.bin');
    expect((await ask(`/measurements/${id}/files/0`)).status).toBe(200);
    await rename(file, `${file}.away`);
    for (const where of [`/measurements/${id}/files/0`, `/measurements/${id}`]) {
      const response = await ask(where);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({ type: 'urn:benchport:problem:file-missing' });
    }
    expect(await stateOf(id)).toMatchObject({ state: 'degraded', problems: [{ state: 'missing' }] });
    await rename(`${file}.away`, file);
    expect((await ask(`/measurements/${id}`)).status).toBe(200);
    expect(await stateOf(id)).toEqual({ state: 'available', problems: [] });
  });

  test('a copy of the same size and time takes the place of the file', async () => {
    const { id, root } = await small();
    const file = path.join(root, 'a.bin');
    expect((await ask(`/measurements/${id}/files/0`)).status).toBe(200);
    expect((await run('cp', ['-p', file, `${file}.copy`])).status).toBe(0);
    await rename(`${file}.copy`, file);
    expect((await ask(`/measurements/${id}/files/0`)).status).toBe(200);
  });

  test('an unmounted disk is said to be one', async () => {
    const { id, root } = await small();
    await rename(root, `${root}.away`);
    for (const where of [`/measurements/${id}/files/0`, `/measurements/${id}`]) {
      const response = await ask(where);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '60']);
      expect(await response.json()).toMatchObject({
        type: 'urn:benchport:problem:file-unreadable',
        detail: expect.stringContaining('is its disk connected and mounted'),
      });
    }
    expect(await stateOf(id)).toMatchObject({ state: 'degraded', problems: [{ state: 'unreadable' }] });
    // An unmounted disk leaves the empty folder that it was mounted on.
    await mkdir(root);
    expect((await ask(`/measurements/${id}/files/0`)).status).toBe(503);
    await rmdir(root);
    await rename(`${root}.away`, root);
    expect((await ask(`/measurements/${id}`)).status).toBe(200);
    expect((await stateOf(id)).state).toBe('available');
  });

  test('a file that may not be read is 503 file-unreadable', async () => {
    const { id, root } = await small();
    const database = openBeside(service);
    // The superuser may read everything: for it the disk fails otherwise.
    if (process.getuid?.() === 0)
      database
        .prepare('UPDATE measurement_files SET location = ? WHERE measurement_id = ? AND idx = 0')
        .run('x'.repeat(300), id);
    else await chmod(path.join(root, 'a.bin'), 0);
    database.close();
    const response = await ask(`/measurements/${id}/files/0`);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ type: 'urn:benchport:problem:file-unreadable' });
  });
});

test('an audit trail that cannot be written is said once, and has every row when it can be again', async () => {
  const { id } = await small();
  const [failed, again] = [vi.spyOn(service.services.log, 'error'), vi.spyOn(service.services.log, 'warn')];
  const said = (spy: typeof failed, message: string) => spy.mock.calls.filter((call) => call.includes(message)).length;
  const database = openBeside(service);
  database.exec('ALTER TABLE transfers RENAME TO transfers_away');
  const tries = vi.spyOn(service.services.transfers, 'write');
  expect((await ask(`/measurements/${id}/files/0`)).status).toBe(200);
  await until(() => tries.mock.calls.length >= 3, 'it is tried again');
  database.exec('ALTER TABLE transfers_away RENAME TO transfers');
  database.close();
  await until(async () => (await outcomes(id)).length === 1, 'the row is there');
  expect([
    said(failed, 'audit rows of transfers not written; trying again'),
    said(again, 'audit rows of transfers are written again'),
  ]).toEqual([1, 1]);
  vi.restoreAllMocks();
});
