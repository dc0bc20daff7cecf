import { jobOf } from '../../../renderer/fakes/fake-jobs.ts';
import { bridgeCalls, expect, expectAccessible, giveBridge, test } from '../screens-fixture.ts';

test.describe('settings', () => {
  test('appearance and units take effect at once and are kept', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3 });
    await expect(page.getByText('384 GiB free')).toBeVisible();
    await page.keyboard.press('Control+,');
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
    await page.getByLabel('Dark').check();
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
    await page.getByLabel('kB, MB, GB').check();
    await expect(page.getByText('412 GB free')).toBeVisible();
    // Settings of the machine itself are hidden in a browser.
    await expect(page.getByLabel('Ignore list')).toHaveCount(0);
    await expect(page.getByText('Data', { exact: true })).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'HTTP interface' })).toHaveAttribute('href', '/api/docs');
    await page.reload();
    await expect(page.getByLabel('Dark')).toBeChecked();
    await expect(page.getByText('412 GB free')).toBeVisible();
  });

  test('in the window the ignore list is changed, refused while it is invalid, and reset', async ({ page, open }) => {
    await giveBridge(page);
    const service = await open('/ui/settings', { measurements: 3, door: 'window' });
    const list = page.getByLabel('Ignore list');
    const save = page.locator('form').filter({ has: list }).getByRole('button', { name: 'Save' });
    await expect(list).toHaveValue('.DS_Store\n._*\nThumbs.db\n*.tmp');
    await expect(save).toBeDisabled();
    await list.fill('raw/*.tmp');
    await expect(page.getByText('“raw/*.tmp” has a slash inside')).toBeVisible();
    await expect(save).toBeDisabled();
    await list.fill('*.tmp\n\ncache/\n');
    await expect(page.getByText('Not saved yet')).toBeVisible();
    await save.click();
    await expect(page.getByText('Ignore list saved')).toBeVisible();
    await expect(page.getByText('Not saved yet')).toHaveCount(0);
    expect(service.writes).toEqual(['PUT local/ignore-list {"patterns":["*.tmp","cache/"]}']);
    await expect(list).toHaveValue('*.tmp\ncache/');
    await page.getByRole('button', { name: 'Restore the default list' }).click();
    // Leaving asks first, and staying keeps the input.
    await page.getByRole('link', { name: 'Tokens' }).click();
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).click();
    await expect(list).toHaveValue('.DS_Store\n._*\nThumbs.db\n*.tmp');
    await save.click();
    await expect(list).toHaveValue('.DS_Store\n._*\nThumbs.db\n*.tmp');

    await page.getByRole('button', { name: 'Show in folder' }).click();
    await page.getByRole('button', { name: 'HTTP interface' }).click();
    expect(await bridgeCalls(page)).toEqual(
      expect.arrayContaining([
        ['showInFolder', '/home/alice/.local/share/Benchport'],
        ['openInBrowser', '/api/docs'],
      ]),
    );
  });
});

test.describe('jobs', () => {
  test('a failure stays after a reload until it is dismissed, for good', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 3 });
    await expect(page.getByText('service running')).toBeVisible();
    service.emit(
      'job',
      jobOf(7, {
        state: 'failed',
        message: 'The disk of the data directory is full.',
        ended_at: new Date().toISOString(),
      }),
    );
    service.emit(
      'job',
      jobOf(6, {
        state: 'failed',
        message: 'That is long ago.',
        ended_at: new Date(Date.now() - 25 * 3600_000).toISOString(),
      }),
    );
    const jobs = page.getByRole('region', { name: 'Jobs' });
    await expect(jobs).toContainText('The disk of the data directory is full.');
    await page.reload();
    await expect(jobs).toContainText('The disk of the data directory is full.');
    await expect(jobs).not.toContainText('That is long ago.');
    // A job with folders is restarted only in the window of its machine.
    await expect(jobs.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    await jobs.getByRole('button', { name: 'Dismiss' }).click();
    await expect(jobs).toHaveCount(0);
    await page.reload();
    await page.getByRole('grid').waitFor();
    await expect(jobs).toHaveCount(0);
  });

  test('a failure is never hidden behind running jobs, and disappears when the same work is done', async ({
    page,
    open,
  }) => {
    const service = await open('/ui/measurements', { measurements: 3 });
    await expect(page.getByText('service running')).toBeVisible();
    service.emit(
      'job',
      jobOf(1, { kind: 'verify', state: 'failed', message: 'The disk was away.', ended_at: new Date().toISOString() }),
    );
    for (const id of [2, 3, 4, 5]) service.emit('job', jobOf(id, { measurement_id: `run-${id}` }));
    const jobs = page.getByRole('region', { name: 'Jobs' });
    await expect(jobs.getByRole('listitem')).toHaveCount(4);
    await expect(jobs).toContainText('The disk was away.');
    await jobs.getByRole('button', { name: 'Show 1 more job' }).click();
    await expect(jobs.getByRole('listitem')).toHaveCount(5);
    service.emit('job', jobOf(6, { kind: 'verify', state: 'done', ended_at: new Date().toISOString() }));
    await expect(jobs).not.toContainText('The disk was away.');
    service.emit(
      'job',
      jobOf(7, {
        kind: 'verify',
        state: 'failed',
        message: 'The disk was away again.',
        ended_at: new Date().toISOString(),
      }),
    );
    await jobs.getByRole('button', { name: 'Try again Verifying' }).click();
    await expect(jobs).not.toContainText('The disk was away again.');
    await expect(jobs.getByRole('button', { name: 'Pause Verifying' })).toBeVisible();
  });
});

