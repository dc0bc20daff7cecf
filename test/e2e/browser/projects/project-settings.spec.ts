import { lookAt } from '../look.ts';
import { ask, narrow, sentryServer, settingsOf, trackedProject } from './projects-world.ts';
import { expect, test } from '../signed-in.ts';

// Axe examines every element, in two themes.
test.setTimeout(120_000);

const path = 'lab/spectrometer';

test('an external backend is connected: failures are shown, its projects are listed, and the token is sent to its server only', async ({
  page,
  service,
}) => {
  const sentry = await sentryServer();
  await ask(page, service, 'POST', '/projects', { path });
  await page.goto(settingsOf(service, path));
  await page.getByLabel('Active').check();
  await page.getByLabel('External').check();
  const save = page.getByRole('button', { name: 'Save' });
  const connect = page.getByRole('button', { name: 'Connect' });
  const url = page.getByLabel('API URL');
  const token = page.getByLabel('Auth token');
  await expect(page.getByText('Enter the API URL.')).toBeVisible();
  await expect(save).toBeDisabled();
  await url.fill('http://127.0.0.1:9');
  await token.fill('sntrys_wrong');
  await connect.click();
  await expect(page.getByRole('alert')).toContainText('refuses connections');
  await lookAt(page);
  await url.fill(sentry.url);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await connect.click();
  await expect(page.getByRole('alert')).toContainText('The connection failed');
  await expect(page.getByRole('alert')).toContainText(/token/i);

  await ask(page, service, 'PATCH', '/projects/lab%2Fspectrometer', { monitor: false });
  await connect.click();
  await expect(page.getByRole('alert')).toContainText('The connection failed');
  await expect(page.getByRole('alert')).toContainText('Check the auth token.');
  await expect(page.getByRole('alert').getByRole('link', { name: 'Switch Monitor on' })).toBeVisible();
  await ask(page, service, 'PATCH', '/projects/lab%2Fspectrometer', { monitor: true });

  await token.fill('sntrys_right');
  await connect.click();
  await expect(page.getByText('Connected: 2 projects.')).toBeVisible();
  await expect(save).toBeDisabled();
  await page.getByLabel('Project').selectOption({ label: 'Laboratory / The beam-line' });
  await lookAt(page);
  await save.click();
  await expect(page.getByRole('tabpanel', { name: 'Monitor' }).getByText('external', { exact: true })).toBeVisible();

  // The token is in no field and in no response, and still works for this server only.
  await expect(token).toHaveValue('');
  await expect(token).toHaveAttribute('placeholder', /•/);
  await expect(page.getByText('A token is stored')).toBeVisible();
  await connect.click();
  await expect(page.getByText('Connected: 2 projects.')).toBeVisible();
  expect(sentry.tokens.at(-1)).toBe('sntrys_right');
  const other = await sentryServer();
  await url.fill(other.url);
  await expect(page.getByText('is sent nowhere else')).toBeVisible();
  await expect(connect).toBeDisabled();
  expect(other.tokens).toEqual([]);
  await url.fill(sentry.url);
  await page.getByLabel('Active').uncheck();
  await save.click();
  await expect(page.getByRole('tabpanel', { name: 'Monitor' }).getByText('off', { exact: true })).toBeVisible();
  await narrow(page);
  await lookAt(page);
  sentry.close();
  other.close();
});

test('retention is set within its limits', async ({ page, service }) => {
  await trackedProject(page, service);
  await page.goto(settingsOf(service, path));
  const days = page.getByLabel('Keep events for, in days');
  await days.fill('91');
  await expect(page.getByText('A whole number from 1 to 90.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await days.fill('30');
  await page.getByLabel('Keep at most, in events').fill('50000');
  const size = page.getByLabel('Keep at most, in GiB');
  await expect(page.getByText('Events take 0 B now.')).toBeVisible();
  await size.fill('much');
  await expect(page.getByText('A number of GiB from 0.002 to 1000000, such as 2.5.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled();
  await size.fill('2.5');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Error tracking settings saved')).toBeVisible();
  await page.reload();
  await expect(days).toHaveValue('30');
  await expect(page.getByLabel('Keep at most, in events')).toHaveValue('50000');
  await expect(size).toHaveValue('2.5');
  const kept = async () =>
    (
      await page.request.get(`${service.url}/api/v4/projects/${encodeURIComponent(path)}/error_tracking/settings`)
    ).json();
  expect(await kept()).toMatchObject({ max_bytes: 2.5 * 1024 ** 3 });
  await page.getByRole('button', { name: 'Send test event' }).click();
  await expect.poll(async () => ((await kept()) as { stored_bytes: number }).stored_bytes).toBeGreaterThan(100);
  await page.reload();
  await expect(page.getByText(/Events take [\d.]+ K?i?B now\./)).toBeVisible();
  await size.fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(kept).toMatchObject({ max_bytes: null });
});
