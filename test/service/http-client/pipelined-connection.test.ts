import { randomBytes } from 'node:crypto';
import net, { type AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { parseResponseHead } from '../../../src-main/service/http-client/parse-response-head.ts';
import {
  PipelinedConnection,
  PipelineAborted,
  StaleConnection,
} from '../../../src-main/service/http-client/pipelined-connection.ts';
import { addPiece, bytesIn, gapsOf } from '../../../src-main/service/fetching/engine/pieces.ts';
import type { Piece } from '../../../src-main/service/fetching/engine/types.ts';

const bytes = randomBytes(3_000_000);
const ok = `HTTP/1.1 200 OK\r\nContent-Length: ${bytes.length}\r\n\r\n`;
const servers: net.Server[] = [];
const lines: PipelinedConnection[] = [];

afterEach(() => {
  for (const line of lines.splice(0)) line.close();
  for (const server of servers.splice(0)) server.close();
});

/** A server that answers each request with parts, some milliseconds apart. */
async function lineTo(answers: readonly (readonly (string | Buffer)[])[]): Promise<PipelinedConnection> {
  let count = 0;
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => {
      const parts = answers[count];
      count += 1;
      if (!parts) return socket.destroy();
      return void (async () => {
        for (const part of parts) {
          socket.write(part);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })();
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const line = new PipelinedConnection(
    {
      url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
      certificate: null,
      timeouts: { connectMs: 1000, idleMs: 300 },
    },
    512 * 1024,
  );
  lines.push(line);
  return line;
}

async function readAll(line: PipelinedConnection, pause = 0): Promise<Buffer> {
  const parts: Buffer[] = [];
  await line.read((part) => {
    if (pause === 0) return void parts.push(Buffer.copyBytesFrom(part));
    const at = parts.push(Buffer.alloc(0)) - 1;
    // Copied late: until then nothing may be written over it.
    return new Promise((resolve) => setTimeout(resolve, pause)).then(
      () => void (parts[at] = Buffer.copyBytesFrom(part)),
    );
  });
  return Buffer.concat(parts);
}

it('reads one answer after the other, whatever their parts and however slowly they are taken', async () => {
  const line = await lineTo([
    [ok.slice(0, 9), ok.slice(9, -2), '\r\n', bytes.subarray(0, 700_000), bytes.subarray(700_000)],
    [Buffer.concat([Buffer.from(ok), bytes])],
    ['HTTP/1.1 206 Partial Content\r\nContent-Length: 0\r\n\r\n'],
  ]);
  expect((await line.send('GET'))?.status).toBe(200);
  expect((await readAll(line)).equals(bytes)).toBe(true);
  expect((await line.send('GET'))?.length).toBe(bytes.length);
  expect((await readAll(line, 3)).equals(bytes)).toBe(true);
  expect((await line.send('GET'))?.status).toBe(206);
  expect((await readAll(line)).length).toBe(0);
  // No byte of this response was received on a reused connection.
  await expect(line.send('GET')).rejects.toBeInstanceOf(StaleConnection);
});

it('is not used again after bytes that nobody asked for, and tells silence and cuts apart', async () => {
  const surplus = await lineTo([
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx'],
  ]);
  await surplus.send('GET');
  expect(String(await readAll(surplus))).toBe('ab');
  expect(surplus.isFree).toBe(false);
  const silent = await lineTo([['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab']]);
  await silent.send('GET');
  await expect(readAll(silent)).rejects.toMatchObject({ failure: 'timed-out' });
  await expect((await lineTo([])).send('GET')).rejects.toMatchObject({ failure: 'disconnected' });
});

it('asks for several things at once and hands over each in its turn, a body at once where it is whole', async () => {
  const line = await lineTo([
    [
      'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nd',
      'e',
    ],
  ]);
  const said: string[] = [];
  const take = async (name: string): Promise<void> => {
    expect(
      await line.sendPipelined('GET', ({ status }) => {
        said.push(`${name} ${status}`);
        return (part) => void said.push(`${name} ${String(part)}`);
      }),
    ).toBe(true);
  };
  await Promise.all(['first', 'second', 'third'].map(take));
  expect(said).toEqual(['first 200', 'first abc', 'second 200', 'third 404', 'third de']);
  expect(line.isFree).toBe(true);
});

it('begins with one at once, and says of those behind an answer that breaks off that nothing has happened', async () => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n';
  const line = await lineTo([
    ...Array.from({ length: 9 }, () => [`${answer}x`]),
    [`${answer}yHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nz`],
  ]);
  const ask = async (): Promise<boolean> => line.sendPipelined('GET', () => () => undefined);
  const allowed: number[] = [];
  for (let count = 0; count < 9; count += 1) {
    allowed.push(line.pipelineDepth);
    await ask();
  }
  expect(allowed).toEqual([1, 1, 1, 1, 1, 2, 3, 4, 5]);
  const [whole, broken, behind] = [ask(), ask(), ask()].map(async (one) => one.catch((error: unknown) => error));
  expect(await whole).toBe(true);
  expect(await broken).toMatchObject({ failure: 'timed-out' });
  expect(await behind).toBeInstanceOf(PipelineAborted);
  await expect(ask()).rejects.toBeInstanceOf(StaleConnection);
});

it.each([
  ['the last of a connection', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx', true],
  ['one that is not understood', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n', false],
])('says of those behind %s that nothing has happened', async (_name, answer, isUnderstood) => {
  const line = await lineTo([[answer]]);
  const [first, ...behind] = await Promise.allSettled(
    [1, 2, 3].map(async () => line.sendPipelined('GET', () => () => undefined)),
  );
  expect(first).toEqual({ status: 'fulfilled', value: isUnderstood });
  for (const one of behind) expect(one).toMatchObject({ status: 'rejected', reason: expect.any(PipelineAborted) });
});

it.each(['SSH-2.0-OpenSSH\r\n', 'HTTP/1.0', 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{}'])(
  'does not wait for more of what is no head: %j',
  async (said) => {
    expect(await (await lineTo([[said]])).send('GET')).toBeNull();
  },
);

it('leaves all that is not ordinary to the usual parser', () => {
  expect(
    parseResponseHead('HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nETag: "a"\r\nConnection: keep-alive'),
  ).toMatchObject({
    length: 5,
    keepAlive: true,
    headers: { etag: '"a"' },
  });
  expect(parseResponseHead('HTTP/1.1 200 OK\r\ncontent-length: 5\r\nconnection: close')?.keepAlive).toBe(false);
  for (const head of [
    'HTTP/1.1 200 OK',
    'HTTP/1.0 200 OK\r\nContent-Length: 5',
    'HTTP/1.1 100 Continue\r\nContent-Length: 5',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6',
    'HTTP/1.1 200 OK\r\nContent-Length: -5',
    'HTTP/1.1 429 Too Many Requests\r\nContent-Length: 5\r\nRetry-After: 5\r\nRetry-After: 900',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n folded: 1',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Encoding: gzip',
    'HTTP/1.1 200 OK\r\nContent-Length : 5',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: a\nb',
  ])
    expect(parseResponseHead(head), head).toBeNull();
});

it('knows which bytes are there and which are not', () => {
  const piece = fc.tuple(fc.nat(60), fc.nat(12)).map(([start, length]): Piece => [start, start + length]);
  fc.assert(
    fc.property(fc.array(piece), (added) => {
      const pieces: Piece[] = [];
      const there = new Set<number>();
      for (const one of added) {
        addPiece(pieces, one);
        for (let at = one[0]; at < one[1]; at += 1) there.add(at);
      }
      expect(bytesIn(pieces)).toBe(there.size);
      const missing = gapsOf(pieces, 80).flatMap(([start, end]) =>
        Array.from({ length: end - start }, (_, at) => start + at),
      );
      expect(missing).toEqual(Array.from({ length: 80 }, (_, at) => at).filter((at) => !there.has(at)));
    }),
  );
});
