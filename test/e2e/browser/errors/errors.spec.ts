import type { ClientKey } from '../../../../src-main/service/contract/errors.ts';
import type { Project } from '../../../../src-main/service/contract/projects.ts';
import { asWindow } from '../../../service/as-window.ts';
import type { TestService } from '../../../service/start.ts';
import { expectAccessible } from '../screens-fixture.ts';
import { lookAt } from '../look.ts';
import { expect, test } from '../signed-in.ts';

test.setTimeout(120_000);

/** A project with error tracking, and a function that sends an error to it. */
async function projectOf(service: TestService, path: string) {
  const created = await asWindow(service, 'POST', '/api/v4/projects', { path });
  expect(created.status).toBe(201);
  const { id } = created.body as Project;
  const tracking = `/api/v4/projects/${id}/error_tracking`;
  expect(
    (await asWindow(service, 'PUT', `${tracking}/settings`, { active: true, integrated: true })).status,
  ).toBeLessThan(300);
  const key = (await asWindow(service, 'POST', `${tracking}/client_keys`, {})).body as ClientKey;
  const send = async (event: object): Promise<void> => {
    const url = `${service.url}/api/v4/error_tracking/collector/api/${id}/store/?sentry_key=${key.public_key}&sentry_version=7`;
    const answer = await fetch(url, {
      method: 'POST',
      body: JSON.stringify({ event_id: crypto.randomUUID().replaceAll('-', ''), platform: 'python', ...event }),
    });
    expect(answer.status).toBe(200);
  };
  return { id, send };
}

const timeout = (message: string) => ({
  level: 'error',
  release: 'qmr@1.4.2',
  environment: 'bench-3',
  exception: {
    values: [
      {
        type: 'DetectorTimeout',
        value: message,
        stacktrace: {
          frames: [
            { function: 'main', filename: 'bench/main.py', lineno: 14, in_app: true },
            {
              function: 'acquire',
              filename: 'bench/acquire.py',
              lineno: 42,
              in_app: true,
              context_line: 'raise DetectorTimeout()',
              vars: { seconds: 5 },
            },
          ],
        },
      },
    ],
  },
  breadcrumbs: {
    values: [
      { timestamp: Date.now() / 1000 - 5, category: 'bench.detector', level: 'warning', message: 'slow answer' },
    ],
  },
  tags: { instrument: 'afm 2' },
  user: { id: '7', username: 'bob' },
});

test('an error is sent, appears, is opened, resolved, and recurs', async ({ page, service }) => {
  const { send } = await projectOf(service, 'lab/qmr');
  await page.goto(`${service.url}/ui/errors`);
  await expect(page).toHaveURL(/\/ui\/projects\/lab%2Fqmr\/errors$/);
  await expect(page.getByText('No unresolved errors.')).toBeVisible();
  await expect(page.getByText('service running')).toBeVisible();

  await send(timeout('no frame from detector 2 <b>\u202E'));
  const row = page.getByRole('row', { name: /DetectorTimeout/ });
  await expect(row).toBeVisible({ timeout: 2000 });
  await row.click();
  await expect(page.getByText('Event 1 of 1, the latest')).toBeVisible();
  await expect(page.getByRole('tabpanel').getByText('bench/acquire.py:42')).toBeVisible();
  await expect(page.getByRole('tabpanel')).toContainText('raise DetectorTimeout()');
  await lookAt(page);
  for (const [tab, text] of [
    [/Breadcrumbs/, 'slow answer'],
    [/Event/, 'qmr@1.4.2'],
    [/Overview/, 'afm 2'],
    [/Raw/, '"event_id"'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByRole('tabpanel', { name: tab })).toContainText(text);
  }

  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await expect(page.getByText('No unresolved errors.')).toBeVisible();
  await expect(page.getByRole('complementary').getByText('resolved', { exact: true })).toBeVisible();

  await send(timeout('no frame from detector 2 again'));
  await expect(page.getByRole('complementary').getByText('regressed')).toBeVisible();
  await expect(page.getByText('Event 2 of 2, the latest')).toBeVisible();
  await page.getByRole('button', { name: 'Older event' }).click();
  await expect(page.getByText('Event 1 of 2')).toBeVisible();
  const link = page.url();
  await page.goto(link);
  await expect(page.getByText('Event 1 of 2')).toBeVisible();
});

test('searches, merges, separates and deletes at the service', async ({ page, service }) => {
  const { send } = await projectOf(service, 'lab');
  for (const type of ['VacuumLost', 'ShutterStuck', 'FieldQuench'])
    await send({
      level: type === 'FieldQuench' ? 'fatal' : 'warning',
      exception: {
        values: [
          {
            type,
            value: `${type} happened`,
            stacktrace: { frames: [{ function: type, filename: `${type}.py`, lineno: 1, in_app: true }] },
          },
        ],
      },
    });
  await page.goto(`${service.url}/ui/projects/lab/errors?query=level:fatal`);
  await expect(page.getByRole('row', { name: /FieldQuench/ })).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('searchbox', { name: 'Search errors' }).fill('');
  await expect(page.getByRole('row')).toHaveCount(4);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('m');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  const merged = page.getByRole('status').filter({ hasText: '3 errors merged' });
  await expectAccessible(page);
  await merged.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(page.getByText('3 errors are separate again')).toBeVisible();
  for (const type of ['VacuumLost', 'ShutterStuck', 'FieldQuench'])
    await expect(page.getByRole('row', { name: new RegExp(type) })).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(4);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('m');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Merge' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByRole('row').nth(1).click();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page.getByRole('tabpanel', { name: 'Overview' }).getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Separate' }).click();
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByRole('complementary').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('complementary')).toHaveCount(0);
});
