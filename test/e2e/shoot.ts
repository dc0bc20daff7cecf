import type { Page } from '@playwright/test';

/** Takes pictures of a page in both themes where a folder for them is named. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['BENCHPORT_SHOTS'];
  if (folder === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
  }
}
