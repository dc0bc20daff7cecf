import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import type { ReadCounts } from '../../../src-renderer/preview/provider/byte-source.ts';
import { createHttpRanges } from '../../../src-renderer/preview/provider/http-ranges.ts';
import { PreviewError } from '../../../src-renderer/preview/provider/preview-error.ts';
import {
  createRangeSource,
  rangeLimits,
  type RangeLimits,
} from '../../../src-renderer/preview/provider/range-source.ts';

const kibibyte = 1024;
const file = Uint8Array.from({ length: 400 * kibibyte }, (_, at) => (at * 31) % 251);

/** The answers of a server to its requests, one after the other; the last one again and again. */
type Behaviour = (request: http.IncomingMessage, response: http.ServerResponse) => void;

const servers: http.Server[] = [];
afterAll(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function serve(...behaviours: readonly Behaviour[]) {
  const asked: http.IncomingHttpHeaders[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request.headers);
    (behaviours[asked.length - 1] ?? behaviours.at(-1))?.(request, response);
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`, asked };
}

async function open(behaviours: readonly Behaviour[], limits: RangeLimits = rangeLimits.preview) {
  const { url, asked } = await serve(...behaviours);
  const counts: ReadCounts[] = [];
  const source = createRangeSource({
    ...createHttpRanges(url, file.length),
    length: file.length,
    onRead: (count) => counts.push(count),
    limits,
  });
  return { source, asked, counts };
}

const good =
  (etag = '"one"', length = file.length): Behaviour =>
  (request, response) => {
    const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    response.writeHead(206, { etag, 'content-range': `bytes ${from}-${to}/${length}` });
    response.end(file.subarray(Number(from), Number(to) + 1));
  };

/** Half of the bytes, and then nothing more. */
const cut: Behaviour = (request, response) => {
  const [, from = '0', to = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const bytes = file.subarray(Number(from), Number(to) + 1);
  response.writeHead(206, {
    etag: '"one"',
    'content-range': `bytes ${from}-${to}/${file.length}`,
    'content-length': bytes.length,
  });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
};

const refuse =
  (status: number, detail: string): Behaviour =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ status, detail }));
  };

async function failureOf(attempt: Promise<unknown>) {
  const error = await attempt.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof PreviewError)) throw new Error(`no failure in words: ${String(error)}`);
  return { reason: error.reason, detail: error.message };
}

describe.concurrent('bytes by range', () => {
  it('come after the connection was cut, and after a service that was busy', async () => {
    const { source, asked, counts } = await open([cut, refuse(503, 'Busy.'), good()]);
    expect(await source.read(10, 5)).toEqual(file.slice(10, 15));
    expect(asked.map(({ range }) => range)).toEqual(Array.from({ length: 3 }, () => 'bytes=0-65535'));
    // Bytes that were read are counted once, and nobody waits any more.
    expect(counts.at(-1)).toEqual({ bytesRead: 65_536, requests: 1, isWaiting: false });
  });

  it('of a connection that nobody takes are refused in words, and read later', async () => {
    const hang: Behaviour = (request) => request.socket.destroy();
    const { source, asked } = await open([hang, hang, hang, good()]);
    expect(await failureOf(source.read(0, 5))).toEqual({
      reason: 'network',
      detail: 'The Benchport service cannot be reached. Try again in a moment.',
    });
    expect(asked).toHaveLength(3);
    expect(await source.read(0, 5)).toEqual(file.slice(0, 5));
  });

  it('of a service that stays busy are refused in its words', async () => {
    const { source, counts } = await open([refuse(503, 'The service is starting.')]);
    expect(await failureOf(source.read(0, 5))).toEqual({ reason: 'network', detail: 'The service is starting.' });
    expect(counts.map(({ bytesRead }) => bytesRead)).toEqual([0, 0]);
  });

  it.each([
    ['answers 412', refuse(412, 'It was changed.')],
    ['answers 416', refuse(416, 'It is shorter.')],
    ['has another entity tag', good('"two"')],
    ['has another length', good('"one"', file.length + 1)],
    [
      'has other places',
      (_: unknown, response: http.ServerResponse) => {
        response.writeHead(206, { etag: '"one"', 'content-range': `bytes 0-65535/${file.length}` });
        response.end(file.subarray(0, 65_536));
      },
    ],
  ] satisfies readonly (readonly [string, Behaviour])[])(
    'of a file that %s in the middle say that it changed',
    async (_, later) => {
      const { source, asked } = await open([good(), later]);
      await source.read(0, 5);
      expect(await failureOf(source.read(300 * kibibyte, 5))).toEqual({
        reason: 'changed',
        detail: 'The file is another one than when it was listed. Close it and open it again.',
      });
      expect(asked.map((headers) => headers['if-match'])).toEqual([undefined, '"one"']);
    },
  );

  it.each([403, 404, 500])('that are refused with %d are not asked for again', async (status) => {
    const { source, asked } = await open([refuse(status, 'You may not read it.')]);
    expect(await failureOf(source.read(0, 5))).toEqual({ reason: 'refused', detail: 'You may not read it.' });
    expect(asked).toHaveLength(1);
  });

  it('end at the budget, which says so; what was read stays', async () => {
    const limits = { ...rangeLimits.preview, maxReadBytes: 200 * kibibyte, maxCacheBytes: 400 * kibibyte };
    const { source, asked } = await open([good()], limits);
    await source.read(0, 5);
    await source.read(130 * kibibyte, 5);
    await source.read(390 * kibibyte, 5);
    expect(await failureOf(source.read(320 * kibibyte - 70_000, 5))).toEqual({
      reason: 'limit',
      detail: 'The preview has read as much of this file as it may. Open it again to go on.',
    });
    expect(asked).toHaveLength(3);
    expect(await source.read(0, 5)).toEqual(file.slice(0, 5));
    expect(await failureOf(source.read(0, 300 * kibibyte))).toMatchObject({ reason: 'limit' });
  });
});
