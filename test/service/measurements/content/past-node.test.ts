import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, truncate } from 'node:fs/promises';
import http from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { SendBuffers } from '../../../../src-main/service/measurements/transfers/buffer-pool.ts';
import { copyUnchecked } from '../../../../src-main/service/measurements/content/copy-file.ts';
import { SyncIoPolicy } from '../../../../src-main/service/measurements/storage/sync-io-policy.ts';
import {
  kernelCalls,
  kernelCallsWork,
  type KernelCalls,
} from '../../../../src-main/service/measurements/storage/kernel-calls.ts';
import { ResponseWriter } from '../../../../src-main/service/measurements/content/response-writer.ts';
import { addMeasurement, openBeside } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';
import { zeros } from '../../zeros.ts';

const mebibyte = 1024 * 1024;
const long = 3 * mebibyte + 4321;
const bytes = Buffer.alloc(long);
for (let i = 0; i < long; i += 1) bytes[i] = (i * 31 + (i >> 8) + (i >> 16)) % 251;
const registeredAt = Date.UTC(2026, 8, 1);

/** Bytes moved by each call. */
interface Counted {
  readonly calls: KernelCalls;
  readonly moved: { send: number; sendFile: number; readCached: number };
}

/** Kernel calls that are counted and move only as much as `allowed` permits. */
function counted(real: KernelCalls, allowed: (count: number) => number): Counted {
  const moved = { send: 0, sendFile: 0, readCached: 0 };
  const note = (name: keyof typeof moved, count: number) => {
    moved[name] += count;
    return count;
  };
  return {
    moved,
    calls: {
      send: (socket, from, start, end, more) =>
        note('send', real.send(socket, from, start, start + allowed(end - start), more)),
      sendFile: (socket, file, position, count) =>
        note('sendFile', real.sendFile(socket, file, position, allowed(count))),
      readCached: (file, target, at, count, position) =>
        note('readCached', real.readCached(file, target, at, Math.min(count, allowed(count) + 1), position)),
      openLinkFree: (file) => real.openLinkFree(file),
      identityOf: (file) => real.identityOf(file),
    },
  };
}

interface World extends TestService {
  readonly alice: number;
  readonly authorization: string;
}

async function world(calls: KernelCalls | null): Promise<World> {
  const service = await startTestService({ kernelCalls: calls });
  const alice = await service.user('alice');
  await addMeasurement(
    service,
    alice,
    'm',
    [
      { path: 'long.bin', bytes },
      ...Array.from({ length: 30 }, (_, i) => ({
        path: `part/${i}.bin`,
        bytes: bytes.subarray(i * 1000, i * 1000 + 9000),
      })),
      { path: 'second.bin', bytes: bytes.subarray(0, mebibyte) },
    ],
    registeredAt,
  );
  // Their manifest exceeds one write.
  const named = (i: number) => ({ path: `${'long-name-'.repeat(20)}${i}.bin`, bytes: Buffer.alloc(0) });
  await addMeasurement(
    service,
    alice,
    'listed',
    Array.from({ length: 150 }, (_, i) => named(i)),
    registeredAt,
  );
  return { ...service, alice, authorization: `Authorization: Bearer ${await service.token(alice)}` };
}

const file = '/measurements/m/files/0';
const archive = '/measurements/m';
const manifest = '/measurements/listed/files';
/**
 * Requests in order: whole bodies, long and short ranges, several ranges, and repetitions that are
 * cached by then.
 */
const asked: readonly (readonly [string, string])[] = [
  [file, ''],
  [file, 'bytes=0-99'],
  [file, 'bytes=70001-135000'],
  [file, 'bytes=1-'],
  [file, `bytes=65536-${2 * mebibyte}`],
  [file, `bytes=0-9, 300000-${2 * mebibyte}, 3000000-3100000`],
  [file, 'bytes=-1500000'],
  [manifest, ''],
  [archive, ''],
  [archive, 'bytes=123-65000'],
  [archive, `bytes=${long}-${long + 60_000}`],
  [archive, `bytes=1000-${long + 800_000}`],
  [file, 'bytes=1000-66535'],
  [file, `bytes=${long - 10}-`],
];
const request = (where: string, range: string, authorization: string) =>
  `GET ${where} HTTP/1.1\r\nHost: 127.0.0.1\r\n${authorization}\r\n${range === '' ? '' : `Range: ${range}\r\n`}\r\n`;

