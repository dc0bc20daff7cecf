import { app } from 'electron';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readUpdateFeed, type UpdateContext } from './update-rules.ts';

/**
 * How this copy of Benchport was built and installed, and the public key that verifies its updates.
 */
export function describeThisCopy(): UpdateContext & { readonly key: string } {
  const feed = readUpdateFeed(readIfThere(path.join(process.resourcesPath, 'app-update.yml')) ?? '');
  const metadata = JSON.parse(readFileSync(path.join(app.getAppPath(), 'package.json'), 'utf8')) as {
    readonly updateKey?: string;
  };
  const key = metadata.updateKey ?? '';
  return {
    development: !app.isPackaged,
    feed,
    hasKey: key !== '',
    key,
    platform: process.platform,
    installedBy: installer(),
  };
}

function installer(): string | null {
  if (process.platform === 'win32')
    return existsSync(path.join(path.dirname(process.execPath), `Uninstall ${app.getName()}.exe`)) ? 'nsis' : null;
  if (process.env['APPIMAGE'] !== undefined) return 'AppImage';
  return readIfThere(path.join(process.resourcesPath, 'package-type'));
}

function readIfThere(file: string): string | null {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