test('a banner reports an unreachable service, and disappears when it is back', async ({ page, open }) => {
  const service = await open('/ui/measurements', { measurements: 3 });
  await expect(page.getByText('service running')).toBeVisible();
  await service.goAway();
  await expect(page.getByText('The Benchport service cannot be reached')).toBeVisible();
  await expect(page.getByText('service does not answer')).toBeVisible();
  await expect(page.getByText('ms-run-00002')).toBeVisible();
  // Data that was not loaded before is awaited, and the screen says so.
  await page.getByRole('link', { name: 'Tokens' }).click();
  await expect(page.getByText('Waiting for the Benchport service.')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await service.comeBack();
  await expect(page.getByText('nightly backup')).toBeVisible();
  await expect(page.getByText('The Benchport service cannot be reached')).toHaveCount(0, { timeout: 20_000 });
  await expect(page.getByText('service running')).toBeVisible();
});

test.describe('sections of the settings', () => {
  test('a list at the side leads to each and marks the visible one, and an address with its name opens there', async ({
    page,
    open,
  }) => {
    await page.setViewportSize({ width: 1280, height: 700 });
    await giveBridge(page);
    const service = await open('/ui/settings#backups', { door: 'window', measurements: 3 });
    const list = page.getByRole('navigation', { name: 'Settings' });
    await expect(list.getByRole('link', { name: 'Backups' })).toHaveAttribute('aria-current', 'true');
    await expect(page.getByRole('heading', { name: 'Backups' })).toBeInViewport();
    await expectAccessible(page);
    await list.getByRole('link', { name: 'Fetching' }).press('Enter');
    await expect(page).toHaveURL(/\/ui\/settings#fetching$/);
    await expect(page.getByRole('heading', { name: 'Fetching' })).toBeInViewport();
    await expect(list.locator('[aria-current]')).toHaveText(['Fetching']);
    // The focus moves into the section.
    await page.keyboard.press('Tab');
    await expect(page.getByLabel('Simultaneous fetches')).toBeFocused();
    await page.getByRole('radio', { name: 'Light' }).scrollIntoViewIfNeeded();
    await expect(list.locator('[aria-current]')).toHaveText(['Appearance']);
    // The page itself never scrolls, however an address leads to a section.
    await page.getByLabel('Only at certain hours').check();
    await page.goto(`${service.url}/ui/settings#about`);
    expect(
      await page.evaluate(() => [document.documentElement.scrollTop, document.documentElement.scrollHeight]),
    ).toEqual([0, 700]);
    await page.goto(`${service.url}/ui/settings#no-such-section`);
    await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  });

  test('a narrow window has a select in place of the list; the address of the server is shown with how to change it', async ({
    page,
    open,
  }) => {
    await page.setViewportSize({ width: 420, height: 740 });
    await open('/ui/settings', { measurements: 3 });
    await page.getByLabel('Section').selectOption('Address');
    await expect(page.getByRole('heading', { name: 'Address' })).toBeInViewport();
    await expect(page.getByText('benchport serve --base-url')).toBeInViewport();
    await expect(page.getByRole('navigation', { name: 'Settings' })).toHaveCount(0);
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(
      0,
    );
  });
});
