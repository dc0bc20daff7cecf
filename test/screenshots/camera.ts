import type { Browser, BrowserContext, Page } from '@playwright/test';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { smallPng } from './small-png.ts';

export type Theme = 'light' | 'dark';
export const themes: readonly Theme[] = ['light', 'dark'];

export interface Size {
  readonly width: number;
  readonly height: number;
}
export const wide: Size = { width: 1280, height: 800 };
/** A large screen. */
export const large: Size = { width: 1920, height: 1080 };
export const narrow: Size = { width: 360, height: 740 };

/** Takes pictures of pages into a folder, each under its name. */
export interface Camera {
  readonly context: (theme: Theme, viewport?: Size) => Promise<BrowserContext>;
  /** Takes the picture once everything has loaded, and closes the page. */
  readonly shoot: (page: Page, name: string, keepOpen?: boolean) => Promise<void>;
}

export function cameraOf(browser: Browser, folder: string): Camera {
  return {
    context: async (theme, viewport = wide) =>
      browser.newContext({ viewport, colorScheme: theme, reducedMotion: 'reduce' }),
    async shoot(page, name, keepOpen = false) {
      await page.waitForLoadState('load');
      // Moves the pointer away, so that nothing is hovered.
      await page.mouse.move(0, 0);
      await page.waitForTimeout(700);
      await writeFile(path.join(folder, `${name}.png`), smallPng(await page.screenshot()));
      if (!keepOpen) await page.context().close();
    },
  };
}
