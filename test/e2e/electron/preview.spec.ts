import fs from 'node:fs/promises';
import path from 'node:path';
import { sampleCsv, sampleNexus } from '../../renderer/preview/sample-files.ts';
import { createAccount, dropPaths, expect, test } from './launch.ts';

// A number is a point of the Electron security checklist.

test('E04 files are previewed in the window, and only their worker may compile WebAssembly', async ({ launch }) => {
  test.setTimeout(120_000);
  const { page, folder } = await launch({ parts: 'real' });
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (/content security policy|refused to/i.test(message.text())) complaints.push(message.text());
  });
  await createAccount(page);
  const run = path.join(folder, 'run-7');
  await fs.mkdir(run);
  await fs.writeFile(path.join(run, 'iron.nxs'), await sampleNexus());
  await fs.writeFile(path.join(run, 'scan.csv'), sampleCsv(3000));
  await dropPaths(page, [run], 600, 400);
  await page.getByRole('dialog', { name: 'Register' }).getByRole('button', { name: 'Register' }).click();
  await expect(page.getByText('available').first()).toBeVisible();
  await page.getByRole('gridcell', { name: 'run-7', exact: true }).click();

  await page.getByRole('button', { name: 'iron.nxs', exact: true }).click();
  const nexus = page.getByRole('region', { name: 'Preview of iron.nxs' });
  await expect(nexus.getByRole('img', { name: /^counts over energy/ })).toBeVisible();
  await nexus.getByRole('button', { name: 'detector' }).click();
  await nexus.getByRole('button', { name: /^frames/ }).click();
  await expect(nexus.getByRole('img', { name: /^frames, 48 × 64 values/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'scan.csv', exact: true }).click();
  await expect(page.getByRole('columnheader', { name: 'angle' })).toBeVisible();

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show pictures' }).click();
  const gallery = page.getByRole('region', { name: 'Pictures of files' });
  await expect(gallery.locator('svg[preserveAspectRatio] path')).toHaveCount(2);

  const compiles = await page.evaluate(() =>
    WebAssembly.compile(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])).then(
      () => 'compiled',
      () => 'refused',
    ),
  );
  expect(compiles).toBe('refused');
  // The attempt above is the only one.
  expect(complaints.filter((text) => !/wasm|WebAssembly/i.test(text))).toEqual([]);
});
