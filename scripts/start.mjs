// npm start: opens the desktop application of this checkout, or the headless service if no window
// can open.
import { buildAll } from './build.mjs';
import { findElectron } from './electron.mjs';
import { applicationEnvironment, applicationLine } from './lib/application.mjs';
import { installLibraries, missingLibraries } from './lib/electron-libraries.mjs';
import { isBuildStale } from './lib/freshness.mjs';
import { run } from './lib/process.mjs';
import { inRoot, isRoot, requireNode24, root } from './lib/project.mjs';
import { sandboxObstacle } from './lib/sandbox.mjs';

requireNode24();
const args = process.argv.slice(2);
const say = (line) => console.error(`start: ${line}`);

if (isBuildStale()) {
  say('building');
  await buildAll(() => {});
}
const { executable, obstacle } = await lookForWindow();
if (obstacle) say(`${obstacle} The headless service starts instead.`);
process.exitCode = executable
  ? await startWindow(executable)
  : await run(process.execPath, [inRoot('out/service/cli.js'), 'serve', ...args], { cwd: root });

/**
 * Finds the Electron to open the window with; or one line saying why it cannot open and what would
 * help.
 */
async function lookForWindow() {
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!hasDisplay)
    return {
      obstacle: `No display here, so no window can open; in a desktop session "${installLibraries}" installs what it needs.`,
    };
  try {
    const { exe } = await findElectron();
    const missing = missingLibraries(exe);
    if (missing.length > 0)
      return { obstacle: `The window needs ${missing.join(', ')}, which "${installLibraries}" installs.` };
    const refusal = sandboxObstacle();
    return refusal ? { obstacle: refusal } : { executable: exe };
  } catch (error) {
    return { obstacle: `No Electron could be prepared: ${error.message}` };
  }
}

function startWindow(electron) {
  if (isRoot)
    say("running as root, so without Chromium's sandbox (--no-sandbox); use an ordinary account for daily work");
  return run(electron, applicationLine(args), { cwd: root, env: applicationEnvironment() });
}
