// Entry of the desktop application: composes the parts of shell/.
import { app, dialog } from 'electron';
import { declareAppScheme } from './shell/page/app-scheme.ts';
import { runDesktop } from './shell/desktop.ts';
import { readLaunchOptions } from './shell/settings/launch-options.ts';

// Every page is also sandboxed by its own preferences. Chromium cannot sandbox processes of root,
// who may start only a development copy, with this switch; combining it with enableSandbox() would
// let no process start.
if (app.isPackaged || !app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
// Scroll lists in one step. Smooth scrolling draws a dozen frames per turn of the wheel; without a
// graphics card (virtual machine, remote desktop, many instrument computers) the next key press
// waits for them.
app.commandLine.appendSwitch('disable-smooth-scrolling');
declareAppScheme();

if (app.requestSingleInstanceLock()) {
  // Not awaited at the top level: the application is not ready before this module has been
  // evaluated.
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
