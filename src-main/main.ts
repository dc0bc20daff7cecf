// The desktop application's entry: puts the parts of shell/ together and decides nothing by itself.
import { app } from 'electron';
import { declareAppScheme } from './shell/app-scheme.ts';
import { runDesktop } from './shell/desktop.ts';
import { readLaunchOptions } from './shell/launch-options.ts';

app.enableSandbox();
declareAppScheme();

if (app.requestSingleInstanceLock()) {
  // Not awaited at the top level: the application is not ready before this module has ended.
  void runDesktop(readLaunchOptions(process.argv.slice(1), process.env)).catch((error: unknown) => {
    console.error(error);
    app.exit(1);
  });
} else {
  app.quit();
}
