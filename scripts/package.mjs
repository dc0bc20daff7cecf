// npm run package:dir: the unpacked directory of this platform in release/, made with any Electron
// available here.
import { build, Platform } from 'electron-builder';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { buildAll } from './build.mjs';
import { findElectron } from './electron.mjs';
import { inRoot, requireNode24, root } from './lib/project.mjs';

/**
 * Makes the directory from the current build.
 * @param output the folder to make it in.
 * @param more electron-builder configuration that overrides the file.
 * @returns its path.
 */
export async function packageDirectory(output = inRoot('release'), more = {}) {
  const runtime = await findElectron();
  const asNode = { encoding: 'utf8', env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } };
  const version = execFileSync(runtime.exe, ['-p', 'process.versions.electron'], asNode).trim();
  const old = Number(version.split('.')[0]) < 45;
  if (old)
    console.error(
      `package: Electron ${version} is for development only, and its Node is too old for the service: Node 24 goes along. Not for release.`,
    );
  await build({
    projectDir: root,
    targets: Platform.current().createTarget('dir'),
    publish: 'never',
    config: {
      extends: inRoot('electron-builder.yml'),
      ...more,
      directories: { output },
      electronDist: runtime.dist,
      electronVersion: version,
      afterPack: removeStartPage,
      ...(old ? { extraResources: [{ from: fs.realpathSync(process.execPath), to: 'development-node' }] } : {}),
    },
  });
  return path.join(output, 'linux-unpacked');
}

/**
 * An Electron given by its folder includes Electron's own start page, which is not part of the
 * product.
 */
function removeStartPage({ appOutDir }) {
  fs.rmSync(path.join(appOutDir, 'resources/default_app.asar'), { force: true });
  fs.rmSync(path.join(appOutDir, 'version'), { force: true });
}

if (import.meta.main) {
  requireNode24();
  try {
    await buildAll();
    console.log(await packageDirectory());
  } catch (error) {
    console.error(`package: ${error.message}`);
    process.exitCode = 1;
  }
}
