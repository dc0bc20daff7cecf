import { expect } from 'vitest';
import type { KernelCalls } from '../../../../src-main/service/measurements/storage/kernel-calls.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import { RawClient } from '../../raw-client.ts';
import { until } from '../../until.ts';

export const mebibyte = 1024 * 1024;
export const long = 3 * mebibyte + 4321;
const bytes = Buffer.alloc(long);
for (let i = 0; i < long; i += 1) bytes[i] = (i * 31 + (i >> 8) + (i >> 16)) % 251;
const registeredAt = Date.UTC(2026, 8, 1);

/** Bytes moved by each call. */
interface Counted {
  readonly calls: KernelCalls;
  readonly moved: { send: number; sendFile: number; readCached: number };
}

/** Kernel calls that are counted and move only as much as `allowed` permits. */
export function counted(real: KernelCalls, allowed: (count: number) => number): Counted {
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

export interface World extends TestService {
  readonly alice: number;
  readonly authorization: string;
}

export async function world(calls: KernelCalls | null): Promise<World> {
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
export const asked: readonly (readonly [string, string])[] = [
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
export async function answers(service: World, pipelined: boolean, slowly = false): Promise<string> {
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
