import type { Page } from '@playwright/test';
import { addMeasurement, type FixtureFile } from '../../../service/fixture-measurement.ts';
import type { TestService } from '../../../service/start.ts';

/** Opens a measurement of these files; alice, who is signed in, owns it. */
export async function show(page: Page, service: TestService, files: readonly FixtureFile[]): Promise<void> {
  await addMeasurement(service, 1, 'run-7', files);
  await page.goto(`${service.url}/ui/measurements/run-7`);
}

export const previewOf = (page: Page, name: string) => page.getByRole('region', { name: `Preview of ${name}` });
