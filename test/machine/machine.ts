import { copyFile, mkdir } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const namespaces = ['--mount', '--net', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc'];

/** A login of root; npm installs where Debian's does, whatever npm this machine has. */
const environment = [
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'HOME=/root',
  'LANG=C.UTF-8',
  'NPM_CONFIG_PREFIX=/usr/local',
];

/** Whether this user may lay folders over those of the machine: only root may, and not in every container. */
export const mayHaveMachine = (() => {
  const overlay =
    'mount -t tmpfs t /mnt && mkdir /mnt/u /mnt/w && mount -t overlay o -o lowerdir=/srv,upperdir=/mnt/u,workdir=/mnt/w /srv';
  try {
    execFileSync('unshare', [...namespaces, 'sh', '-c', overlay], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/**
 * The start of a command line that runs the rest on a Debian of its own (`machine.sh`), where the
 * headless package is installed with the Node of the tests.
 *
 * @param prefix npm's prefix, where the package was installed.
 */
export async function machineCommand(folder: string, prefix: string): Promise<readonly [string, ...string[]]> {
  const node = path.join(prefix, 'bin/node');
  await mkdir(path.dirname(node), { recursive: true });
  await copyFile(process.execPath, node);
  return [
    'unshare',
    ...namespaces,
    'env',
    '-i',
    ...environment,
    'bash',
    path.join(import.meta.dirname, 'machine.sh'),
    folder,
    prefix,
  ];
}
