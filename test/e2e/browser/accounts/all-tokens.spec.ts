import { createHash, randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { openBeside } from '../../../service/fixture-measurement.ts';
import type { TestService } from '../../../service/start.ts';
import { lookAt } from '../look.ts';
import { signInElsewhere } from '../sign-in-elsewhere.ts';
import { expect, password, tabTo, test } from '../signed-in.ts';

// Axe examines every row of a long list, in two themes.
test.setTimeout(120_000);

const day = 86_400_000;
const dialog = '[role="dialog"], [role="alertdialog"]';

/** Gives bob some distinctive tokens, and as many others as requested. */
async function giveTokens(service: TestService, more: number): Promise<void> {
  const bob = await service.user('bob');
  const carol = await service.user('carol');
  const midnight = Math.floor(Date.now() / day) * day;
  const beside = openBeside(service);
  try {
    const add = beside.prepare(
      `INSERT INTO personal_access_tokens (user_id, name, scopes, token_hash, created_at, expires_at, revoked_at, last_used_at, family_id)
       VALUES (?, ?, 'read_api read_measurement', ?, ?, ?, ?, ?, 0)`,
    );
    const hash = (): Buffer => createHash('sha256').update(randomBytes(20)).digest();
    beside.transaction(() => {
      for (let index = 0; index < more; index += 1) {
        const used = index % 3 === 0 ? null : Date.now() - index * 3_600_000;
        add.run(
          index % 2 === 0 ? bob : carol,
          `bench ${1000 + index}`,
          hash(),
          Date.now() - (index + 2) * day,
          midnight + (30 + index) * day,
          null,
          used,
        );
      }
      add.run(bob, 'ends soon', hash(), Date.now() - day, midnight + 4 * day, null, null);
      add.run(bob, 'never ends', hash(), Date.now() - day, null, null, null);
      add.run(bob, 'has ended', hash(), Date.now() - 40 * day, midnight - 2 * day, null, null);
      beside.exec('UPDATE personal_access_tokens SET name_key = lower(name)');
    })();
  } finally {
    beside.close();
  }
}

const rowOf = (page: Page, name: RegExp) => page.getByRole('row', { name });

test('U11 an administrator finds, sorts and pages all tokens, and revokes one after a question that names its owner', async ({
  page,
  service,
}) => {
  await giveTokens(service, 200);
  await page.goto(`${service.url}/ui/tokens`);
  await page.getByText('A token lets a lab machine or a script fetch measurements as you.').waitFor();
  await page.getByRole('button', { name: 'All tokens' }).click();
  await expect(page).toHaveURL(/\/ui\/tokens\?all=true$/);
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('1 to 50 of 202');
  await expect(rowOf(page, /^ends soon/)).toContainText('bob');
  await expect(rowOf(page, /^ends soon/)).toContainText(/expires in [34] days/);
  await lookAt(page);

  // The token that expires first is at the top; those without an expiry are last.
  await page.getByRole('button', { name: 'Expires' }).click();
  await expect(page).toHaveURL(/sort=expires&order=asc/);
  await expect(page.getByRole('row').nth(1)).toContainText('ends soon');
  await page.getByRole('button', { name: 'Expires' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('never ends');
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('51 to 100 of 202');
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('51 to 100 of 202');

  await page.getByLabel('User', { exact: true }).fill('carol');
  await expect(page).toHaveURL(/user=carol/);
  await expect(page.getByRole('navigation', { name: 'Pages' })).toContainText('1 to 50 of 100');
  await page.getByLabel('User', { exact: true }).fill('nobody');
  await expect(page.getByText('There is no user “nobody”.')).toBeVisible();
  await page.getByRole('button', { name: 'Show everybody’s tokens' }).click();
  await page.getByRole('button', { name: 'Revoked or expired' }).click();
  await expect(rowOf(page, /^has ended/)).toContainText('expired');
  await page.getByRole('button', { name: 'Active' }).click();

  await page.getByRole('searchbox', { name: 'Search tokens' }).fill('ends');
  await expect(page.getByRole('row')).toHaveCount(3);
  await page.getByRole('button', { name: 'Revoke ends soon of bob' }).click();
  const ask = page.getByRole('alertdialog', { name: 'Revoke token ends soon of bob?' });
  await expect(ask.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await lookAt(page, dialog);
  await ask.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByRole('row')).toHaveCount(2);
});

test('U11 the menu of a user leads to their tokens, of which several are revoked at once', async ({
  page,
  service,
}) => {
  await giveTokens(service, 4);
  await page.goto(`${service.url}/ui/users`);
  await page.getByRole('button', { name: 'Actions for bob' }).click();
  await page.getByRole('menuitem', { name: 'Tokens' }).click();
  await expect(page).toHaveURL(/\/ui\/tokens\?user=bob$/);
  await expect(page.getByLabel('User', { exact: true })).toHaveValue('bob');
  await expect(page.getByRole('row')).toHaveCount(5);
  await expect(page.getByRole('button', { name: /^Rotate/ })).toHaveCount(0);
  await tabTo(page, /^ends soon|^never ends/, 'row');
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  const ask = page.getByRole('alertdialog', { name: 'Revoke 4 tokens?' });
  await expect(ask).toContainText('They belong to bob.');
  await ask.getByRole('button', { name: 'Revoke' }).click();
  await expect(page.getByText('There is no active token of bob.')).toBeVisible();
  await page.getByRole('button', { name: 'Revoked or expired' }).click();
  await expect(page.getByRole('row')).toHaveCount(6);
  expect((await service.services.tokens.all()).filter(({ revoked_at: at }) => at === null)).toHaveLength(3);
});

test('U11 other users see only their own tokens, and the address of all tokens says so', async ({
  page,
  service,
  browser,
}) => {
  await page.goto(`${service.url}/ui/users`);
  await page.getByRole('button', { name: 'Create user' }).click();
  await page.getByLabel('User name').fill('dave');
  await page.getByLabel('Password').fill(password);
  await page.getByRole('dialog').getByRole('button', { name: 'Create user' }).click();
  await rowOf(page, /^dave/).waitFor();
  const other = await signInElsewhere(browser, service.url, 'dave', password, '/ui/tokens');
  await other.getByText('A token lets a lab machine or a script fetch measurements as you.').waitFor();
  await expect(other.getByRole('button', { name: 'All tokens' })).toHaveCount(0);
  await other.goto(`${service.url}/ui/tokens?user=alice`);
  await expect(other.getByText('This page is for administrators.')).toBeVisible();
  await other.context().close();
});
