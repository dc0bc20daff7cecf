import fs from 'node:fs/promises';
import path from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import { CaptureRuleInput } from '../../../src-main/service/contract/capture/rules.ts';
import { axeFindings } from '../browser/axe.ts';
import { createAccount, expect, start, test } from './launch.ts';

// A steward watches the folder of an instrument, whose runs are then registered by themselves.

/** Sets the result of later dialogs for folders. */
async function choose(app: ElectronApplication, folder: string): Promise<void> {
  await app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, folder);
}

async function write(run: string, names: readonly string[]): Promise<void> {
  await fs.mkdir(run, { recursive: true });
  for (const name of names) await fs.writeFile(path.join(run, name), name);
}

/** Changes the folder of the first rule as a script in the page would. @returns the status. */
async function changeFolder(page: Page, folder: string): Promise<number> {
  const request = { to: folder, names: Object.keys(CaptureRuleInput.properties) };
  return page.evaluate(async ({ to, names }) => {
    const session = (await (await fetch('/api/v4/session')).json()) as { csrf_token: string };
    const [rule] = (await (await fetch('/api/v4/local/captures')).json()) as readonly { readonly id: number }[];
    const headers = { 'content-type': 'application/json', 'x-csrf-token': session.csrf_token };
    const settings = Object.fromEntries(Object.entries(rule ?? {}).filter(([name]) => names.includes(name)));
    const body = JSON.stringify({ ...settings, folder: to });
    return (await fetch(`/api/v4/local/captures/${rule?.id}`, { method: 'PUT', headers, body })).status;
  }, request);
}

async function watchFolder(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Capture' }).click();
  await page.getByRole('button', { name: 'Watch a folder…' }).first().click();
  const form = page.getByRole('dialog', { name: 'Watch a folder' });
  await form.getByLabel('Instrument').selectOption('illumina');
  await form.getByRole('button', { name: 'Choose' }).click();
  await expect(form.getByLabel('Name')).toHaveValue('novaseq');
  await form.getByRole('button', { name: 'Try it' }).click();
  const found = form.getByRole('list', { name: 'Runs that the rule finds' });
  await expect(found.getByRole('listitem')).toHaveCount(1);
  await expect(found).toContainText('CopyComplete.txt is not there yet.');
  expect(await axeFindings(page)).toEqual([]);
  await form.getByRole('button', { name: 'Watch', exact: true }).click();
  await expect(form).toBeHidden();
}

test('a run is registered when its marker comes, and its rule can be edited after a restart', async ({ launch }) => {
  test.setTimeout(120_000);
  const { app, page, folder, command } = await launch({ parts: 'real' });
  await createAccount(page);
  const instrument = path.join(folder, 'novaseq');
  await write(path.join(instrument, 'old-run'), ['data.raw']);
  await choose(app, instrument);
  await watchFolder(page);
  const rules = page.getByRole('list').filter({ hasText: instrument });
  await expect(rules.getByText('Watching')).toBeVisible();
  const runs = page.getByRole('list').filter({ hasText: 'old-run' }).last();
  await expect(runs.getByText('It was there before the rule.')).toBeVisible();

  await write(path.join(instrument, '261101_A01'), ['data.raw']);
  await expect(runs.getByText('CopyComplete.txt is not there yet.')).toBeVisible();
  await write(path.join(instrument, '261101_A01'), ['CopyComplete.txt']);
  await expect(runs.getByText('Registered', { exact: true })).toBeVisible({ timeout: 30_000 });
  expect(await axeFindings(page)).toEqual([]);
  await page.getByRole('link', { name: 'Measurements' }).click();
  await expect(page.getByRole('row', { name: /261101_A01/ })).toContainText('available');
  await app.close();

  const again = await start(command);
  try {
    const second = await again.firstWindow();
    await second.getByRole('link', { name: 'Capture' }).click();
    await second.getByRole('button', { name: 'Actions for novaseq' }).click();
    await second.getByRole('menuitem', { name: 'Edit…' }).click();
    const form = second.getByRole('dialog', { name: 'Edit novaseq' });
    await form.getByLabel('Name').fill('NovaSeq 2');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toBeHidden();
    await expect(second.getByRole('button', { name: 'NovaSeq 2', exact: true })).toBeVisible();
    // No other folder may be watched that nobody has chosen.
    expect(await changeFolder(second, folder)).toBe(403);
    expect(await changeFolder(second, instrument)).toBe(200);
    await write(path.join(instrument, '261102_A02'), ['data.raw', 'CopyComplete.txt']);
    await second.getByRole('link', { name: 'Measurements' }).click();
    await expect(second.getByRole('row', { name: /261102_A02/ })).toContainText('available', { timeout: 30_000 });
  } finally {
    await again.close();
  }
});
