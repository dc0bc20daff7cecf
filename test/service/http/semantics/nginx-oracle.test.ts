import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../../free-port.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { useTestService, useUser } from '../../use-service.ts';

const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => i & 0xff));
const service = useTestService();
const alice = useUser(service, 'alice');
let nginx: ChildProcess;
let theirs: string;
let ours: string;
let authorization: string;

beforeAll(async () => {
  authorization = `Bearer ${alice.token}`;
  const fixture = await addMeasurement(service, alice.id, 'm', [
    { path: 'data', bytes },
    { path: 'empty', bytes: '' },
  ]);
  ours = `${service.url}/measurements/m/files`;
  const port = await freePort();
  theirs = `http://127.0.0.1:${port}`;
  const conf = path.join(service.dir, 'nginx.conf');
  await mkdir(path.join(service.dir, 'nginx'));
  await writeFile(
    conf,
    `daemon off; master_process off; pid ${service.dir}/nginx/pid; error_log stderr crit;
events {}
http { access_log off; default_type application/octet-stream;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${service.dir}/nginx/${name};`).join(' ')}
  server { listen 127.0.0.1:${port}; root ${fixture.root}; } }`,
  );
  nginx = spawn('nginx', ['-p', service.dir, '-c', conf], { stdio: 'ignore' });
  for (;;) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended with ${nginx.exitCode}`);
    if (
      await fetch(theirs).then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});
afterAll(() => void nginx.kill());

interface Answer {
  readonly status: number;
  readonly contentRange: string | null;
  /** The response without the boundary, and without the type repeated in each part. */
  readonly body: string;
}

async function ask(url: string, method: string, headers: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, { method, headers: { authorization, 'accept-encoding': 'identity', ...headers } });
  const boundary = /boundary=(\S+)/.exec(response.headers.get('content-type') ?? '')?.[1];
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1');
  const body = boundary === undefined ? text : text.replaceAll(boundary, 'B').replace(/^\r\n/, '');
  return {
    status: response.status,
    contentRange: response.headers.get('content-range'),
    body: response.status < 300 ? body : '',
  };
}

const compare = async (range: string, name = 'data', method = 'GET') => {
  const index = name === 'data' ? 0 : 1;
  return [await ask(`${ours}/${index}`, method, { range }), await ask(`${theirs}/${name}`, method, { range })] as const;
};

describe('nginx gives the same responses', () => {
  test.each([
    'bytes=0-0',
    'bytes=0-',
    'bytes=0-999',
    'bytes=0-99999',
    'bytes=999-',
    'bytes=500-600',
    'bytes=-1',
    'bytes=-1000',
    'bytes=-5000',
    'bytes=1000-',
    'bytes=5000-6000',
    'bytes=-0',
    'bytes=99999999999999999999999-',
    'BYTES=0-1',
    'bytes=0-1,10-11',
    'bytes=10-11,0-1',
    'bytes=0-1, 5-6 , 990-',
    'bytes=0-1,2000-3000',
    'bytes=2000-,3000-',
    'bytes=000-001',
    'items=0-1',
    'bytes',
    'bytes=',
    'none',
  ])('%s', async (range) => {
    const [we, they] = await compare(range);
    expect(we).toEqual(they);
  });

  test('when If-Range names its tag or its date', async () => {
    for (const [we, they] of [
      ['"x"', '"x"'],
      ['W/"x"', 'W/"x"'],
      ['Tue, 01 Sep 2020 10:20:31 GMT', 'Tue, 01 Sep 2020 10:20:31 GMT'],
    ] as const) {
      const range = 'bytes=0-1';
      expect(await ask(`${ours}/0`, 'GET', { range, 'if-range': we })).toEqual(
        await ask(`${theirs}/data`, 'GET', { range, 'if-range': they }),
      );
    }
  });
});

describe('deliberate differences', () => {
  /** Our response, nginx's response, and the reason. */
  const cases: readonly (readonly [string, number, number, string])[] = [
    ['bytes=abc', 200, 416, 'a header that cannot be read is ignored (RFC 9110 section 14.2)'],
    [
      'bytes=5-2',
      200,
      416,
      'a last position before the first makes the header invalid (section 14.1.1), so it is ignored',
    ],
    ['bytes=0-1,abc', 200, 416, 'one invalid range makes the whole set invalid'],
    ['bytes=0 - 1', 200, 206, 'no blanks are allowed inside a range'],
    ['bytes=0-1,,5-6', 206, 416, 'empty list elements are accepted (section 5.6.1.2)'],
    [
      'bytes=0-600,500-999',
      206,
      200,
      'ranges that overlap are merged (section 15.3.7.2); nginx gives up when their sum exceeds the file',
    ],
  ];
  test.each(cases)('%s: %i instead of %i, because %s', async (range, we, they) => {
    const [mine, other] = await compare(range);
    expect([mine.status, other.status]).toEqual([we, they]);
  });

  test('overlapping or touching ranges are one part here and two parts there', async () => {
    for (const range of ['bytes=0-9,5-14', 'bytes=0-4,5-14']) {
      const [we, they] = await compare(range);
      expect([we.status, we.contentRange]).toEqual([206, 'bytes 0-14/1000']);
      expect(they.contentRange).toBeNull();
    }
  });

  test('HEAD ignores Range (section 14.2: Range is defined for GET)', async () => {
    const [we, they] = await compare('bytes=0-1', 'data', 'HEAD');
    expect([we.status, they.status]).toEqual([200, 206]);
  });

  // Section 14.2 permits ignoring Range where nothing could be sent, as nginx does unless the range
  // starts behind the first byte.
  test.each([
    ['bytes=0-', 200],
    ['bytes=-1', 200],
    ['bytes=0-0', 200],
    ['bytes=5-6', 416],
  ])('an empty file ignores Range: %s is %i with nginx', async (range, theirStatus) => {
    const [we, they] = await compare(range, 'empty');
    expect([we.status, we.body, they.status]).toEqual([200, '', theirStatus]);
  });

  test('the boundary is random here and a counter there', async () => {
    const type = async (url: string) =>
      (await fetch(url, { headers: { authorization, range: 'bytes=0-0,5-5' } })).headers.get('content-type');
    expect(await type(`${theirs}/data`)).toMatch(/boundary=\d{20}$/);
    expect(await type(`${ours}/0`)).toMatch(/boundary=[0-9a-f]{36}$/);
  });
});
