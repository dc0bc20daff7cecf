import { lookAt } from '../look.ts';
import { expect, test } from '../signed-in.ts';

test('an administrator allows private hosts, and what cannot be allowed is refused with the reason', async ({
  page,
  service,
}) => {
  const kept = async (): Promise<unknown> =>
    (await page.request.get(`${service.url}/api/v4/application/outgoing`)).json();
  await page.goto(`${service.url}/ui/settings#outgoing`);
  const list = page.getByLabel('Outgoing requests to private hosts');
  const form = page.locator('form').filter({ has: list });
  const save = form.getByRole('button', { name: 'Save' });
  await expect(list).toHaveValue('');
  await expect(save).toBeDisabled();
  await lookAt(page, '#outgoing');

  await list.fill('https://sentry.lab');
  await expect(form.getByText('is a whole address. Write its host only')).toBeVisible();
  await expect(save).toBeDisabled();

  await list.fill('sentry.lab\n169.254.169.254');
  await save.click();
  await expect(page.getByText('“169.254.169.254” can never be allowed')).toBeVisible();
  await expect(list).toHaveValue('sentry.lab\n169.254.169.254');
  expect(await kept()).toEqual({ allowed: [] });
  await lookAt(page, '#outgoing');

  await list.fill('Sentry.Lab:9000\n\n10.1.0.0/16\nsentry.lab:9000');
  await expect(form.getByText('Not saved yet')).toBeVisible();
  await save.click();
  await expect(page.getByText('Allowed hosts saved')).toBeVisible();
  await expect(list).toHaveValue('sentry.lab:9000\n10.1.0.0/16');
  expect(await kept()).toEqual({ allowed: ['sentry.lab:9000', '10.1.0.0/16'] });
});
