import os from 'node:os';
import path from 'node:path';
import { locateData } from '../../service/backup/data-location.ts';
import { requireOwnDirectory } from './require-own-directory.ts';
import { CommandError } from './terminal.ts';

/**
 * The data directory of a command: `--data`, else BENCHPORT_DATA, else the desktop application's
 * (Electron's userData folder), following a redirect left by `benchport move`.
 * @throws StartError if the data was moved to a place that does not exist now; CommandError if it
 * belongs to another user or `--data` is empty.
 */
export function dataDirectory(
  option: string | undefined,
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string {
  // Most likely an unset shell variable, so do not fall back to the desktop application's data.
  if (option === '') throw new CommandError('Name a directory with --data: its value is empty.', 2);
  const named = option ?? environment['BENCHPORT_DATA'];
  const directory = locateData(
    named !== undefined && named !== ''
      ? path.resolve(named)
      : path.join(applicationData(environment, platform), 'Benchport', 'data'),
  );
  requireOwnDirectory(directory);
  return directory;
}

function applicationData(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') return environment['APPDATA'] ?? path.join(os.homedir(), 'AppData', 'Roaming');
  if (platform === 'darwin') return path.join(os.homedir(), 'Library', 'Application Support');
  const configured = environment['XDG_CONFIG_HOME'];
  return configured !== undefined && path.isAbsolute(configured) ? configured : path.join(os.homedir(), '.config');
}
