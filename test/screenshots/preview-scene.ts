import type { Page } from '@playwright/test';
import { sampleOmeTiff, sampleTiff } from '../renderer/preview/sample-pictures.ts';
import { large, type Size } from './camera.ts';

const at = '/ui/measurements/ms-run-00099';
const options = { measurements: 100, door: 'browser' } as const;
const phone: Size = { width: 420, height: 800 };

interface Listed {
  readonly files: readonly object[];
}

/** Opens the first file of the measurement, which has this name and these bytes. */
const opens =
  (name: string, make: () => Uint8Array, then?: (page: Page) => Promise<void>) =>
  async (page: Page): Promise<void> => {
    const bytes = Buffer.from(make());
    await page.route('**/api/v4/measurements/*/files?*', async (asked) => {
      const answer = await asked.fetch();
      const { files, ...rest } = (await answer.json()) as Listed;
      const [first = {}, ...others] = files;
      await asked.fulfill({ json: { ...rest, files: [{ ...first, path: name, length: bytes.length }, ...others] } });
    });
    await page.route('**/measurements/ms-run-00099/files/*', async (asked) => {
      const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(asked.request().headers()['range'] ?? '') ?? [];
      await asked.fulfill({
        status: 206,
        headers: { etag: '"1"', 'content-range': `bytes ${from}-${to}/${bytes.length}` },
        body: bytes.subarray(Number(from), Number(to) + 1),
      });
    });
    await page.goto(`${new URL(page.url()).origin}${at}?file=0`);
    await page.locator('canvas[aria-busy="false"], [role="alert"], strong').first().waitFor();
    await then?.(page);
  };

const cells = (): Uint8Array => sampleOmeTiff({ width: 2048, height: 1536, depths: 2, levels: 3 });
/** A larger strip than a file of its length can have. */
const damaged = (): Uint8Array => sampleTiff({ width: 400, height: 300 }).slice(0, -200);
const colours = (): Uint8Array =>
  sampleTiff({
    width: 300,
    height: 200,
    pages: 3,
    bits: 8,
    samples: 3,
    photometric: 2,
    value: ({ x, y, sample }) => (sample === 0 ? x % 256 : sample === 1 ? y : 128),
  });

async function zooms(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Actual size' }).click();
  await page.getByRole('combobox', { name: 'Colours' }).selectOption('Heat');
  await page.getByText('at 100 %').waitFor();
  await page.locator('canvas[aria-busy="false"]').waitFor();
  await page.getByRole('application').focus();
}

/** Pictures of TIFF: with planes, magnified, in colours, and damaged. */
export const previewScenes = [
  { name: 'preview-tiff', at, options, inBrowser: true, arrange: opens('cells.ome.tif', cells) },
  {
    name: 'preview-tiff-narrow',
    at,
    options,
    inBrowser: true,
    viewport: phone,
    arrange: opens('cells.ome.tif', cells),
  },
  {
    name: 'preview-tiff-wide',
    at,
    options,
    inBrowser: true,
    viewport: large,
    once: true,
    arrange: opens('cells.ome.tif', cells),
  },
  { name: 'preview-tiff-zoomed', at, options, inBrowser: true, arrange: opens('cells.ome.tif', cells, zooms) },
  { name: 'preview-tiff-colours', at, options, inBrowser: true, once: true, arrange: opens('colours.tif', colours) },
  { name: 'preview-tiff-damaged', at, options, inBrowser: true, once: true, arrange: opens('cut.tif', damaged) },
] as const;
