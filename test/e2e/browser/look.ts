import type { Page } from '@playwright/test';
import { expect, expectAccessible } from './screens-fixture.ts';

/**
 * Expects no violations from axe: all rules in the light theme, and colour contrast in the dark
 * one.
 */
export async function lookAt(page: Page, within?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light');
  await expectAccessible(page, { within });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await expectAccessible(page, { within, rules: ['color-contrast'] });
}
