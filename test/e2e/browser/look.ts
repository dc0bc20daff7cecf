import type { Page } from '@playwright/test';
import { expect, expectAccessible } from './screens-fixture.ts';

/** What is shown has nothing that axe finds: with all its rules in light, and with readable colours in dark. */
export async function lookAt(page: Page, within?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expectAccessible(page, { within });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page, { within, rules: ['color-contrast'] });
}
