// Finds an Electron that can run here, or prepares one. Run as a command, it prints the path of the
// executable.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { developmentRuntime, isPrepared, prepareDevelopmentRuntime } from './lib/development-runtime.mjs';
import { inRoot } from './lib/project.mjs';

const executable =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron';
const downloadLimitSeconds = 60;

/**
 * Tries in this order: the folder in ELECTRON_OVERRIDE_DIST_PATH, the binary of the installed
 * electron package, a development runtime prepared earlier, the package's own download, a newly
 * prepared development runtime.
 */
export async function findElectron(report = (line) => console.error(`electron: ${line}`)) {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return named(override);

  const electronPackage = path.dirname(createRequire(inRoot('package.json')).resolve('electron/package.json'));
  const official = { dist: path.join(electronPackage, 'dist'), from: 'the electron package' };
  if (fs.existsSync(path.join(official.dist, executable))) return withExecutable(official);

  const fallback = developmentRuntime();
  if (fallback && isPrepared(fallback)) return withExecutable(fallback);

  report("fetching Electron's binary from its release site");
  const problem = download(electronPackage);
  if (!problem) return withExecutable(official);
  report(`that did not work: ${problem}`);

  if (!fallback)
    throw new Error('No Electron for this machine. Install one and name its folder in ELECTRON_OVERRIDE_DIST_PATH.');
  await prepareDevelopmentRuntime(fallback, report);
  return withExecutable(fallback);
}

function named(dist) {
  if (!fs.existsSync(path.join(dist, executable)))
    throw new Error(`ELECTRON_OVERRIDE_DIST_PATH names ${dist}, which holds no ${executable}.`);
  return withExecutable({ dist, from: 'the folder of ELECTRON_OVERRIDE_DIST_PATH' });
}

function withExecutable(runtime) {
  return { ...runtime, exe: path.join(runtime.dist, executable) };
}

/**
 * Runs the package's download, which checks its own list of hashes.
 * @returns the failure, if any.
 */
function download(electronPackage) {
  const result = spawnSync(process.execPath, [path.join(electronPackage, 'install.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    timeout: downloadLimitSeconds * 1000,
  });
  if (result.status === 0) return undefined;
  if (result.signal)
    return `no end after ${downloadLimitSeconds} seconds ("npx install-electron" tries without a limit)`;
  const lines = (result.stderr ?? '').split('\n').filter((line) => /error/i.test(line));
  return lines[0]?.trim() || `its installer ended with status ${result.status}`;
}

if (import.meta.main) {
  try {
    const runtime = await findElectron();
    console.error(`electron: using ${runtime.from}`);
    console.log(runtime.exe);
  } catch (error) {
    console.error(`electron: ${error.message}`);
    process.exitCode = 1;
  }
}
