import { expect, test as base, type Page } from '@playwright/test';
import { commandLine, type ServeProcess } from '../../../cli/command-line.ts';
import { shoot } from '../../shoot.ts';

/**
 * A page of a service in a separate process, so that it can be stopped as a suspended machine or a
 * slow disk would stop it.
 */
const test = base.extend<{ readonly service: ServeProcess }>({
  service: async ({ page }, use) => {
    const cli = await commandLine();
    const service = await cli.serve();
    await expect.poll(() => service.output().stderr).toContain('code=');
    const code = /code=([0-9a-f]{32})/.exec(service.output().stderr)?.[1] ?? '';
    const setUp = await page.request.post(`${service.url}/api/v4/setup?code=${code}`, {
      data: { username: 'alice', name: 'Alice', password: 'first light at 4 kelvin' },
    });
    expect(setUp.status()).toBe(201);
    await page.goto(`${service.url}/ui/measurements`);
    await expect(page.getByText('service running')).toBeVisible();
    await use(service);
    service.kill('SIGCONT');
    await cli.end();
  },
});

const bar = (page: Page) => page.getByRole('contentinfo');

test('U1: a hanging service is reported within seconds, placeholder rows are shown, and the screen recovers by itself', async ({
  page,
  service,
}) => {
  service.kill('SIGSTOP');
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByText('Loading', { exact: true })).toBeVisible();
  await expect(bar(page).getByText('service not answering')).toBeVisible();
  await expect(bar(page).getByText('service running')).toBeHidden();
  await expect(page.getByText('The Benchport service does not answer.')).toBeVisible();
  await shoot(page, 'hung-users');
  service.kill('SIGCONT');
  await expect(page.getByRole('row', { name: /alice/ })).toBeVisible();
  await expect(bar(page).getByText('service running')).toBeVisible();
  await expect(page.getByText('The Benchport service does not answer.')).toBeHidden();
});

test('U1: waiting ends with a message and a retry button, and without a retry the list still loads once the service is back', async ({
  page,
  service,
}) => {
  service.kill('SIGSTOP');
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByText('Loading', { exact: true })).toBeVisible();
  await expect(page.getByText(/The service has not answered for \d+ s|Waiting for the Benchport service/)).toBeVisible({
    timeout: 40_000,
  });
  await shoot(page, 'hung-given-up');
  service.kill('SIGCONT');
  await expect(page.getByRole('row', { name: /alice/ })).toBeVisible();
  await expect(bar(page).getByText('service running')).toBeVisible();
});

test('U1: a dialog whose write hangs looks busy, can be closed, and then says that its outcome is unknown', async ({
  page,
  service,
}) => {
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByRole('row', { name: /alice/ })).toBeVisible();
  await page.getByRole('button', { name: 'Create user' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('User name').fill('bob');
  await dialog.getByLabel('Full name').fill('Bob');
  await dialog
    .getByLabel(/Password/)
    .first()
    .fill('second light at 4 kelvin');
  service.kill('SIGSTOP');
  await dialog.getByRole('button', { name: 'Create user' }).click();
  await expect(dialog.getByRole('button', { name: 'Create user' })).toHaveAttribute('aria-busy', 'true');
  await expect(dialog.getByText('The service has not answered for more than 5 s.')).toBeVisible();
  await shoot(page, 'hung-dialog');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('This may or may not have been carried out')).toBeVisible();
  service.kill('SIGCONT');
  await expect(bar(page).getByText('service running')).toBeVisible();
  await expect(page.getByRole('row', { name: /bob/ })).toBeVisible();
});

test('U1: a service with one slow request is not called hung', async ({ page, service }) => {
  await page.route('**/api/v4/users/managed**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 4500));
    await route.continue();
  });
  await page.getByRole('link', { name: 'Users' }).click();
  await expect(page.getByText('Loading', { exact: true })).toBeVisible();
  const said: string[] = [];
  for (let look = 0; look < 20; look += 1) {
    said.push(await bar(page).innerText());
    await page.waitForTimeout(200);
  }
  expect(said.filter((text) => text.includes('not answering'))).toEqual([]);
  await expect(page.getByRole('row', { name: /alice/ })).toBeVisible();
  expect(service.output().stderr).not.toContain('"level":50');
});
