import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { createAccount, dropPaths, expect, prepareLaunch, test } from './launch.ts';

// The built application as a whole: its own user interface on its own service.

/** Records every violation of the page's policy from the next page on. */
async function noteViolations(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    document.addEventListener('securitypolicyviolation', (event) =>
      violations.push(`${event.effectiveDirective} ${event.blockedURI}`),
    );
  });
  await page.reload();
  return () => page.evaluate(() => (window as unknown as { violations: string[] }).violations);
}

/** A folder with two small files, to be registered. */
async function makeRun(folder: string, name: string): Promise<string> {
  const run = path.join(folder, name);
  await fs.mkdir(run);
  await fs.writeFile(path.join(run, 'trace-1.csv'), 'time,value\n0,1\n');
  await fs.writeFile(path.join(run, 'trace-2.csv'), 'time,value\n0,2\n');
  return run;
}

test('E04 the first run creates an account, and no screen violates the policy of the page', async ({ launch }) => {
  const { page } = await launch({ parts: 'real' });
  const violations = await noteViolations(page);
  await createAccount(page);
  await page.getByRole('link', { name: 'Tokens' }).click();
  await expect(page.getByRole('heading', { name: 'Tokens' }).first()).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Measurements' }).click();
  expect(await violations()).toEqual([]);
});

test('a dropped folder becomes a measurement, and its files can be dragged out', async ({ launch }) => {
  const { app, page, folder } = await launch({ parts: 'real' });
  await createAccount(page);
  const run = await makeRun(folder, 'run-7');
  await dropPaths(page, [run], 600, 400);
  await page.getByRole('dialog').getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('run-7').first()).toBeVisible();
  const registered = () =>
    page.evaluate(
      () =>
        fetch('/api/v4/measurements').then((response) => response.json()) as Promise<{ id: string; state: string }[]>,
    );
  await expect.poll(async () => (await registered()).map(({ id }) => id)).toEqual(['run-7']);

  await app.evaluate(({ BrowserWindow }) => {
    const dragged: string[] = [];
    Object.assign(globalThis, { dragged });
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    if (contents) contents.startDrag = ({ file }) => dragged.push(file);
  });
  const dragged = () => app.evaluate(() => (globalThis as unknown as { dragged: string[] }).dragged);
  const staged = await page.evaluate(() =>
    fetch('/api/v4/local/measurements/run-7/stage', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"index":1}',
    }).then((response) => response.json()),
  );
  expect(staged).toMatchObject({ path: path.join(run, 'trace-2.csv') });
  await page.evaluate(
    (file) => (window as unknown as { benchport: { startDrag(path: string): void } }).benchport.startDrag(file),
    staged.path as string,
  );
  await expect.poll(dragged).toEqual([path.join(run, 'trace-2.csv')]);
});

test('the window recovers after its service was killed, and records it as an own error', async ({ launch }) => {
  const { app, page } = await launch({ parts: 'real' });
  await createAccount(page);
  const ownErrors = await page.evaluate(async () => {
    const answer = await fetch('/api/v4/application/own_errors', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"on":true}',
    });
    return (await answer.json()) as { readonly project: { readonly id: number } };
  });
  const children = (await fs.readFile(`/proc/${app.process().pid}/task/${app.process().pid}/children`, 'utf8'))
    .split(' ')
    .filter(Boolean)
    .map(Number);
  const commands = await Promise.all(
    children.map(async (pid) => ({ pid, line: await fs.readFile(`/proc/${pid}/cmdline`, 'utf8') })),
  );
  const service = commands.find(({ line }) => line.includes('out/service/service.js'));
  process.kill(service?.pid ?? 0, 'SIGKILL');
  const health = () => page.evaluate(() => fetch('/-/readiness').then((response) => response.status));
  await expect.poll(health).toBe(503);
  await expect.poll(health, { timeout: 20_000 }).toBe(200);
  await expect(page.getByRole('heading', { name: 'Measurements' }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Tokens' }).click();
  await expect(page.getByRole('heading', { name: 'Tokens' }).first()).toBeVisible();
  await page.evaluate(() => void setTimeout(() => void Promise.reject(new RangeError('a fault of the page'))));
  await app.evaluate(() => void setTimeout(() => void Promise.reject(new RangeError('a fault of the main process'))));
  const told = async () =>
    page.evaluate(async (id) => (await fetch(`/api/v4/projects/${id}/errors?query=`)).text(), ownErrors.project.id);
  await expect.poll(told).toContain('The service ended and is started again.');
  await expect.poll(told).toContain('a fault of the page');
  await expect.poll(told).toContain('a fault of the main process');
});

test('only the window reaches the private routes', async ({ launch }) => {
  const { page } = await launch({ parts: 'real' });
  await createAccount(page);
  const url = (await page.evaluate(() => fetch('/api/v4/service').then((response) => response.json())))
    .base_url as string;
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await page.evaluate(() => fetch('/api/v4/local/ignore-list').then((response) => response.status))).toBe(200);
  for (const secret of ['', 'x'.repeat(64)]) {
    const response = await fetch(`${url}/api/v4/local/ignore-list`, {
      headers: { 'x-benchport-launch-secret': secret },
    });
    expect([401, 404]).toContain(response.status);
  }
});

test('a second application on the same data directory says so and ends', async ({ launch }) => {
  const { page, dataDir } = await launch({ parts: 'real' });
  await createAccount(page);
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'bp-e2e-'));
  try {
    const { executablePath, args, cwd, env } = await prepareLaunch(folder, {
      parts: 'real',
      args: [`--data=${dataDir}`, '--exit-on-failure'],
    });
    const second = spawn(executablePath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    second.stderr.setEncoding('utf8').on('data', (text) => {
      errors += text;
    });
    const [status] = await once(second, 'close');
    expect(status).toBe(1);
    expect(errors).toMatch(/The service could not start: .*data directory/);
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
});
