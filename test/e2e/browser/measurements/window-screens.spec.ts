import { bridgeCalls, expect, giveBridge, test } from '../screens-fixture.ts';

test.describe('in the window', () => {
  test.beforeEach(({ page }) => giveBridge(page));

  test('a chosen folder is inspected and registered, and its job can be paused and cancelled', async ({
    page,
    open,
  }) => {
    const service = await open('/ui/measurements', { measurements: 3, door: 'window' });
    await page.getByRole('button', { name: 'Register' }).click();
    const dialog = page.getByRole('dialog', { name: 'Register' });
    await expect(dialog).toContainText('/data/instrument/qmr-2026-114');
    await expect(dialog).toContainText('1 204 files, 38.2 GiB');
    await expect(dialog).toContainText('troubles Windows');
    await expect(dialog.getByLabel('Id', { exact: true })).toBeFocused();
    await dialog.getByLabel('Id', { exact: true }).fill('has a space');
    await expect(dialog.getByRole('button', { name: 'Register' })).toBeDisabled();
    await dialog.getByLabel('Id', { exact: true }).fill('ms-run-00002');
    await dialog.getByRole('button', { name: 'Register' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Choose another id.');
    await dialog.getByLabel('Id', { exact: true }).fill('qmr-2026-114');
    await dialog.getByText('Copy them into the library').click();
    await dialog.getByRole('button', { name: 'Register' }).click();
    await expect(dialog).toHaveCount(0);
    expect(service.writes.at(-1)).toBe(
      'POST local/registrations {"path":"/data/instrument/qmr-2026-114","id":"qmr-2026-114","title":"qmr 2026 114","copy":true}',
    );

    const jobs = page.getByRole('region', { name: 'Jobs' });
    await expect(jobs).toContainText('12.1 GiB of 38.2 GiB · 312 MiB/s · 86 s left');
    await expect(page.getByText('1 job', { exact: true })).toBeVisible();
    await jobs.getByRole('button', { name: 'Pause' }).click();
    await expect(jobs).toContainText('paused at 12.1 GiB');
    await jobs.getByRole('button', { name: 'Resume' }).click();
    await jobs.getByRole('button', { name: 'Cancel' }).click();
    await expect(jobs).toHaveCount(0);
  });

  test('unsupported files are refused with every reason', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3, door: 'window' });
    await page.getByRole('grid').waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'broken'));
      window.dispatchEvent(new DragEvent('dragover', { dataTransfer: data, cancelable: true }));
    });
    await expect(page.getByText('Drop to register')).toBeVisible();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'broken'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    });
    const dialog = page.getByRole('dialog', { name: 'Register' });
    await expect(dialog).toContainText('/dropped/broken');
    await expect(dialog).toContainText('raw/link.dat is a link that leads out of the folder');
    await expect(dialog.getByRole('button', { name: 'Register', exact: true })).toHaveCount(0);
  });

  test('content dropped from a web page is refused with an explanation', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3, door: 'window' });
    await page.getByRole('grid').waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'from-a-page.png'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    });
    await expect(page.getByText('The dropped files are not on this machine')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('several dropped paths are registered one after the other', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3, door: 'window' });
    await page.getByRole('grid').waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['x'], 'one'));
      data.items.add(new File(['x'], 'two.zip'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    });
    await page.getByRole('dialog', { name: 'Register 1 of 2' }).getByRole('button', { name: 'Register' }).click();
    const second = page.getByRole('dialog', { name: 'Register 2 of 2' });
    await expect(second.getByLabel('Leave them where they are')).toBeDisabled();
    await second.getByRole('button', { name: 'Skip' }).click();
    await expect(second).toHaveCount(0);
  });

  test('a row is dragged out with the path that the service names', async ({ page, open }) => {
    const service = await open('/ui/measurements', { measurements: 30, door: 'window' });
    const row = page.getByText('ms-run-00029');
    await row.hover();
    await page.mouse.down();
    await page.mouse.move(700, 500, { steps: 8 });
    await expect.poll(() => bridgeCalls(page)).toContainEqual(['startDrag', '/data/instrument/ms-run-00029']);
    await page.mouse.up();
    expect(service.writes).toContain('POST local/measurements/ms-run-00029/stage {}');
  });

  test('a command of the menu does what its shortcut does', async ({ page, open }) => {
    await open('/ui/measurements', { measurements: 3, door: 'window' });
    await page.getByRole('grid').waitFor();
    await page.evaluate(() => (window as unknown as { menu: (command: string) => void }).menu('go-tokens'));
    await expect(page.getByRole('heading', { name: 'Tokens' })).toBeVisible();
    // At 1280 x 800 and 200 % everything can be reached.
    await page.setViewportSize({ width: 640, height: 400 });
    for (const one of [page.getByRole('link', { name: 'Settings' }), page.getByText('service running')])
      await expect(one).toBeInViewport({ ratio: 1 });
  });

  test('exports into a chosen folder', async ({ page, open }) => {
    const service = await open('/ui/measurements/ms-run-00002', { measurements: 3, door: 'window' });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Export' }).click();
    await page.getByLabel('BagIt').check();
    await page.getByRole('button', { name: 'Choose folder and export' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(service.writes.at(-1)).toBe(
      'POST local/measurements/ms-run-00002/exports {"directory":"/data/export","format":"bagit"}',
    );
  });

  test('the first run creates the owner and offers the sample', async ({ page, open }) => {
    const service = await open('/ui/', { needsSetup: true, door: 'window' });
    await expect(page.getByLabel('User name')).toHaveValue('alice');
    await expect(page.getByLabel('User name')).toBeFocused();
    await page.getByLabel('Full name').fill('Alice');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('button', { name: 'Skip the rest' }).click();
    // The button disappears, and the focus moves to the new screen.
    await expect(page.getByRole('main')).toBeFocused();
    // At 400 % zoom, content that does not fit can be scrolled to.
    await page.setViewportSize({ width: 320, height: 256 });
    const sample = page.getByRole('button', { name: /^Register the sample/ });
    await page.mouse.move(160, 100);
    await expect(async () => {
      await page.mouse.wheel(0, 500);
      await expect(sample).toBeInViewport({ ratio: 1, timeout: 500 });
    }).toPass();
    await sample.click();
    await page.setViewportSize({ width: 1280, height: 720 });
    await expect(page.getByRole('region', { name: 'Jobs' })).toContainText('sample-measurement');
    await expect(page).toHaveURL(/\/ui\/measurements$/);
    expect(service.writes).toEqual(['POST setup {"username":"alice","name":"Alice"}', 'POST local/sample {}']);
  });
});
