import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sampleNexus } from '../../renderer/preview/sample-files.ts';
import { addMeasurement } from '../../service/fixture-measurement.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import type { Options } from '../options.ts';
import { writeSparsePicture } from './sparse-picture.ts';
import { startSlowLine, type SlowLine } from './slow-line.ts';

const fileBytes = 100e9;
const mebibyte = 1024 * 1024;
const password = 'first light at 4 kelvin';

/** One first plot: from the click to the curve, and what came over the line meanwhile. */
export interface FirstPlot {
  readonly ms: number;
  readonly mebibytes: number;
}

/** One first picture, and then the first of its tiles at its own size. */
export interface FirstTile extends FirstPlot {
  readonly sharpMs: number;
  readonly sharpMebibytes: number;
}

/** A browser whose way to the service is a slow line, a sparse HDF5 of 100 GB and an OME-TIFF of 40 GB. */
export interface PreviewsBench {
  readonly options: Options;
  /** Opens the page in a browser that has cached nothing, and then the file. */
  firstPlot(): Promise<FirstPlot>;
  /** The same for a picture. */
  firstTile(): Promise<FirstTile>;
  loopDelay(): Promise<number>;
  stop(): Promise<void>;
}

export async function startPreviewsBench(
  _dir: string,
  options: Options,
  say: (line: string) => void,
): Promise<PreviewsBench> {
  const service = await startTestService();
  const line = await startSlowLine(service.port);
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      `--host-resolver-rules=MAP 127.0.0.1:${service.port} 127.0.0.1:${line.port}`,
    ],
  });
  const stop = async (): Promise<void> => {
    await browser.close();
    await line.stop();
    await service.end();
  };
  try {
    say('writing sparse files of 100 GB and 40 GB');
    const signedIn = await prepare(browser, service);
    return {
      options,
      firstPlot: async () => firstPlot(browser, signedIn, service, line),
      firstTile: async () => firstTile(browser, signedIn, service, line),
      loopDelay: async () => Number.NaN,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

async function prepare(browser: Browser, service: TestService): Promise<SignedIn> {
  const context = await browser.newContext();
  // The request's cookies are those of the context.
  const answer = await context.request.post(`${service.url}/api/v4/setup?code=${service.setupCode ?? ''}`, {
    data: { username: 'alice', name: 'alice', password },
  });
  if (!answer.ok()) throw new Error(`the first account was answered with ${answer.status()}`);
  const signedIn = await context.storageState();
  await context.close();
  const folder = path.join(service.dir, 'instrument', 'run-7');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'iron.nxs'), await sampleNexus());
  await truncate(path.join(folder, 'iron.nxs'), fileBytes);
  await writeSparsePicture(path.join(folder, 'slide.ome.tif'));
  await addMeasurement(service, 1, 'run-7', [
    { path: 'iron.nxs', crc32: 0, sha256: Buffer.alloc(32) },
    { path: 'slide.ome.tif', crc32: 0, sha256: Buffer.alloc(32) },
  ]);
  return signedIn;
}

/** Opens the page in a browser that has cached nothing, up to the list of files. */
async function openList(context: BrowserContext, service: TestService): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${service.url}/ui/measurements/run-7`);
  await page.getByRole('button', { name: 'iron.nxs', exact: true }).waitFor();
  // Requests of the page for its list are no part of the preview.
  await page.waitForTimeout(1000);
  return page;
}

async function firstPlot(
  browser: Browser,
  storageState: SignedIn,
  service: TestService,
  line: SlowLine,
): Promise<FirstPlot> {
  const context = await browser.newContext({ storageState });
  try {
    const page = await openList(context, service);
    line.takeBytes();
    const begun = performance.now();
    await page.getByRole('button', { name: 'iron.nxs', exact: true }).click();
    await page.getByRole('img', { name: /^counts over energy/ }).waitFor();
    return { ms: performance.now() - begun, mebibytes: line.takeBytes() / mebibyte };
  } finally {
    await context.close();
  }
}

/** Waits frame by frame, because a locator looks only twice a second after a while. */
async function whenDrawn(page: Page, words: string): Promise<void> {
  await page.evaluate(
    async (text) =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          const canvas = document.querySelector('canvas[aria-busy="false"]');
          if (canvas?.getAttribute('aria-label')?.includes(text) === true) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
    words,
  );
}

async function firstTile(
  browser: Browser,
  storageState: SignedIn,
  service: TestService,
  line: SlowLine,
): Promise<FirstTile> {
  const context = await browser.newContext({ storageState });
  try {
    const page = await openList(context, service);
    line.takeBytes();
    const begun = performance.now();
    await page.getByRole('button', { name: 'slide.ome.tif', exact: true }).click();
    await whenDrawn(page, 'The picture');
    const first = { ms: performance.now() - begun, mebibytes: line.takeBytes() / mebibyte };
    const zoomed = performance.now();
    await page.getByRole('button', { name: 'Actual size' }).click();
    await whenDrawn(page, 'at 100 %');
    return { ...first, sharpMs: performance.now() - zoomed, sharpMebibytes: line.takeBytes() / mebibyte };
  } finally {
    await context.close();
  }
}
