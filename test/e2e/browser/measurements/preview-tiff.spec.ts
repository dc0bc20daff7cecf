import type { Locator, Page } from '@playwright/test';
import { sampleOmeTiff, sampleTiff } from '../../../renderer/preview/sample-pictures.ts';
import { addMeasurement, type FixtureFile } from '../../../service/fixture-measurement.ts';
import type { TestService } from '../../../service/start.ts';
import { lookAt } from '../look.ts';
import { expect, test } from '../signed-in.ts';

/** Opens the first file of a measurement; returns its preview. */
async function open(page: Page, service: TestService, file: FixtureFile): Promise<Locator> {
  await addMeasurement(service, 1, 'run-7', [file]);
  await page.goto(`${service.url}/ui/measurements/run-7?file=0`);
  return page.getByRole('region', { name: `Preview of ${file.path}` });
}

/** The picture when all of its tiles have come. */
async function whenDrawn(preview: Locator): Promise<Locator> {
  const picture = preview.getByRole('img', { name: /^The picture/ });
  await expect(picture).toHaveAttribute('aria-busy', 'false');
  return picture;
}

/** Red of the points in a row below the middle of a canvas, which is no line of the picture at its own size. */
async function middleRow(picture: Locator): Promise<number[]> {
  return picture.evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const row =
      canvas.getContext('2d')?.getImageData(0, Math.floor(canvas.height / 2) + 20, canvas.width, 1).data ?? [];
    return Array.from(row).filter((_, at) => at % 4 === 0);
  });
}

const steepest = (row: readonly number[]): number =>
  row.reduce((most, value, at) => (at === 0 ? 0 : Math.max(most, value - (row[at - 1] ?? 0))), 0);

test('a picture with smaller forms is sharp where it is looked at, by keyboard', async ({ page, service }) => {
  const bytes = sampleOmeTiff({ width: 2048, height: 1024, depths: 2, levels: 2 });
  const preview = await open(page, service, { path: 'cells.ome.tif', bytes: Buffer.from(bytes) });
  await whenDrawn(preview);
  await expect(preview.getByText(/^2.?048 × 1.?024 pixels, at/)).toBeVisible();
  await lookAt(page);

  await preview.getByRole('button', { name: 'Actual size' }).click();
  await expect(preview.getByText('at 100 %')).toBeVisible();
  const sharp = await middleRow(await whenDrawn(preview));
  // Lines of two pixels have steep edges only in the pixels of the file itself.
  expect(steepest(sharp)).toBeGreaterThan(100);

  const stage = preview.getByRole('application');
  await stage.focus();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => middleRow(await whenDrawn(preview))).not.toEqual(sharp);
  await page.keyboard.press('+');
  await expect(preview.getByText('at 150 %')).toBeVisible();
  await page.keyboard.press('0');
  await expect(preview.getByText('at 100 %')).toBeHidden();

  // Values up to the upper limit are not bright any more.
  const before = await middleRow(await whenDrawn(preview));
  const bright = preview.getByRole('spinbutton', { name: 'Bright from, as a number' });
  await bright.fill('60000');
  await expect.poll(async () => Math.max(...(await middleRow(await whenDrawn(preview))))).toBeLessThan(180);
  await preview.getByRole('slider', { name: 'Dark up to' }).focus();
  await page.keyboard.press('ArrowRight');
  await lookAt(page);
  await preview.getByRole('button', { name: 'Reset contrast' }).click();
  await expect.poll(async () => middleRow(await whenDrawn(preview))).toEqual(before);

  await preview.getByRole('combobox', { name: 'Channel' }).selectOption('GFP & more');
  await preview.getByRole('slider', { name: /^Depth/ }).fill('1');
  await expect(preview.getByText('Depth 2 of 2')).toBeVisible();
  await whenDrawn(preview);
});

test('a picture is magnified where the pointer is, and dragged', async ({ page, service }) => {
  const preview = await open(page, service, {
    path: 'colours.tif',
    bytes: Buffer.from(
      sampleTiff({
        width: 300,
        height: 200,
        bits: 8,
        samples: 3,
        photometric: 2,
        tile: [64, 64],
        value: ({ x, y, sample }) => (sample === 0 ? x % 256 : sample === 1 ? y % 256 : 128),
      }),
    ),
  });
  const picture = await whenDrawn(preview);
  const shown = preview.getByText(/^300 × 200 pixels, at/);
  const words = await shown.textContent();
  await picture.hover();
  await page.mouse.wheel(0, -300);
  await expect(shown).not.toHaveText(words ?? '');
  const before = await middleRow(await whenDrawn(preview));
  const box = await picture.boundingBox();
  if (box === null) throw new Error('the picture has no place');
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 80, box.y + box.height / 2 - 20);
  await page.mouse.up();
  expect(await middleRow(await whenDrawn(preview))).not.toEqual(before);
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();
});

/** A JPEG that the browser packs: orange, with a blue right half. */
async function browserJpeg(page: Page, side: number): Promise<Buffer> {
  const url = await page.evaluate((length) => {
    const canvas = document.createElement('canvas');
    canvas.width = length;
    canvas.height = length;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no context');
    context.fillStyle = '#f08000';
    context.fillRect(0, 0, length, length);
    context.fillStyle = '#0000ff';
    context.fillRect(length / 2, 0, length / 2, length);
    return canvas.toDataURL('image/jpeg', 0.95);
  }, side);
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

test('tiles of JPEG have their colours', async ({ page, service }) => {
  const side = 64;
  const block = await browserJpeg(page, side);
  const shape = { width: side, height: side, tile: [side, side], bits: 8, samples: 3, photometric: 6 } as const;
  const bytes = Buffer.from(sampleTiff({ ...shape, method: 7, block }));
  const preview = await open(page, service, { path: 'slide.tif', bytes });
  const picture = await whenDrawn(preview);
  const colours = await picture.evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const context = canvas.getContext('2d');
    const at = (share: number): number[] =>
      Array.from(context?.getImageData(canvas.width / 2 + share * canvas.height, canvas.height / 2, 1, 1).data ?? []);
    return [at(-0.25), at(0.25)];
  });
  const near = (colour: readonly number[] = [], wanted: readonly number[]): number =>
    Math.max(...wanted.map((value, part) => Math.abs(value - (colour[part] ?? 0))));
  expect(near(colours[0], [240, 128, 0, 255])).toBeLessThan(8);
  expect(near(colours[1], [0, 0, 255, 255])).toBeLessThan(8);
});
