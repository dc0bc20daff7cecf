import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser } from '@playwright/test';
import { build, type Rolldown } from 'vite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fetchWith, prepareOnce, sayMissing, type Prepared } from '../prepare.ts';
import { startSdkWorld, type SdkWorld } from './sdk-project.ts';

// A browser starts slowly on a busy machine, and the first run fetches the SDKs.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file));
const sent = 51;

let world: SdkWorld;
let prepared: Prepared;
let browser: Browser | null = null;
beforeAll(async () => {
  world = await startSdkWorld();
  prepared = await prepareOnce('sentry', 'browser', (stage) =>
    fetchWith('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', '--loglevel=error'], {
      cwd: stage,
    }),
  );
  if (executablePath !== undefined)
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
});
afterAll(async () => {
  await browser?.close();
  await world.service.end();
});

/** The SDK bundled as one script, as an application's page has it. */
async function scriptOf(entry: string): Promise<string> {
  const made = (await build({
    configFile: false,
    root: path.dirname(entry),
    logLevel: 'error',
    build: { write: false, minify: false, rolldownOptions: { input: entry, output: { format: 'iife' } } },
  })) as Rolldown.RolldownOutput;
  return made.output[0].code;
}

async function serve(script: string): Promise<Server> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/sdk.js';
    response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? script : '<!doctype html><title>Bench</title><script src="/sdk.js"></script>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

test.each([
  { module: 'page-10', version: '10.78.0' },
  { module: 'page-11', version: '11.12.0' },
])(`A1: @sentry/browser $version: a page that sends ${sent} errors sends all of them`, async ({ module, version }) => {
  if ('missing' in prepared) return sayMissing(`@sentry/browser ${version}`, prepared.missing);
  if (!browser) return sayMissing(`@sentry/browser ${version}`, 'there is no Chromium');
  const project = await world.project(`lab/${module}`);
  const server = await serve(await scriptOf(path.join(prepared.home, `${module}.mjs`)));
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    // The SDK drops events beyond its queue, so the page sends them slowly enough for a busy
    // machine.
    await page.evaluate(`Sentry.init({ dsn: '${project.dsn}', release: 'bench@1.4.0', transportOptions: { bufferSize: 500 } });
      (async () => {
        for (let at = 0; at < ${sent}; at += 1) {
          Sentry.captureMessage('measurement ' + at + ' was not read');
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      })()`);
    const arrived = async () => (await project.shown()).reduce((sum, { events }) => sum + events, 0);
    // Checked while the page is open, because leaving it sends queued events.
    await vi.waitFor(async () => expect(await arrived()).toBe(sent), { timeout: 60_000, interval: 250 });
    await page.close();
  } finally {
    server.close();
  }
});
