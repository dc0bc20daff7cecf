import { chmod, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addMeasurement, openBeside } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import { until } from '../../until.ts';

const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * 7 + (i >> 9)) & 0xff));
let service: TestService;
let alice: number;
let token: string;

beforeAll(async () => {
  service = await startTestService({
    trustedProxies: ['127.0.0.1'],
    internalLocations: [{ prefix: '/internal/', folder: '/' }],
  });
  alice = await service.user('alice');
  token = await service.token(alice, ['api']);
});
afterAll(() => service.end());

/** How a range is answered: handed over, served by the service itself, or refused. */
async function answered(id: string): Promise<string> {
  const answer = await fetch(`${service.url}/measurements/${id}/files/0`, {
    headers: { authorization: `Bearer ${token}`, range: 'bytes=10-150000', 'x-forwarded-for': '192.0.2.1' },
  });
  const body = Buffer.from(await answer.arrayBuffer());
  if (answer.headers.has('x-accel-redirect')) return 'handed over';
  return body.equals(bytes.subarray(10, 150_001)) ? 'served' : String(answer.status);
}

async function verify(id: string): Promise<void> {
  const before = (await service.services.measurements.byId(id))?.verified_at;
  await fetch(`${service.url}/api/v4/measurements/${id}/verify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  await until(async () => (await service.services.measurements.byId(id))?.verified_at !== before, 'it is verified');
}

test('M2: a file that was altered in place, its time put back, is not handed over but refused', async () => {
  const { id, root } = await addMeasurement(service, alice, 'altered', [{ path: 'a', bytes }]);
  expect(await answered(id)).toBe('handed over');
  const file = path.join(root, 'a');
  const { atime, mtime } = await stat(file);
  const times = [atime, new Date(Math.floor(mtime.getTime() / 1000) * 1000)] as const;
  await utimes(file, ...times);
  await verify(id);
  expect(await answered(id)).toBe('handed over');
  await writeFile(file, Buffer.alloc(bytes.length, 1), { flag: 'r+' });
  await utimes(file, ...times);
  expect(await answered(id)).toBe('409');
});

test('M2: a file whose rights changed is served without nginx until it is verified', async () => {
  const { id, root } = await addMeasurement(service, alice, 'rights', [{ path: 'a', bytes }]);
  expect(await answered(id)).toBe('handed over');
  await chmod(path.join(root, 'a'), 0o640);
  expect(await answered(id)).toBe('served');
  await verify(id);
  expect(await answered(id)).toBe('handed over');
});

test('M2: a file without a registered status change time is served without nginx until it is verified', async () => {
  const { id } = await addMeasurement(service, alice, 'early', [{ path: 'a', bytes }]);
  const database = openBeside(service);
  database.prepare('UPDATE measurement_files SET ctime_ns = NULL WHERE measurement_id = ?').run(id);
  database.close();
  expect(await answered(id)).toBe('served');
  await verify(id);
  expect(await answered(id)).toBe('handed over');
});
