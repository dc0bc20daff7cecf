import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** A Unix socket's address holds some 107 bytes; anything longer cannot be listened on. */
const maxSocketPathLength = 100;

/** The place of this launch's private socket, in a folder that only its owner may enter. */
export interface SocketPlace {
  readonly socketPath: string;
  remove(): Promise<void>;
}

/** Makes the folder, in the session's runtime folder when there is one and it is short enough. On Windows a named pipe needs none. */
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
    // mkdtemp makes the folder with mode 0700.
    return await fs.mkdtemp(path.join(parent, 'benchport-'));
  } catch {
    return undefined;
  }
}
