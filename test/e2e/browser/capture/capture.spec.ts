import type { FakeService } from '../../../renderer/fakes/fake-options.ts';
import { inWindow } from '../in-window.ts';
import { lookAt } from '../look.ts';
import { expect, expectAccessible, test } from '../screens-fixture.ts';

test.setTimeout(60_000);

const watched = { captures: { rules: true } };

const lastWrite = (service: FakeService): unknown => {
  const [, , ...body] = (service.writes.at(-1) ?? '').split(' ');
  return JSON.parse(body.join(' '));
};

test('the first rule: offered where nothing is registered, tried, and added', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/measurements');
  await page.getByRole('button', { name: 'Watch a folder' }).click();
  const form = page.getByRole('dialog', { name: 'Watch a folder' });
  await expect(form.getByLabel('Instrument')).toBeFocused();
  await expect(form.getByLabel('Owner')).toHaveValue('alice');
  await expect(form.getByRole('button', { name: 'Watch' })).toBeDisabled();
  await expect(form.getByRole('button', { name: 'Try it' })).toBeDisabled();
  await form.getByLabel('Instrument').selectOption('Illumina');
  await expect(form).toContainText('Waits for CopyComplete.txt');
  await form.getByRole('button', { name: 'Choose' }).click();
  await expect(form.getByLabel('Name')).toHaveValue('backups');
  await lookAt(page);
  await form.getByRole('button', { name: 'Try it' }).click();
  await expect(form).toContainText('140 runs in the folder');
  await expect(form.getByRole('list', { name: 'Runs that the rule finds' }).getByRole('listitem')).toHaveCount(10);
  await expect(form).toContainText('There is no user bob-x.');
  await form.getByRole('button', { name: 'More', exact: true }).click();
  await form.getByLabel('Minutes without a change after that').fill('soon');
  await expect(form).toContainText('A number of minutes');
  await expect(form.getByRole('button', { name: 'Watch' })).toBeDisabled();
  await form.getByLabel('Minutes without a change after that').fill('5');
  await expect(form).toContainText('The settings have changed since.');
  await expect(form.getByLabel('Instrument')).toHaveValue('own');
  await form.getByRole('button', { name: 'Read a field from a file' }).click();
  await form.getByLabel('Field', { exact: true }).fill('flowcell');
  await form.getByLabel('File', { exact: true }).fill('RunInfo.xml');
  await form.getByLabel('Key in it').fill('Flowcell');
  await expect(form).toContainText('{flowcell}');
  await lookAt(page);
  await form.getByRole('button', { name: 'Watch' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByText('Complete with CopyComplete.txt, then quiet for 5 minutes')).toBeVisible();
  expect(lastWrite(service)).toMatchObject({
    name: 'backups',
    folder: '/media/backups',
    markers: ['CopyComplete.txt'],
    minutes: 5,
    owner: 'alice',
    push_to: null,
    fields: [{ name: 'flowcell', from: 'RunInfo.xml', key: 'Flowcell' }],
  });
});

test('a refused rule is explained, and typed settings are not lost by a key', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/capture', watched);
  await page.getByRole('button', { name: 'Actions for NovaSeq 2' }).click();
  await page.getByRole('menuitem', { name: 'Edit…' }).click();
  const form = page.getByRole('dialog', { name: 'Edit NovaSeq 2' });
  await expect(form.getByLabel('Folder', { exact: true })).toHaveValue('/mnt/instruments/novaseq-2/runs');
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await page.keyboard.press('n');
  const added = page.getByRole('dialog', { name: 'Watch a folder' });
  await added.getByRole('button', { name: 'Choose' }).click();
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Close without saving?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(added.getByLabel('Name')).toHaveValue('backups');
  await added.getByRole('button', { name: 'Watch' }).click();
  await expect(added).toBeHidden();
  await page.keyboard.press('n');
  await added.getByRole('button', { name: 'Choose' }).click();
  await added.getByRole('button', { name: 'Watch' }).click();
  await expect(added.getByRole('alert')).toContainText('watches this folder already');
  expect(service.writes.filter((write) => write.startsWith('POST local/captures '))).toHaveLength(2);
});

