import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sampleNexus } from '../../renderer/preview/sample-files.ts';
import { addMeasurement } from '../../service/fixture-measurement.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import type { Options, Say } from '../options.ts';
import { spectrumId, writeMzml } from './mzml-file.ts';
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

/** Spectra of a large mzML, each from its choice to its curve; `opening` is from the click on the file. */
export interface SpectraShown {
  readonly opening: FirstPlot;
  /** Of places all over the file. */
  readonly chosen: readonly FirstPlot[];
  /** Of the neighbours of such places. */
  readonly neighbours: readonly FirstPlot[];
}

/** One first picture, and then the first of its tiles at its own size. */
export interface FirstTile extends FirstPlot {
  readonly sharpMs: number;
  readonly sharpMebibytes: number;
}

/** A browser whose way to the service is a slow line, and files of 100 GB, 40 GB and of many spectra. */
export interface PreviewsBench {
  readonly options: Options;
  /** Opens the page in a browser that has cached nothing, and then the file. */
  firstPlot(): Promise<FirstPlot>;
  /** The same for a picture. */
  firstTile(): Promise<FirstTile>;
  /** Opens the mzML in the same way and shows spectra of it. @param round chooses the places. */
  spectra(round: number): Promise<SpectraShown>;
  readonly spectrumCount: number;
  loopDelay(): Promise<number>;
  stop(): Promise<void>;
}

export async function startPreviewsBench(_dir: string, options: Options, say: Say): Promise<PreviewsBench> {
  const spectrumCount = options.quick ? 100_000 : 1_000_000;
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
    say(`writing sparse files of 100 GB and 40 GB, and one of ${spectrumCount} spectra`);
    const signedIn = await signIn(browser, service);
    await writeFiles(service, spectrumCount);
    const way = { browser, storageState: signedIn, service, line };
    return {
      options,
      firstPlot: async () => firstPlot(way),
      firstTile: async () => firstTile(way),
      spectra: async (round) => spectra(way, spectrumCount, round),
      spectrumCount,
      loopDelay: async () => Number.NaN,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

interface Way {
  readonly browser: Browser;
  readonly storageState: SignedIn;
  readonly service: TestService;
  readonly line: SlowLine;
}

async function signIn(browser: Browser, service: TestService): Promise<SignedIn> {
  const context = await browser.newContext();
  // The request's cookies are those of the context.
  const answer = await context.request.post(`${service.url}/api/v4/setup?code=${service.setupCode ?? ''}`, {
    data: { username: 'alice', name: 'alice', password },
  });
  if (!answer.ok()) throw new Error(`the first account was answered with ${answer.status()}`);
  const signedIn = await context.storageState();
  await context.close();
  return signedIn;
}

async function writeFiles(service: TestService, spectrumCount: number): Promise<void> {
  const folder = path.join(service.dir, 'instrument', 'run-7');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'iron.nxs'), await sampleNexus());
  await truncate(path.join(folder, 'iron.nxs'), fileBytes);
  await writeSparsePicture(path.join(folder, 'slide.ome.tif'));
  await writeMzml(path.join(folder, 'peptides.mzML'), spectrumCount);
  const known = { crc32: 0, sha256: Buffer.alloc(32) };
  await addMeasurement(service, 1, 'run-7', [
    { path: 'iron.nxs', ...known },
    { path: 'slide.ome.tif', ...known },
    { path: 'peptides.mzML', ...known },
  ]);
}

/** Opens the page in a browser that has cached nothing. */
async function withPage<T>({ browser, storageState, service }: Way, work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ storageState });
  try {
    const page = await context.newPage();
    await page.goto(`${service.url}/ui/measurements/run-7`);
    await page.getByRole('button', { name: 'iron.nxs', exact: true }).waitFor();
    // Requests of the page for its list are no part of the preview.
    await page.waitForTimeout(1000);
    return await work(page);
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

/** From a click or the typing of a number to the curve that follows, and what came over the line meanwhile. */
async function timed(page: Page, { line }: Way, act: () => Promise<void>, curve: string): Promise<FirstPlot> {
  line.takeBytes();
  // The page itself looks, because a look from outside comes up to 100 ms later.
  const shown = page.evaluate(
    async (label) =>
      new Promise<number>((resolve) => {
        let begun = Number.NaN;
        for (const kind of ['click', 'input'])
          addEventListener(kind, (event) => (begun = event.timeStamp), { capture: true, once: true });
        const observer = new MutationObserver(() => {
          if (document.querySelector(`[role="img"][aria-label^="${label}"]`) === null) return;
          observer.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - begun));
        });
        observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['aria-label'] });
      }),
    curve,
  );
  await act();
  return { ms: await shown, mebibytes: line.takeBytes() / mebibyte };
}

async function firstPlot(way: Way): Promise<FirstPlot> {
  return withPage(way, async (page) => {
    const file = page.getByRole('button', { name: 'iron.nxs', exact: true });
    return timed(page, way, async () => file.click(), 'counts over energy');
  });
}

async function firstTile(way: Way): Promise<FirstTile> {
  return withPage(way, async (page) => {
    const { line } = way;
    line.takeBytes();
    const begun = performance.now();
    await page.getByRole('button', { name: 'slide.ome.tif', exact: true }).click();
    await whenDrawn(page, 'The picture');
    const first = { ms: performance.now() - begun, mebibytes: line.takeBytes() / mebibyte };
    const zoomed = performance.now();
    await page.getByRole('button', { name: 'Actual size' }).click();
    await whenDrawn(page, 'at 100 %');
    return { ...first, sharpMs: performance.now() - zoomed, sharpMebibytes: line.takeBytes() / mebibyte };
  });
}

async function spectra(way: Way, count: number, round: number): Promise<SpectraShown> {
  return withPage(way, async (page) => {
    const file = page.getByRole('button', { name: 'peptides.mzML', exact: true });
    const curveOf = (number: number): string => `Intensity, ${spectrumId(number)} over m/z`;
    const opening = await timed(page, way, async () => file.click(), curveOf(0));
    const [chosen, neighbours]: [FirstPlot[], FirstPlot[]] = [[], []];
    for (let at = 1; at <= 10; at += 1) {
      // The golden ratio spreads any number of places over the whole.
      const number = 1 + Math.floor((count - 2) * (((round * 10 + at) * 0.618_034) % 1));
      const input = page.getByLabel('Number in dimension 1');
      chosen.push(await timed(page, way, async () => input.fill(String(number + 1)), curveOf(number)));
      const [label, next] = at % 2 === 0 ? ['The one after', number + 1] : ['The one before', number - 1];
      const step = page.getByRole('button', { name: `${label} in dimension 1` });
      neighbours.push(await timed(page, way, async () => step.click(), curveOf(next)));
    }
    return { opening, chosen, neighbours };
  });
}
