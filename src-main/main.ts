// The desktop application's entry: puts the parts of shell/ together and decides nothing by itself.
import { app, dialog } from 'electron';
import { declareAppScheme } from './shell/page/app-scheme.ts';
import { runDesktop } from './shell/desktop.ts';
import { readLaunchOptions } from './shell/settings/launch-options.ts';

// Every page is sandboxed by its own preferences as well. Chromium cannot sandbox processes of root, who may start only a
// development copy, with this switch; asking for both would leave no process able to start.
if (app.isPackaged || !app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
// A turn of the wheel moves a list at once. Chromium makes a dozen frames of it, and where no graphics card draws them (a virtual machine, a remote
// desktop, many a computer beside an instrument) the next key waits for these.
app.commandLine.appendSwitch('disable-smooth-scrolling');
declareAppScheme();

if (app.requestSingleInstanceLock()) {
  // Not awaited at the top level: the application is not ready before this module has ended.
  const options = readLaunchOptions(process.argv.slice(1), process.env);
  void runDesktop(options).catch((error: unknown) => {
    console.error(error);
    if (!options.exitOnFailure)
      dialog.showErrorBox('Benchport could not start', error instanceof Error ? error.message : String(error));
    app.exit(1);
  });
} else {
  app.quit();
}
