import type { Page } from '@playwright/test';
import { lookAt } from '../look.ts';
import { expectAccessible, giveBridge, test } from '../screens-fixture.ts';
import type { FakeService } from '../../../renderer/fakes/fake-options.ts';
import { type Look, walks } from './accessibility-walks.ts';

// One test examines many states, and axe every element of each.
test.setTimeout(120_000);

async function look(page: Page, service: FakeService, { prepare, shows, within }: Look): Promise<void> {
  await prepare?.(page, service);
  await page.getByText(shows).first().waitFor();
  await lookAt(page, within);
}

test.describe('wide', () => {
  // Low, because axe takes long for every row.
  test.use({ viewport: { width: 1280, height: 640 } });
  for (const { name, path = '/ui/measurements', options = {}, inWindow, looks } of walks) {
    test(`${name}: no accessibility violations, in light and in dark`, async ({ page, open }) => {
      if (inWindow === true) await giveBridge(page);
      const service = await open(path, options);
      for (const one of looks) await look(page, service, one);
    });
  }
});

test.describe('narrow', () => {
  test.use({ viewport: { width: 360, height: 740 } });
  test('no accessibility violations on any screen of a phone', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 100 });
    await page.getByText('ms-run-00099').waitFor();
    await expectAccessible(page);
    await page.getByText('xrd-powder-00097').click();
    await page.getByText('altered: it has 20 971 524 bytes').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Tokens' }).click();
    await page.getByText('nightly backup').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Applications' }).click();
    await page.getByText('Electronic lab notebook').waitFor();
    await expectAccessible(page);
    await page.getByText('Electronic lab notebook').click();
    await page.getByText('PKCE: make a verifier').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.getByRole('button', { name: 'Signed in as alice' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await page.getByText('Steps of 1 024').waitFor();
    await expectAccessible(page);
  });
});
