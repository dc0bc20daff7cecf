import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { mustRun } from '../../../service/run-program.ts';
import { lookAt } from '../look.ts';
import { signInElsewhere } from '../sign-in-elsewhere.ts';
import { expect, password, tabTo, test } from '../signed-in.ts';
import { actFor, answer, bobs, createBob, dialog } from './users-page.ts';

// Axe examines every element, in two themes.
test.setTimeout(120_000);

test('a user who owns measurements is not deleted, and one who owns none is deleted completely', async ({
  page,
  service,
}) => {
  await createBob(page, service);
  const files = await mkdtemp(path.join(os.tmpdir(), 'benchport-files-'));
  try {
    await writeFile(path.join(files, 'notes.txt'), 'first light\n');
    const cli = path.resolve(import.meta.dirname, '../../../../out/service/cli.js');
    const run = (...args: string[]): Promise<string> =>
      mustRun(process.execPath, [cli, ...args, '--data', path.join(service.dir, 'data')], {});
    await run('measurement', 'register', files, '--id', 'ms-run-0091', '--owner', 'bob');
    await actFor(page, 'bob', 'Delete…');
    await expect(page.getByRole('alertdialog', { name: 'Delete bob?' })).toContainText(
      'the applications it registered',
    );
    await answer(page, 'Delete');
    await expect(page.getByRole('alert')).toContainText('bob owns measurements: ms-run-0091.');
    await lookAt(page, dialog);
    await answer(page, 'Cancel');
    await run('measurement', 'remove', 'ms-run-0091');
    await actFor(page, 'bob', 'Delete…');
    await answer(page, 'Delete');
    await expect(page.getByRole('alert')).toContainText('ms-run-0091 (removed, but not for good)');
    await answer(page, 'Cancel');
    await run('measurement', 'remove', 'ms-run-0091', '--for-good');
    await actFor(page, 'bob', 'Delete…');
    await answer(page, 'Delete');
    await expect(page.getByRole('row')).toHaveCount(2);
    expect(await service.services.users.byUsername('bob')).toBeNull();
  } finally {
    await rm(files, { recursive: true, force: true });
  }
});

test('a user is created, edited, blocked and deleted by keyboard alone', async ({ page, service }) => {
  await page.getByRole('heading', { name: 'Measurements' }).waitFor();
  await page.keyboard.press('Control+9');
  await page.getByRole('row', { name: /^alice/ }).waitFor();
  await page.keyboard.press('n');
  await expect(page.getByLabel('User name')).toBeFocused();
  await page.keyboard.type('carol');
  await page.keyboard.press('Enter');
  const row = page.getByRole('row', { name: /^carol/ });
  await expect(row).toContainText('no password');

  await tabTo(page, /^alice/, 'row');
  await page.keyboard.press('ArrowDown');
  await expect(row).toBeFocused();
  await page.keyboard.press('Enter');
  const edit = page.getByRole('dialog', { name: 'Edit carol' });
  await expect(edit.getByLabel('Full name')).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Carol of the beamline');
  await page.keyboard.press('Enter');
  await expect(row).toContainText('Carol of the beamline');

  for (const [steps, verb, after] of [
    [3, 'Block', 'blocked'],
    [4, 'Delete', null],
  ] as const) {
    await row.focus();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('button', { name: 'Actions for carol' })).toBeFocused();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Edit…' }).waitFor();
    await expect(page.getByRole('menuitem', { name: 'Edit…' })).toBeFocused();
    for (let step = 0; step < steps; step += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog', { name: `${verb} carol?` }).waitFor();
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await (after === null ? expect(row).toHaveCount(0) : expect(row).toContainText(after));
  }
  // A dialog hides the rows from roles.
  await expect.poll(() => service.services.users.byUsername('carol')).toBeNull();
});

test('other users are told that users and the trail are for administrators', async ({ page, service, browser }) => {
  await createBob(page, service);
  const other = await signInElsewhere(browser, service.url, 'bob', bobs, '/ui/users');
  await expect(other.getByText('This page is for administrators.')).toBeVisible();
  for (const name of ['Users', 'Audit trail']) await expect(other.getByRole('link', { name })).toHaveCount(0);
  await other.goto(`${service.url}/ui/audit`);
  await expect(other.getByText('This page is for administrators.')).toBeVisible();
  await lookAt(other);
  await other.goto(`${service.url}/ui/settings`);
  await other.getByText('Steps of 1').first().waitFor();
  await expect(other.getByText('Sign-in of other software')).toHaveCount(0);
  await other.context().close();
  expect(password).not.toBe(bobs);
});
