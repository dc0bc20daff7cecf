import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../start.ts';
import { rawRequest } from '../../raw-request.ts';

let service: TestService;
let dir: string;
const library = Buffer.alloc(10_000, 'library');
const page = '<!doctype html><title>Benchport</title>';

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-renderer-'));
  await mkdir(path.join(dir, 'renderer', 'assets'), { recursive: true });
  await writeFile(path.join(dir, 'renderer', 'index.html'), page);
  await writeFile(path.join(dir, 'renderer', 'assets', 'index-1a2b3c.js'), 'export const one = 1;\n');
  await writeFile(path.join(dir, 'renderer', 'assets', 'preview-worker-1a2b3c.js'), 'export const two = 2;\n');
  const assets = path.join(dir, 'renderer', 'assets');
  await writeFile(path.join(assets, 'hdf5-1a2b3c.wasm'), library);
  await writeFile(path.join(assets, 'hdf5-1a2b3c.wasm.br'), brotliCompressSync(library));
  await writeFile(path.join(assets, 'hdf5-1a2b3c.wasm.gz'), gzipSync(library));
  await writeFile(path.join(assets, 'preview-worker-1a2b3c.js.gz'), gzipSync('export const two = 2;\n'));
  await writeFile(path.join(dir, 'secret.txt'), 'not for you');
  service = await startTestService({ rendererDir: path.join(dir, 'renderer') });
});
afterAll(async () => {
  await service.end();
  await rm(dir, { recursive: true, force: true });
});

const get = (target: string) => fetch(service.url + target, { redirect: 'manual', headers: { accept: 'text/html' } });

describe('the screens in a browser', () => {
  test.each(['/ui', '/ui/', '/ui/measurements/qmr-114', '/ui/setup?code=1', '/ui/a/b/c.txt'])(
    '%s is the one page',
    async (target) => {
      const answer = await get(target);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
      expect(await answer.text()).toBe(page);
    },
  );

  test('hashed files are cached for good', async () => {
    const answer = await get('/assets/index-1a2b3c.js');
    expect(answer.headers.get('content-type')).toMatch(/^(?:text|application)\/javascript/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await answer.text()).toContain('one = 1');
  });

  test('only the worker of previews may compile WebAssembly', async () => {
    const policyOf = async (target: string) => (await get(target)).headers.get('content-security-policy');
    expect(await policyOf('/assets/preview-worker-1a2b3c.js')).toBe(
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    );
    for (const target of ['/ui/', '/assets/index-1a2b3c.js', '/ui/preview-worker-1a2b3c.js'])
      expect(await policyOf(target), target).not.toContain('wasm');
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ])('a file is sent in the form that the build packed, for %s', async (accepted, packed) => {
    const target = `${service.url}/assets/hdf5-1a2b3c.wasm`;
    const answer = await fetch(target, { headers: { 'accept-encoding': accepted } });
    expect(answer.headers.get('content-encoding')).toBe(packed);
    expect(answer.headers.get('content-type')).toBe('application/wasm');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(Buffer.from(await answer.arrayBuffer()).equals(library)).toBe(true);
  });

  test('the packed worker of previews has its own policy too', async () => {
    const answer = await fetch(`${service.url}/assets/preview-worker-1a2b3c.js`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-security-policy')).toContain('wasm-unsafe-eval');
    expect(answer.headers.get('content-type')).toMatch(/^(?:text|application)\/javascript/);
  });

  test('/ and /setup lead there', async () => {
    expect((await get('/')).headers.get('location')).toBe('/ui/');
    expect((await get('/setup?code=abc')).headers.get('location')).toBe('/ui/setup?code=abc');
    expect((await get('/mark.svg')).headers.get('content-type')).toBe('image/svg+xml');
  });

  test('addresses of the API and of measurements never return the page', async () => {
    for (const target of ['/api/v4/nothing', '/measurements/qmr-114', '/nothing', '/assets/nothing.js']) {
      const answer = await get(target);
      expect(answer.status, target).toBeGreaterThanOrEqual(400);
      expect(answer.headers.get('content-type'), target).not.toContain('html');
    }
  });

  test.each([
    '/assets/../../secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/assets/..\\..\\secret.txt',
    '/assets/%00',
    '/assets/',
  ])('%s stays inside the folder', async (target) => {
    const answer = await rawRequest({ port: service.port }, { path: target, headers: { host: '127.0.0.1' } });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body).not.toContain('not for you');
  });
});

test('without a build the page says how to make one', async () => {
  const own = await startTestService({ rendererDir: path.join(dir, 'nothing-here') });
  try {
    const answer = await fetch(`${own.url}/ui/`);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('npm run build');
  } finally {
    await own.end();
  }
});
