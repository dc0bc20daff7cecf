import { app, powerMonitor } from 'electron';
import { quitQuestion, type Busy, type Question } from './quit-rules.ts';

/** Ends the application, but not by accident. */
export interface QuitGuard {
  /** True once quitting has been confirmed and is under way. */
  readonly quitting: boolean;
  /** True if the session ends or a signal was received, rather than the user quitting. */
  readonly isSessionsEnd: boolean;
  /** Quits without a confirmation. */
  quitNow(): void;
}

/**
 * Milliseconds after which a log-off counts as cancelled by another program; the next quit is the
 * user's again.
 */
const logOffTimeoutMs = 60_000;

/**
 * Asks for confirmation when the user quits during a fetch. The end of the session and signals are
 * never delayed: the journal is on disk, and a dialog would block the shutdown.
 */
export function guardQuit(busy: () => Busy, ask: (question: Question) => Promise<number>): QuitGuard {
  let sure = false;
  let quitting = false;
  let asking = false;
  let isSessionsEnd = false;

  app.on('before-quit', (event) => {
    const question = sure ? undefined : quitQuestion(busy());
    if (!question) {
      quitting = true;
      return;
    }
    event.preventDefault();
    if (asking) return;
    asking = true;
    void ask(question)
      .then((button) => {
        if (button === 0) quitNow();
      })
      .finally(() => {
        asking = false;
      });
  });
  powerMonitor.on('shutdown', sessionEnds);
  app.on('browser-window-created', (_event, window) => {
    window.on('session-end', sessionEnds);
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // `when-exit` (used by electron-store) listens for signals before Electron installs its own handler over Node's. Node
    // installs its handler only for the first listener, so the earlier ones are removed; they were
    // never called.
    process.removeAllListeners(signal);
    process.on(signal, () => {
      isSessionsEnd = true;
      quitNow();
    });
  }

  function sessionEnds(): void {
    [sure, isSessionsEnd] = [true, true];
    setTimeout(() => {
      [sure, isSessionsEnd] = [quitting, quitting];
    }, logOffTimeoutMs).unref();
  }

  function quitNow(): void {
    sure = true;
    app.quit();
  }

  return {
    get quitting() {
      return quitting;
    },
    get isSessionsEnd() {
      return isSessionsEnd;
    },
    quitNow,
  };
}
