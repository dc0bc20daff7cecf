import type { Page } from '@playwright/test';
import type { OutgoingTransfer, Sharing } from '../../src-main/service/contract/sharing.ts';
import type { FakeOptions, FakeService } from '../renderer/fakes/fake-options.ts';
import type { RunErrors } from '../../src-main/service/contract/timeline/run-errors.ts';
import { copiesPage } from './copies-scene.ts';
import type { Size } from './camera.ts';
import { past } from './sharing-scene.ts';

export interface Scene {
  readonly name: string;
  readonly at: string;
  readonly options?: Omit<FakeOptions, 'rendererDir'>;
  readonly viewport?: Size;
  /** Without the window's bridge. */
  readonly inBrowser?: true;
  /** Only in the light theme. */
  readonly once?: true;
  readonly arrange?: (page: Page, service: FakeService) => Promise<void>;
}

/** Scrolled so that all settings are visible. */
export const tall = { width: 1280, height: 4560 };
export const tab =
  (name: string) =>
  async (page: Page): Promise<void> =>
    page.getByRole('tab', { name }).click();
/** The state of sharing; `sent` is what others download meanwhile. */
export const showsSharing =
  (state: Sharing, sent: readonly OutgoingTransfer[]) =>
  async (page: Page, service: FakeService): Promise<void> => {
    for (const [route, json] of [
      ['local/sharing', state],
      ['transfers/running', sent],
      ['transfers/past*', past],
    ] as const) {
      await page.route(`**/api/v4/${route}`, (asked) => asked.fulfill({ json }));
    }
    await page.route('**/api/v4/service', async (asked) => {
      const answer = await asked.fetch();
      return asked.fulfill({ json: { ...((await answer.json()) as object), shared: state.on, shared_url: state.url } });
    });
    await page.reload();
    const clients = new Set(sent.map(({ address }) => address)).size;
    const rate = sent.reduce((sum, one) => sum + one.bytes_per_second, 0);
    if (sent.length > 0)
      await lastSeconds(page, rate, (up) => service.emit('rates', { up_bytes_per_second: up, up_clients: clients }));
  };

/** Copies in all of their states. */
export async function showsCopies(page: Page): Promise<void> {
  await page.route('**/api/v4/local/copies?*', (asked) => asked.fulfill({ json: copiesPage }));
  await page.reload();
}

/** A new rule, and what it would find. */
export async function triesRule(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Watch a folder…' }).click();
  await page.getByLabel('Instrument').selectOption('illumina');
  await page.getByRole('button', { name: 'Choose' }).click();
  await page.getByRole('button', { name: 'Try it' }).click();
  await page.getByRole('button', { name: 'Show 4 more' }).scrollIntoViewIfNeeded();
}

/** Answers with these errors for each measurement. */
export const showsRunErrors =
  (json: RunErrors) =>
  async (page: Page): Promise<void> => {
    await page.route('**/api/v4/measurements/*/errors*', (asked) => asked.fulfill({ json }));
    await tab('Errors')(page);
  };

const mib = 1024 ** 2;

/**
 * Announces rates of the last seconds one by one, with the page's clock. `tell` gets bytes a
 * second.
 */
async function lastSeconds(page: Page, about: number, tell: (rate: number) => void): Promise<void> {
  await page.getByText('service running').waitFor();
  for (let second = 0; second < 38; second += 1) {
    tell(
      Math.round(
        about * (1 + 0.14 * Math.sin(second / 4) + 0.09 * Math.sin(second * 1.7)) * Math.min(1, 0.3 + second / 8),
      ),
    );
    // The event must arrive before its second is over.
    await page.waitForTimeout(40);
    await page.clock.runFor(1000);
  }
  tell(about);
  await page.waitForTimeout(100);
}

/** Starts fetches, then runs `more`. */
export const fetching =
  (more?: (page: Page) => Promise<void>) =>
  async (page: Page, service: FakeService): Promise<void> => {
    await lastSeconds(page, 88 * mib, (rate) =>
      service.emit('incoming', { down_bytes_per_second: rate, running: 2, seconds_left: 253 }),
    );
    await more?.(page);
  };