/**
 * All responses of one connection to these requests, without the parts that differ between
 * responses.
 */
async function answers(service: World, pipelined: boolean, slowly = false): Promise<string> {
  const client = await RawClient.open(service.url);
  let text = '';
  client.socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (!slowly) return;
    client.pause();
    setImmediate(() => client.resume());
  });
  const ends: number[] = [];
  const complete = () => {
    let at = 0;
    for (let count = 0; ; count += 1) {
      const end = text.indexOf('\r\n\r\n', at);
      const size = end < 0 ? Number.NaN : Number(/\r\nContent-Length: (\d+)/i.exec(text.slice(at, end))?.[1]);
      if (!(end + 4 + size <= text.length)) return count;
      at = end + 4 + size;
      ends[count] = at;
    }
  };
  if (pipelined)
    client.socket.write(asked.map(([where, range]) => request(where, range, service.authorization)).join(''));
  for (const [i, [where, range]] of asked.entries()) {
    if (!pipelined) client.socket.write(request(where, range, service.authorization));
    await until(() => text.length > (ends[i - 1] ?? 0) && complete() > i, `answer ${i}: ${where} ${range}`);
  }
  client.socket.destroy();
  expect(text.length).toBe(ends.at(-1));
  const boundary = /boundary=([^\r;]+)/.exec(text)?.[1] ?? 'none';
  return text
    .replaceAll(boundary, 'BOUNDARY')
    .replaceAll(/X-Request-Id: [0-9a-f-]{36}/g, 'ID')
    .replaceAll(/\r\nDate: [^\r]+/g, '');
}

const here = kernelCalls();

test('this machine has the calls if it runs Linux', () => {
  expect(here !== null).toBe(process.platform === 'linux' && process.env['BENCHPORT_NO_KERNEL'] !== '1');
});

test.skipIf(!here)('L12: nothing beyond a buffer is read or written, whatever is requested', async () => {
  const target = Buffer.alloc(100, 1);
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const descriptor = (Reflect.get(socket, '_handle') as { readonly fd: number }).fd;
  expect(here?.send(descriptor, target, 0, 100, false)).toBe(100);
  const opened = openSync(import.meta.filename, 'r');
  try {
    for (const [from, to] of [
      [0, 101],
      [-1, 10],
      [50, 40],
    ] as const)
      expect(here?.send(descriptor, target, from, to, false)).toBe(0);
    for (const [at, count] of [
      [0, 101],
      [90, 11],
      [-1, 5],
      [0, -1],
    ] as const) {
      expect(here?.readCached(opened, target, at, count, 0)).toBe(0);
      expect(target.equals(Buffer.alloc(100, 1))).toBe(true);
    }
  } finally {
    closeSync(opened);
    socket.destroy();
    server.close();
  }
});

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

describe.skipIf(!here)('kernel calls that misbehave are not used', () => {
  const real = here ?? ({} as KernelCalls);
  const wrong: readonly (readonly [string, Partial<KernelCalls>])[] = [
    ['a count that is not true', { send: (...args) => real.send(...args) - 1 }],
    [
      'other bytes of the file',
      { sendFile: (socket, from, position, count) => real.sendFile(socket, from, position + 1, count) },
    ],
    [
      'bytes that were not asked for',
      { readCached: (from, target, at, count, position) => real.readCached(from, target, at, count, position + 3) },
    ],
    ['nothing at all', { sendFile: () => 0 }],
  ];
  const sockets: Socket[] = [];
  let pair: readonly [number, number];
  const server = createServer({ pauseOnConnect: true }, (socket) => sockets.push(socket));

  beforeEach(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = connect({ port: (server.address() as AddressInfo).port });
    sockets.push(client);
    await until(() => sockets.length === 2 && !client.connecting, 'a connection');
    const [one = -1, other = -1] = sockets.map(
      (socket) => (socket as Socket & { readonly _handle: { readonly fd: number } })['_handle'].fd,
    );
    pair = [one, other];
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  test.each(wrong)('%s', (_what, calls) => {
    expect(kernelCallsWork({ ...real, ...calls }, pair)).toBe(false);
  });
  test('while correct ones are', () => {
    expect(kernelCallsWork(real, pair)).toBe(true);
  });
});
