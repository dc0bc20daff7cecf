import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, truncate } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { SendBuffers } from '../../../../src-main/service/measurements/transfers/buffer-pool.ts';
import { copyUnchecked } from '../../../../src-main/service/measurements/content/copy-file.ts';
import { SyncIoPolicy } from '../../../../src-main/service/measurements/storage/sync-io-policy.ts';
import { kernelCalls, type KernelCalls } from '../../../../src-main/service/measurements/storage/kernel-calls.ts';
import { ResponseWriter } from '../../../../src-main/service/measurements/content/response-writer.ts';
import { addMeasurement, openBeside } from '../../fixture-measurement.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';
import { zeros } from '../../zeros.ts';
import { type World, answers, asked, counted, long, mebibyte, world } from './past-node-world.ts';

const here = kernelCalls();

describe.skipIf(!here)('bytes sent past Node', () => {
  const real = here ?? ({} as KernelCalls);
  let state = 1;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  const all = counted(real, (count) => count);
  // Partial writes as on a socket that is nearly full: sometimes nothing, a few bytes, or
  // everything.
  const stingy = counted(real, (count) => (random(4) === 0 ? 0 : random(3) === 0 ? count : random(count + 1)));
  const worlds: World[] = [];
  let plain: World;
  let wanted: string;

  // File systems in memory and those of some containers cannot report what is cached (preadv(2),
  // RWF_NOWAIT); everything is then read in the thread pool, and the responses must be equal.
  let saysWhatIsCached = false;
  const originalFolder = process.env['TMPDIR'];
  beforeAll(async () => {
    process.env['TMPDIR'] = '/var/tmp';
    const probe = path.join(mkdtempSync('/var/tmp/benchport-probe-'), 'a');
    writeFileSync(probe, 'a');
    const fd = openSync(probe, 'r');
    saysWhatIsCached = real.readCached(fd, Buffer.alloc(1), 0, 1, 0) === 1;
    closeSync(fd);
    rmSync(path.dirname(probe), { recursive: true });
    worlds.push(await world(null), await world(all.calls), await world(stingy.calls));
    plain = worlds[0] as World;
    wanted = await answers(plain, false);
  });
  afterAll(async () => {
    for (const service of worlds) await service.end();
    if (originalFolder === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = originalFolder;
  });

  test.each([
    ['one after the other', 1, false, false],
    ['in one go', 1, true, false],
    ['to a client that reads slowly', 1, true, true],
    ['by a socket that takes little, one after the other', 2, false, false],
    ['by a socket that takes little, in one go', 2, true, false],
  ] as const)('are the same: %s', async (_how, which, pipelined, slowly) => {
    const before = { ...all.moved };
    const found = await answers(worlds[which] as World, pipelined, slowly);
    expect(found.length).toBe(wanted.length);
    expect(found === wanted).toBe(true);
    if (which === 1 && saysWhatIsCached)
      for (const name of ['send', 'sendFile', 'readCached'] as const)
        expect(all.moved[name] - before[name]).toBeGreaterThan(100_000);
  });

  test('are counted in the audit trail as other bytes are', async () => {
    // The second service has answered everything three times; small transfers within a minute share
    // a row.
    const sums = worlds.slice(0, 2).map((service, i) => {
      const beside = openBeside(service);
      const times = i === 0 ? 1 : 3;
      const statement = beside.prepare<[number, number], { requests: number }>(
        `SELECT what, status, outcome, sum(requests) / ? AS requests, sum(bytes_sent) / ? AS bytes FROM transfers GROUP BY what, status, outcome ORDER BY what, status, outcome`,
      );
      return { rows: () => statement.all(times, times), close: () => beside.close() };
    });
    await until(
      () => sums.every(({ rows }) => rows().reduce((sum, { requests }) => sum + requests, 0) === asked.length),
      'all rows',
    );
    const [ordinary, past] = sums.map(({ rows }) => rows());
    expect(past).toEqual(ordinary);
    for (const { close } of sums) close();
  });

  /** A download of 64 MiB that has begun and whose client has stopped reading. */
  async function begun(
    id: string,
  ): Promise<{ readonly client: RawClient; readonly file: string; readonly outcome: () => unknown }> {
    const service = worlds[1] as World;
    const fixture = await addMeasurement(service, service.alice, id, [
      await zeros(service, id, 'z.bin', 64 * mebibyte),
    ]);
    // Read once, so that it is in the page cache.
    readFileSync(path.join(fixture.root, 'z.bin'));
    const before = all.moved.sendFile;
    const client = await RawClient.open(service.url);
    client.get(`/measurements/${id}/files/0`, service.authorization, 'Range: bytes=1-');
    await client.until(mebibyte);
    client.pause();
    if (saysWhatIsCached) expect(all.moved.sendFile).toBeGreaterThan(before);
    const beside = openBeside(service);
    const row = beside.prepare('SELECT outcome FROM transfers WHERE measurement_id = ?').pluck();
    return { client, file: path.join(fixture.root, 'z.bin'), outcome: () => row.get(id) };
  }

  test.each([
    ['shorter', 'file-changed', (one: string) => truncate(one, 100)],
    ['longer', 'file-changed', (one: string) => appendFile(one, 'more')],
  ] as const)('of a file that becomes %s midway never come to a clean end', async (how, outcome, change) => {
    const download = await begun(`changed-${how}`);
    await change(download.file);
    await download.client.drain();
    expect(download.client.bodyReceived).toBeLessThan(64 * mebibyte - 1);
    await until(() => download.outcome() === outcome, 'the row of the audit trail');
  });

  test('stop when the client disconnects, and when the token is revoked', async () => {
    const gone = await begun('gone');
    gone.client.socket.destroy();
    await until(() => gone.outcome() === 'client-closed', 'the end of a client that went away');

    const service = worlds[1] as World;
    const revoked = await begun('revoked');
    await service.services.measurements.remove('revoked');
    service.services.changes.bump();
    await until(() => revoked.outcome() === 'revoked', 'the end of a download without access');
    await revoked.client.drain();
    expect(revoked.client.bodyReceived).toBeLessThan(64 * mebibyte - 1);
  });
});

test('a body ends in the turn in which its last bytes are sent, before the client can send its next request', async () => {
  const blocking = vi.spyOn(SyncIoPolicy.prototype, 'allowed', 'get').mockReturnValue(true);
  let turn = 0;
  const tick = (): void => {
    turn += 1;
    next = setImmediate(tick);
  };
  let next = setImmediate(tick);
  const passed: number[] = [];
  // Every call moves all bytes at once.
  const calls: KernelCalls = {
    send: (_socket, _bytes, start, end) => end - start,
    sendFile: (_socket, _file, _position, count) => {
      passed.push(turn);
      return count;
    },
    readCached: (_file, _target, _at, count) => count,
    openLinkFree: () => -1,
    identityOf: () => null,
  };
  const ended = new Promise<number>((resolve, reject) => {
    const server = http.createServer((_request, response) => {
      const writer = new ResponseWriter({
        response,
        buffers: new SendBuffers(),
        bufferSize: SendBuffers.big,
        kernel: calls,
        length: long,
        sendHead: () => response.writeHead(200),
        onSent: () => {},
      });
      copyUnchecked(writer, { fd: -1, syncIo: new SyncIoPolicy('/') }, 0, long)
        .then(() => resolve(turn), reject)
        .finally(() => {
          response.destroy();
          server.close();
        });
    });
    server.listen(0, '127.0.0.1', () =>
      http.get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' }).on('error', () => {}),
    );
  });
  expect(await ended).toBe(passed.at(-1));
  // The event loop turned between all other calls.
  expect(new Set(passed).size).toBe(passed.length);
  expect(passed.length).toBeGreaterThan(1);
  clearImmediate(next);
  blocking.mockRestore();
});
