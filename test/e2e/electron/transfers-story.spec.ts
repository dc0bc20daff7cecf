import { randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication, Locator, Page } from '@playwright/test';
import type { Fetch } from '../../../src-main/service/contract/fetches.ts';
import { mustRun } from '../../service/run-program.ts';
import { asWindow } from '../../service/as-window.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import { dropPaths, end, expect, quit, start, test } from './launch.ts';
import { answer, hideWindow, noteOutside } from './outside.ts';

// The whole path of a scientist: add a lab's server, fetch a measurement, pause it, continue on
// another day, and in the end verify it and drag it out.

/** Large enough to be running after a pause and a quit, at the configured speed. */
const frames = 128 * 1024 * 1024;

/** A second service, with a measurement that a token may read. */
async function furnishLab(lab: TestService, run: string): Promise<string> {
  const alice = await lab.user('alice', true);
  await fs.mkdir(path.join(run, 'raw'), { recursive: true });
  await fs.writeFile(path.join(run, 'Größe 2.csv'), 'time,value\n0,2\n');
  await fs.writeFile(path.join(run, 'empty.log'), '');
  await fs.writeFile(path.join(run, 'raw', 'frames.dat'), randomFillSync(Buffer.alloc(frames)));
  const { status } = await asWindow(lab, 'POST', '/api/v4/local/registrations', {
    path: run,
    id: 'run-0091',
    title: 'First light',
  });
  expect(status).toBe(202);
  await expect.poll(async () => (await lab.services.measurements.byId('run-0091'))?.state).toBe('available');
  return lab.token(alice, ['read_api', 'read_measurement']);
}

const fetchNow = (page: Page): Promise<Fetch> =>
  page.evaluate(async () => (await fetch('/api/v4/local/fetches/1')).json() as Promise<Fetch>);
const bytesNow = async (page: Page): Promise<number> => (await fetchNow(page)).bytes_done;

/** Start offsets of the requests for the frames, in the order of their ends. */
async function startsOfFrames(lab: TestService): Promise<number[]> {
  const { body } = await asWindow(lab, 'GET', '/api/v4/transfers/past?per_page=100');
  return (body as { path: string | null; range: string | null }[])
    .filter((one) => one.path === 'raw/frames.dat')
    .map(({ range }) => Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0));
}

