import { app } from 'electron';

/** Ends the application with an exit status, after its cleanup. */
export type Quit = (status: number) => void;

/** Milliseconds to wait for a started installer to end the application before exiting anyway. */
const installerTimeoutMs = 60_000;

/**
 * Delays every quit until the cleanup is done. Further quit requests change nothing.
 * @param install called last; returns true if it started an installer that ends the application by
 * itself.
 */
export function quitAfter(end: () => Promise<void>, install: () => boolean): Quit {
  let ending: Promise<void> | undefined;
  let hasEnded = false;
  const quit: Quit = (status) => {
    ending ??= end()
      .catch((error: unknown) => {
        console.error(`The service did not end well: ${String(error)}`);
      })
      .then(() => {
        hasEnded = true;
        if (install()) setTimeout(() => app.exit(status), installerTimeoutMs);
        else app.exit(status);
      });
  };
  app.on('will-quit', (event) => {
    if (hasEnded) return;
    event.preventDefault();
    quit(0);
  });
  return quit;
}
