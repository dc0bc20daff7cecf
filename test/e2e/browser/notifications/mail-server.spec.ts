import { mailReceiver, mailServerOf } from '../../../service/notifications/receivers.ts';
import { lookAt } from '../look.ts';
import { expect, test as base } from '../signed-in.ts';

const test = base.extend<{ readonly mail: Awaited<ReturnType<typeof mailReceiver>> }>({
  mail: async ({ page: _page }, use) => {
    const mail = await mailReceiver();
    await use(mail);
    await mail.end();
  },
});

test('an administrator sets the mail server, sees the dialogue of a test, and is told by mail', async ({
  page,
  service,
  mail,
}) => {
  await page.goto(`${service.url}/ui/settings#mail-server`);
  const section = page.locator('#mail-server');
  const save = section.getByRole('button', { name: 'Save' });
  await expect(section.getByText('No mail is sent until there is one.')).toBeVisible();
  await expect(section.getByRole('button', { name: 'Send a test' })).toHaveCount(0);

  await section.getByLabel('Server', { exact: true }).fill('smtp://127.0.0.1');
  await expect(section.getByText('The name alone, such as mail.lab.example')).toBeVisible();
  await section.getByLabel('Server', { exact: true }).fill('127.0.0.1');
  await section.getByLabel('Encryption').selectOption('none');
  await expect(section.getByLabel('Port')).toHaveValue('25');
  await section.getByLabel('Port').fill('70000');
  await expect(section.getByText('A number from 1 to 65535.')).toBeVisible();
  await expect(save).toBeDisabled();
  await section.getByLabel('Port').fill(String(mail.port));
  await section.getByLabel('Password').fill('wrong');
  await expect(section.getByText('A password needs the user name it belongs to.')).toBeVisible();
  await section.getByLabel('User name').fill('bench');
  await section.getByLabel('From').fill('bench@lab.example');
  await lookAt(page, '#mail-server');
  await save.click();
  await expect(page.getByText('Mail server saved')).toBeVisible();

  const send = section.getByRole('button', { name: 'Send a test' });
  await section.getByLabel('Send a test to').fill('alice@lab.example');
  await send.click();
  await expect(section.getByText('refused the user name or the password')).toBeVisible();
  await expect(section.getByRole('region', { name: 'Dialogue' })).toContainText('S: 535');
  await lookAt(page, '#mail-server');

  await expect(section.getByLabel('Keep it')).toBeChecked();
  await section.getByLabel('Replace it').check();
  await section.getByLabel('Password', { exact: true }).fill('seven lamps');
  await save.click();
  await expect(section.getByLabel('Keep it')).toBeChecked();
  await section.getByLabel('Send a test to').fill('alice@lab.example');
  await send.click();
  await expect(section.getByText('127.0.0.1 has taken the mail.')).toBeVisible();
  const dialogue = await section.getByRole('region', { name: 'Dialogue' }).innerText();
  expect(dialogue).toContain('RCPT TO:<alice@lab.example>');
  expect(await page.content()).not.toContain('seven lamps');
  expect(mail.mails).toHaveLength(1);

  await page.goto(`${service.url}/ui/account/notifications`);
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add a rule' });
  await form.getByLabel('Name').fill('night');
  await form.getByLabel('A measurement is registered').check();
  await form.getByLabel('By mail').check();
  await form.getByLabel('Address').fill('nobody@lab.example');
  await form.getByLabel('How often').selectOption('hourly');
  await form.getByRole('button', { name: 'Add' }).click();
  const detail = page.getByRole('complementary', { name: 'Rule night' });
  await expect(detail.getByText('Once an hour')).toBeVisible();
  await expect(detail.getByRole('button', { name: 'Rotate secret' })).toHaveCount(0);
  await detail.getByRole('button', { name: 'Send a test' }).click();
  await expect(page.getByRole('dialog').getByText('550 no such user').first()).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();

  await page.goto(`${service.url}/ui/settings#mail-server`);
  await section.getByRole('button', { name: 'Remove…' }).click();
  await page
    .getByRole('alertdialog', { name: 'Remove the mail server?' })
    .getByRole('button', { name: 'Remove' })
    .click();
  await expect(section.getByText('No mail is sent until there is one.')).toBeVisible();
  expect(await (await page.request.get(`${service.url}/api/v4/application/mail_server`)).json()).toBeNull();
});

test('a password has to be typed again for another server', async ({ page, service, mail }) => {
  const csrf = (await (await page.request.get(`${service.url}/api/v4/session`)).json()) as { csrf_token: string };
  await page.request.put(`${service.url}/api/v4/application/mail_server`, {
    headers: { 'x-csrf-token': csrf.csrf_token },
    data: mailServerOf(mail),
  });
  await page.goto(`${service.url}/ui/settings#mail-server`);
  const section = page.locator('#mail-server');
  await expect(section.getByLabel('Keep it')).toBeChecked();
  await section.getByLabel('Server', { exact: true }).fill('localhost');
  await expect(section.getByText('is not sent to another. Type it again.')).toBeVisible();
  await expect(section.getByLabel('Keep it')).toHaveCount(0);
  await section.getByRole('button', { name: 'Discard changes' }).click();
  await section.getByLabel('Remove it').check();
  await section.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Mail server saved')).toBeVisible();
  const kept = await page.request.get(`${service.url}/api/v4/application/mail_server`);
  expect(await kept.json()).toMatchObject({ has_password: false });
});
