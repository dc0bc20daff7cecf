import fs from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect } from './launch.ts';

export const ready = /^ready (\d+)$/;

/** The service's process, once the page is connected. */
export async function servicePid(page: Page): Promise<number> {
  await expect(page.locator('#state')).toHaveText(ready);
  return Number(ready.exec(await page.locator('#state').innerText())?.[1]);
}

/** Whether a process still runs; a zombie does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const status = await fs.readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return status !== '' && !/^State:\s+Z/m.test(status);
}
