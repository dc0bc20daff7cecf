import type { Page } from '@playwright/test';
import type { TestService } from '../../../service/start.ts';
import { expect } from '../signed-in.ts';

export const dialog = '[role="dialog"], [role="alertdialog"]';
export const bobs = 'a grating of 600 lines';

export async function createBob(page: Page, service: TestService): Promise<void> {
  await page.goto(`${service.url}/ui/users`);
  await page.getByRole('button', { name: 'Create user' }).click();
  const form = page.getByRole('dialog', { name: 'Create a user' });
  await form.getByLabel('User name').fill('bob');
  await form.getByLabel('Password').fill(bobs);
  await form.getByRole('button', { name: 'Create user' }).click();
  await expect(page.getByRole('row', { name: /^bob/ })).toBeVisible();
}

export async function actFor(page: Page, username: string, action: string | RegExp): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${username}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

export const answer = (page: Page, verb: string): Promise<void> =>
  page.getByRole('alertdialog').getByRole('button', { name: verb }).click();
