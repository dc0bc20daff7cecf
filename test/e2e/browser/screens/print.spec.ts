import type { Page } from '@playwright/test';
import { expect, test } from '../screens-fixture.ts';

const error = '/ui/projects/beamtime%2F2026-3/errors/1';

/** The printed text, as a reader sees it. */
const printedText = (page: Page): Promise<string> => page.locator('body').innerText();

/** Expects that no scrolling box cuts the printed page. */
const cut = (page: Page): Promise<string[]> =>
  page
    .locator('main *')
    .evaluateAll((all) =>
      all
        .filter(
          (one) => one.checkVisibility() && one instanceof HTMLElement && getComputedStyle(one).overflowY !== 'visible',
        )
        .map((one) => one.outerHTML.slice(0, 80)),
    );

for (const wide of [false, true]) {
  test(`U13: ${wide ? 'a wide' : 'an'} error prints its whole stack without frames, black on white from a dark window`, async ({
    page,
    open,
  }) => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 1280, height: 700 });
    await open(`${error}${wide ? '?wide=true' : ''}`, { tracking: { errors: 30 } });
    await expect(page.getByText('4 local variables')).toBeVisible();
    const before = await printedText(page);
    expect(before).not.toContain('_run_once');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    await expect(page.getByRole('heading', { name: 'Breadcrumbs' })).toBeVisible();
    for (const name of ['Application', 'Screens', 'Errors'])
      await expect(page.getByRole('navigation', { name })).toHaveCount(0);
    await expect(page.getByRole('contentinfo')).toHaveCount(0);
    await expect(page.getByText('service running')).toBeHidden();
    await expect(page.getByRole('grid')).toHaveCount(0);
    await expect(page.getByRole('tab')).toHaveCount(0);
    const text = await printedText(page);
    // Frames of libraries, the chain, the source, the variables, and the content of other tabs.
    for (const part of [
      '_run_once',
      'acquire',
      'recv',
      'Caused by ConnectionResetError',
      'which is a long line of code to scroll")',
      '<Detector 2>',
      'httplib',
      'bench-3.lab.example',
      'Last 14 days',
    ])
      expect(text).toContain(part);
    expect(await cut(page)).toEqual([]);
    const colours = await page.evaluate(() => [
      getComputedStyle(document.body).color,
      getComputedStyle(document.querySelector('main') ?? document.body).backgroundColor,
    ]);
    expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    // The window is unchanged afterwards.
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await expect(page.getByText('service running')).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Stack' })).toBeVisible();
    await expect.poll(() => printedText(page)).not.toContain('_run_once');
  });
}

test('U13: a list prints its hidden rows too, and a dialog prints alone', async ({ page, open }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await open('/ui/measurements', { measurements: 80 });
  await expect(page.getByRole('row').nth(3)).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect.poll(() => page.getByRole('row').count()).toBeGreaterThan(75);
  expect(await cut(page)).toEqual([]);
  await page.emulateMedia({ media: 'screen' });
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect(page.getByRole('grid')).toHaveCount(0);
});
