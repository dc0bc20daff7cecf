import { app } from 'electron';

/** Ends the application with a status, after its work of ending is done. */
export type Quit = (status: number) => void;

/** Puts off every quit until the work of ending is done. A second request to quit changes nothing. */
export function quitAfter(end: () => Promise<void>): Quit {
  let ending: Promise<void> | undefined;
  const quit: Quit = (status) => {
    ending ??= end()
      .catch((error: unknown) => {
        console.error(`The service did not end well: ${String(error)}`);
      })
      .then(() => app.exit(status));
  };
  app.on('will-quit', (event) => {
    event.preventDefault();
    quit(0);
  });
  return quit;
}
