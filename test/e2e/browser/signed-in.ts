import { expect, test as base, type Page } from '@playwright/test';
import Database from 'better-sqlite3';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { startTestService, type TestService } from '../../service/start.ts';

export const password = 'first light at 4 kelvin';

interface Real {
  /** A real service whose owner, alice, is signed in. */
  readonly service: TestService;
}

/**
 * Pages of a real service, signed in as alice. A page that violates its content security policy or
 * throws fails its test.
 */
export const test = base.extend<Real>({
  service: async ({ page }, use) => {
    const service = await startTestService();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
    });
    // The request's cookies are shared with the page.
    const setUp = await page.request.post(`${service.url}/api/v4/setup?code=${service.setupCode ?? ''}`, {
      data: { username: 'alice', name: 'alice', password },
    });
    expect(setUp.status()).toBe(201);
    await page.goto(`${service.url}/ui/`);
    await expect(page.getByRole('heading', { name: 'Measurements' })).toBeVisible();
    await use(service);
    await service.end();
    expect(complaints).toEqual([]);
  },
});

/** Makes every sign-in older than the time for which it counts as recent. */
export function forgetConfirmations(service: TestService): void {
  const database = new Database(path.join(service.dir, 'data', 'benchport.db'));
  try {
    database.prepare('UPDATE sessions SET confirmed_at = 0').run();
  } finally {
    database.close();
  }
}

/**
 * Runs a command that a screen shows, as a user who pastes it into a terminal and types the lines
 * that it asks for.
 */
export function runShown(command: string, typed: readonly string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile('bash', ['-c', command], { timeout: 20_000 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${error.message}\n${stderr}`));
    });
    child.stdin?.end(typed.map((line) => `${line}\n`).join(''));
  });
}

/**
 * Presses a key until an element has the focus, and fails for one that the keyboard cannot reach.
 */
export async function tabTo(
  page: Page,
  name: string | RegExp,
  role: Parameters<Page['getByRole']>[0] = 'button',
): Promise<void> {
  const target = page.getByRole(role, { name }).first();
  await target.waitFor();
  for (let step = 0; step < 40; step += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${role} ${String(name)}`);
}

export { expect };
