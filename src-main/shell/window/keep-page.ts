import type { BrowserWindow } from 'electron';
import { homeUrl } from '../page/app-url.ts';
import { countPageCrashes, crashQuestion, hungQuestion } from './page-crashes.ts';
import type { Question } from '../quitting/quit-rules.ts';

export interface KeepPageDeps {
  /**
   * Shows a question and resolves to the index of the chosen button, or of the last one if the
   * question is withdrawn.
   */
  readonly ask: (question: Question, withdrawn?: AbortSignal) => Promise<number>;
  /** Quits without a confirmation. */
  readonly quit: () => void;
}

/**
 * Reloads a window's page after its process has ended; asks the user after repeated crashes or a
 * hang.
 */
export function keepPage(window: BrowserWindow, { ask, quit }: KeepPageDeps): void {
  const contents = window.webContents;
  const crashed = countPageCrashes(Date.now);
  let hangs: AbortController | undefined;

  async function askAfterCrashes(): Promise<void> {
    const button = await ask(crashQuestion);
    if (button === 0) quit();
    // Loads the home screen, because the previous screen may be the cause of the crashes.
    else if (!window.isDestroyed()) await window.loadURL(homeUrl);
  }

  contents.on('render-process-gone', (_event, { reason }) => {
    hangs?.abort();
    if (reason === 'clean-exit') return;
    // Reload only after Chromium has finished handling the crash event.
    setImmediate(() => {
      if (window.isDestroyed()) return;
      if (crashed() === 'load-again') contents.reload();
      else
        void askAfterCrashes().catch((error: unknown) =>
          console.error(`The window could not be shown again: ${String(error)}`),
        );
    });
  });

  window.on('unresponsive', () => {
    if (hangs) return;
    const question = new AbortController();
    hangs = question;
    void ask(hungQuestion, question.signal).then((button) => {
      hangs = undefined;
      if (button === 0 && !question.signal.aborted && !window.isDestroyed()) contents.forcefullyCrashRenderer();
    });
  });
  window.on('responsive', () => hangs?.abort());
}
