import type { Page } from '@playwright/test';
import type { FakeOptions, FakeService } from '../../renderer/fakes/fake-options.ts';
import { giveBridge } from './screens-fixture.ts';

type Open = (path: string, options?: Omit<FakeOptions, 'rendererDir'>) => Promise<FakeService>;

/** Opens a screen as in the window. */
export async function inWindow(
  page: Page,
  open: Open,
  path: string,
  options: Omit<FakeOptions, 'rendererDir'> = {},
): Promise<FakeService> {
  await giveBridge(page);
  return open(path, { door: 'window', ...options });
}
