// Whether Chromium's sandbox works on this machine.
import { spawnSync } from 'node:child_process';
import { isRoot } from './project.mjs';

/** Switches for Electron: Chromium refuses to sandbox processes of root. */
export const sandboxSwitches = isRoot ? ['--no-sandbox'] : [];

/**
 * One line saying what keeps the sandbox from starting and what would help; undefined if nothing
 * does.
 */
export function sandboxObstacle() {
  if (isRoot || process.platform !== 'linux') return undefined;
  const { status } = spawnSync('unshare', ['--user', '--map-root-user', 'true'], { stdio: 'ignore' });
  if (!status) return undefined;
  return 'Chromium\'s sandbox needs user namespaces, which this machine refuses; on Ubuntu "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0" allows them.';
}
