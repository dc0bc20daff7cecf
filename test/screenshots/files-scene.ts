import type { Page } from '@playwright/test';
import { narrow, type Size } from './camera.ts';

const at = '/ui/measurements/ms-run-00099';
const options = { measurements: 100, door: 'browser' } as const;

const unfold =
  (...names: readonly string[]) =>
  async (page: Page): Promise<void> => {
    for (const name of names) await page.getByRole('button', { name, exact: true }).click();
    await page.getByText('frame-00001.dat').waitFor();
  };
const find =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('searchbox', { name: 'Search files' }).fill(text);
    await page.getByText(/files found|No path contains/).waitFor();
  };
const unfoldAll = unfold('raw', 'detector 0');

async function choose(page: Page): Promise<void> {
  await unfoldAll(page);
  await page.getByRole('checkbox', { name: 'Choose raw/detector 0' }).click();
  for (const name of ['frame-00003.dat', 'frame-00006.dat'])
    await page.getByRole('checkbox', { name: `Choose ${name}` }).click();
  await page.getByRole('checkbox', { name: 'Choose raw/detector 2' }).waitFor({ state: 'detached' });
}

const wide: Size = { width: 1920, height: 1000 };

/** The files of a measurement in a browser: folded, unfolded, filtered, chosen, and very many. */
export const fileScenes = [
  { name: 'files-folded', at, options, inBrowser: true },
  { name: 'files-unfolded', at, options, inBrowser: true, arrange: unfoldAll },
  { name: 'files-chosen', at, options, inBrowser: true, arrange: choose },
  { name: 'files-chosen-narrow', at, options, inBrowser: true, viewport: narrow, arrange: choose },
  { name: 'files-chosen-wide', at, options, inBrowser: true, viewport: wide, arrange: choose },
  { name: 'files-found', at, options, inBrowser: true, arrange: find('frame-0010') },
  { name: 'files-not-found', at, options, inBrowser: true, once: true, arrange: find('nothing like it') },
  {
    name: 'files-many',
    at,
    options: { ...options, files: 100_000 },
    inBrowser: true,
    viewport: wide,
    once: true,
    arrange: unfoldAll,
  },
] as const;
