import { hostile } from '../../../renderer/fakes/fake-error-data.ts';
import { expect, test } from '../screens-fixture.ts';

const list = '/ui/projects/beamtime%2F2026-3/errors';

test.setTimeout(120_000);

test('a new error appears within two seconds', async ({ page, open }) => {
  const service = await open(list, { tracking: { errors: 3 } });
  await expect(page.getByRole('grid', { name: 'Errors' })).toBeVisible();
  await page.waitForLoadState('load');
  await expect(page.getByText('service running')).toBeVisible();
  service.addError('VacuumLost');
  await expect(page.getByRole('row', { name: /VacuumLost/ })).toBeVisible({ timeout: 2000 });
});

test('hundreds of errors are a few elements; more are loaded at the end', async ({ page, open }) => {
  const service = await open(list, { tracking: { errors: 300 } });
  const grid = page.getByRole('grid', { name: 'Errors' });
  await expect(grid).toHaveAttribute('aria-rowcount', '234');
  await grid.focus();
  await page.keyboard.press('End');
  await expect.poll(() => service.reads.filter((read) => read.includes('cursor=100')).length).toBe(1);
  expect(await page.getByRole('row').count()).toBeLessThan(60);
});

test('errors are selected, resolved, reopened, opened, paged and closed by keyboard', async ({ page, open }) => {
  const service = await open(list, { tracking: { errors: 30 } });
  const grid = page.getByRole('grid', { name: 'Errors' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.keyboard.press('r');
  await expect(page.getByText('2 errors are resolved')).toBeVisible();
  expect(service.writes).toContain('PUT projects/1/errors {"ids":["1","2"],"status":"resolved"}');
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect.poll(() => service.writes.at(-1)).toBe('PUT projects/1/errors {"ids":["1","2"],"status":"unresolved"}');
  // They are in the list again.
  await expect(grid).toHaveAttribute('aria-rowcount', '25');
  await grid.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/errors\/1$/);
  await expect(page.getByText('Event 3 of 3, the latest')).toBeVisible();
  await page.keyboard.press('o');
  await expect(page.getByText('Event 2 of 3')).toBeVisible();
  await expect(page).toHaveURL(/event=0{29}3ea/);
  await page.keyboard.press('Shift+O');
  await expect(page.getByText('Event 1 of 3')).toBeVisible();
  await page.keyboard.press('Shift+N');
  await expect(page.getByText('Event 3 of 3, the latest')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/errors$/);
  await expect(grid).toBeFocused();
  await page.keyboard.press('Delete');
  await expect(page.getByRole('alertdialog', { name: 'Delete this error?' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  expect(service.writes.some((write) => write.startsWith('DELETE'))).toBe(false);
});

test('the focus stays on the screen when its element disappears: a button, the last error of the list, a message', async ({
  page,
  open,
}) => {
  await open(list, { tracking: { errors: 1 } });
  const grid = page.getByRole('grid', { name: 'Errors' });
  const heading = page.getByRole('heading', { name: 'Errors' });
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('r');
  await expect(page.getByText('No unresolved errors.')).toBeVisible();
  await expect(heading).toBeFocused();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(grid).toBeVisible();
  await expect(heading).toBeFocused();
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Resolve', exact: true }).press('Enter');
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeFocused();
});

test('an event is found by its id, and its link leads to it', async ({ page, open }) => {
  const service = await open(`${list}/1`, { tracking: { errors: 5 } });
  await page.getByRole('button', { name: 'Go to an event by its id' }).click();
  await page.getByLabel('Event id').fill('not an id');
  await page.keyboard.press('Enter');
  await expect(page.getByText('This is not an event id.')).toBeVisible();
  const id = '000003ea'.padStart(32, '0');
  await page.getByLabel('Event id').fill(id);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Event 2 of 3')).toBeVisible();
  await page.goto(`${service.url}${list}/1?event=${id}`);
  await expect(page.getByText('Event 2 of 3')).toBeVisible();
});

test('texts of senders are never interpreted', async ({ page, open, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(`${list}/4`, { tracking: { errors: 5 } });
  await expect(page.getByText('[U+202E]gnp.exe').first()).toBeVisible();
  await page.getByText('4 local variables').click();
  await page.getByRole('button', { name: 'Copy Markdown' }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('[U+202E]');
  for (const tab of [/Breadcrumbs/, /Event/, /Overview/, /Raw/]) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('tabpanel', { name: tab })).toContainText('onerror');
    expect(await page.locator('main img').count()).toBe(0);
    expect(await page.locator('main').innerText()).not.toContain('\u202E');
  }
  const title = await page.title();
  expect([title.endsWith(' · Errors · Benchport'), title.includes('\u202E')]).toEqual([true, false]);
  expect(hostile).toContain('\u202E');
});

test('frames: newest first or oldest first, in app or all', async ({ page, open }) => {
  await open(`${list}/1?wide=true`, { tracking: { errors: 5 } });
  const frames = page.getByRole('tabpanel').getByRole('listitem');
  await expect(frames.first()).toContainText('acquire');
  await page.getByRole('button', { name: 'All', exact: true }).last().click();
  await expect(frames.nth(1)).toContainText('_run_once');
  await page.getByRole('button', { name: 'Oldest first' }).click();
  await expect(frames.first()).toContainText('run');
  await expect(page.getByRole('tabpanel').getByRole('heading').first()).toContainText('Caused by ConnectionResetError');
});

test('a reporter reads and changes nothing', async ({ page, open }) => {
  await open(`${list}/1`, { tracking: { errors: 5, role: 'reporter' } });
  await expect(page.getByText('Event 3 of 3')).toBeVisible();
  for (const verb of ['Resolve', 'Ignore', 'Delete'])
    await expect(page.getByRole('button', { name: verb, exact: true })).toHaveCount(0);
});
