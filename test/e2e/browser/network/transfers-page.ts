import type { Page } from '@playwright/test';
import type { FakeService } from '../../../renderer/fakes/fake-options.ts';

/** The row of a transfer: `Mass spectrum of the blank 1` and so on. */
export const row = (page: Page, name: RegExp) => page.getByRole('row', { name });
export const acts = (service: FakeService) =>
  service.writes
    .filter((write) => write.includes('local/fetches'))
    .map((write) => write.replace('POST local/fetches/actions ', ''));
