import { expect, type Browser, type Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Signs a user in with another browser, through the service's own pages; the page stays at the step
 * after the password.
 */
export async function signInElsewhere(
  browser: Browser,
  url: string,
  username: string,
  password: string,
  to = '/ui/account',
): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/users/sign_in?return_to=${encodeURIComponent(to)}`);
  await page.getByLabel('User name').fill(username);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  return page;
}

/** Like `signInElsewhere`, for a password that is refused. */
export async function expectRefused(browser: Browser, url: string, username: string, password: string): Promise<void> {
  const page = await signInElsewhere(browser, url, username, password);
  await expect(page).toHaveURL(/sign_in/);
  await expect(page.getByLabel('Password')).toBeVisible();
  await page.context().close();
}

/**
 * The code that an authenticator shows for a key, now or some seconds later, from an independent
 * implementation.
 */
export async function codeOf(secret: string, later = 0): Promise<string> {
  const { stdout } = await promisify(execFile)('oathtool', [
    '--totp',
    '--base32',
    '--now',
    `+${later} seconds`,
    secret.replaceAll(' ', ''),
  ]);
  return stdout.trim();
}
