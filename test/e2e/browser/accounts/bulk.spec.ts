import { expect, password, test } from '../signed-in.ts';

test.setTimeout(90_000);

const revoke = /^Revoke bench/;

test('U12: tokens are sorted by their headings, selected by mouse and keyboard, and revoked with one question and one message', async ({
  page,
  service,
}) => {
  await page.goto(`${service.url}/ui/tokens`);
  const csrf = await page.evaluate(
    async () => ((await (await fetch('/api/v4/session')).json()) as { csrf_token: string }).csrf_token,
  );
  for (const name of ['bench 10', 'bench 2', 'bench 1', 'bench 3']) {
    const made = await page.request.post(`${service.url}/api/v4/user/personal_access_tokens`, {
      headers: { 'x-csrf-token': csrf },
      data: { name, scopes: ['read_user'] },
    });
    expect(made.status()).toBe(201);
  }
  await page.reload();
  const names = page.getByRole('grid', { name: 'Tokens' }).getByRole('rowheader');
  await page.getByRole('button', { name: 'Name' }).click();
  await expect(names).toHaveText(['bench 1', 'bench 2', 'bench 3', 'bench 10']);
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  await page.getByRole('button', { name: 'Name' }).click();
  await expect(names).toHaveText(['bench 10', 'bench 3', 'bench 2', 'bench 1']);

  const bar = page.getByRole('toolbar', { name: 'With the selected tokens' });
  await names.nth(1).click();
  await expect(bar).toHaveCount(0);
  await names.nth(3).click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('3 selected');
  await page.keyboard.press('Control+a');
  await expect(bar).toContainText('4 selected');
  await names.nth(0).click();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(bar).toContainText('3 selected');
  // Select one row by keyboard and deselect it.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('x');
  await expect(bar).toContainText('4 selected');
  await page.keyboard.press('x');
  await expect(bar).toContainText('3 selected');

  await bar.getByRole('button', { name: 'Revoke…' }).click();
  const question = page.getByRole('alertdialog', { name: 'Revoke 3 tokens?' });
  await question.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('status').getByText('3 tokens revoked')).toBeVisible();
  await expect(page.getByRole('button', { name: revoke })).toHaveCount(1);
  await expect(names).toHaveText(['bench 1']);
});

test('U12: users are sorted by the service and blocked together, but never oneself', async ({ page, service }) => {
  await page.goto(`${service.url}/ui/users`);
  const csrf = await page.evaluate(
    async () => ((await (await fetch('/api/v4/session')).json()) as { csrf_token: string }).csrf_token,
  );
  for (const username of ['bob', 'carol']) {
    const made = await page.request.post(`${service.url}/api/v4/users`, {
      headers: { 'x-csrf-token': csrf },
      data: { username, name: username, password: `${password} ${username}` },
    });
    expect(made.status()).toBe(201);
  }
  await page.reload();
  const names = page.getByRole('grid', { name: 'Users' }).getByRole('rowheader');
  await page.getByRole('button', { name: 'User', exact: true }).click();
  await expect(page).toHaveURL(/order=desc/);
  await expect(names).toHaveText([/^carol/, /^bob/, /^alice/]);
  await names.nth(0).click();
  await names.nth(2).click({ modifiers: ['Shift'] });
  const bar = page.getByRole('toolbar', { name: 'With the selected users' });
  await bar.getByRole('button', { name: 'Block…' }).click();
  await page.getByRole('alertdialog', { name: 'Block 2 users?' }).getByRole('button', { name: 'Block' }).click();
  await expect(page.getByRole('status').getByText('2 users blocked')).toBeVisible();
  await expect(page.getByRole('row', { name: /^alice, you/ })).toContainText('active');
  await expect(page.getByRole('row', { name: /^bob/ })).toContainText('blocked');
});
