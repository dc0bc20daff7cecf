import { randomFillSync } from 'node:crypto';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { classifyFileError } from '../../../../src-main/service/measurements/storage/file-errors.ts';
import { mayLoopMount, openLoopDisk, type LoopDisk } from '../../../faults/loop-disk.ts';
import { addMeasurement, openBeside } from '../../fixture-measurement.ts';
import { mustRun } from '../../run-program.ts';
import { useTestService, useUser } from '../../use-service.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';

const long = 48 * 1024 * 1024;
const service = useTestService();
const alice = useUser(service, 'alice');

beforeAll(async () => {
  await addMeasurement(service, alice.id, 'elsewhere', [{ path: 'a.txt', bytes: 'on another disk' }]);
});

/** A measurement whose files are on this disk. */
async function onDisk(id: string, disk: LoopDisk): Promise<void> {
  const { root } = await addMeasurement(service, alice.id, id, [
    { path: 'long.bin', bytes: randomFillSync(Buffer.alloc(long)) },
  ]);
  // Copies the time to the nanosecond, which Node cannot.
  await mustRun('cp', ['-p', path.join(root, 'long.bin'), path.join(disk.folder, 'long.bin')]);
  await rename(root, `${root}-away`);
  const database = openBeside(service);
  database.prepare('UPDATE measurements SET root = ? WHERE id = ?').run(disk.folder, id);
  database.close();
}

test('the reason for an unreadable file is reported as the system gives it', async () => {
  const { root } = await addMeasurement(service, alice.id, 'told', [{ path: 'a.txt', bytes: 'a' }]);
  const told = (code: string) =>
    classifyFileError(Object.assign(new Error(code), { code }), { idx: 3, path: 'a.txt' }, root);
  for (const code of ['EIO', 'ESTALE', 'ENXIO'])
    expect(await told(code)).toMatchObject({ index: 3, state: 'unreadable', message: `the disk failed (${code})` });
  expect(await told('EACCES')).toMatchObject({ state: 'unreadable', message: 'this user may not read it' });
  expect(await told('ENOENT')).toMatchObject({ state: 'missing', message: 'there is no such file in its folder' });
  // EMFILE is not about the file, which must not be reported as damaged.
  await expect(told('EMFILE')).rejects.toMatchObject({
    status: 503,
    message: 'The server is busy. Try again in a moment.',
  });
});

if (mayLoopMount()) {
  test.each([
    ['a whole file', '/files/0', []],
    ['a range, which the system may send by itself', '/files/0', ['Range: bytes=1-']],
    ['an archive', '', []],
  ] as const)(
    'a disk that fails in the middle of %s breaks it off, is told by name, and others are served',
    async (_what, where, headers) => {
      const disk = openLoopDisk(96);
      const id = `failing${where.length}-${headers.length}`;
      try {
        await onDisk(id, disk);
        const client = await RawClient.open(service.url);
        client.get(`/measurements/${id}${where}`, `Authorization: Bearer ${alice.token}`, ...headers);
        await client.until(100_000);
        client.pause();
        await disk.powerFails();
        await client.drain();
        expect(client.status).toBe(headers.length > 0 ? 206 : 200);
        expect(client.bodyReceived).toBeLessThan(long - 1);
        const rows = async () =>
          (await (await alice.get(`/api/v4/measurements/${id}/transfers`)).json()) as { outcome: string | null }[];
        await until(async () => (await rows())[0]?.outcome === 'read-error', 'the row in the audit trail');
        const { files } = (await (await alice.get(`/api/v4/measurements/${id}/files?problems=true`)).json()) as {
          files: object[];
        };
        expect(files).toEqual([
          expect.objectContaining({ index: 0, state: 'unreadable', problem: 'the disk failed (EIO)' }),
        ]);
        const refused = await alice.get(`/measurements/${id}/files/0`);
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
        expect(await refused.json()).toMatchObject({
          type: 'urn:benchport:problem:file-unreadable',
          detail: expect.stringContaining('File 0 (long.bin) cannot be read now') as string,
        });
        expect(await (await alice.get('/measurements/elsewhere/files/0')).text()).toBe('on another disk');
      } finally {
        await disk.end();
      }
    },
  );
}
