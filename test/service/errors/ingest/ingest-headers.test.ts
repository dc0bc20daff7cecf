import http from 'node:http';
import zlib from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIngestWorld, type IngestWorld } from '../ingest-world.ts';

let world: IngestWorld;
beforeAll(async () => {
  world = await startIngestWorld({ ingestLimits: { keyBurst: 30, keyPerSecond: 0.001 } });
});
afterAll(async () => world.end());

interface Wish {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Over Node's own client, which lets a test name the host. */
async function ask({ method = 'POST', path = 'store/', body = '', headers = {} }: Wish, way: string) {
  const url = new URL(`${world.service.url}/api/v4/${way}/collector/api/${world.projectId}/${path}`);
  if (!url.search) url.search = `sentry_key=${world.publicKey}`;
  return new Promise<{ status: number; headers: http.IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
    });
    request.once('error', reject);
    request.end(body);
  });
}

// The second one means the same and goes through the router.
describe.each(['error_tracking', 'error%5Ftracking'])(
  'A1: an answer of the collector at %s lets the browser drain it',
  (way) => {
    it.each<[string, number, Wish]>([
      ['an event', 200, { body: '{"message":"a"}' }],
      ['an envelope', 200, { path: 'envelope/', body: '{}\n' }],
      ['what is no JSON', 400, { body: '{' }],
      ['no key', 400, { path: 'store/?a=b' }],
      ['an unknown key', 404, { path: 'store/?sentry_key=unknown' }],
      ['an event that is too large', 413, { body: 'x'.repeat(1100 * 1024) }],
      ['an encoding that is not known', 415, { body: '{}', headers: { 'content-encoding': 'compress' } }],
      ['another host', 421, { headers: { host: 'elsewhere.example' } }],
      ['a preflight', 204, { method: 'OPTIONS' }],
    ])('%s', async (_what, status, wish) => {
      const answer = await ask(wish, way);
      expect(answer.status).toBe(status);
      expect(answer.headers['cache-control']).toBe('no-cache');
      expect(answer.headers['access-control-allow-origin']).toBe('*');
    });
  },
);

it.each([
  [405, { method: 'GET' }],
  [404, { path: 'minidump/' }],
  [404, { path: 'security/' }],
] as const)('A1: what the collector does not offer (%i) neither', async (status, wish) => {
  const answer = await ask(wish, 'error_tracking');
  expect(answer).toMatchObject({ status, headers: { 'cache-control': 'no-cache' } });
});

describe('bodies compressed by zstd', () => {
  const zstd = { 'content-encoding': 'zstd' };
  it('are taken', async () => {
    const id = '1'.repeat(32);
    const answer = await ask(
      { body: zlib.zstdCompressSync(JSON.stringify({ event_id: id, message: 'by zstd' })), headers: zstd },
      'error_tracking',
    );
    expect(answer.status).toBe(200);
    expect(world.event(id)?.message?.formatted).toBe('by zstd');
  });
  it('are refused where they become too much, and nothing is stored', async () => {
    const bomb = zlib.zstdCompressSync(Buffer.alloc(400 * 1024 * 1024, 0x20), {
      params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 },
    });
    expect((await ask({ body: bomb, headers: zstd }, 'error_tracking')).status).toBe(413);
    expect((await ask({ path: 'envelope/', body: bomb, headers: zstd }, 'error_tracking')).status).toBe(400);
  });
  it('are refused where they cannot be read, cut off or with a window of gigabytes', async () => {
    const whole = zlib.zstdCompressSync(JSON.stringify({ message: 'x'.repeat(1000) }));
    expect((await ask({ body: whole.subarray(0, -5), headers: zstd }, 'error_tracking')).status).toBe(400);
    expect((await ask({ body: 'no zstd', headers: zstd }, 'error_tracking')).status).toBe(400);
    // RFC 8878 section 3.1.1.1.2: a frame header whose window descriptor asks for 2^41 bytes.
    expect(
      (await ask({ body: Buffer.from('28b52ffd00f801000020', 'hex'), headers: zstd }, 'error_tracking')).status,
    ).toBe(400);
  });
});
