import { hash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cleanlyShort, flipBit, tooMany } from '../../../faults/body-faults.ts';
import { bytesOf } from '../../../faults/content.ts';
import { cutAfter } from '../../../faults/connection-faults.ts';
import { startFaultServer, type FaultServer } from '../../../faults/fault-server.ts';
import { generateMeasurement, manifestOf } from '../../../faults/measurement.ts';
import { mustRun } from '../../run-program.ts';

const measurement = generateMeasurement('m', 7, [
  ['a/big.bin', 300_001],
  ['empty', 0],
  ['b.txt', 5],
]);
let server: FaultServer;

beforeEach(async () => {
  server = await startFaultServer(measurement, { token: 'right' });
});
afterEach(() => server.stop());

const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${url}`, { headers: { authorization: 'Bearer right', ...headers } });
const bytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

// Everything below rests on this server: first that it does nothing wrong by itself.
describe('without a fault', () => {
  test('manifest, files and archive are what they say', async () => {
    expect(await (await get('/measurements/m/files')).json()).toEqual(manifestOf(measurement));
    for (const [index, file] of measurement.files.entries()) {
      const body = await bytes(await get(`/measurements/m/files/${index}`));
      expect(hash('sha256', body, 'buffer')).toEqual(file.sha256);
    }
    const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-faults-'));
    try {
      const archive = await bytes(await get('/measurements/m'));
      expect(archive.length).toBe(measurement.archiveBytes);
      await writeFile(path.join(dir, 'm.zip'), archive);
      await mustRun('unzip', ['-q', 'm.zip', '-d', 'out'], { cwd: dir });
      expect(hash('sha256', await readFile(path.join(dir, 'out/a/big.bin')), 'buffer')).toEqual(
        measurement.files[0]?.sha256,
      );
      const part = await get('/measurements/m', { range: 'bytes=299990-300100' });
      expect(await bytes(part)).toEqual(archive.subarray(299_990, 300_101));
    } finally {
      await rm(dir, { recursive: true, force: true });
    }
  });

  test('ranges are the bytes of those places, under If-Range too', async () => {
    const first = measurement.files[0];
    if (!first) throw new Error('no file');
    const tag = `"sha256-${first.sha256.toString('hex')}"`;
    const part = await get('/measurements/m/files/0', { range: 'bytes=65535-131073', 'if-range': tag });
    expect([part.status, part.headers.get('content-range'), part.headers.get('etag')]).toEqual([
      206,
      'bytes 65535-131073/300001',
      tag,
    ]);
    expect(await bytes(part)).toEqual(bytesOf(first.seed, 65_535, 131_074));
    expect((await get('/measurements/m/files/0', { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
    expect((await get('/measurements/m/files/0', { range: 'bytes=300001-' })).status).toBe(416);
    expect((await get('/measurements/m/files/0', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect(server.seen.map(({ status, bytesSent }) => [status, bytesSent])[0]).toEqual([206, 65_539]);
  });
});

describe('with a fault', () => {
  test('it does what it is told, and curl sees it', async () => {
    const curl = (...args: string[]) =>
      mustRun('curl', [
        '-sS',
        '-o',
        '/dev/null',
        '-H',
        'Authorization: Bearer right',
        ...args,
        `${server.url}/measurements/m/files/0`,
      ]);
    server.faults = [cutAfter(1000)];
    await expect(curl()).rejects.toThrow('ended with 18');
    expect(server.seen.at(-1)).toMatchObject({ bytesSent: 1000, ended: 'cut' });
    server.faults = [cutAfter(1000, 'reset')];
    await expect(curl()).rejects.toThrow('ended with 56');
    server.faults = [cleanlyShort(10)];
    expect(await curl('-w', '%{size_download}')).toBe('299991');
    server.faults = [tooMany(9)];
    expect(await curl('-w', '%{size_download}')).toBe('300001');
    server.faults = [flipBit(70_000)];
    const wrong = await bytes(await get('/measurements/m/files/0', { range: 'bytes=60000-80000' }));
    expect(wrong.findIndex((byte, at) => byte !== bytesOf(measurement.files[0]?.seed ?? 0, 60_000, 80_001)[at])).toBe(
      10_000,
    );
  });
});
