import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A Unix socket address is limited to about 107 bytes; longer paths cannot be listened on. */
const maxSocketPathLength = 100;

/** The address of this launch's private socket, in a folder that only its owner can enter. */
export interface SocketPlace {
  readonly socketPath: string;
  remove(): Promise<void>;
}

/**
 * Makes the folder, in `XDG_RUNTIME_DIR` if that is set and short enough, otherwise in the
 * temporary folder. A named pipe on Windows needs none.
 */
export async function makeSocketPlace(launchId: string, runtimeDir: string | undefined): Promise<SocketPlace> {
  if (process.platform === 'win32') return { socketPath: `\\\\.\\pipe\\benchport-${launchId}`, remove: async () => {} };
  const parents = runtimeDir ? [runtimeDir, os.tmpdir()] : [os.tmpdir()];
  for (const parent of parents) {
    const folder = await tryMakeFolder(parent);
    if (folder)
      return { socketPath: path.join(folder, 'door'), remove: () => fs.rm(folder, { recursive: true, force: true }) };
  }
  throw new Error(`No folder for the service's socket could be made in ${parents.join(' or ')}.`);
}

async function tryMakeFolder(parent: string): Promise<string | undefined> {
  const longest = path.join(parent, 'benchport-XXXXXX', 'door');
  if (Buffer.byteLength(longest) > maxSocketPathLength) return undefined;
  try {
    // mkdtemp creates the folder with mode 0700.
    return await fs.mkdtemp(path.join(parent, 'benchport-'));
  } catch {
    return undefined;
  }
}
