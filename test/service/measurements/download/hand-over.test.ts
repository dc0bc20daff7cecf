import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openBeside } from '../../fixture-measurement.ts';
import type { Answer } from './nginx-front.ts';
import { until } from '../../until.ts';
import { at, bytes, odd, plain, size, useHandOver } from './hand-over-scene.ts';

const scene = useHandOver();
const { ask } = scene;

/** The same request without nginx before it. */
async function askDirectly(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  const response = await fetch(`http://127.0.0.1:${scene.service.port}${url}`, {
    method,
    headers: {
      authorization: `Bearer ${scene.token}`,
      'accept-encoding': 'identity',
      'x-forwarded-for': '192.0.2.1, 127.0.0.1',
      ...headers,
    },
  });
  return response;
}

const rows = () => {
  const database = openBeside(scene.service);
  try {
    return database
      .prepare<[], { outcome: string; status: number; range: string | null; bytes_sent: number; address: string }>(
        'SELECT * FROM transfers ORDER BY id',
      )
      .all();
  } finally {
    database.close();
  }
};

/** The rows of what was asked since there were so many. */
async function rowsSince(before: number, count: number) {
  await until(
    () => rows().length === before + count && rows().every(({ outcome }) => outcome !== null),
    `${count} rows`,
  );
  return rows().slice(before);
}

/** Headers that say what is sent; without those of the connection, and of the program that sends. */
const telling = (headers: Iterable<readonly [string, string]>) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !['connection', 'keep-alive', 'date', 'server', 'x-request-id', 'transfer-encoding'].includes(name),
    ),
  );
const named = (answer: Answer): [string, string][] =>
  Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);

describe('nginx sends what the guide lets it send', () => {
  test('files of any name, as we would', async () => {
    const before = rows().length;
    for (const name of odd) {
      const url = at(`sub folder/${name}`);
      const answer = await ask(url);
      expect([name, answer.status, answer.body.equals(bytes)]).toEqual([name, 200, true]);
      const directly = await askDirectly(url, {}, 'HEAD');
      expect(telling(named(answer))).toEqual(telling(directly.headers));
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      // None stands there twice.
      const lines = answer.raw.filter((_, i) => i % 2 === 0).map((line) => line.toLowerCase());
      expect(lines).toEqual([...new Set(lines)]);
    }
    expect(new Set((await rowsSince(before, odd.length)).map(({ outcome }) => outcome))).toEqual(
      new Set(['handed-over']),
    );
  });

  test('single ranges, as we would', async () => {
    const before = rows().length;
    const ranges = [
      'bytes=0-99999',
      'bytes=100000-',
      'bytes=-70000',
      'bytes=5-5000000',
      'bytes=-5000000',
      'bytes=000-099999',
    ];
    for (const range of ranges) {
      const answer = await ask(plain, { range });
      const directly = await askDirectly(plain, { range, 'if-match': '*' });
      expect([answer.status, directly.status]).toEqual([206, 206]);
      expect(answer.body.equals(Buffer.from(await directly.arrayBuffer()))).toBe(true);
      expect(telling(named(answer))).toEqual(telling(directly.headers));
    }
    const ended = await rowsSince(before, 2 * ranges.length);
    expect(ended.filter(({ outcome }) => outcome === 'handed-over')).toEqual(
      ranges.map(
        (range) => expect.objectContaining({ status: 206, range, bytes_sent: 0, address: '127.0.0.1' }) as unknown,
      ),
    );
  });

  test('a range with If-Range, by our tag and by our date', async () => {
    const { headers } = await ask(plain, {}, 'HEAD');
    const [etag = '', modified = ''] = [headers.etag, headers['last-modified']];
    const before = rows().length;
    for (const [condition, status] of [
      [etag, 206],
      [modified, 206],
      ['"another"', 200],
      [`W/${etag}`, 200],
      ['Tue, 01 Sep 2020 10:20:31 GMT', 200],
    ] as const) {
      const answer = await ask(plain, { range: 'bytes=0-99999', 'if-range': condition });
      expect([condition, answer.status, answer.body.length]).toEqual([
        condition,
        status,
        status === 206 ? 100_000 : size,
      ]);
    }
    expect((await rowsSince(before, 5)).map(({ outcome, status }) => [outcome, status])).toEqual(
      [206, 206, 200, 200, 200].map((status) => ['handed-over', status]),
    );
  });

  test('conditions are ours to answer, and do not keep nginx from sending', async () => {
    const { headers } = await ask(plain, {}, 'HEAD');
    const [etag = '', modified = ''] = [headers.etag, headers['last-modified']];
    const { mtime } = await stat(path.join(scene.fixture.root, 'sub folder', 'a b.txt'));
    const theirs = `"${Math.floor(mtime.getTime() / 1000).toString(16)}-${size.toString(16)}"`;
    const before = rows().length;
    for (const [condition, status] of [
      [{ 'if-none-match': etag }, 304],
      [{ 'if-modified-since': modified }, 304],
      [{ 'if-match': '"another"' }, 412],
      [{ range: `bytes=${size}-` }, 416],
      [{ 'if-none-match': '"another"' }, 200],
      // The time of the file and what nginx makes of it, by which it must not go.
      [{ 'if-modified-since': mtime.toUTCString() }, 200],
      [{ 'if-none-match': theirs }, 200],
      [{ 'if-match': etag }, 200],
      [{ 'if-unmodified-since': modified }, 200],
    ] as const) {
      const answer = await ask(plain, condition);
      expect([condition, answer.status]).toEqual([condition, status]);
      if (status === 304) expect([answer.headers.etag, answer.body.length]).toEqual([etag, 0]);
      if (status === 416) expect(answer.headers['content-range']).toBe(`bytes */${size}`);
      if (status === 200) expect(answer.body.equals(bytes)).toBe(true);
    }
    expect((await rowsSince(before, 5)).map(({ outcome }) => outcome)).toEqual([
      'handed-over',
      'handed-over',
      'handed-over',
      'complete',
      'complete',
    ]);
  });

  test('everything else is sent by the service', async () => {
    const before = rows().length;
    for (const [url, headers, status] of [
      [at('empty'), {}, 200],
      [at('small'), {}, 200],
      [plain, { range: 'bytes=0-99' }, 206],
      [plain, { range: 'bytes=0-70000,80000-199999' }, 206],
      [plain, { range: 'bytes=5-2' }, 200],
      ['/measurements/m', {}, 200],
      ['/measurements/m/files', {}, 200],
      ['/measurements/elsewhere/files/0', {}, 200],
    ] as const) {
      expect([url, (await ask(url, headers)).status]).toEqual([url, status]);
    }
    expect((await rowsSince(before, 8)).map(({ outcome }) => outcome)).toEqual(
      Array.from({ length: 8 }, () => 'complete'),
    );
    const head = await ask(plain, { range: 'bytes=0-99999' }, 'HEAD');
    expect([head.status, head.headers['content-length'], head.headers['x-accel-redirect']]).toEqual([
      200,
      String(size),
      undefined,
    ]);
  });
});
