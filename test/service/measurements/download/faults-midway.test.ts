import { appendFile, readFile, rm, truncate, utimes, writeFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { addMeasurement, openBeside, type Fixture } from '../../fixture-measurement.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';
import { zeros } from '../../zeros.ts';
import { useDownloads } from './faults-scene.ts';

const { service, alice, stateOf, ask, outcomes } = useDownloads();

const mebibyte = 1024 * 1024;
const long = 64 * mebibyte;
let number = 0;

describe('content', () => {
  test.each([
    ['a large file', 3 * mebibyte, '/files/0'],
    ['a small file', 20_000, '/files/0'],
    ['a large member of an archive', 3 * mebibyte, ''],
    ['a small member of an archive', 20_000, ''],
  ])('of %s that no longer has its checksum never arrives whole', async (_what, length, where) => {
    number += 1;
    const id = `c${number}`;
    const fixture = await addMeasurement(service, alice.id, id, [{ path: 'a.bin', bytes: Buffer.alloc(length, 1) }]);
    const file = path.join(fixture.root, 'a.bin');
    const before = await stat(file);
    const bytes = await readFile(file);
    bytes[length - 1] = 7;
    await writeFile(file, bytes);
    await utimes(file, before.atime, before.mtime);
    // utimes keeps milliseconds; the registration has nanoseconds, so the row is brought in line: same size, same time, other bytes.
    const database = openBeside(service);
    database
      .prepare('UPDATE measurement_files SET mtime_ns = ? WHERE measurement_id = ?')
      .run(String((await stat(file, { bigint: true })).mtimeNs), id);
    database.close();
    const client = await RawClient.open(service.url);
    await client
      .get(`/measurements/${id}${where}`, `Authorization: Bearer ${alice.token}`, 'Connection: close')
      .drain();
    // A fault within a single read is detected before the first byte.
    if (client.status === 200) expect(client.bodyReceived).toBeLessThan(where === '' ? fixture.archiveBytes : length);
    else expect([client.status, length]).toEqual([409, 20_000]);
    await until(async () => (await stateOf(id)).state === 'degraded', 'the measurement is degraded');
    expect((await stateOf(id)).problems).toEqual([
      { index: 0, state: 'altered', problem: 'its content no longer has the registered checksum' },
    ]);
    // From now on it is refused before the first byte.
    expect((await ask(`/measurements/${id}`)).status).toBe(409);
    await until(async () => (await outcomes(id)).includes('checksum-mismatch'), 'an audit row');
    const audit = openBeside(service);
    expect(audit.prepare('SELECT action, detail FROM audit_events WHERE subject = ?').get(`measurement:${id}`)).toEqual(
      {
        action: 'measurement.degraded',
        detail: 'file 0 (a.bin): its content no longer has the registered checksum',
      },
    );
    audit.close();
  });
});

describe('in the middle of a transfer', () => {
  async function begun(
    where: (id: string) => string,
    files = 1,
  ): Promise<{ id: string; client: RawClient; fixture: Fixture }> {
    number += 1;
    const id = `t${number}`;
    const list = [];
    for (let i = 0; i < files; i += 1) list.push(await zeros(service, id, `z${i}.bin`, long / files));
    const fixture = await addMeasurement(service, alice.id, id, list);
    const client = await RawClient.open(service.url);
    client.get(where(id), `Authorization: Bearer ${alice.token}`);
    await client.until(100_000);
    client.pause();
    return { id, client, fixture };
  }

  test.each([
    ['truncated', 'file-changed', (file: string) => truncate(file, 10)],
    ['grown', 'file-changed', (file: string) => appendFile(file, 'more')],
  ] as const)('a file that is %s is never ended cleanly', async (_how, outcome, change) => {
    const { id, client, fixture } = await begun((one) => `/measurements/${one}/files/0`);
    await change(path.join(fixture.root, 'z0.bin'));
    await client.drain();
    expect(client.status).toBe(200);
    expect(client.bodyReceived).toBeLessThan(long);
    await until(async () => (await outcomes(id)).includes(outcome), 'an audit row');
    expect((await stateOf(id)).state).toBe('degraded');
  });

  test('a file that is deleted or replaced is finished from its open descriptor: those are the registered bytes', async () => {
    const { client, fixture } = await begun((one) => `/measurements/${one}/files/0`);
    await rm(path.join(fixture.root, 'z0.bin'));
    await writeFile(path.join(fixture.root, 'z0.bin'), 'another');
    client.resume();
    await client.until(long + 500);
    expect(client.bodyReceived).toBe(long);
    client.socket.destroy();
  });

  test('a transfer ends even when the state of its file cannot be stored', async () => {
    const { id, client, fixture } = await begun((one) => `/measurements/${one}/files/0`);
    const store = vi.spyOn(service.services.files, 'recordChecks').mockRejectedValueOnce(new Error('no space'));
    await appendFile(path.join(fixture.root, 'z0.bin'), 'more');
    await client.drain();
    await until(async () => (await outcomes(id)).includes('file-changed'), 'an audit row');
    expect(store).toHaveBeenCalled();
    store.mockRestore();
  });

  test('a later member of an archive that is gone breaks the connection', async () => {
    const { id, client, fixture } = await begun((one) => `/measurements/${one}`, 8);
    await rm(path.join(fixture.root, 'z7.bin'));
    await client.drain();
    expect(client.bodyReceived).toBeGreaterThan(100_000);
    expect(client.bodyReceived).toBeLessThan(fixture.archiveBytes);
    await until(async () => (await outcomes(id)).includes('read-error'), 'an audit row');
    expect(await stateOf(id)).toMatchObject({ state: 'degraded', problems: [{ index: 7, state: 'missing' }] });
  });
});
