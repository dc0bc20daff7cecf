import fs from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import Database from 'better-sqlite3';
import { createAccount, dropPaths, expect, test } from './launch.ts';

// A number is a point of the Electron security checklist: texts of others are text in the window.

const turned = 'report\u202Egnp.exe';
// Typed titles and names cannot contain bidirectional controls, but received ones can.
const markup = '<img src=x onerror="window.ran=1"><script>window.ran=2</script>';
const hostile = `${markup} ${turned}`;
const script = 'window.ran = 3; postMessage("ran");';
// Shown as a name in angle brackets, or removed from the titles of errors.
const shown = /report(\[U\+202E\])?gnp\.exe/;

/** Sends a request to the service as the page would. */
function send(page: Page, method: string, url: string, body: unknown): Promise<{ id?: number; public_key?: string }> {
  return page.evaluate(
    async ([address, init]) => {
      const response = await fetch(address, { ...init, headers: { 'content-type': 'application/json' } });
      if (!response.ok) throw new Error(`${address} was answered with ${response.status}`);
      return (await response.json()) as { id?: number; public_key?: string };
    },
    [url, { method, body: JSON.stringify(body) }] as const,
  );
}

/** Faults of the page: characters that change the writing direction, and any script that ran. */
function look(page: Page): Promise<{ turning: string[]; ran: unknown; pictures: number }> {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const turning: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (/[\u202a-\u202e\u2066-\u2069]/.test(node.nodeValue ?? '')) turning.push(node.nodeValue ?? '');
    if (/[\u202a-\u202e\u2066-\u2069]/.test(document.title)) turning.push(document.title);
    return { turning, ran: (window as unknown as { ran?: unknown }).ran, pictures: document.images.length };
  });
}

test('E23 names and texts of others are text on every screen, and served files never run', async ({ launch }) => {
  test.setTimeout(90_000);
  const { page, folder } = await launch({ parts: 'real' });
  await createAccount(page);
  const run = path.join(folder, 'run');
  await fs.mkdir(run);
  for (const name of ['a.js', 'b.mjs', turned]) await fs.writeFile(path.join(run, name), script);
  await dropPaths(page, [run], 600, 400);
  const dialog = page.getByRole('dialog', { name: 'Register' });
  await dialog.getByLabel('Title').fill(markup);
  await dialog.getByLabel('Id').fill('hostile');
  await dialog.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('available')).toBeVisible();

  const project = await send(page, 'POST', '/api/v4/projects', { path: 'lab', name: markup });
  const tracking = `/api/v4/projects/${project.id}/error_tracking`;
  await send(page, 'PUT', `${tracking}/settings`, { active: true, integrated: true });
  const key = await send(page, 'POST', `${tracking}/client_keys`, {});
  await send(page, 'POST', `/api/v4/error_tracking/collector/api/${project.id}/store/?sentry_key=${key.public_key}`, {
    event_id: '0'.repeat(32),
    platform: 'javascript',
    transaction: hostile,
    user: { id: hostile, username: hostile },
    tags: { where: hostile },
    request: { url: 'javascript:window.ran=4' },
    breadcrumbs: [{ message: hostile, category: hostile }],
    exception: {
      values: [
        {
          type: hostile,
          value: hostile + 'x'.repeat(300_000),
          stacktrace: { frames: [{ filename: hostile, function: hostile, context_line: hostile }] },
        },
      ],
    },
  });
  await send(page, 'POST', '/api/v4/user/personal_access_tokens', { name: markup, scopes: ['read_user'] });
  // Older versions accepted such titles and names.
  const database = new Database(path.join(folder, 'data', 'benchport.db'));
  for (const [table, column] of Object.entries({
    measurements: 'title',
    projects: 'name',
    personal_access_tokens: 'name',
  })) {
    expect(
      database.prepare(`UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`).run(hostile, markup).changes,
      table,
    ).toBe(1);
  }
  database.close();

  for (const screen of [
    'measurements',
    'measurements/hostile',
    'projects',
    'projects/lab/settings',
    'projects/lab/errors',
    'projects/lab/errors/1?wide=true',
    'tokens',
  ]) {
    await page.goto(`app://local/ui/${screen}`);
    // A wide detail hides the list behind it, which has the name too.
    await expect(page.getByText(shown).filter({ visible: true }).first(), screen).toBeVisible();
    expect(await look(page), screen).toEqual({ turning: [], ran: undefined, pictures: 0 });
  }
  // The last of these asks by name for a revocation.
  await page.getByRole('button', { name: /^Revoke/ }).click();
  await expect(page.getByRole('alertdialog').getByText(shown)).toBeVisible();
  expect((await look(page)).turning).toEqual([]);

  // The page's policy allows scripts of its own origin, which includes responses of the service.
  const answers = await page.evaluate(async () => {
    const outcomes = [0, 1, 2].map(async (index) => {
      const address = `/measurements/hostile/files/${index}`;
      const tag = document.createElement('script');
      const loaded = new Promise((resolve) => {
        tag.addEventListener('load', () => resolve('loaded'));
        tag.addEventListener('error', () => resolve('refused'));
      });
      tag.src = address;
      document.head.append(tag);
      const worker = new Promise((resolve) => {
        const made = new Worker(address);
        made.addEventListener('message', () => resolve('ran'));
        made.addEventListener('error', () => resolve('refused'));
      });
      return [(await fetch(address)).status, await loaded, await worker];
    });
    return Promise.all(outcomes);
  });
  expect(answers.map(String)).toEqual(['200,refused,refused', '200,refused,refused', '200,refused,refused']);
  expect((await look(page)).ran).toBeUndefined();
});
