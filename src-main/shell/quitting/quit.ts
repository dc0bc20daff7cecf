import { app } from 'electron';

/** Ends the application with a status, after its work of ending is done. */
export type Quit = (status: number) => void;

/** An installer that has been started ends the application; if it does not, nothing is gained by waiting any longer. */
const installerTakes = 60_000;

/**
 * Puts off every quit until the work of ending is done. A second request to quit changes nothing.
 *
 * @param install called last: true when an installer was started that ends the application by itself.
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
        if (install()) setTimeout(() => app.exit(status), installerTakes);
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
