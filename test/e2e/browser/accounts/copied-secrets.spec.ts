import type { Page } from '@playwright/test';
import { bridgeCalls, expect, giveBridge, test } from '../screens-fixture.ts';

const secret = /^bppat-/;
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

async function createAndCopy(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Create token' }).first().click();
  await page.getByLabel('Name').fill('bench 3');
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
  const token = await page.getByTestId('secret').innerText();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  return token;
}

test.describe('S111 where the page may read the clipboard', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  test('a copied secret is removed after a minute', async ({ page, open }) => {
    await page.clock.install();
    await open('/ui/tokens');
    await createAndCopy(page);
    expect(await clipboard(page)).toMatch(secret);
    await expect(page.getByText('It leaves the clipboard after a minute.')).toBeVisible();
    await page.clock.runFor(61_000);
    await expect.poll(() => clipboard(page)).toBe('');
  });

  test('a later copy is kept', async ({ page, open }) => {
    await page.clock.install();
    await open('/ui/tokens');
    await createAndCopy(page);
    await page.evaluate(() => navigator.clipboard.writeText('a shopping list'));
    await page.clock.runFor(61_000);
    await page.waitForTimeout(300);
    expect(await clipboard(page)).toBe('a shopping list');
  });
});

test('S111 where the page may not read the clipboard it says that the secret stays there', async ({ page, open }) => {
  // Chromium denies all other permissions with it.
  await page.context().grantPermissions(['clipboard-write']);
  await open('/ui/tokens');
  await createAndCopy(page);
  await expect(page.getByText('It stays on the clipboard until you copy something else.')).toBeVisible();
});

test('S111 in the window the main process copies a secret, which is neither logged nor kept', async ({
  page,
  open,
}) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await giveBridge(page);
  await open('/ui/tokens', { door: 'window' });
  const token = await createAndCopy(page);
  expect(await bridgeCalls(page)).toContainEqual(['copySecret', token]);
  await expect(page.getByText('It leaves the clipboard after a minute.')).toBeVisible();
  // A manual selection is copied by the main process too.
  await page.getByTestId('secret').click();
  await page.keyboard.press('Control+c');
  await expect.poll(async () => (await bridgeCalls(page)).filter(([name]) => name === 'copySecret').length).toBe(2);
  await page.getByRole('button', { name: 'I have saved it' }).click();
  await expect(page.getByTestId('secret')).toHaveCount(0);
  const kept = await page.evaluate(
    () => JSON.stringify([localStorage, sessionStorage]) + document.documentElement.innerHTML,
  );
  expect(kept).not.toContain(token);
  expect(logged.join('\n')).not.toContain(token);
});
