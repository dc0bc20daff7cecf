// The default app of the development runtime (`electron [switches] FOLDER [arguments]`): loads the
// application in FOLDER, as the default app of an ordinary Electron does.
import { app } from 'electron';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Splits the command line into modules to preload (`-r MODULE`, used by test drivers) and the
 * application's folder.
 */
function readCommandLine(words) {
  const preloads = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === '-r' || word === '--require') preloads.push(words[(at += 1)]);
    else if (!word.startsWith('-')) return { preloads, folder: path.resolve(word) };
  }
  return { preloads, folder: process.cwd() };
}

/**
 * Takes name and version from the application's package.json.
 * @returns the file to run.
 */
function adoptPackage(folder) {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  app.setName(manifest.productName ?? manifest.name);
  if (manifest.version) app.setVersion(manifest.version);
  app.setDesktopName(manifest.desktopName ?? `${app.getName()}.desktop`);
  app.setAppPath(folder);
  return path.join(folder, manifest.main ?? 'index.js');
}

try {
  const { preloads, folder } = readCommandLine(process.argv.slice(1));
  const require = createRequire(import.meta.url);
  for (const file of preloads) require(path.resolve(file));
  Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });
  await import(pathToFileURL(adoptPackage(folder)).href);
} catch (error) {
  console.error('The application could not be loaded.\n', error);
  app.exit(1);
}
