import type { Browser } from '@playwright/test';
import { plainBrowser, type Page } from './plain-browser.ts';
import { plainText, readForms } from './read-forms.ts';
import type { Provider } from './start-provider.ts';

/** Labels of the buttons of the two pages. */
const signInButton = /^sign in$/i;
const approveButton = /^allow$/i;

/**
 * Follows an application's authorization request back to the application: signs alice in and
 * approves with plain forms. @param applications origins of running applications; at any other
 * origin the result is the redirect's target.
 */
export async function approve(
  provider: Provider,
  address: string | URL,
  applications: readonly string[] = [],
): Promise<Page> {
  const browser = plainBrowser([provider.url, ...applications]);
  let page = await browser.open(address);
  if (page.url.pathname === '/users/sign_in')
    page = await browser.press(page, signInButton, { username: provider.username, password: provider.password });
  if (page.url.origin === provider.url && page.status === 200) page = await browser.press(page, approveButton);
  if (page.url.origin === provider.url)
    throw new Error(`not sent back but left at ${page.url.pathname} with ${page.status}: ${plainText(page.text)}`);
  return page;
}

/** Approves a device whose code is in the address. */
export async function approveDevice(provider: Provider, address: string): Promise<void> {
  const browser = plainBrowser([provider.url]);
  let page = await browser.open(address);
  if (page.url.pathname === '/users/sign_in')
    page = await browser.press(page, signInButton, { username: provider.username, password: provider.password });
  if (!approvable(page)) page = await browser.press(page, /^continue\b/i);
  page = await browser.press(page, approveButton);
  if (page.status !== 200) throw new Error(`the device was not let in: ${page.status} ${plainText(page.text)}`);
}

const approvable = (page: Page) =>
  readForms(page.text).some((form) => form.buttons.some(({ text }) => approveButton.test(text)));

/** Like `approve`, in a real browser. @returns the text of the application's last page. */
export async function approveInBrowser(
  browser: Browser,
  provider: Provider,
  address: string,
): Promise<{ readonly url: URL; readonly text: string }> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => {
      if (/content security policy|refused to/i.test(message.text())) refused.push(message.text());
    });
    await page.goto(address);
    await page.getByLabel('User name').fill(provider.username);
    await page.getByLabel('Password').fill(provider.password);
    await page.getByRole('button', { name: signInButton }).click();
    await page.getByRole('button', { name: approveButton }).click();
    await page.waitForURL((url) => url.origin !== provider.url);
    await page.waitForLoadState();
    if (refused.length > 0) throw new Error(`the browser refused: ${refused.join('\n')}`);
    return { url: new URL(page.url()), text: (await page.textContent('body')) ?? '' };
  } finally {
    await context.close();
  }
}