test('runs are filtered by rule, state and name, all in the address', async ({ page, open }) => {
  await inWindow(page, open, '/ui/capture', watched);
  await expect(page.getByRole('link', { name: /^Capture/ })).toContainText('4 need you');
  await expect(page.getByText('does not answer')).toBeVisible();
  await lookAt(page);
  const runs = page.getByRole('list', { name: 'Runs' }).getByRole('listitem');
  await page.getByRole('group', { name: 'Runs of NovaSeq 2' }).getByRole('button', { name: 'Needs you 4' }).click();
  await expect(page).toHaveURL(/rule=1&filter=needs-you$/);
  await expect(runs).toHaveCount(4);
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('0109');
  await expect(runs).toHaveCount(1);
  await expect(page).toHaveURL(/search=/);
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('nothing like this');
  await expect(page.getByText('No run matches “nothing like this”.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the search' }).last().click();
  await page.getByRole('button', { name: 'Raman bench' }).first().click();
  await expect(page).toHaveURL(/rule=3$/);
  await expect(runs.first()).toContainText('si-wafer-');
  await page.getByRole('button', { name: 'Show all rules' }).click();
  await expect(page).toHaveURL(/capture$/);
});

test('each run offers what its state allows, and tells its history', async ({ page, open }) => {
  const service = await inWindow(page, open, '/ui/capture', watched);
  const run = (id: string) => page.getByRole('list', { name: 'Runs' }).getByRole('listitem').filter({ hasText: id });
  await run('261101_')
    .getByRole('button', { name: /^Actions for/ })
    .click();
  await page.getByRole('menuitem', { name: 'Register now…' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('It may not be complete');
  await question.getByRole('button', { name: 'Register now' }).click();
  await expect(run('261101_')).toContainText('Being registered');
  await run('261107_').getByRole('button', { name: 'Retry with another id…' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Id' }).fill('mine-taken');
  await form.getByRole('button', { name: 'Register' }).click();
  await expect(form.getByRole('alert')).toContainText('exists');
  await form.getByRole('textbox', { name: 'Id' }).fill('mine');
  await form.getByRole('button', { name: 'Register' }).click();
  await expect(form).toBeHidden();
  expect(lastWrite(service)).toEqual({ action: 'retry', measurement_id: 'mine', ids: [7] });
  await run('261108_').getByRole('button', { name: 'Register without those files…' }).click();
  await question.getByRole('button', { name: 'Register without them' }).click();
  await expect(question).toBeHidden();
  expect(lastWrite(service)).toEqual({ action: 'retry', leave_out: true, ids: [8] });
  await run('261110_').getByRole('button', { name: 'Keep what was registered' }).click();
  await expect(run('261110_').getByRole('button', { name: /Keep/ })).toBeHidden();
  await run('261109_').getByRole('button', { name: 'History of' }).click();
  await expect(run('261109_').getByRole('list', { name: 'History' }).getByRole('listitem')).toHaveCount(4);
  await expectAccessible(page);
});

test('a rule is paused, resumed and removed', async ({ page, open }) => {
  await inWindow(page, open, '/ui/capture?rule=1', watched);
  await page.getByRole('button', { name: 'Pause NovaSeq 2' }).click();
  await page.getByRole('button', { name: 'Resume NovaSeq 2' }).click();
  await expect(page.getByRole('button', { name: 'Pause NovaSeq 2' })).toBeVisible();
  await page.getByRole('button', { name: 'Actions for NovaSeq 2' }).click();
  await page.getByRole('menuitem', { name: 'Remove…' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('stay');
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: 'Pause NovaSeq 2' })).toBeHidden();
  await expect(page).toHaveURL(/capture$/);
});

test('a failure is shown where the rules would be, and a browser has no such screen', async ({ page, open }) => {
  await inWindow(page, open, '/ui/capture', { failing: 'local/captures' });
  await expect(page.getByRole('alert')).toContainText('answers with errors');
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await open('/ui/capture', { door: 'browser' });
  await expect(page.getByText('This screen is available only in the Benchport window.')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Capture/ })).toBeHidden();
});
