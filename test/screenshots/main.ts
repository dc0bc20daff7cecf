// npm run screenshots: the pictures of docs/screenshots, taken of a real service in a real Chromium.
import { chromium, type Browser, type Page } from '@playwright/test';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startTestService } from '../service/start.ts';
import { furnish } from './furnish.ts';

const target = path.resolve(import.meta.dirname, '../../docs/screenshots');
const wide = { width: 1280, height: 800 };
const narrow = { width: 360, height: 740 };

async function signedIn(browser: Browser, url: string, viewport: { width: number; height: number }, colorScheme: 'light' | 'dark', cookie: string): Promise<Page> {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: 'reduce' });
  await context.addCookies([{ name: 'benchport_session', value: cookie, url }]);
  return context.newPage();
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('domcontentloaded');
  await page.waitForTimeout(700);
  await page.screenshot({ path: path.join(target, `${name}.png`) });
}

await mkdir(target, { recursive: true });
const files = await mkdtemp(path.join(os.tmpdir(), 'benchport-pictures-'));
const service = await startTestService({ baseUrl: 'http://127.0.0.1:7420' });
const url = `http://127.0.0.1:${service.port}`;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
try {
  const cookie = await service.services.sessions.begin(await service.user('alice', true), null, null);
  for (const theme of ['light', 'dark'] as const) {
    const empty = await signedIn(browser, url, wide, theme, cookie);
    await empty.goto(`${url}/ui/measurements`);
    await shoot(empty, `measurements-empty-${theme}`);
    await empty.context().close();
    const stranger = await browser.newContext({ viewport: wide, colorScheme: theme });
    const page = await stranger.newPage();
    await page.goto(`${url}/users/sign_in`);
    await shoot(page, `sign-in-${theme}`);
    await page.goto(`${url}/api/docs`);
    await shoot(page, `api-docs-${theme}`);
    await stranger.close();
  }
  await furnish(service, files);
  for (const theme of ['light', 'dark'] as const) {
    for (const [size, viewport] of [['', wide], ['-narrow', narrow]] as const) {
      const page = await signedIn(browser, url, viewport, theme, cookie);
      await page.goto(`${url}/ui/measurements${size ? '' : '/qmr-2026-114'}`);
      await shoot(page, `measurements${size}-${theme}`);
      await page.goto(`${url}/ui/measurements/ms-run-0091`);
      await shoot(page, `measurement-degraded${size}-${theme}`);
      await page.goto(`${url}/ui/measurements/qmr-2026-114`);
      await page.getByRole('tab', { name: 'Access' }).click();
      await shoot(page, `measurement-access${size}-${theme}`);
      await page.getByRole('tab', { name: 'History' }).click();
      await shoot(page, `measurement-history${size}-${theme}`);
      await page.goto(`${url}/ui/tokens`);
      await shoot(page, `tokens${size}-${theme}`);
      await page.getByRole('button', { name: 'Create token' }).first().click();
      await shoot(page, `token-new${size}-${theme}`);
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  await service.end();
  await rm(files, { recursive: true, force: true });
}
