import type { Page } from '@playwright/test';
import { addMeasurement, type FixtureFile } from '../../../service/fixture-measurement.ts';
import type { TestService } from '../../../service/start.ts';
import { mutate } from '../../../renderer/preview/mutate.ts';
import { sampleCsv, sampleNexus, samplePng } from '../../../renderer/preview/sample-files.ts';
import { sampleFile } from '../../../renderer/preview/sample-formats.ts';
import { sampleTiff } from '../../../renderer/preview/sample-pictures.ts';
import { lookAt } from '../look.ts';
import { expect, tabTo, test } from '../signed-in.ts';

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><rect width="60" height="40" fill="#0080ff"/></svg>';

/** Found by the test of mutated files: the HDF5 library opens it and never returns. */
const endless = async (): Promise<Buffer> => Buffer.from(mutate(await sampleNexus(), 5955));

async function show(page: Page, service: TestService, files: readonly FixtureFile[]): Promise<void> {
  await addMeasurement(service, 1, 'run-7', files);
  await page.goto(`${service.url}/ui/measurements/run-7`);
}

const toggle = (page: Page) => page.getByRole('button', { name: 'Show pictures' });
const gallery = (page: Page) => page.getByRole('region', { name: 'Pictures of files' });
const tile = (page: Page, name: string | RegExp) =>
  gallery(page).getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

/** Addresses of files whose bytes were asked for, and the most workers that were there at once. */
function watch(page: Page) {
  const asked: string[] = [];
  const seen = { most: 0 };
  page.on('request', (request) => {
    const index = /\/measurements\/run-7\/files\/(\d+)$/.exec(new URL(request.url()).pathname)?.[1];
    if (index !== undefined) asked.push(index);
  });
  page.on('worker', () => {
    seen.most = Math.max(seen.most, page.workers().length);
  });
  return { asked, seen };
}

async function isRead(page: Page, tiles: number): Promise<void> {
  const drawn = gallery(page).locator('canvas, path[d]').and(page.locator(':not(.lucide *)'));
  const failed = gallery(page).getByText('No picture', { exact: true });
  await expect(drawn.or(failed)).toHaveCount(tiles);
}

test('pictures are read when they are asked for, two at a time, and once', async ({ page, service }) => {
  const { asked, seen } = watch(page);
  await show(page, service, [
    { path: 'a-picture.png', bytes: samplePng(900, 600) },
    { path: 'b-table.csv', bytes: sampleCsv(3000) },
    { path: 'c-iron.nxs', bytes: Buffer.from(await sampleNexus()) },
    { path: 'd-page.tif', bytes: Buffer.from(sampleTiff({ width: 64, height: 48, pages: 2 })) },
    { path: 'e-figure.svg', bytes: drawing },
    { path: 'notes.txt', bytes: 'at 4 kelvin' },
    { path: 'raw/f-peptides.mzML', bytes: Buffer.from(await sampleFile('psims.mzML')) },
    { path: 'raw/g-large.png', bytes: Buffer.concat([samplePng(90, 60), Buffer.alloc(5 * 1024 * 1024)]) },
  ]);
  await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
  await expect(page.getByRole('treegrid', { name: 'Files', exact: true })).toBeVisible();
  expect(asked).toEqual([]);
  await toggle(page).click();
  await isRead(page, 7);
  await expect(gallery(page).locator('canvas')).toHaveCount(3);
  await expect(tile(page, /^raw\/g-large\.png, no picture: It takes more than the 4 MiB/)).toBeVisible();
  // Pixels show that it was drawn.
  const colour = await tile(page, 'e-figure.svg')
    .locator('canvas')
    .evaluate((canvas: HTMLCanvasElement) => Array.from(canvas.getContext('2d')?.getImageData(5, 5, 1, 1).data ?? []));
  expect(colour).toEqual([0, 128, 255, 255]);
  expect(seen.most).toBeLessThanOrEqual(2);
  await expect.poll(() => page.workers().length).toBe(0);
  expect([...new Set(asked)].toSorted()).toEqual(['0', '1', '2', '3', '4', '6', '7']);
  await lookAt(page);

  // Pictures that were read are not requested again.
  const before = asked.length;
  await page.getByRole('tab', { name: 'Copies' }).click();
  await expect(gallery(page)).toHaveCount(0);
  await page.getByRole('tab', { name: 'Files' }).click();
  await isRead(page, 7);
  expect(asked).toHaveLength(before);

  // With the keyboard into a preview and back.
  await tabTo(page, 'b-table.csv');
  await page.keyboard.press('Enter');
  const preview = page.getByRole('region', { name: 'Preview of b-table.csv' });
  await expect(preview.getByRole('columnheader', { name: 'angle' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
  await expect(tile(page, 'b-table.csv')).toBeFocused();

  // The choice is kept in this browser.
  await page.reload();
  await expect(toggle(page)).toHaveAttribute('aria-pressed', 'true');
  await isRead(page, 7);
  await toggle(page).click();
  await page.reload();
  await expect(toggle(page)).toHaveAttribute('aria-pressed', 'false');
});

test('a file in which the library gets lost delays no other, and its worker ends with the gallery', async ({
  page,
  service,
}) => {
  const bytes = await endless();
  await show(page, service, [
    { path: 'a-lost.nxs', bytes },
    { path: 'b-lost.nxs', bytes },
    { path: 'c-picture.png', bytes: samplePng(90, 60) },
  ]);
  await toggle(page).click();
  await expect(tile(page, 'a-lost.nxs')).toHaveAttribute('aria-busy', 'true');
  await expect.poll(() => page.workers().length).toBe(2);
  await toggle(page).click();
  await expect.poll(() => page.workers().length).toBe(0);
  await toggle(page).click();
  // A preview reads alone.
  await expect.poll(() => page.workers().length).toBe(2);
  await tile(page, 'c-picture.png').click();
  await expect(page.getByRole('img', { name: 'The picture, 90 × 60 pixels' })).toBeVisible();
  await expect.poll(() => page.workers().length).toBe(1);
  await page.keyboard.press('Escape');
  await isRead(page, 3);
  await expect(tile(page, /^a-lost\.nxs, no picture: Reading the file took longer than 5 s/)).toBeVisible();
  await expect(gallery(page).locator('canvas')).toHaveCount(1);
  await expect.poll(() => page.workers().length).toBe(0);
});

test('a measurement without such files says so, and asks for no bytes', async ({ page, service }) => {
  const { asked } = watch(page);
  await show(page, service, [
    { path: 'frame.raw', bytes: 'raw' },
    { path: 'notes.txt', bytes: 'at 4 kelvin' },
  ]);
  await toggle(page).click();
  await expect(gallery(page).getByText('No files that can be shown as pictures.')).toBeVisible();
  await lookAt(page);
  expect(asked).toEqual([]);
});
