import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prefersHtml } from '../../../../src-main/service/http/semantics/prefers-html.ts';
import { addMeasurement } from '../../fixture-measurement.ts';
import { startTestService, type TestService } from '../../start.ts';
import { RawClient } from '../../raw-client.ts';

const run = promisify(execFile);
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const many = 100_000;
let service: TestService;
let token: string;

beforeAll(async () => {
  service = await startTestService();
  const alice = await service.user('alice');
  token = await service.token(alice);
  await addMeasurement(service, alice, 'm', [
    { path: 'a<script>alert(1)</script>&"\'.txt', bytes: 'odd' },
    { path: 'dir/b.txt', bytes: 'second' },
  ]);
  await addMeasurement(
    service,
    alice,
    'many',
    Array.from({ length: many }, (_, i) => ({ path: `f${String(i).padStart(6, '0')}`, rowOnly: true })),
  );
});
afterAll(() => service.end());

const ask = (url: string, headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(service.url + url, { redirect: 'manual', ...init, headers: { authorization: `Bearer ${token}`, ...headers } });

describe('the list of files', () => {
  test.each([undefined, '*/*', 'application/json', 'application/json, text/html', 'text/*', 'text/html;q=0.5, */*'])(
    'is JSON for Accept: %s',
    async (accept) => {
      for (const url of ['/measurements/m/files', '/measurements/m/files/']) {
        const response = await ask(url, accept === undefined ? {} : { accept });
        expect([response.status, response.headers.get('content-type')]).toEqual([
          200,
          'application/json; charset=utf-8',
        ]);
        expect(response.headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
        expect(((await response.json()) as { files: unknown[] }).files).toHaveLength(2);
      }
    },
  );

  test.each([
    ['/measurements/m/files/', ''],
    ['/measurements/m/files', 'files/'],
  ])(
    'is a page for a browser at %s, with links that lead to the files and no name taken for markup',
    async (url, prefix) => {
      const response = await ask(url, { accept: browser });
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      const page = await response.text();
      expect(page).not.toContain('<script');
      expect(page.match(/<\/?(?:ul|body|html)\b/g)).toEqual(['<html', '<body', '<ul', '</ul', '</body', '</html']);
      expect(page).toContain('a&lt;script&gt;');
      const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href = '']) => href);
      expect(links).toEqual([`${prefix}0`, `${prefix}1`]);
      const bodies = await Promise.all(
        links.map(async (link) => (await ask(new URL(link, service.url + url).pathname, {})).text()),
      );
      expect(bodies).toEqual(['odd', 'second']);
      const head = await ask(url, { accept: browser }, { method: 'HEAD' });
      expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    },
  );

  test('of 100,000 files is a page too, and its end is missing when its reader leaves', async () => {
    const page = await (await ask('/measurements/many/files/', { accept: browser })).text();
    expect(page.match(/<li>/g)).toHaveLength(many);
    expect(page.trimEnd()).toMatch(/<\/html>$/);
    const client = await RawClient.open(service.url);
    client.get('/measurements/many/files/', `Authorization: Bearer ${token}`, `Accept: ${browser}`);
    await client.until(1);
    client.socket.destroy();
    expect((await ask('/measurements/m/files', {})).status).toBe(200);
  });

  test('sends a browser that is not signed in to sign in and come back, and nothing else', async () => {
    const stranger = await fetch(`${service.url}/measurements/m/files/`, {
      redirect: 'manual',
      headers: { accept: browser },
    });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([
      303,
      '/users/sign_in?return_to=%2Fmeasurements%2Fm%2Ffiles%2F',
    ]);
    for (const headers of [
      {},
      { accept: '*/*' },
      { accept: browser, authorization: 'Bearer wrong' },
      { accept: browser, 'private-token': 'wrong' },
    ])
      expect(
        (
          await fetch(`${service.url}/measurements/m/files/`, {
            redirect: 'manual',
            headers: headers as Record<string, string>,
          })
        ).status,
      ).toBe(401);
  });

  test('is followed by wget', async (context) => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'benchport-wget-'));
    try {
      await run('wget', ['--version']);
    } catch {
      context.skip('there is no wget');
    }
    const headers = [`--header=Authorization: Bearer ${token}`, '--header=Accept: text/html'];
    await run(
      'wget',
      ['-q', '-r', '-l', '1', '-np', '-nd', '-e', 'robots=off', ...headers, `${service.url}/measurements/m/files/`],
      { cwd: dir },
    );
    const names = await readdir(dir);
    expect(names).toEqual(expect.arrayContaining(['0', '1']));
    expect(await readFile(path.join(dir, '1'), 'utf8')).toBe('second');
    await rm(dir, { recursive: true });
  });
});

test('what is preferred is read from Accept', () => {
  const cases = [
    '',
    'text/html',
    'text/html;q=0.9, application/json;q=0.8',
    'text/html;q=0, */*',
    'TEXT/HTML',
    'text/html;q=x',
  ];
  expect(cases.map(prefersHtml)).toEqual([false, true, true, false, true, false]);
});
