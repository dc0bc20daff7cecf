import { Webhook } from 'standardwebhooks';
import { addMeasurement } from '../../../service/fixture-measurement.ts';
import { webhookReceiver } from '../../../service/notifications/receivers.ts';
import type { TestService } from '../../../service/start.ts';
import { lookAt } from '../look.ts';
import { expect, tabTo, test as base } from '../signed-in.ts';

const test = base.extend<{ readonly hook: Awaited<ReturnType<typeof webhookReceiver>> }>({
  hook: async ({ page: _page }, use) => {
    const hook = await webhookReceiver();
    await use(hook);
    await hook.end();
  },
});

/** A measurement of alice of which a check has found a file altered. */
async function degraded(service: TestService, id: string): Promise<void> {
  const alice = await service.services.users.byUsername('alice');
  await addMeasurement(service, alice?.id ?? 0, id, [{ path: 'a.txt', bytes: 'a' }]);
  await service.services.files.recordChecks(id, [
    { index: 0, state: 'altered', problem: 'its bytes are others', at: Date.now() },
  ]);
}

test('a webhook is added, tested, fails, is sent again, rotated, paused and removed', async ({
  page,
  service,
  hook,
}) => {
  test.setTimeout(150_000);
  await page.getByRole('button', { name: 'Signed in as alice' }).click();
  await page.getByRole('menuitem', { name: 'Notifications' }).click();
  await expect(page).toHaveURL(/\/ui\/account\/notifications$/);
  await expect(page.getByText('A server no longer has a copy')).toBeVisible();
  await lookAt(page);

  await page.getByRole('button', { name: 'Add rule' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add a rule' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await form.getByLabel('Name').fill('-chat');
  await expect(form.getByText('the first one a letter or a digit')).toBeVisible();
  await form.getByLabel('Name').fill('chat of bench 3');
  await form.getByLabel('A file is not as it was registered').check();
  await form.getByLabel('An error is new').check();
  await expect(form.getByLabel('Errors of')).toBeVisible();
  await form.getByLabel('Address of the receiver').fill('lab.example');
  await expect(form.getByText('An address such as https://')).toBeVisible();
  await expect(form.getByRole('button', { name: 'Add' })).toBeDisabled();
  await form.getByLabel('By mail').check();
  await expect(form.getByRole('link', { name: 'Set a mail server' })).toBeVisible();
  await form.getByLabel('By webhook').check();
  // The service says what it alone can know.
  await form.getByLabel('Address of the receiver').fill('http://169.254.169.254/latest');
  await form.getByRole('button', { name: 'Add' }).click();
  await expect(form.getByRole('alert')).toContainText('169.254.169.254');
  await form.getByLabel('Address of the receiver').fill(hook.url);
  await lookAt(page);
  await form.getByRole('button', { name: 'Add' }).click();

  const saved = page.getByRole('dialog', { name: 'Save the secret of chat of bench 3' });
  const secret = await saved.getByTestId('secret').innerText();
  expect(secret).toMatch(/^whsec_/);
  await expect(saved.getByText('does not show it again')).toBeVisible();
  await lookAt(page);
  await saved.getByRole('button', { name: 'I have saved it' }).click();
  await expect(page).toHaveURL(/\/ui\/account\/notifications\/\d+$/);
  const detail = page.getByRole('complementary', { name: 'Rule chat of bench 3' });
  await expect(detail.getByText('Nothing has happened that this rule tells of.')).toBeVisible();

  await detail.getByRole('button', { name: 'Send a test' }).click();
  const result = page.getByRole('dialog', { name: 'Test of chat of bench 3' });
  await expect(result.getByText('The receiver has taken the message.')).toBeVisible();
  await expect(result.getByText('S: 204')).toBeVisible();
  expect(await result.innerText()).not.toContain(secret);
  const verify = (one: (typeof hook.received)[number] | undefined, by = secret): unknown =>
    new Webhook(by).verify(one?.body ?? '', one?.headers as Record<string, string>);
  expect(verify(hook.received[0])).toMatchObject({ type: 'test' });
  hook.answer = () => 503;
  await result.getByRole('button', { name: 'Send again' }).click();
  await expect(result.getByText('S: 503')).toBeVisible();
  await lookAt(page);
  await result.getByRole('button', { name: 'Close' }).first().click();

  await degraded(service, 'qmr-1');
  const deliveries = detail.getByRole('list', { name: 'Deliveries' });
  await expect(deliveries.getByText('Waiting')).toBeVisible();
  await expect(deliveries.getByText('retry in')).toBeVisible();
  await expect(detail.getByText('The last attempt failed.')).toBeVisible();
  await expect(detail.getByText('Send a test to see how the receiver answers.')).toBeVisible();
  await lookAt(page);
  hook.answer = () => 204;
  // The third attempt follows half a minute after the second.
  await expect(deliveries.getByText('Sent')).toBeVisible({ timeout: 60_000 });
  await expect(detail.getByText('The last attempt failed.')).toHaveCount(0);
  expect(verify(hook.received[1])).toMatchObject({ type: 'degraded', data: { measurement_id: 'qmr-1' } });

  await detail.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate' }).click();
  const next = await page.getByTestId('secret').innerText();
  expect(next).not.toBe(secret);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await degraded(service, 'qmr-2');
  await expect(deliveries.getByText('Sent')).toHaveCount(2);
  for (const by of [secret, next]) expect(verify(hook.received[2], by)).toMatchObject({ type: 'degraded' });

  await detail.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('row', { name: /^chat of bench 3/ })).toContainText('Paused');
  await page.getByRole('button', { name: 'Resume chat of bench 3' }).click();
  await expect(page.getByRole('row', { name: /^chat of bench 3/ })).toContainText('On');

  await detail.getByRole('button', { name: 'Remove' }).click();
  const question = page.getByRole('alertdialog', { name: 'Remove rule chat of bench 3?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('A server no longer has a copy')).toBeVisible();
  expect(await (await page.request.get(`${service.url}/api/v4/user/notifications`)).json()).toEqual([]);
});

test('everything is done with the keyboard', async ({ page, service, hook }) => {
  const kept = async (): Promise<readonly { readonly name: string; readonly quiet_from: number | null }[]> =>
    (await page.request.get(`${service.url}/api/v4/user/notifications`)).json();
  const { keyboard } = page;
  await keyboard.press('Control+Shift+E');
  await expect(page.getByText('A server no longer has a copy')).toBeVisible();
  await keyboard.press('n');
  const form = page.getByRole('dialog', { name: 'Add a rule' });
  await expect(form.getByLabel('Name')).toBeFocused();
  await keyboard.type('night');
  await tabTo(page, 'A run needs a decision', 'checkbox');
  await keyboard.press('Space');
  await tabTo(page, 'Address of the receiver', 'textbox');
  await keyboard.type(hook.url);
  await tabTo(page, 'Not during quiet hours', 'checkbox');
  await keyboard.press('Space');
  await expect(form.getByText(/Local time of the service: \S+, now \d\d:\d\d\./)).toBeVisible();
  await keyboard.press('Enter');
  await expect(page.getByTestId('secret')).toBeVisible();
  await tabTo(page, 'I have saved it');
  await keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'night' })).toBeVisible();
  expect(await kept()).toMatchObject([{ name: 'night', quiet_from: 22, quiet_until: 7 }]);

  await keyboard.press('Escape');
  await expect(page.getByRole('complementary')).toHaveCount(0);
  await expect(page.getByRole('row', { name: /^night/ })).toBeFocused();
  await keyboard.press('t');
  await expect(page.getByText('The receiver has taken the message.')).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await keyboard.press('p');
  await expect(page.getByRole('row', { name: /^night/ })).toContainText('Paused');
  await keyboard.press('e');
  const edit = page.getByRole('dialog', { name: 'Edit night' });
  await expect(edit.getByLabel('Name')).toBeFocused();
  await expect(edit.getByLabel('By mail')).toBeDisabled();
  await keyboard.press('End');
  await keyboard.type(' shift');
  await keyboard.press('Escape');
  await page.getByRole('alertdialog', { name: 'Close without saving?' }).waitFor();
  await keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await tabTo(page, 'Save');
  await keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /^night shift/ })).toContainText('Paused');
  await page.getByRole('row', { name: /^night shift/ }).focus();
  await keyboard.press('Delete');
  await page.getByRole('alertdialog', { name: 'Remove rule night shift?' }).waitFor();
  await tabTo(page, 'Remove');
  await keyboard.press('Enter');
  await expect.poll(kept).toEqual([]);
});
