import { mkdir } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startXvfb } from '../../../scripts/lib/xvfb.mjs';
import { createAccount, end, prepareLaunch, start } from '../../e2e/electron/launch.ts';

/** The desktop application on a private display, showing its list of transfers. */
export interface WindowApp {
  readonly page: Page;
  /** The X server's display, such as `:99`. */
  readonly display: string;
  /** A request as the page sends it. @throws when it is refused */
  readonly api: <Body>(method: string, url: string, body?: unknown) => Promise<Body>;
  /** Chooses paths of this machine in a dialog, because requests may name only chosen ones. */
  readonly choose: (paths: readonly string[]) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts the current build with its own data directory. */
export async function startWindowApp(folder: string): Promise<WindowApp> {
  await mkdir(folder, { recursive: true });
  const xvfb = await startXvfb();
  try {
    const app = await start(
      await prepareLaunch(folder, { parts: 'real', env: { DISPLAY: xvfb.display, NODE_ENV: 'production' } }),
    );
    const stop = async (): Promise<void> => {
      await end(app);
      xvfb.stop();
    };
    try {
      const page = await app.firstWindow();
      await createAccount(page);
      const api = async <Body>(method: string, url: string, body?: unknown): Promise<Body> => {
        const { status, text } = await page.evaluate(
          async (asked) => {
            const head = { method: asked.method, headers: { 'content-type': 'application/json' } };
            const answer = await fetch(
              asked.url,
              asked.body === null ? { method: asked.method } : { ...head, body: asked.body },
            );
            return { status: answer.status, text: await answer.text() };
          },
          { method, url, body: body === undefined ? null : JSON.stringify(body) },
        );
        if (status >= 300) throw new Error(`${method} ${url} was answered with ${status}: ${text}`);
        return (text === '' ? null : JSON.parse(text)) as Body;
      };
      const choose = async (paths: readonly string[]): Promise<void> => {
        await app.evaluate(
          ({ dialog }, filePaths) => {
            dialog.showOpenDialog = async () => ({ canceled: false, filePaths });
          },
          [...paths],
        );
        await page.evaluate(() =>
          (window as unknown as { benchport: { chooseFiles(): Promise<string[]> } }).benchport.chooseFiles(),
        );
      };
      return { page, display: xvfb.display, api, choose, stop };
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    xvfb.stop();
    throw error;
  }
}
