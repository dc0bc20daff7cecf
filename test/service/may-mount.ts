import { execFileSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

/** Whether this user may mount a small disk: only root may, and not in every container. */
export const mayMount = (() => {
  const point = path.join(os.tmpdir(), `benchport-mount-${process.pid}`);
  try {
    execFileSync(
      'sh',
      [
        '-c',
        `mkdir "${point}" && mount -t tmpfs benchport-test "${point}" && umount "${point}"; status=$?; rmdir "${point}"; exit $status`,
      ],
      {
        stdio: 'ignore',
      },
    );
    return true;
  } catch {
    return false;
  }
})();
