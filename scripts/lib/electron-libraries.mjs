// System libraries that Electron needs and does not include.
import { spawnSync } from 'node:child_process';

/**
 * The command that installs them on Debian and its derivatives; the other libraries are
 * dependencies of these four.
 */
export const installLibraries = 'apt-get install -y --no-install-recommends libgtk-3-0 libnss3 libasound2 libgbm1';

/** The libraries that the dynamic linker does not find for an executable. */
export function missingLibraries(executable) {
  if (process.platform !== 'linux') return [];
  const { stdout } = spawnSync('ldd', [executable], { encoding: 'utf8' });
  return [...(stdout ?? '').matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]);
}
