import { lookAt } from '../look.ts';
import { expect, test } from '../signed-in.ts';

test('an administrator sees and changes the retention of the audit trail, and is asked before anything is deleted', async ({
  page,
  service,
}) => {
  const kept = async (): Promise<unknown> =>
    (await page.request.get(`${service.url}/api/v4/audit_events/retention`)).json();
  const defaults = { transfer_days: 400, transfer_rows: 10_000_000, audit_days: 3650, audit_rows: 10_000_000 };
  await page.goto(`${service.url}/ui/settings#retention`);
  const transfers = page.getByRole('group', { name: 'Transfers and downloads' });
  const days = transfers.getByLabel('Days to keep');
  const rows = page.getByRole('group', { name: 'All other events' }).getByLabel('Rows at most');
  await expect(days).toHaveValue('400');
  await expect(rows).toHaveValue('10\u202f000\u202f000');

  for (const wrong of ['7', '1.5', 'a year', '', '40000']) {
    await days.fill(wrong);
    await days.press('Enter');
    await expect(
      transfers.getByText('A whole number of days from 30 to 36\u202f500. This has not been saved.'),
    ).toBeVisible();
    await expect(days).toHaveValue(wrong);
  }
  expect(await kept()).toEqual(defaults);
  await lookAt(page, '#retention');

  // A longer time deletes nothing and takes effect when the field loses the focus.
  await days.fill('1 000');
  await days.blur();
  await expect(transfers.getByText('Saved', { exact: true })).toBeVisible();
  expect(await kept()).toEqual({ ...defaults, transfer_days: 1000 });

  await days.fill('100');
  await days.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Keep only 100 days?' });
  const before = new Date(Date.now() - 100 * 86_400_000).toISOString().slice(0, 10);
  await expect(question).toContainText(`all transfers and downloads from before ${before} are deleted`);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect(days).toHaveValue('1\u202f000');
  expect(await kept()).toEqual({ ...defaults, transfer_days: 1000 });

  await rows.fill('200000');
  await rows.blur();
  const fewer = page.getByRole('alertdialog', { name: 'Keep no more than 200\u202f000 rows?' });
  await expect(fewer).toContainText('all other events of the audit trail but the newest 200\u202f000 are deleted');
  await fewer.getByRole('button', { name: 'Delete and keep less' }).click();
  await expect(fewer).toHaveCount(0);
  await expect(rows).toHaveValue('200\u202f000');
  expect(await kept()).toEqual({ ...defaults, transfer_days: 1000, audit_rows: 200_000 });
});
