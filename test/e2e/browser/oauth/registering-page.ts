import type { Page } from '@playwright/test';
import { expect } from '../signed-in.ts';

interface Registered {
  readonly clientId: string;
  readonly secret: string;
  readonly pkce: string;
  readonly curl: string;
}

/** The dialog after a registration or a renewal, which is shown once and then closed. */
export async function readSecret(page: Page): Promise<Registered> {
  const dialog = page.getByRole('dialog');
  const secret = await dialog.getByTestId('secret').innerText();
  const clientId = await dialog.getByTestId('client-id').innerText();
  const [pkce = '', curl = ''] = await dialog.locator('pre').allInnerTexts();
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await expect(dialog).toHaveCount(0);
  return { clientId, secret, pkce, curl };
}

export async function register(page: Page, name: string, redirectUri: string): Promise<void> {
  await page.getByRole('button', { name: 'Register' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Register an application' });
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByLabel('Redirect URIs').fill(redirectUri);
  await dialog.getByLabel('read_user').check();
  await dialog.getByRole('button', { name: 'Register' }).click();
}
