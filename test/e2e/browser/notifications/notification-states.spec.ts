import { lookAt } from '../look.ts';
import { expect, test } from '../screens-fixture.ts';

// States that a real service reaches only with many rules and failures.

test('fifty rules are searched and sorted, and old deliveries are read on', async ({ page, open }) => {
  const service = await open('/ui/account/notifications', { notifications: { rules: 50, deliveries: 120 } });
  await expect(page.getByRole('row')).toHaveCount(51);
  await page.getByLabel('Search rules').fill('copy verified');
  await expect(page.getByRole('row')).toHaveCount(2);
  await page.getByLabel('Search rules').fill('');
  await page.getByRole('button', { name: 'State' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('Paused, failed');
  await lookAt(page);

  await page.getByRole('button', { name: 'Add rule' }).click();
  const form = page.getByRole('dialog', { name: 'Add a rule' });
  await expect(form.getByText('You have 50 rules, and there can be no more.')).toBeVisible();
  await form.getByLabel('Name').fill('one more');
  await form.getByLabel('A copy is verified').check();
  await form.getByLabel('Address of the receiver').fill('https://chat.lab.example/hooks/7');
  await expect(form.getByRole('button', { name: 'Add' })).toBeDisabled();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Close without saving' }).click();

  await page.getByRole('row', { name: /^chat of bench 3/ }).click();
  const detail = page.getByRole('complementary', { name: 'Rule chat of bench 3' });
  const deliveries = detail.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
  await expect(deliveries).toHaveCount(50);
  await detail.getByRole('button', { name: 'Show older' }).click();
  await expect(deliveries).toHaveCount(100);
  await detail.getByRole('button', { name: 'Show older' }).click();
  await expect(deliveries).toHaveCount(120);
  await expect(detail.getByText('are listed for thirty days')).toBeVisible();
  expect(service.reads.filter((read) => read.includes('before='))).toEqual([
    'user/notifications/2/deliveries?before=71&limit=50',
    'user/notifications/2/deliveries?before=21&limit=50',
  ]);
});

test('who is no administrator is told who can set a mail server and an address', async ({ page, open }) => {
  await page.setViewportSize({ width: 420, height: 900 });
  await open('/ui/account/notifications', { accounts: { admin: false }, notifications: { mail: false } });
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  const form = page.getByRole('dialog', { name: 'Add a rule' });
  await expect(form.getByLabel('A disk has little space')).toBeDisabled();
  await expect(form.getByLabel('A run needs a decision')).toBeEnabled();
  await expect(form.getByText('Only of folders whose rule names you.')).toBeVisible();
  await expect(form.getByLabel('Of everybody')).toHaveCount(0);
  await form.getByLabel('By mail').check();
  await expect(form.getByText('An administrator can set one.')).toBeVisible();
  await expect(form.getByText('Your account has no e-mail address.')).toBeVisible();
  await expect(form.getByRole('link')).toHaveCount(0);
  await lookAt(page);
});

test('a list that cannot be read says why, and the account leads to the rules', async ({ page, open }) => {
  await open('/ui/account', { notifications: { rules: 5 } });
  await expect(page.getByText('The last attempt of 2 rules failed.')).toBeVisible();
  await page.getByRole('link', { name: 'Show the rules' }).click();
  await expect(page.getByRole('row')).toHaveCount(6);
  await page.route('**/api/v4/user/notifications', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      json: { title: 'Internal Server Error', detail: 'The disk answers with errors.' },
    }),
  );
  await page.reload();
  await expect(page.getByRole('alert')).toContainText('The disk answers with errors.');
});
