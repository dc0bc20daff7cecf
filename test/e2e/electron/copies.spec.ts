import { randomFillSync } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import type { Copy, CopyPage } from '../../../src-main/service/contract/copies/copies.ts';
import { startAlteringProxy } from '../../service/copies/altering-proxy.ts';
import { programEntry } from '../../service/program-entry.ts';
import { mustRun } from '../../service/run-program.ts';
import { startTestService } from '../../service/start.ts';
import { axeFindings } from '../browser/axe.ts';
import { expect, test } from './launch.ts';

// A steward keeps a copy of a run on the facility's server, and sees that it is verified.

async function setUp(page: Page): Promise<void> {
  await page.getByLabel('User name').fill('bob');
  await page.getByRole('button', { name: 'Create account' }).click();
  for (const step of ['Data', 'Password', 'Sharing']) {
    await expect(page.getByRole('region', { name: step, exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
  }
}

/** Sends a request as the page does. */
async function send(page: Page, route: string, body: unknown): Promise<number> {
  return page.evaluate(
    async ([to, content]) => {
      const session = (await (await fetch('/api/v4/session')).json()) as { csrf_token: string };
      const headers = { 'content-type': 'application/json', 'x-csrf-token': session.csrf_token };
      return (await fetch(to, { method: 'POST', headers, body: content })).status;
    },
    [route, JSON.stringify(body)] as const,
  );
}

/** Beside the running application, as an administrator would. */
async function register(dataDir: string, run: string, id: string): Promise<void> {
  const entry = programEntry('command line');
  const named = ['--id', id, '--title', 'First light', '--owner', 'bob', '--data', dataDir];
  await mustRun(process.execPath, [entry, 'measurement', 'register', run, ...named]);
}

const copies = async (page: Page): Promise<readonly Copy[]> =>
  page.evaluate(async () => ((await (await fetch('/api/v4/local/copies')).json()) as CopyPage).items);

test('a copy is kept on a server, verified, and shown where the measurement is', async ({ launch }) => {
  test.setTimeout(120_000);
  const facility = await startTestService({ database: null });
  const proxy = await startAlteringProxy(facility.url);
  try {
    const { page, folder, dataDir } = await launch({ parts: 'real' });
    const token = await facility.token(await facility.user('alice'), ['read_measurement', 'write_measurement']);
    await setUp(page);
    const run = path.join(folder, 'run');
    await fs.mkdir(run);
    await fs.writeFile(path.join(run, 'frames.dat'), randomFillSync(Buffer.alloc(8 * 1024 * 1024)));
    for (const id of ['run-0091', 'run-0092', 'run-0093']) await register(dataDir, run, id);
    const server = { base_url: proxy.url, name: 'Facility', token };
    expect(await send(page, '/api/v4/local/servers', server)).toBe(201);

    await page.getByRole('link', { name: 'Measurements' }).click();
    await page.getByRole('row', { name: /run-0091/ }).dblclick();
    const panel = page.getByRole('complementary', { name: 'Measurement' });
    await panel.getByRole('tab', { name: 'Copies' }).click();
    await expect(panel.getByText('There is no copy of it elsewhere.')).toBeVisible();
    await look(page, 'tab-empty');
    await panel.getByRole('button', { name: 'Keep a copy…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Keep a copy of run-0091' });
    await expect(dialog.getByLabel('On')).toContainText('Facility');
    await look(page, 'dialog');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Keep a copy' }).click();
    await expect(panel.getByText('Safe to remove here: 1 copy is verified elsewhere.')).toBeVisible();
    await expect(panel.getByText(/Receipt kept, verified/)).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await expect(page.getByRole('row', { name: /run-0091/ })).toContainText('available, 1 copy');
    await look(page, 'tab');

    // One that cannot be sent now, and one whose receiver answers with other bytes.
    proxy.alter = ({ path: route }) =>
      route.includes('run-0092') && route.endsWith('/challenge')
        ? { change: (body) => ({ ...body, sha256: '0'.repeat(64) }) }
        : null;
    expect(await send(page, '/api/v4/local/copies', { server_id: 1, measurement_ids: ['run-0092'] })).toBe(202);
    await expect.poll(async () => (await copies(page)).map(({ state }) => state)).toContain('failed');
    proxy.alter = ({ method }) => (method === 'PATCH' ? 'cut' : null);
    expect(await send(page, '/api/v4/local/copies', { server_id: 1, measurement_ids: ['run-0093'] })).toBe(202);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Copies' }).click();
    const list = page.getByRole('region', { name: 'List of copies' });
    await expect(list.getByText(/has other bytes than those that were sent/)).toBeVisible();
    await expect(list.getByText(/Waiting/)).toBeVisible();
    expect(await axeFindings(page)).toEqual([]);
    await look(page, 'list');

    proxy.alter = () => null;
    await page.getByRole('button', { name: 'Retry failed' }).click();
    await page.getByRole('button', { name: 'Resume all' }).click();
    await expect(list.getByText(/Receipt kept, verified/)).toHaveCount(3);
    await page.getByRole('button', { name: 'Verified 3' }).click();
    await list.getByRole('button', { name: 'Remove from the list: run-0093 on Facility' }).click();
    await look(page, 'remove');
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Cancel' }).click();
    await list.getByRole('button', { name: 'Check now: run-0093 on Facility' }).click();
    await expect(list.getByText(/Receipt kept, verified/)).toHaveCount(3);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Copies' }).last().click();
    await look(page, 'settings');
  } finally {
    await proxy.end();
    await facility.end();
  }
});

/** Pictures for people, where a folder for them is named. */
async function look(page: Page, name: string): Promise<void> {
  const folder = process.env['BENCHPORT_LOOK'];
  if (folder === undefined) return;
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of [420, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: path.join(folder, `${name}-${theme}-${width}.png`) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}
