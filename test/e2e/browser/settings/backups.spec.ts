import { jobOf } from '../../../renderer/fakes/fake-jobs.ts';
import { bridgeCalls, expect, expectAccessible, giveBridge, test } from '../screens-fixture.ts';

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
const last = {
  made_at: daysAgo(2),
  file: '/media/backups/benchport-2026-11-20.zip',
  bytes: 41_017_344_000,
  measurements: 118,
  left_out: 0,
  there: true,
};

test('in the window a backup is made, inspected before it is restored, and a schedule is set by keyboard', async ({
  page,
  open,
}) => {
  await giveBridge(page);
  const service = await open('/ui/settings', { door: 'window', measurements: 3 });
  const section = page.locator('div', { has: page.getByRole('heading', { name: 'Backups' }) }).last();
  await expect(section.getByText('There is no backup yet.')).toBeVisible();

  await section.getByRole('button', { name: 'Make a backup' }).click();
  const bar = section.getByRole('progressbar', { name: 'Making a backup' });
  await expect(bar).toHaveAttribute('aria-valuenow', '31');
  await expect(section.getByText('GiB of 38.2 GiB')).toBeVisible();
  await expectAccessible(page);
  const [, name] = (await bridgeCalls(page)).find(([call]) => call === 'chooseNewBackup') ?? [];
  expect(name).toMatch(/^benchport-\d{4}-\d{2}-\d{2}\.zip$/);
  expect(service.writes).toContain('POST local/backups {"file":"/media/backups/benchport.zip"}');
  service.emit(
    'job',
    jobOf(1, {
      kind: 'backup',
      measurement_id: '',
      state: 'failed',
      message: 'The disk of /media/backups is full.',
      ended_at: daysAgo(0),
    }),
  );
  await expect(section.getByRole('alert')).toContainText('The disk of /media/backups is full.');
  await section.getByRole('button', { name: 'Dismiss Making a backup' }).click();
  await expect(bar).toHaveCount(0);

  await section.getByRole('button', { name: 'Restore a backup' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Restore this backup?' });
  await expect(dialog).toContainText('20 412');
  await expect(dialog).toContainText('The current data stays on this disk');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(section.getByRole('progressbar', { name: 'Unpacking a backup' })).toBeVisible();
  expect(service.writes).toContain('POST local/backups/restore {"file":"/media/backups/benchport.zip"}');

  await section.getByLabel('Make backups regularly').focus();
  await page.keyboard.press('Space');
  await expect(section.getByText('Choose a folder. Until then no backups are made.')).toBeVisible();
  expect(service.writes.filter((write) => write.includes('schedule'))).toEqual([]);
  await section.getByRole('button', { name: 'Choose' }).press('Enter');
  await expect(section.getByLabel('Folder for backups')).toHaveValue('/media/backups');
  await expect(section.getByText('Saved', { exact: true })).toBeVisible();
  await section.getByLabel('How often').selectOption('week');
  await expect(section.getByText('every week, the newest 7 kept')).toBeVisible();
  expect(service.writes).toContain(
    'PUT local/backups/schedule {"schedule":{"folder":"/media/backups","every":"week","keep":7}}',
  );
  // Switched off and on it has its former values.
  await section.getByLabel('Make backups regularly').uncheck();
  await expect(section.getByText('every week, the newest 7 kept')).toHaveCount(0);
  await section.getByLabel('Make backups regularly').check();
  await expect(section.getByText('every week, the newest 7 kept')).toBeVisible();
  expect(service.writes.slice(-2)).toEqual([
    'PUT local/backups/schedule {"schedule":null}',
    'PUT local/backups/schedule {"schedule":{"folder":"/media/backups","every":"week","keep":7}}',
  ]);
});

test('a refused schedule stays unchanged, and the reason is shown', async ({ page, open }) => {
  await giveBridge(page);
  const schedule = { folder: '/media/backups', every: 'day', keep: 7, next_at: daysAgo(-1) } as const;
  await open('/ui/settings', { door: 'window', backups: { schedule } });
  await page.route('**/api/v4/local/backups/schedule', (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      json: { title: 'Unprocessable', detail: 'Nothing can be written to /media/backups.' },
    }),
  );
  await page.getByLabel('How often').selectOption('week');
  await expect(page.locator('#backups').getByRole('alert')).toContainText('Nothing can be written to /media/backups.');
  await expect(page.getByLabel('How often')).toHaveValue('day');
  await expect(page.locator('#backups').getByText('Saved', { exact: true })).toHaveCount(0);
});

test('problems of backups and of the disk are shown, and a file that is no backup is refused on selection', async ({
  page,
  open,
}) => {
  await giveBridge(page);
  await page.setViewportSize({ width: 420, height: 900 });
  const service = await open('/ui/settings', {
    door: 'window',
    diskLow: true,
    lastEnd: 'whole',
    badBackup: true,
    backups: {
      last: { ...last, made_at: daysAgo(45), there: false, left_out: 2 },
      failed: { at: daysAgo(0), reason: 'The folder /media/backups is no longer there.' },
      moved: { moved_at: daysAgo(1), from: '/home/alice/old data' },
      move_failed: { at: daysAgo(0), reason: '/mnt/large is not an empty folder. Choose another one.' },
      restored: {
        restored_at: daysAgo(3),
        as_of: daysAgo(50),
        before: '/home/alice/.config/Benchport/data-before-20261119-080000',
      },
    },
  });
  await expect(page.getByText('The disk of the data directory is almost full: 115 MiB free.')).toBeVisible();
  for (const words of [
    'The folder /media/backups is no longer there.',
    'The last backup is old.',
    'no longer where it was written',
    '2 files of the library',
  ])
    await expect(page.getByText(words)).toBeVisible();
  await expect(page.getByText('/home/alice/.config/Benchport/data-before-20261119-080000')).toBeVisible();
  await expect(page.getByText('the database was checked and is intact')).toBeVisible();
  await page.getByRole('button', { name: 'Restore a backup' }).click();
  await expect(page.getByText('/media/backups/benchport.zip is not a backup of Benchport.')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByText('The data was not moved just now')).toBeVisible();
  await expect(page.getByText('/home/alice/old data')).toBeVisible();
  await page.getByRole('button', { name: 'Move to another folder' }).press('Enter');
  await expect(page.getByRole('alertdialog', { name: 'Move the data?' })).toContainText('/media/backups');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Move', exact: true }).press('Enter');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  expect(service.writes).toContain('POST local/data/move {"to":"/media/backups"}');
  await expectAccessible(page);
});

test('an administrator in a browser sees the state of backups, and cannot make one', async ({ page, open }) => {
  await open('/ui/settings', { backups: { last: { ...last, file: null, there: null } } });
  await expect(page.getByText('it can be made only on its machine')).toBeVisible();
  await expect(page.getByText('118 measurements')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make a backup' })).toHaveCount(0);
});

test('L4: a clock that jumped ahead is reported at the top, and the time can be confirmed', async ({ page, open }) => {
  const service = await open('/ui/measurements', { door: 'window', clockAheadDays: 90 });
  await expect(page.getByText('The clock of this machine has jumped ahead by 90 days.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Confirm the time' }).press('Enter');
  await expect.poll(() => service.writes).toContain('POST service/clock {}');
});
