import { chromium, type Browser, type BrowserContext } from '@playwright/test';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sampleNexus } from '../../renderer/preview/sample-files.ts';
import { addMeasurement } from '../../service/fixture-measurement.ts';
import { startTestService, type TestService } from '../../service/start.ts';
import type { Options } from '../options.ts';
import { startSlowLine, type SlowLine } from './slow-line.ts';

const fileBytes = 100e9;
const password = 'first light at 4 kelvin';

/** One first plot: from the click to the curve, and what came over the line meanwhile. */
export interface FirstPlot {
  readonly ms: number;
  readonly mebibytes: number;
}

/** A browser whose way to the service is a slow line, and a sparse HDF5 of 100 GB. */
export interface PreviewsBench {
  readonly options: Options;
  /** Opens the page in a browser that has cached nothing, and then the file. */
  firstPlot(): Promise<FirstPlot>;
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
    say('writing a sparse file of 100 GB');
    const signedIn = await prepare(browser, service);
    return {
      options,
      firstPlot: async () => firstPlot(browser, signedIn, service, line),
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
  await addMeasurement(service, 1, 'run-7', [{ path: 'iron.nxs', crc32: 0, sha256: Buffer.alloc(32) }]);
  return signedIn;
}

async function firstPlot(
  browser: Browser,
  storageState: SignedIn,
  service: TestService,
  line: SlowLine,
): Promise<FirstPlot> {
  const context = await browser.newContext({ storageState });
  try {
    const page = await context.newPage();
    await page.goto(`${service.url}/ui/measurements/run-7`);
    const file = page.getByRole('button', { name: 'iron.nxs', exact: true });
    await file.waitFor();
    // Requests of the page for its list are no part of the preview.
    await page.waitForTimeout(1000);
    line.takeBytes();
    const begun = performance.now();
    await file.click();
    await page.getByRole('img', { name: /^counts over energy/ }).waitFor();
    return { ms: performance.now() - begun, mebibytes: line.takeBytes() / 1024 / 1024 };
  } finally {
    await context.close();
  }
}
