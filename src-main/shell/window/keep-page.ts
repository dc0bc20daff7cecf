import type { BrowserWindow } from 'electron';
import { homeUrl } from '../page/app-url.ts';
import { countPageCrashes, crashQuestion, hungQuestion } from './page-crashes.ts';
import type { Question } from '../quitting/quit-rules.ts';

/** What keeping a page takes. */
export interface KeepPageDeps {
  /** Answers with the number of the button; the last one, too, when the question is taken back. */
  readonly sendToService: (question: Question, takenBack?: AbortSignal) => Promise<number>;
  /** Quits without asking. */
  readonly quit: () => void;
}

/** Loads the page of a window again when its process has ended, and asks the user where that does not help or the page hangs. */
export function keepPage(window: BrowserWindow, { sendToService: ask, quit }: KeepPageDeps): void {
  const contents = window.webContents;
  const crashed = countPageCrashes(Date.now);
  let hangs: AbortController | undefined;

  async function askAfterCrashes(): Promise<void> {
    const button = await ask(crashQuestion);
    if (button === 0) quit();
    // Not the screen that it was on, which may be the cause.
    else if (!window.isDestroyed()) await window.loadURL(homeUrl);
  }

  contents.on('render-process-gone', (_event, { reason }) => {
    hangs?.abort();
    if (reason === 'clean-exit') return;
    // What goes on in Chromium at this moment has to be over before the page gets a new process.
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
