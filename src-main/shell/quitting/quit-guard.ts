import { app, powerMonitor } from 'electron';
import { quitQuestion, type Busy, type Question } from './quit-rules.ts';

/** Ends the application, but not by accident. */
export interface QuitGuard {
  /** True once nothing holds up the end any more. */
  readonly quitting: boolean;
  /** The session ends, or a signal came: not the user alone wants the end. */
  readonly isSessionsEnd: boolean;
  /** Quits without asking: the user has been asked. */
  quitNow(): void;
}

/** A log-off may be called off by another program; then the next quit is the user's again. */
const logOffTakes = 60_000;

/**
 * Asks before the user quits while something is being fetched. The end of the session, and of the process by a signal, is never held up: the journal is on
 * disk, and a dialog would keep the computer from shutting down.
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
    // A library that keeps settings has listened since before Electron put a handler of its own over Node's. Only the first listener makes Node put its
    // handler there, so the others have to go; theirs were never called.
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
    }, logOffTakes).unref();
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