/** From the first run to the fetch in the list, which does not start yet. */
async function addLab(
  app: ElectronApplication,
  page: Page,
  lab: TestService,
  token: string,
  target: string,
): Promise<void> {
  await page.getByLabel('User name').fill('bob');
  await page.getByRole('button', { name: 'Create account' }).click();
  for (const step of ['Data', 'Password', 'Sharing']) {
    await expect(page.getByRole('region', { name: step, exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  await page.getByRole('button', { name: 'Add a server' }).click();
  const form = page.getByRole('dialog', { name: 'Add a server' });
  await form.getByLabel('Address').fill(lab.url);
  await form.getByLabel('Token').fill(token);
  await form.getByLabel('Name').fill('Lab');
  await form.getByRole('button', { name: 'Add and test' }).click();

  await page.getByRole('searchbox', { name: 'Search on Lab' }).fill('first');
  await page.getByRole('row', { name: /run-0091/ }).dblclick();
  const dialog = page.getByRole('dialog', { name: 'Fetch run-0091' });
  await expect(dialog).toContainText('3 files, 128 MiB');
  await app.evaluate(({ dialog: dialogs }, folder) => {
    dialogs.showOpenDialog = async () => ({ canceled: false, filePaths: [folder] });
  }, target);
  await dialog.getByRole('button', { name: 'Choose folder' }).click();
  await expect(dialog).toContainText('128 MiB needed');
  await dialog.getByLabel('Add to the list, paused').check();
  await dialog.getByRole('button', { name: 'Add to the list' }).click();
  await page.getByRole('button', { name: 'Show', exact: true }).click();
}

test('from the first run over a pause and a second start to a measurement that is verified and dragged out', async ({
  launch,
}) => {
  test.setTimeout(90_000);
  const lab = await startTestService();
  try {
    const { app, page, folder, command } = await launch({ parts: 'real' });
    const [run, target] = [path.join(folder, 'run-0091'), path.join(folder, 'got')];
    await fs.mkdir(target);
    const token = await furnishLab(lab, run);
    const notes = await noteOutside(app);
    await addLab(app, page, lab, token, target);

    const panel = page.getByRole('complementary', { name: 'Transfer' });
    const pause = panel.getByRole('button', { name: 'Pause', exact: true });
    const resume = panel.getByRole('button', { name: 'Resume', exact: true });
    await page.getByRole('button', { name: 'Speed limit: No limit' }).click();
    await page.getByRole('menuitemcheckbox', { name: '5 MiB/s' }).click();
    await expect(page.getByRole('button', { name: 'Speed limit: 5 MiB/s' })).toBeVisible();
    await resume.click();
    await expect(pause).toBeVisible();
    await expect.poll(() => bytesNow(page)).toBeGreaterThan(0);
    await pause.click();
    await expect(resume).toBeVisible();
    await expect(panel.getByText('paused', { exact: true })).toBeVisible();
    const paused = await bytesNow(page);
    await resume.click();
    await expect.poll(() => bytesNow(page)).toBeGreaterThan(paused);
    const barMoves = async (): Promise<boolean> =>
      (await notes())['bar']?.some((one) => (one as [number])[0] > 0 && (one as [number])[0] < 1) === true;
    await expect.poll(barMoves).toBe(true);

    // Asked once and cancelled, then confirmed.
    await quit(app);
    await expect.poll(async () => (await notes())['asked']?.length).toBe(1);
    expect((await notes())['asked']).toEqual([['Quit while a fetch is under way?', ['Quit', 'Cancel'], 1, 1]]);
    const before = await fetchNow(page);
    expect(before).toMatchObject({ state: 'running', bytes_total: frames + 15 });
    await answer(app, 0);
    const gone = once(app.process(), 'exit');
    await quit(app);
    expect(await gone).toEqual([0, null]);
    expect(await fs.readdir(path.join(target, 'run-0091/raw'))).toEqual(['frames.dat.benchport-part']);
    const earlier = (await startsOfFrames(lab)).length;

    const again = await start(command);
    try {
      await goOn(again, lab, { before, earlier, run, folder });
    } finally {
      await end(again);
    }
  } finally {
    await lab.end();
  }
});

/**
 * The button must stay pressed throughout: a pointer that moves without it ends the drag, which
 * makes it a click.
 */
async function dragAndLetGo(page: Page, what: Locator, begun: () => Promise<void>): Promise<void> {
  await what.hover();
  await page.mouse.down();
  await what.dispatchEvent('dragstart');
  await begun();
  await page.mouse.up();
}

interface Left {
  /** The verified bytes so far, and the number of requests for the frames. */
  readonly before: Fetch;
  readonly earlier: number;
  readonly run: string;
  readonly folder: string;
}

/**
 * After the second start the fetch continues by itself, and its result is shown, dragged out and
 * registered here.
 */
async function goOn(app: ElectronApplication, lab: TestService, { before, earlier, run, folder }: Left): Promise<void> {
  const page = await app.firstWindow();
  const notes = await noteOutside(app);
  await page.getByRole('link', { name: 'Transfers' }).click();
  const row: Locator = page.getByRole('row', { name: /First light/ });
  await expect(row.getByText('fetching', { exact: true })).toBeVisible();
  expect(await bytesNow(page)).toBeGreaterThanOrEqual(before.bytes_done);
  await hideWindow(app);
  await page.evaluate(async () => {
    const settings = (await (await fetch('/api/v4/local/fetch-settings')).json()) as object;
    const body = JSON.stringify({ ...settings, speed_limit: null });
    await fetch('/api/v4/local/fetch-settings', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body,
    });
  });
  await expect
    .poll(async () => (await notes())['notices'], { timeout: 20_000 })
    .toEqual([['Fetched and verified', 'First light, from Lab']]);
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.show());
  await expect(row.getByText('done', { exact: true })).toBeVisible();
  await expect(row).toContainText('verified');
  const got = (await fetchNow(page)).target;
  expect(got).toBe(path.join(folder, 'got/run-0091'));
  await mustRun('diff', ['-r', run, got]);
  const later = (await startsOfFrames(lab)).slice(0, -earlier);
  expect(later.length).toBeGreaterThan(0);
  expect(Math.min(...later)).toBeGreaterThan(0);

  await row.getByRole('button', { name: 'Show First light in its folder' }).click();
  await expect.poll(async () => (await notes())['shown']).toEqual([got]);
  const dragged = async (): Promise<unknown> => (await notes())['dragged'];
  await dragAndLetGo(page, row, async () => expect.poll(dragged).toEqual([got]));
  const panel = page.getByRole('complementary', { name: 'Transfer' });
  await panel.getByRole('tab', { name: 'Files' }).click();
  const file = panel.getByRole('listitem').filter({ hasText: 'Größe 2.csv' });
  await dragAndLetGo(page, file, async () => expect.poll(dragged).toEqual([got, path.join(got, 'Größe 2.csv')]));
  await file.getByRole('button', { name: 'Pieces of Größe 2.csv' }).click();
  await expect(panel.getByRole('img', { name: 'All of it is on the disk and verified' })).toBeVisible();

  await page.getByRole('link', { name: 'Measurements' }).click();
  await expect(page.getByRole('heading', { name: 'Measurements' }).first()).toBeVisible();
  await dropPaths(page, [got], 600, 400);
  const dialog = page.getByRole('dialog', { name: 'Register' });
  await expect(dialog.getByText('Folder with 3 files, 128 MiB')).toBeVisible();
  await dialog.getByRole('button', { name: 'Register' }).click();
  await expect(page.getByRole('row', { name: /run-0091/ }).getByText('available')).toBeVisible({ timeout: 20_000 });
}
