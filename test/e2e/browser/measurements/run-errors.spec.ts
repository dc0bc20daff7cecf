import type { Page } from '@playwright/test';
import type { RunErrors } from '../../../../src-main/service/contract/timeline/run-errors.ts';
import { fakeErrorRuns, fakeRunErrors } from '../../../renderer/fakes/fake-timeline.ts';
import { lookAt } from '../look.ts';
import { expect, expectAccessible, test } from '../screens-fixture.ts';

const run = '/ui/measurements/ms-run-00099';
const some = { measurements: 100, tracking: { errors: 3 } } as const;

async function answers(page: Page, json: RunErrors): Promise<void> {
  await page.route('**/api/v4/measurements/*/errors*', (asked) => asked.fulfill({ json }));
}

test.describe('what the software reported', () => {
  test('has a time line and the errors, the rest on request, each a link', async ({ page, open }) => {
    await open(run, some);
    await page.getByRole('tab', { name: 'Errors' }).click();
    await expect(page.getByRole('heading', { name: 'What the software reported' })).toBeVisible();
    await expect(page.getByRole('img', { name: /^Events while it was taken: / })).toBeVisible();
    const rows = page.getByRole('region', { name: 'What the software reported' }).getByRole('listitem');
    await expect(rows).toHaveCount(20);
    await expect(rows.first()).toContainText('DetectorTimeout: no frame for 5.0 s from detector 2');
    await expect(rows.first()).toContainText(/4.000 events/);
    await lookAt(page, 'aside');
    await page.getByRole('button', { name: 'Show more of 45' }).click();
    await page.getByRole('button', { name: 'Show more of 45' }).click();
    await expect(rows).toHaveCount(45);
    await expect(page.getByText('45 errors', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await rows.nth(1).getByRole('link').press('Enter');
    await expect(page).toHaveURL(/\/ui\/projects\/lab%2Fqmr\/errors\/2$/);
  });

  test('is asked for one project', async ({ page, open }) => {
    const service = await open(run, some);
    await page.getByRole('tab', { name: 'Errors' }).click();
    await page.getByLabel('Errors of').selectOption('beamtime/2026-3');
    await expect
      .poll(() => service.reads.some((read) => read.includes('/errors?project=beamtime%2F2026-3')))
      .toBe(true);
  });

  const none = { window: null, steps: [], step_seconds: 0, projects: [] };
  for (const [name, answer, words] of [
    ['nothing', fakeRunErrors(0), 'No error was reported in that time.'],
    [
      'no time',
      fakeRunErrors(0, 0, { ...none, state: 'unknown', span_days: null }),
      'It is not known when it was taken.',
    ],
    [
      'years',
      fakeRunErrors(0, 0, { ...none, state: 'too_long', span_days: 5000 }),
      /The times of its files span 5.000 days, which no run lasts\./,
    ],
    ['no project', fakeRunErrors(0, 0, { projects: [] }), 'You are not a member of a project with errors.'],
    [
      'another server',
      fakeRunErrors(0, 0, {
        projects: [{ id: 2, path: 'lab/qmr', name: 'QMR', granted: true, external: true }],
      }),
      'Its errors are kept by another server.',
    ],
    [
      'long ago',
      fakeRunErrors(0, 0, {
        window: {
          began_at: '2020-03-01T10:05:00.000Z',
          ended_at: '2020-03-01T10:06:00.000Z',
          from: '2020-03-01T10:00:00.000Z',
          until: '2020-03-01T10:12:00.000Z',
        },
      }),
      'Nothing is known of that time any more.',
    ],
  ] as const)
    test(`says so where the answer is ${name}`, async ({ page, open }) => {
      await answers(page, answer);
      await open(run, some);
      await page.getByRole('tab', { name: 'Errors' }).click();
      await expect(page.getByText(words)).toBeVisible();
      await expect(page.getByRole('img', { name: /^Events while it was taken/ })).toHaveCount(0);
      await expectAccessible(page);
    });

  test('says why it cannot be shown, and tries again', async ({ page, open }) => {
    await page.route('**/api/v4/measurements/*/errors*', (asked) =>
      asked.fulfill({ status: 500, json: { title: 'Failed', status: 500, detail: 'The database does not answer.' } }),
    );
    await open(run, some);
    await page.getByRole('tab', { name: 'Errors' }).click();
    await expect(page.getByText('The database does not answer.')).toBeVisible();
    await page.unroute('**/api/v4/measurements/*/errors*');
    await page.getByRole('button', { name: /again/i }).click();
    await expect(page.getByRole('heading', { name: 'What the software reported' })).toBeVisible();
  });
});

test.describe('the runs that an error touched', () => {
  const error = '/ui/projects/lab%2Fqmr/errors/1';

  test('are links to measurements', async ({ page, open }) => {
    await open(error, some);
    await page.getByRole('tab', { name: 'Overview' }).click();
    await expect(page.getByRole('heading', { name: 'Runs it touched' })).toBeVisible();
    await expect(page.getByText(/812 events/)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'qmr-2026-113' }).press('Enter');
    await expect(page).toHaveURL(/\/ui\/measurements\/qmr-2026-113$/);
  });

  test('are looked for further back on request, and there may be none', async ({ page, open }) => {
    let pages = 0;
    await page.route('**/api/v4/projects/*/errors/1/measurements*', (asked) => {
      pages += 1;
      return asked.fulfill({ json: pages === 1 ? { measurements: [], next: 'more' } : fakeErrorRuns(0) });
    });
    await open(error, some);
    await page.getByRole('tab', { name: 'Overview' }).click();
    await page.getByRole('button', { name: 'Look further back' }).click();
    await expect(
      page.getByText('None of the measurements that you may read was taken while it occurred.'),
    ).toBeVisible();
  });
});
